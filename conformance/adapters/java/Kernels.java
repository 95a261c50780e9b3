// SPDX-License-Identifier: Apache-2.0
//
// Arrays with one scale and one zero point, the plane of a foreign toolchain's zero points, and the functions of the
// firmware header.

import java.math.BigInteger;
import java.util.Set;

final class Kernels {
  private Kernels() {}

  /** What no descriptor can carry. */
  static void checkParameters(Element element, float scale, long zeroPoint) {
    Rejected.rejectIf(!Float.isFinite(scale) || scale == 0, "scale is zero, infinite or not a number");
    Rejected.rejectIf(!element.holds(zeroPoint), "zero point outside the storage type");
  }

  static float dequantize(float scale, long zeroPoint, long code) {
    // Two roundings: of the difference to binary32, then of the product.
    return scale * (float) (code - zeroPoint);
  }

  static float[] dequantize(float scale, long zeroPoint, long[] codes) {
    final float[] out = new float[codes.length];
    for (int i = 0; i < codes.length; ++i) out[i] = dequantize(scale, zeroPoint, codes[i]);
    return out;
  }

  static byte[] quantize(Element element, float scale, long zeroPoint, float[] input) {
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

  /** The first zero points of a plane, each with the bias that its toolchain had taken off. */
  static int[] normalize(int bits, long bias, String order, BigInteger count, byte[] packed) {
    Rejected.rejectIf(!Set.of(2, 4, 8).contains(bits), "bits");
    Rejected.rejectIf(!Set.of("low-first", "high-first").contains(order), "order");
    Rejected.rejectIf(count.multiply(BigInteger.valueOf(bits)).compareTo(BigInteger.valueOf(packed.length * 8L)) > 0,
        "too few bytes");
    final int perByte = 8 / bits;
    final int[] out = new int[count.intValue()];
    for (int i = 0; i < out.length; ++i) {
      final int place = order.equals("low-first") ? i % perByte : perByte - 1 - i % perByte;
      final long zeroPoint = (packed[i / perByte] >> place * bits & (1 << bits) - 1) + bias;
      Rejected.rejectIf(zeroPoint > Integer.MAX_VALUE, "beyond int32");
      out[i] = (int) zeroPoint;
    }
    return out;
  }

  /** Of quantize_i8 and quantize_u8: it refuses by a code, and takes any zero point. */
  static boolean ra8Accepts(float scale) {
    return scale > 0 && scale < Float.POSITIVE_INFINITY;
  }
}
