// SPDX-License-Identifier: Apache-2.0
//
// The values of a request, from the text that PROTOCOL.md says they are.

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

record Request(Map<String, String> texts) {
  static final List<String> SCHEME_KEYS = List.of("flags", "scale", "zero_point", "axis", "block_size",
      "scale_buffer_index", "zero_point_buffer_index", "scale_type_tag");
  static final int MOST_BUFFERS = 255;

  private static final Set<String> SIGNED = Set.of("zero_point", "bias");
  private static final Set<String> HEXADECIMAL = Set.of("flags", "scale", "scale_type_tag");

  boolean has(String key) {
    return texts.containsKey(key);
  }

  String text(String key) {
    return texts.get(key);
  }

  byte[] bytes(String key) {
    return HexFormat.of().parseHex(text(key));
  }

  byte[] bytesOrNull(String key) {
    return has(key) ? bytes(key) : null;
  }

  /** Of 32 bits, with a sign where the protocol has one. */
  long number(String key) {
    final long value = Long.parseLong(text(key));
    final boolean isSigned = SIGNED.contains(key);
    Rejected.rejectIf(value < (isSigned ? Integer.MIN_VALUE : 0), key);
    Rejected.rejectIf(value > (isSigned ? Integer.MAX_VALUE : 0xffff_ffffL), key);
    return value;
  }

  /** Of 64 bits. */
  BigInteger largeNumber(String key) {
    return Bytes.unsigned(Long.parseUnsignedLong(text(key)));
  }

  BigInteger count() {
    return largeNumber("count");
  }

  long hex(String key) {
    return HexFormat.fromHexDigitsToLong(text(key));
  }

  float scale() {
    return Float.intBitsToFloat((int) hex("scale"));
  }

  boolean isPermissive() {
    return "permissive".equals(text("mode"));
  }

  Element element() {
    return Element.of((int) hex("type"));
  }

  Element affine() {
    Rejected.rejectIf(!Element.AFFINE.contains(element().tag()), "storage type");
    return element();
  }

  /** As many numbers of that size as `count` says. */
  byte[] array(String key, int size) {
    final byte[] data = bytes(key);
    Rejected.rejectIf(!count().multiply(BigInteger.valueOf(size)).equals(BigInteger.valueOf(data.length)),
        "number of elements");
    return data;
  }

  float[] floats(String key) {
    return Bytes.floats(array(key, Float.BYTES));
  }

  private List<BigInteger> sizes(String key) {
    return Bytes.unsigned(Bytes.longs(bytes(key)));
  }

  Quantization quantization() {
    final Map<String, Long> fields = new LinkedHashMap<>();
    for (final String key : SCHEME_KEYS) {
      if (has(key)) fields.put(key, HEXADECIMAL.contains(key) ? hex(key) : number(key));
    }
    return new Quantization((int) number("scheme"), fields);
  }

  Tensor tensor() {
    Rejected.rejectIf(has("parent_shape") != has("shard_offset"), "half a shard");
    return new Tensor((int) hex("type"), (int) number("layout"), sizes("shape"), largeNumber("byte_offset"),
        has("strides") ? Bytes.longs(bytes("strides")) : null, Tensor.Handle.decodeAll(bytes("buffers")),
        has("scheme") ? quantization() : null,
        has("parent_shape") ? new Tensor.Shard(sizes("parent_shape"), sizes("shard_offset")) : null,
        bytesOrNull("statistics"), bytesOrNull("extension_type"), has("member_role") ? (int) hex("member_role") : null);
  }

  /** b0, b1 …; what is absent is empty. */
  List<byte[]> tensorBuffers() {
    final List<byte[]> buffers = new ArrayList<>();
    for (int i = 0; i < MOST_BUFFERS; ++i) {
      final String key = "b" + i;
      // `null` and `none:…` are for adapters that claim calls=none.
      if (has(key) && text(key).startsWith("n")) throw new UnsupportedOperationException();
      buffers.add(has(key) ? bytes(key) : new byte[0]);
    }
    return buffers;
  }

  Conversion.Foreign foreign() {
    return new Conversion.Foreign((int) hex("type"), sizes("shape"), number("axis"), number("group_size"),
        (int) number("bits"), number("bias"), text("order"), number("group_major") != 0, number("word_bytes"),
        (int) hex("scale_type_tag"), bytes("weights"), bytes("scales"), bytes("plane"),
        has("group_index") ? Bytes.ints(bytes("group_index")) : null,
        has("super_scales") ? bytes("super_scales") : new byte[0]);
  }
}
