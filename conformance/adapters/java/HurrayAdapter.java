// SPDX-License-Identifier: Apache-2.0
//
// An adapter in Java 17, one file and no packages: `java HurrayAdapter.java`. It answers the lines of
// conformance/PROTOCOL.md for kernels, quantization descriptors of all schemes, element types, foreign
// zero points and the firmware's functions; tensors and their conversion are not claimed.
//
// To have a library of your own judged, keep the last part (text and verbs) and let its rows call yours. What
// you do not have goes from VERBS and from `hello`: what is not claimed is not asked.

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

public final class HurrayAdapter {
  private static final class Rejected extends RuntimeException {
    Rejected(String reason) {
      super(reason, null, false, false);
    }
  }

  private static final class Unsupported extends RuntimeException {}

  private static void rejectIf(boolean broken, String reason) {
    if (broken) throw new Rejected(reason);
  }

  // --- Element types: sub-byte elements fill a byte from its low bits, four of 6 bits fill three bytes

  // IEEE: the highest exponent is infinity and NaN. ONE_NAN: only the highest pattern is NaN. FINITE: neither.
  private enum Form { SIGNED, UNSIGNED, IEEE, ONE_NAN, FINITE, POWER_OF_TWO, COMPLEX }

  private record Element(int tag, int bits, Form form, int fraction, int bias) {
    long mask() {
      return -1L >>> (64 - bits);
    }

    long low() {
      return form == Form.SIGNED ? -1L << (bits - 1) : form == Form.POWER_OF_TWO ? 1 : 0;
    }

    long high() {
      return form == Form.SIGNED ? mask() >>> 1 : form == Form.POWER_OF_TWO ? 254 : mask();
    }

    BigInteger packedBytes(BigInteger count) {
      final int group = bits == 6 ? 24 : 8;  // bits that are written at a time
      final BigInteger all = count.multiply(BigInteger.valueOf(bits)).add(BigInteger.valueOf(group - 1));
      final BigInteger bytes = all.divide(BigInteger.valueOf(group)).multiply(BigInteger.valueOf(group / 8));
      rejectIf(bytes.bitLength() > 64, "more bytes than 64 bits count");
      return bytes;
    }

    // Signed ones with their sign, all others as their bit pattern.
    long[] unpack(BigInteger count, byte[] data) {
      rejectIf(!packedBytes(count).equals(BigInteger.valueOf(data.length)), "number of bytes");
      final long[] values = new long[count.intValue()];
      for (int i = 0; i < values.length; ++i) {
        final int bit = i * bits;
        long word = 0;
        for (int k = 0; k < bits && bit / 8 + k / 8 < data.length; k += 8) {
          word |= (data[bit / 8 + k / 8] & 0xffL) << k;
        }
        if (bits == 6 && bit / 8 + 1 < data.length) word |= (data[bit / 8 + 1] & 0xffL) << 8;  // it may cross
        word = word >>> bit % 8 & mask();
        rejectIf(form == Form.POWER_OF_TWO && (word == 0 || word == 255), "no float8_e8m0");
        values[i] = form == Form.SIGNED ? word << (64 - bits) >> (64 - bits) : word;
      }
      return values;
    }

    byte[] pack(long[] values) {
      final byte[] out = new byte[packedBytes(BigInteger.valueOf(values.length)).intValue()];
      for (int i = 0; i < values.length; ++i) {
        final int bit = i * bits;
        for (int k = 0; k < bits; ++k) {
          out[(bit + k) / 8] |= (byte) ((values[i] >> k & 1) << (bit + k) % 8);
        }
      }
      return out;
    }

    byte[] packChecked(long[] values) {
      for (final long value : values) {
        rejectIf(bits < 64 && (value < low() || value > high()), "value outside the type");
      }
      return pack(values);
    }

