// SPDX-License-Identifier: Apache-2.0
//
// The conversion recipe: weights of a foreign toolchain become a per-block affine tensor. Weights are copied, scales
// carried value for value, and zero points normalized, because Hurray subtracts them as stored.

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class Conversion {
  private Conversion() {}

  /** The members of struct hurray_foreign_tensor; `groupIndex` may be null. */
  record Foreign(int type, List<BigInteger> shape, long axis, long groupSize, int bits, long bias, String order,
      boolean isGroupMajor, long wordBytes, int scaleType, byte[] weights, byte[] scales, byte[] plane,
      int[] groupIndex, byte[] superScales) {}

  /** The descriptor and its buffers. */
  record Converted(byte[] descriptor, byte[] weights, float[] scales, int[] zeroPoints) {}

  static Converted convert(Foreign from) {
    Rejected.rejectIf(!Set.of(1L, 4L).contains(from.wordBytes), "bytes of a word");
    Rejected.rejectIf(!Scheme.PER_BLOCK.storageTypes.contains(from.type), "storage type");
    Rejected.rejectIf(from.axis >= from.shape.size() || from.shape.contains(Tensor.DYNAMIC), "axis or shape");
    Rejected.rejectIf(from.groupSize == 0, "group size");
    Rejected.rejectIf(from.superScales.length > 0, "scales of scales");
    final BigInteger elements = Tensor.product(from.shape);
    Rejected.rejectIf(!Element.of(from.type).packedBytes(elements).equals(BigInteger.valueOf(from.weights.length)),
        "bytes of weights");
    final BigInteger length = from.shape.get((int) from.axis);
    Rejected.rejectIf(!isInRuns(from, length), "groups that are no runs");

    final BigInteger[] whole = length.divideAndRemainder(BigInteger.valueOf(from.groupSize));
    final boolean isPartial = whole[1].signum() > 0;
    // All counts are small unless there is no element at all.
    final int groups = elements.signum() == 0 ? 0 : whole[0].intValue() + (isPartial ? 1 : 0);
    final int rows = elements.signum() == 0 ? 0 : elements.divide(length).intValue();
    final float[] scales = widen(from, groups * rows);
    final int[] zeroPoints = normalize(from, groups, rows);
    final Converted converted = new Converted(describe(from, groups * rows), from.weights, new float[scales.length],
        new int[scales.length]);
    for (int i = 0; i < scales.length; ++i) {
      final int source = from.isGroupMajor ? i % groups * rows + i / groups : i;
      converted.scales[i] = scales[source];
      converted.zeroPoints[i] = zeroPoints[source];
    }
    if (isPartial) throw new UnsupportedOperationException();  // a partial last group
    return converted;
  }

  private static boolean isInRuns(Foreign from, BigInteger length) {
    if (from.groupIndex == null) return true;
    if (!length.equals(BigInteger.valueOf(from.groupIndex.length))) return false;
    for (int i = 0; i < from.groupIndex.length; ++i) {
      if ((from.groupIndex[i] & 0xffff_ffffL) != i / from.groupSize) return false;
    }
    return true;
  }

  private static float[] widen(Foreign from, int count) {
    Rejected.rejectIf(!Scheme.PER_BLOCK.scaleTypes.contains((long) from.scaleType), "type of the scales");
    final Element type = Element.of(from.scaleType);
    final long[] codes = type.unpack(BigInteger.valueOf(count), from.scales);
    final float[] scales = new float[count];
    for (int i = 0; i < count; ++i) {
      scales[i] = type.widen(codes[i]);
      Rejected.rejectIf(!Float.isFinite(scales[i]) || scales[i] == 0, "scale");
    }
    return scales;
  }

  /** In the order of the source: all groups of a row, or all rows of a group. Each such run has words of its own. */
  private static int[] normalize(Foreign from, int groups, int rows) {
    final int count = groups * rows;
    if (from.wordBytes == 1 || count == 0) {
      return Kernels.normalize(from.bits, from.bias, from.order, BigInteger.valueOf(count), from.plane);
    }
    final int run = from.isGroupMajor ? rows : groups;
    final int runBytes = (run * from.bits + 31) / 32 * 4;
    Rejected.rejectIf(from.plane.length < count / run * runBytes, "bytes of the plane");
    final int[] zeroPoints = new int[count];
    for (int i = 0; i < count / run; ++i) {
      final byte[] words = Arrays.copyOfRange(from.plane, i * runBytes, (i + 1) * runBytes);
      final int[] part = Kernels.normalize(from.bits, from.bias, from.order, BigInteger.valueOf(run), words);
      System.arraycopy(part, 0, zeroPoints, i * run, run);
    }
    return zeroPoints;
  }

  private static byte[] describe(Foreign from, int count) {
    final Quantization quantization = new Quantization(Scheme.PER_BLOCK.tag, Map.of("flags", 0L, "axis", from.axis,
        "block_size", from.groupSize, "scale_buffer_index", 1L, "zero_point_buffer_index", 2L, "scale_type_tag", 3L));
    final List<Tensor.Handle> buffers = List.of(from.weights.length, 4 * count, 4 * count).stream()
        .map(size -> new Tensor.Handle(BigInteger.valueOf(size), 64, 0, 0, 0, 0)).toList();
    return new Tensor(from.type, Tensor.ROW_MAJOR, from.shape, BigInteger.ZERO, null, buffers, quantization, null, null,
        null, null).encode();
  }
}
