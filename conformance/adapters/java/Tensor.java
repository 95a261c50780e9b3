// SPDX-License-Identifier: Apache-2.0
//
// Tensor descriptors, row-major, column-major and strided: from bytes and to bytes. A strict reader: everything that
// the format forbids is refused, here what cannot be read, the rest in TensorRules.java.

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Null is what a descriptor does not have; strides are for the strided layout only. */
record Tensor(int type, int layout, List<BigInteger> shape, BigInteger byteOffset, long[] strides, List<Handle> buffers,
    Quantization quantization, Shard shard, byte[] statistics, byte[] extensionType, Integer memberRole) {
  static final BigInteger DYNAMIC = Bytes.unsigned(-1L);  // in place of a size
  static final int ROW_MAJOR = 1, COLUMN_MAJOR = 2, STRIDED = 3;
  static final int MOST_DIMENSIONS = 64;

  private static final int HEADER_BYTES = 20, HANDLE_BYTES = 16, STATISTICS_BYTES = 72, EXTENSION_TYPE_BYTES = 20;
  private static final int MEMBER_RESERVED_BYTES = 15;
  private static final int LONGEST = 8192;  // 64 dimensions, 255 buffers and all sections are shorter
  private static final byte[] MAGIC = {'H', 'R', 'R', 'Y'};
  // Flags.
  private static final int QUANTIZATION = 1, SHARD = 2, EXTENSION_TYPE = 4, STATISTICS = 8, MEMBER = 16;

  record Handle(BigInteger byteSize, long alignment, int device, int syncMode, int memoryClass, int reserved) {
    static List<Handle> decodeAll(byte[] bytes) {
      Rejected.rejectIf(bytes.length % HANDLE_BYTES != 0, "bytes of the buffers");
      final List<Handle> handles = new ArrayList<>();
      for (final ByteBuffer in = Bytes.little(bytes); in.hasRemaining(); ) {
        handles.add(new Handle(Bytes.unsigned(in.getLong()), in.getInt() & 0xffff_ffffL, in.get() & 0xff,
            in.get() & 0xff, in.get() & 0xff, in.get() & 0xff));
      }
      return handles;
    }

    static byte[] encodeAll(List<Handle> handles) {
      final ByteBuffer out = Bytes.little(new byte[HANDLE_BYTES * handles.size()]);
      for (final Handle handle : handles) {
        out.putLong(handle.byteSize.longValue()).putInt((int) handle.alignment).put((byte) handle.device)
            .put((byte) handle.syncMode).put((byte) handle.memoryClass).put((byte) handle.reserved);
      }
      return out.array();
    }
  }

  record Shard(List<BigInteger> parentShape, List<BigInteger> offset) {}

  boolean isDynamic() {
    return shape.contains(DYNAMIC);
  }

  static BigInteger product(List<BigInteger> sizes) {
    return sizes.stream().reduce(BigInteger.ONE, BigInteger::multiply);
  }

  /** How long the descriptor at the start of these bytes is. */
  static long length(byte[] bytes) {
    return Bytes.little(bytes).getInt(6) & 0xffff_ffffL;
  }

  static int minorVersion(byte[] bytes) {
    return bytes[5] & 0xff;
  }

  static Tensor decode(byte[] bytes, boolean isPermissive) {
    Rejected.rejectIf(bytes.length < HEADER_BYTES || !Arrays.equals(bytes, 0, 4, MAGIC, 0, 4) || bytes[4] != 1,
        "magic or version");
    Rejected.rejectIf(length(bytes) < HEADER_BYTES || length(bytes) > bytes.length, "length of the descriptor");
    final ByteBuffer in = Bytes.little(bytes).limit((int) length(bytes)).position(10);
    final int flags = in.getInt(), type = in.get() & 0xff, layout = in.get() & 0xff, rank = in.getInt();
    Rejected.rejectIf(flags >>> 5 != 0 || rank < 0 || rank > MOST_DIMENSIONS, "flags or rank");
    final List<BigInteger> shape = takeSizes(in, rank);
    final BigInteger byteOffset = Bytes.unsigned(in.getLong());
    final long[] strides = layout == STRIDED ? takeLongs(in, rank) : null;
    final List<Handle> buffers = Handle.decodeAll(Bytes.take(in, HANDLE_BYTES * (in.get() & 0xff)));
    final Quantization quantization = has(flags, QUANTIZATION)
        ? readQuantization(type, Bytes.take(in, in.getInt() & 0xffff_ffffL), isPermissive) : null;
    final Shard shard = has(flags, SHARD) ? new Shard(takeSizes(in, rank), takeSizes(in, rank)) : null;
    final byte[] statistics = has(flags, STATISTICS) ? Bytes.take(in, STATISTICS_BYTES) : null;
    final byte[] extensionType = has(flags, EXTENSION_TYPE) ? Bytes.take(in, EXTENSION_TYPE_BYTES) : null;
    final Integer memberRole = has(flags, MEMBER) ? in.get() & 0xff : null;
    if (memberRole != null) {
      for (final byte reserved : Bytes.take(in, MEMBER_RESERVED_BYTES)) {
        Rejected.rejectIf(reserved != 0, "reserved byte");
      }
    }
    final Tensor tensor = new Tensor(type, layout, shape, byteOffset, strides, buffers, quantization, shard, statistics,
        extensionType, memberRole);
    TensorRules.check(tensor);
    return tensor;
  }

  byte[] encode() {
    final int rank = shape.size();
    Rejected.rejectIf((layout == STRIDED) != (strides != null) || strides != null && strides.length != rank, "strides");
    Rejected.rejectIf(shard != null && (shard.parentShape.size() != rank || shard.offset.size() != rank), "shard");
    Rejected.rejectIf(statistics != null && statistics.length != STATISTICS_BYTES, "bytes of statistics");
    Rejected.rejectIf(extensionType != null && extensionType.length != EXTENSION_TYPE_BYTES, "bytes of extension type");
    final byte[] section = quantization == null ? null : quantization.encode(Element.of(type));
    TensorRules.check(this);
    final int flags = flag(QUANTIZATION, section) | flag(SHARD, shard) | flag(STATISTICS, statistics)
        | flag(EXTENSION_TYPE, extensionType) | flag(MEMBER, memberRole);
    final ByteBuffer out = Bytes.little(new byte[LONGEST]);
    out.put(MAGIC).put((byte) 1).put((byte) 0).putInt(0).putInt(flags).put((byte) type).put((byte) layout).putInt(rank);
    out.put(Bytes.of(Bytes.signed(shape))).putLong(byteOffset.longValue());
    if (strides != null) out.put(Bytes.of(strides));
    out.put((byte) buffers.size()).put(Handle.encodeAll(buffers));
    if (section != null) out.putInt(section.length).put(section);
    if (shard != null) out.put(Bytes.of(Bytes.signed(shard.parentShape))).put(Bytes.of(Bytes.signed(shard.offset)));
    if (statistics != null) out.put(statistics);
    if (extensionType != null) out.put(extensionType);
    if (memberRole != null) out.put(memberRole.byteValue()).put(new byte[MEMBER_RESERVED_BYTES]);
    out.putInt(6, out.position());  // its length, which is known now
    return Arrays.copyOf(out.array(), out.position());
  }

  private static Quantization readQuantization(int type, byte[] section, boolean isPermissive) {
    final Element element = Element.of(type);
    final int tag = section.length < 4 ? 0 : section[0] & 0xff;
    final boolean isSteppedOver = isPermissive && tag != 0 && tag != 0xff && !Scheme.isKnown(tag);
    return isSteppedOver ? new Quantization(tag, Map.of()) : Quantization.decode(element, section);
  }

  private static List<BigInteger> takeSizes(ByteBuffer in, int count) {
    return Bytes.unsigned(takeLongs(in, count));
  }

  private static long[] takeLongs(ByteBuffer in, int count) {
    return Bytes.longs(Bytes.take(in, 8L * count));
  }

  private static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }

  private static int flag(int flag, Object section) {
    return section != null ? flag : 0;
  }
}