    // The real value, rounded once.
    float widen(long value) {
      rejectIf(form == Form.COMPLEX, "no real numbers");
      if (form == Form.SIGNED) return value;
      if (form == Form.UNSIGNED) return value >= 0 ? value : 2 * (float) (value >>> 1 | value & 1);
      if (form == Form.POWER_OF_TWO) return Float.intBitsToFloat((int) value << 23);
      if (bits == 64) return (float) Double.longBitsToDouble(value);
      if (bits == 32) return Float.intBitsToFloat((int) value);
      final long magnitude = value & mask() >>> 1, whole = 1L << fraction;
      final float sign = value == magnitude ? 1 : -1;
      final int exponent = (int) (magnitude >> fraction);
      if (form == Form.IEEE && (magnitude | whole - 1) == mask() >>> 1) {
        return magnitude % whole != 0 ? Float.NaN : sign * Float.POSITIVE_INFINITY;
      }
      if (form == Form.ONE_NAN && magnitude == mask() >>> 1) return Float.NaN;
      final long digits = exponent == 0 ? magnitude : magnitude % whole + whole;
      return sign * Math.scalb((float) digits, Math.max(exponent, 1) - bias - fraction);
    }
  }

  private static final Map<Integer, Element> ELEMENTS = new TreeMap<>();

  private static void element(int tag, int bits, Form form, int... fractionAndBias) {
    final boolean has = fractionAndBias.length == 2;
    ELEMENTS.put(tag, new Element(tag, bits, form, has ? fractionAndBias[0] : 0, has ? fractionAndBias[1] : 0));
  }

  static {
    element(0x01, 16, Form.IEEE, 10, 15);
    element(0x02, 16, Form.IEEE, 7, 127);
    element(0x03, 32, Form.IEEE, 23, 127);
    element(0x04, 64, Form.IEEE, 52, 1023);
    for (int tag = 0x10; tag <= 0x17; ++tag) {
      element(tag, 8 << (tag - 0x10) / 2, tag % 2 == 0 ? Form.SIGNED : Form.UNSIGNED);
    }
    element(0x20, 1, Form.UNSIGNED);
    element(0x40, 8, Form.ONE_NAN, 3, 7);
    element(0x41, 8, Form.IEEE, 2, 15);
    element(0x42, 8, Form.POWER_OF_TWO);
    element(0x43, 4, Form.FINITE, 1, 1);
    element(0x44, 6, Form.FINITE, 3, 1);
    element(0x45, 6, Form.FINITE, 2, 3);
    element(0x48, 4, Form.SIGNED);
    element(0x49, 4, Form.UNSIGNED);
    element(0x4a, 2, Form.SIGNED);
    element(0x4b, 2, Form.UNSIGNED);
    element(0x50, 64, Form.COMPLEX);
  }

  private static final Set<Integer> AFFINE = Set.of(0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b);

  // --- Kernels

  private static void checkParameters(Element element, float scale, long zeroPoint) {
    rejectIf(!Float.isFinite(scale) || scale == 0, "scale is zero, infinite or not a number");
    rejectIf(zeroPoint < element.low() || zeroPoint > element.high(), "zero point outside the storage type");
  }

  private static float[] dequantize(Element element, float scale, long zeroPoint, long[] codes) {
    final float[] out = new float[codes.length];
    // Two roundings: of the difference to binary32, then of the product.
    for (int i = 0; i < codes.length; ++i) out[i] = scale * (float) (codes[i] - zeroPoint);
    return out;
  }

  private static byte[] quantize(Element element, float scale, long zeroPoint, float[] input) {
    final double farthest = 0x1p40;  // no int32 brings more back into range
    final long[] codes = new long[input.length];
    for (int i = 0; i < codes.length; ++i) {
      final double quotient = input[i] / scale;
      // To nearest, ties away from zero, then the zero point, then the bounds. Math.round takes ties upwards. The
      // cast truncates, and makes 0 of NaN.
      final double steps = quotient + Math.copySign(0.5, quotient);
      final long code = (long) Math.max(-farthest, Math.min(farthest, steps)) + zeroPoint;
      codes[i] = Math.min(Math.max(code, element.low()), element.high());
    }
    return element.pack(codes);
  }

  private static int[] normalize(int bits, long bias, String order, BigInteger count, byte[] packed) {
    rejectIf(!Set.of(2, 4, 8).contains(bits) || !Set.of("low-first", "high-first").contains(order), "bits or order");
    rejectIf(count.multiply(BigInteger.valueOf(bits)).compareTo(BigInteger.valueOf(packed.length * 8L)) > 0,
        "too few bytes");
    final int perByte = 8 / bits;
    final int[] out = new int[count.intValue()];
    for (int i = 0; i < out.length; ++i) {
      final int place = order.equals("low-first") ? i % perByte : perByte - 1 - i % perByte;
      final long zeroPoint = (packed[i / perByte] >> place * bits & (1 << bits) - 1) + bias;
      rejectIf(zeroPoint > Integer.MAX_VALUE, "beyond int32");
      out[i] = (int) zeroPoint;
    }
    return out;
  }

