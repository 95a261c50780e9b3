// SPDX-License-Identifier: Apache-2.0
//
// Quantization descriptors: from bytes, to bytes, and what they and the storage type say by themselves. What shape and
// buffers have to do with them is in TensorRules.java.

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Fields are words of 32 bits by their name; a scheme that was stepped over has its tag alone. */
record Quantization(int tag, Map<String, Long> fields) {
  static final long NO_BUFFER = 0xffff_ffffL;

  boolean isKnown() {
    return Scheme.isKnown(tag);
  }

  Scheme scheme() {
    return Scheme.of(tag);
  }

  long get(String name) {
    return fields.getOrDefault(name, 0L);
  }

  boolean isSymmetric() {
    return get("flags") == 1;
  }

  /** Bytes behind those of the scheme are skipped. */
  static Quantization decode(Element element, byte[] section) {
    Rejected.rejectIf(section.length < 4, "too short");
    final Scheme scheme = Scheme.of(section[0]);
    Rejected.rejectIf(section[1] != 1 || section.length < scheme.sizeBytes(), "version, or too short");
    final ByteBuffer buffer = Bytes.little(section);
    final Map<String, Long> fields = new LinkedHashMap<>();
    fields.put("flags", buffer.getShort(2) & 0xffffL);
    buffer.position(4);
    for (final String word : scheme.words) fields.put(word, buffer.getInt() & 0xffff_ffffL);
    final Quantization decoded = new Quantization(scheme.tag, fields);
    decoded.check(element, false);
    return decoded;
  }

  byte[] encode(Element element) {
    Rejected.rejectIf(!fields.keySet().equals(Set.copyOf(scheme().keys())), "fields of the scheme");
    check(element, true);
    final ByteBuffer out = Bytes.little(new byte[scheme().sizeBytes()]);
    out.put((byte) tag).put((byte) 1).putShort((short) get("flags"));
    for (final String word : scheme().words) out.putInt((int) get(word));
    return out.array();
  }

  private void check(Element element, boolean writes) {
    final Scheme scheme = scheme();
    Rejected.rejectIf(get("flags") > (scheme.hasFlags() ? 1 : 0), "flags");
    Rejected.rejectIf(!scheme.storageTypes.contains(element.tag()), "storage type");
    Rejected.rejectIf(get("reserved") != 0, "reserved bytes");
    if (scheme == Scheme.PER_TENSOR) {
      Kernels.checkParameters(element, Float.intBitsToFloat((int) get("scale")), (int) get("zero_point"));
    }
    if (scheme.hasFlags()) {
      Rejected.rejectIf(!scheme.scaleTypes.contains(get("scale_type_tag")), "type of the scales");
      // A reader of a symmetric per-block descriptor overlooks the index; else it has one value.
      final boolean isOverlooked = scheme == Scheme.PER_BLOCK && isSymmetric() && !writes;
      final boolean hasNone = get("zero_point_buffer_index") == NO_BUFFER;
      Rejected.rejectIf(hasNone != isSymmetric() && !isOverlooked, "index of the zero points");
    }
    if (scheme.hasBlocks()) {
      final long size = get("block_size");
      Rejected.rejectIf(size < scheme.leastBlock || size > scheme.largestBlock, "block size");
      Rejected.rejectIf(Long.bitCount(size) != 1, "block size that is no power of two");
    }
  }
}
