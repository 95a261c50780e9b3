// SPDX-License-Identifier: Apache-2.0
//
// A complete adapter in Java 17, without packages: `javac -d mine_java *.java`, `java -cp mine_java HurrayAdapter`. It
// answers the lines of conformance/PROTOCOL.md; here are lines and verbs, the other files are what is under judgement.
//
// To have a library of your own judged, keep this file and Request.java and let the rows of VERBS call yours. What you
// do not have goes from VERBS and from `hello`: what is not claimed is not asked.

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public final class HurrayAdapter {
  private HurrayAdapter() {}

  // --- Answers

  private static String hello() {
    final Set<Integer> described = new TreeSet<>();
    for (final Scheme scheme : Scheme.values()) described.addAll(scheme.storageTypes);
    final List<Integer> packed = Element.ALL.values().stream().filter(Element::fitsLong).map(Element::tag).toList();
    return "version=1 name=java contract=hurray,ra8 schemes=1,2,3,4,5 layouts=1,2,3 modes=permissive"
        + " ops=normalize,pack,unpack,packed_bytes,widen,convert,decode_tensor,encode_tensor,dequantize_tensor"
        + " types.decode=" + tags(described) + " types.encode=" + tags(described)
        + " types.dequantize=" + tags(Element.AFFINE) + " types.quantize=" + tags(Element.AFFINE)
        + " types.element=" + tags(packed) + " types.tensor=" + tags(Element.ALL.keySet());
  }

  private static String tags(Collection<Integer> tags) {
    return tags.stream().sorted().map(tag -> String.format("%02x", tag)).collect(Collectors.joining(","));
  }

  private static String hex(String key, byte[] bytes) {
    return key + "=" + HexFormat.of().formatHex(bytes);
  }

  private static String quantization(Quantization quantization) {
    final StringBuilder out = new StringBuilder("scheme=" + quantization.tag());
    if (!quantization.isKnown()) return out.toString();  // it was stepped over
    for (final String key : quantization.scheme().keys()) {
      final long field = quantization.get(key);
      out.append(" ").append(key).append("=").append(switch (key) {
        case "flags" -> String.format("%04x", field);
        case "scale" -> String.format("%08x", field);
        case "scale_type_tag" -> String.format("%02x", field);
        case "zero_point" -> String.valueOf((int) field);
        default -> String.valueOf(field);
      });
    }
    return out.toString();
  }

  private static String decodeTensor(byte[] bytes, boolean isPermissive) {
    final Tensor tensor = Tensor.decode(bytes, isPermissive);
    final List<String> out = new ArrayList<>(List.of(
        "length=" + Tensor.length(bytes),
        "version=1." + Tensor.minorVersion(bytes),
        "type=" + tags(List.of(tensor.type())),
        "layout=" + tensor.layout(),
        hex("shape", Bytes.of(Bytes.signed(tensor.shape()))),
        "byte_offset=" + tensor.byteOffset(),
        hex("buffers", Tensor.Handle.encodeAll(tensor.buffers()))));
    if (tensor.strides() != null) out.add(hex("strides", Bytes.of(tensor.strides())));
    if (tensor.quantization() != null) out.add(quantization(tensor.quantization()));
    if (tensor.shard() != null) {
      out.add(hex("parent_shape", Bytes.of(Bytes.signed(tensor.shard().parentShape()))));
      out.add(hex("shard_offset", Bytes.of(Bytes.signed(tensor.shard().offset()))));
    }
    if (tensor.statistics() != null) out.add(hex("statistics", tensor.statistics()));
    if (tensor.extensionType() != null) out.add(hex("extension_type", tensor.extensionType()));
    if (tensor.memberRole() != null) out.add("member_role=" + tags(List.of(tensor.memberRole())));
    return String.join(" ", out);
  }

  private static String dequantizeTensor(Request r) {
    final List<byte[]> given = r.tensorBuffers();
    final Tensor tensor = Tensor.decode(r.bytes("bytes"), r.isPermissive());
    return hex("out", Bytes.of(Values.dequantize(tensor, r.count(), given)));
  }

  private static String quantize(Request r) {
    Kernels.checkParameters(r.affine(), r.scale(), r.number("zero_point"));
    return hex("q", Kernels.quantize(r.affine(), r.scale(), r.number("zero_point"), r.floats("in")));
  }

  private static String normalize(Request r) {
    return hex("zero_points", Bytes.of(Kernels.normalize((int) r.number("bits"), r.number("bias"), r.text("order"),
        r.count(), r.bytes("packed"))));
  }

  private static String ra8(Request r) {
    final Element element = Element.of(r.text("fn").endsWith("i8") ? 0x10 : 0x11);
    final long zeroPoint = r.number("zero_point");
    return switch (r.text("fn")) {
      case "dequantize_i8", "dequantize_u8" -> "code=0000 " + hex("out",
          Bytes.of(Kernels.dequantize(r.scale(), zeroPoint, element.unpack(r.count(), r.bytes("in")))));
      case "quantize_i8", "quantize_u8" -> !Kernels.ra8Accepts(r.scale()) ? "code=0103"
          : "code=0000 " + hex("out", Kernels.quantize(element, r.scale(), zeroPoint, r.floats("in")));
      default -> throw new UnsupportedOperationException();
    };
  }

  private static String widen(Request r) {
    final long[] values = r.element().unpack(r.count(), r.bytes("packed"));
    final float[] out = new float[values.length];
    for (int i = 0; i < out.length; ++i) out[i] = r.element().widen(values[i]);
    return hex("out", Bytes.of(out));
  }

  private static String convert(Request r) {
    final Conversion.Converted converted = Conversion.convert(r.foreign());
    return String.join(" ", hex("bytes", converted.descriptor()), hex("b0", converted.weights()),
        hex("b1", Bytes.of(converted.scales())), hex("b2", Bytes.of(converted.zeroPoints())));
  }

  // --- Verbs

  private record Verb(List<String> required, Set<String> optional, Function<Request, String> call) {
    boolean fits(Set<String> keys) {
      return keys.containsAll(required)
          && keys.stream().allMatch(key -> required.contains(key) || optional.contains(key));
    }
  }

  private static final Map<String, Verb> VERBS = new TreeMap<>();

  private static void verb(String name, String required, String optional, Function<Request, String> call) {
    VERBS.put(name, new Verb(List.of(required.split(" ")), Set.of(optional.split(" ")), call));
  }

  static {
    final String fields = String.join(" ", Request.SCHEME_KEYS);
    final String buffers = IntStream.range(0, Request.MOST_BUFFERS).mapToObj(i -> " b" + i)
        .collect(Collectors.joining());
    verb("hello", "version", "", r -> hello());
    verb("decode", "type bytes", "", r -> quantization(Quantization.decode(r.element(), r.bytes("bytes"))));
    verb("encode", "type scheme", fields, r -> hex("bytes", r.quantization().encode(r.element())));
    verb("dequantize", "type scale zero_point count q", "", r -> hex("out", Bytes.of(Kernels.dequantize(r.scale(),
        r.number("zero_point"), r.affine().unpack(r.count(), r.bytes("q"))))));
    verb("quantize", "type scale zero_point count in", "", HurrayAdapter::quantize);
    verb("normalize", "bits bias order count packed", "", HurrayAdapter::normalize);
    verb("ra8", "fn scale zero_point count in", "", HurrayAdapter::ra8);
    verb("pack", "type count values", "",
        r -> hex("packed", r.element().packChecked(Bytes.longs(r.array("values", Long.BYTES)))));
    verb("unpack", "type count packed", "",
        r -> hex("values", Bytes.of(r.element().unpack(r.count(), r.bytes("packed")))));
    verb("packed_bytes", "type count", "", r -> "bytes=" + r.element().packedBytes(r.count()));
    verb("widen", "type count packed", "", HurrayAdapter::widen);
    verb("decode_tensor", "bytes", "mode", r -> decodeTensor(r.bytes("bytes"), r.isPermissive()));
    verb("encode_tensor", "type layout shape byte_offset buffers", "scheme strides parent_shape shard_offset statistics"
        + " member_role extension_type " + fields, r -> hex("bytes", r.tensor().encode()));
    verb("dequantize_tensor", "bytes count", "mode" + buffers, HurrayAdapter::dequantizeTensor);
    verb("convert", "type shape axis group_size bits bias order group_major word_bytes scale_type_tag weights scales"
        + " plane", "group_index super_scales", HurrayAdapter::convert);
  }

  // --- Lines

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
      if (verb == null || !verb.fits(texts.keySet())) throw new UnsupportedOperationException();
      return words[0] + " ok " + verb.call().apply(new Request(texts)) + "\n";
    } catch (UnsupportedOperationException none) {
      return words[0] + " unsupported\n";
    } catch (IllegalArgumentException | BufferUnderflowException reason) {
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