  // --- Quantization descriptors: scheme, version and flags, then 32-bit words

  private static final long NO_BUFFER = 0xffff_ffffL;

  private record Scheme(int tag, List<String> words, Set<Integer> storage, Set<Long> scaleTypes, long least, long most) {
    // As the protocol names them: no reserved word, and flags only where one is defined.
    List<String> keys() {
      final List<String> keys = new ArrayList<>(words);
      keys.remove("reserved");
      if (hasFlags()) keys.add(0, "flags");
      return keys;
    }

    boolean hasFlags() {
      return !scaleTypes.isEmpty();
    }

    void check(Element element, Map<String, Long> fields, boolean writes) {
      final boolean isSymmetric = fields.get("flags") == 1;
      rejectIf(fields.get("flags") > (hasFlags() ? 1 : 0), "flags");
      rejectIf(!storage.contains(element.tag()), "storage type");
      rejectIf(fields.getOrDefault("reserved", 0L) != 0, "reserved bytes");
      if (tag == 1) {
        checkParameters(element, Float.intBitsToFloat(fields.get("scale").intValue()), fields.get("zero_point").intValue());
      }
      if (hasFlags()) {
        rejectIf(!scaleTypes.contains(fields.get("scale_type_tag")), "type of the scales");
        // A reader of a symmetric PBA descriptor overlooks the index; of PCA, and a writer, it has one value.
        final boolean isOverlooked = tag == 3 && isSymmetric && !writes;
        rejectIf((fields.get("zero_point_buffer_index") == NO_BUFFER) != isSymmetric && !isOverlooked, "index");
      }
      final long size = fields.getOrDefault("block_size", least);
      rejectIf(size < least || size > most || (size & size - 1) != 0, "block size");
    }
  }

  private static Scheme scheme(int tag, String words, Set<Integer> storage, Set<Long> scaleTypes, long... sizes) {
    return new Scheme(tag, List.of(words.split(" ")), storage, scaleTypes, sizes.length > 0 ? sizes[0] : 0,
        sizes.length > 0 ? sizes[1] : 0);
  }

  // The three bytes behind scale_type_tag are zero: read as one word with it they need no rule of their own.
  private static final List<Scheme> SCHEMES = List.of(
      scheme(1, "scale zero_point reserved", AFFINE, Set.of()),
      scheme(2, "axis scale_buffer_index zero_point_buffer_index scale_type_tag", AFFINE, Set.of(3L)),
      scheme(3, "axis block_size scale_buffer_index zero_point_buffer_index scale_type_tag",
          Set.of(0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b), Set.of(1L, 2L, 3L), 2, NO_BUFFER),
      scheme(4, "axis block_size scale_buffer_index", Set.of(0x49), Set.of(), 8, NO_BUFFER),
      scheme(5, "axis block_size scale_buffer_index", Set.of(0x10, 0x40, 0x41, 0x43, 0x44, 0x45, 0x48), Set.of(),
          16, 2048));

  private static Scheme schemeOf(long tag) {
    rejectIf(tag < 1 || tag > SCHEMES.size(), "scheme");
    return SCHEMES.get((int) tag - 1);
  }

  private static String decode(Element element, byte[] bytes) {
    rejectIf(bytes.length < 4, "too short");
    final Scheme scheme = schemeOf(bytes[0]);
    rejectIf(bytes[1] != 1 || bytes.length < 4 + 4 * scheme.words().size(), "version, or too short");
    final ByteBuffer buffer = little(bytes);
    final Map<String, Long> fields = new LinkedHashMap<>();
    fields.put("flags", buffer.getShort(2) & 0xffffL);
    buffer.position(4);
    for (final String name : scheme.words()) fields.put(name, buffer.getInt() & NO_BUFFER);
    scheme.check(element, fields, false);
    return "scheme=" + scheme.tag() + scheme.keys().stream().map(key -> " " + key + "=" + switch (key) {
      case "flags" -> String.format("%04x", fields.get(key));
      case "scale" -> String.format("%08x", fields.get(key));
      case "scale_type_tag" -> String.format("%02x", fields.get(key));
      case "zero_point" -> String.valueOf(fields.get(key).intValue());
      default -> String.valueOf(fields.get(key));
    }).collect(Collectors.joining());
  }

