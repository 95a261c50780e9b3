// SPDX-License-Identifier: Apache-2.0
//
// Numbers as they lie in memory and on the wire: little-endian.

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.LongStream;

final class Bytes {
  private Bytes() {}

  static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The next bytes, which have to be there. */
  static byte[] take(ByteBuffer source, long length) {
    Rejected.rejectIf(length > source.remaining(), "too short");
    final byte[] taken = new byte[(int) length];
    source.get(taken);
    return taken;
  }

  static byte[] of(float[] values) {
    final ByteBuffer out = little(new byte[4 * values.length]);
    out.asFloatBuffer().put(values);
    return out.array();
  }

  static byte[] of(int[] values) {
    final ByteBuffer out = little(new byte[4 * values.length]);
    out.asIntBuffer().put(values);
    return out.array();
  }

  static byte[] of(long[] values) {
    final ByteBuffer out = little(new byte[8 * values.length]);
    out.asLongBuffer().put(values);
    return out.array();
  }

  static float[] floats(byte[] bytes) {
    final float[] values = new float[whole(bytes, 4)];
    little(bytes).asFloatBuffer().get(values);
    return values;
  }

  static int[] ints(byte[] bytes) {
    final int[] values = new int[whole(bytes, 4)];
    little(bytes).asIntBuffer().get(values);
    return values;
  }

  static long[] longs(byte[] bytes) {
    final long[] values = new long[whole(bytes, 8)];
    little(bytes).asLongBuffer().get(values);
    return values;
  }

  private static int whole(byte[] bytes, int size) {
    Rejected.rejectIf(bytes.length % size != 0, "bytes that are no whole number");
    return bytes.length / size;
  }

  // Of uint64, as Java has no such type.

  static BigInteger unsigned(long bits) {
    return new BigInteger(Long.toUnsignedString(bits));
  }

  static List<BigInteger> unsigned(long[] bits) {
    return LongStream.of(bits).mapToObj(Bytes::unsigned).toList();
  }

  static long[] signed(List<BigInteger> values) {
    return values.stream().mapToLong(BigInteger::longValue).toArray();
  }
}