  private static byte[] encode(Element element, Request request) {
    final Scheme scheme = schemeOf(request.number("scheme"));
    final Set<String> given = Set.copyOf(request.texts.keySet());
    rejectIf(!given.containsAll(scheme.keys()) || given.size() != scheme.keys().size() + 2, "fields of the scheme");
    final Map<String, Long> fields = new LinkedHashMap<>(Map.of("flags", 0L, "reserved", 0L));
    for (final String key : scheme.keys()) {
      fields.put(key, switch (key) {
        case "flags", "scale", "scale_type_tag" -> request.hex(key);
        default -> request.number(key);
      });
    }
    scheme.check(element, fields, true);
    final ByteBuffer out = little(new byte[4 + 4 * scheme.words().size()]);
    out.put((byte) scheme.tag()).put((byte) 1).putShort(fields.get("flags").shortValue());
    for (final String name : scheme.words()) out.putInt(fields.get(name).intValue());
    return out.array();
  }

  // --- Text and values

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private record Request(Map<String, String> texts) {
    byte[] bytes(String key) {
      return HexFormat.of().parseHex(texts.get(key));
    }

    long number(String key) {
      final long value = Long.parseLong(texts.get(key));
      final boolean isSigned = key.equals("zero_point") || key.equals("bias");
      rejectIf(value < (isSigned ? Integer.MIN_VALUE : 0) || value > (isSigned ? Integer.MAX_VALUE : NO_BUFFER), key);
      return value;
    }

    BigInteger count() {
      return new BigInteger(texts.get("count"));
    }

    long hex(String key) {
      return HexFormat.fromHexDigitsToLong(texts.get(key));
    }

    float scale() {
      return Float.intBitsToFloat((int) hex("scale"));
    }

    Element element() {
      final Element element = ELEMENTS.get((int) hex("type"));
      rejectIf(element == null, "element type");
      return element;
    }

    Element affine() {
      rejectIf(!AFFINE.contains(element().tag()), "storage type");
      return element();
    }

    float[] floats(String key) {
      final ByteBuffer buffer = little(array(key, 4));
      final float[] values = new float[buffer.limit() / 4];
      buffer.asFloatBuffer().get(values);
      return values;
    }

    byte[] array(String key, int size) {
      final byte[] data = bytes(key);
      rejectIf(!count().multiply(BigInteger.valueOf(size)).equals(BigInteger.valueOf(data.length)), "number of elements");
      return data;
    }
  }

  private static String hex(String key, byte[] bytes) {
    return key + "=" + HexFormat.of().formatHex(bytes);
  }

  private static String floatsToHex(String key, float[] values) {
    final ByteBuffer out = little(new byte[4 * values.length]);
    out.asFloatBuffer().put(values);
    return hex(key, out.array());
  }

  // --- Verbs

  private static String tags(java.util.Collection<Integer> tags) {
    return tags.stream().sorted().map(tag -> String.format("%02x", tag)).collect(Collectors.joining(","));
  }

  private static String hello(Request request) {
    final String affine = tags(AFFINE);
    final String stored = tags(SCHEMES.stream().flatMap(each -> each.storage().stream()).collect(Collectors.toSet()));
    return "version=1 name=java contract=hurray,ra8 schemes=1,2,3,4,5 ops=normalize,pack,unpack,packed_bytes,widen"
        + " types.decode=" + stored + " types.encode=" + stored + " types.dequantize=" + affine
        + " types.quantize=" + affine + " types.element=" + tags(ELEMENTS.keySet());
  }

  private static String ra8(Request r) {
    final String name = r.texts.get("fn");
    final Element element = ELEMENTS.get(name.endsWith("i8") ? 0x10 : 0x11);
    final float scale = r.scale();
    return switch (name) {
      case "dequantize_i8", "dequantize_u8" -> "code=0000 " + floatsToHex("out",
          dequantize(element, scale, r.number("zero_point"), element.unpack(r.count(), r.bytes("in"))));
      case "quantize_i8", "quantize_u8" -> !(scale > 0 && scale < Float.POSITIVE_INFINITY) ? "code=0103"
          : "code=0000 " + hex("out", quantize(element, scale, r.number("zero_point"), r.floats("in")));
      default -> throw new Unsupported();
    };
  }

  private record Verb(List<String> required, List<String> optional, Function<Request, String> call) {
    boolean fits(Set<String> keys) {
      return keys.containsAll(required) && keys.stream().allMatch(key -> required.contains(key) || optional.contains(key));
    }
  }

  private static final Map<String, Verb> VERBS = new TreeMap<>();

  private static void verb(String name, String keys, Function<Request, String> call, String... optional) {
    VERBS.put(name, new Verb(List.of(keys.split(" ")), List.of(optional), call));
  }

  static {
    verb("hello", "version", HurrayAdapter::hello);
    verb("decode", "type bytes", r -> decode(r.element(), r.bytes("bytes")));
    verb("encode", "type scheme", r -> hex("bytes", encode(r.element(), r)), "flags", "scale", "zero_point", "axis",
        "block_size", "scale_buffer_index", "zero_point_buffer_index", "scale_type_tag");
    verb("dequantize", "type scale zero_point count q", r -> floatsToHex("out",
        dequantize(r.affine(), r.scale(), r.number("zero_point"), r.affine().unpack(r.count(), r.bytes("q")))));
    verb("quantize", "type scale zero_point count in", r -> {
      checkParameters(r.affine(), r.scale(), r.number("zero_point"));
      return hex("q", quantize(r.affine(), r.scale(), r.number("zero_point"), r.floats("in")));
    });
    verb("normalize", "bits bias order count packed", r -> {
      final int[] zeroPoints = normalize((int) r.number("bits"), r.number("bias"), r.texts.get("order"), r.count(),
          r.bytes("packed"));
      final ByteBuffer out = little(new byte[4 * zeroPoints.length]);
      out.asIntBuffer().put(zeroPoints);
      return hex("zero_points", out.array());
    });
    verb("ra8", "fn scale zero_point count in", HurrayAdapter::ra8);
    verb("pack", "type count values", r -> {
      final ByteBuffer values = little(r.array("values", 8));
      final long[] longs = new long[values.limit() / 8];
      values.asLongBuffer().get(longs);
      return hex("packed", r.element().packChecked(longs));
    });
    verb("unpack", "type count packed", r -> {
      final long[] values = r.element().unpack(r.count(), r.bytes("packed"));
      final ByteBuffer out = little(new byte[8 * values.length]);
      out.asLongBuffer().put(values);
      return hex("values", out.array());
    });
    verb("packed_bytes", "type count", r -> "bytes=" + r.element().packedBytes(r.count()));
    verb("widen", "type count packed", r -> {
      final long[] values = r.element().unpack(r.count(), r.bytes("packed"));
      final float[] out = new float[values.length];
      for (int i = 0; i < out.length; ++i) out[i] = r.element().widen(values[i]);
      return floatsToHex("out", out);
    });
  }

  private static String answer(String line) {
    final String[] words = line.strip().split("\\s+");
    final Map<String, String> texts = new LinkedHashMap<>();
    for (final String word : Arrays.asList(words).subList(Math.min(2, words.length), words.length)) {
      final int equals = word.indexOf('=');
      if (equals >= 0) texts.put(word.substring(0, equals), word.substring(equals + 1));
    }
    final Verb verb = words.length < 2 ? null : VERBS.get(words[1]);
    try {
      // Whoever ignored a verb or key that it does not know could pass without an answer.
      if (verb == null || !verb.fits(texts.keySet())) throw new Unsupported();
      return words[0] + " ok " + verb.call().apply(new Request(texts)) + "\n";
    } catch (Unsupported none) {
      return words[0] + " unsupported\n";
    } catch (Rejected | IllegalArgumentException reason) {  // the second of text that is no number
      return words[0] + " reject " + reason.getMessage() + "\n";
    }
  }

  public static void main(String[] arguments) throws IOException {
    final byte[] chunk = new byte[1 << 16];
    final StringBuilder waiting = new StringBuilder();
    for (int got = System.in.read(chunk); got >= 0; got = System.in.read(chunk)) {
      waiting.append(new String(chunk, 0, got, StandardCharsets.ISO_8859_1));
      final StringBuilder answers = new StringBuilder();
      int start = 0;
      for (int end; (end = waiting.indexOf("\n", start)) >= 0; start = end + 1) {
        answers.append(answer(waiting.substring(start, end)));
      }
      waiting.delete(0, start);
      // No complete request waits now.
      System.out.write(answers.toString().getBytes(StandardCharsets.ISO_8859_1));
      System.out.flush();
    }
  }
}
