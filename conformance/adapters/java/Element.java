// SPDX-License-Identifier: Apache-2.0
//
// Element types: width, range, packing and real value. Sub-byte elements fill a byte from its low bits, four of 6 bits
// fill three bytes; unused bits are written as zero and ignored.

import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

record Element(int tag, int bits, Form form, int fraction, int bias) {
  // IEEE: the highest exponent is infinity and NaN. ONE_NAN: only the highest pattern is NaN. FINITE: neither.
  // OPAQUE: no real numbers.
  enum Form { SIGNED, UNSIGNED, IEEE, ONE_NAN, FINITE, POWER_OF_TWO, OPAQUE }

  /** What affine schemes store. */
  static final Set<Integer> AFFINE = Set.of(0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b);
  static final Map<Integer, Element> ALL = new TreeMap<>();

  static {
    floating(0x01, 16, Form.IEEE, 10, 15);
    floating(0x02, 16, Form.IEEE, 7, 127);
    floating(0x03, 32, Form.IEEE, 23, 127);
    floating(0x04, 64, Form.IEEE, 52, 1023);
    for (int tag = 0x10; tag <= 0x17; ++tag) {
      plain(tag, 8 << (tag - 0x10) / 2, tag % 2 == 0 ? Form.SIGNED : Form.UNSIGNED);
    }
    plain(0x20, 1, Form.UNSIGNED);
    floating(0x40, 8, Form.ONE_NAN, 3, 7);
    floating(0x41, 8, Form.IEEE, 2, 15);
    plain(0x42, 8, Form.POWER_OF_TWO);
    floating(0x43, 4, Form.FINITE, 1, 1);
    floating(0x44, 6, Form.FINITE, 3, 1);
    floating(0x45, 6, Form.FINITE, 2, 3);
    plain(0x46, 128, Form.OPAQUE);
    plain(0x48, 4, Form.SIGNED);
    plain(0x49, 4, Form.UNSIGNED);
    plain(0x4a, 2, Form.SIGNED);
    plain(0x4b, 2, Form.UNSIGNED);
    plain(0x50, 64, Form.OPAQUE);
    plain(0x51, 128, Form.OPAQUE);
  }

  private static void plain(int tag, int bits, Form form) {
    floating(tag, bits, form, 0, 0);
  }

  private static void floating(int tag, int bits, Form form, int fraction, int bias) {
    ALL.put(tag, new Element(tag, bits, form, fraction, bias));
  }

  static Element of(int tag) {
    Rejected.rejectIf(!ALL.containsKey(tag), "element type");
    return ALL.get(tag);
  }

  boolean fitsLong() {
    return bits <= Long.SIZE;
  }

  long low() {
    return switch (form) {
      case SIGNED -> -1L << (bits - 1);
      case POWER_OF_TWO -> 1;
      default -> 0;
    };
  }

  long high() {
    return switch (form) {
      case SIGNED -> mask() >>> 1;
      case POWER_OF_TWO -> 254;
      default -> mask();
    };
  }

  private long mask() {
    return -1L >>> (Long.SIZE - bits);
  }

  // --- Packing

  /** Elements in the shortest run that fills its bytes; a power of two. */
  int runElements() {
    return bits == 6 ? 4 : Math.max(1, 8 / bits);
  }

  int runBytes() {
    return runElements() * bits / 8;
  }

  BigInteger packedBytes(BigInteger count) {
    final BigInteger elements = BigInteger.valueOf(runElements());
    final BigInteger runs = count.add(elements).subtract(BigInteger.ONE).divide(elements);
    final BigInteger bytes = runs.multiply(BigInteger.valueOf(runBytes()));
    Rejected.rejectIf(bytes.bitLength() > Long.SIZE, "more bytes than 64 bits count");
    return bytes;
  }

  /** The element so many elements behind (or before) a byte: with its sign if it has one, else its bit pattern. */
  long at(byte[] data, long start, long index) {
    final long bit = index * bits;
    final int first = (int) (start + Math.floorDiv(bit, 8L));
    final int shift = (int) Math.floorMod(bit, 8L);
    long word = 0;
    for (int k = 0; 8 * k < shift + bits; ++k) word |= (data[first + k] & 0xffL) << 8 * k;
    word = word >>> shift & mask();
    return form == Form.SIGNED ? word << (Long.SIZE - bits) >> (Long.SIZE - bits) : word;
  }

  long[] unpack(BigInteger count, byte[] data) {
    if (!fitsLong()) throw new UnsupportedOperationException();
    Rejected.rejectIf(!packedBytes(count).equals(BigInteger.valueOf(data.length)), "number of bytes");
    final long[] values = new long[count.intValue()];
    for (int i = 0; i < values.length; ++i) {
      values[i] = at(data, 0, i);
      Rejected.rejectIf(form == Form.POWER_OF_TWO && !holds(values[i]), "no float8_e8m0");
    }
    return values;
  }

  byte[] pack(long[] values) {
    final byte[] out = new byte[packedBytes(BigInteger.valueOf(values.length)).intValue()];
    for (int i = 0; i < values.length; ++i) {
      for (int k = 0; k < bits; ++k) {
        final long bit = (long) i * bits + k;
        out[(int) (bit / 8)] |= (byte) ((values[i] >> k & 1) << bit % 8);
      }
    }
    return out;
  }

  byte[] packChecked(long[] values) {
    if (!fitsLong()) throw new UnsupportedOperationException();
    for (final long value : values) Rejected.rejectIf(!holds(value), "value outside the type");
    return pack(values);
  }

  boolean holds(long value) {
    return bits == Long.SIZE || low() <= value && value <= high();
  }

  // --- Real values

  /** The real value, rounded once. */
  float widen(long value) {
    return switch (form) {
      case SIGNED -> value;
      case UNSIGNED -> value >= 0 ? value : 2 * (float) (value >>> 1 | value & 1);
      case POWER_OF_TWO -> Math.scalb(1f, (int) value - 127);
      case IEEE, ONE_NAN, FINITE -> switch (bits) {
        case 64 -> (float) Double.longBitsToDouble(value);
        case 32 -> Float.intBitsToFloat((int) value);
        default -> widenSmall(value);
      };
      case OPAQUE -> {
        Rejected.rejectIf(true, "no real numbers");
        yield Float.NaN;
      }
    };
  }

  private float widenSmall(long value) {
    final long highest = mask() >>> 1;
    final long magnitude = value & highest;
    final long whole = 1L << fraction;
    final float sign = value == magnitude ? 1 : -1;
    if (form == Form.IEEE && (magnitude | whole - 1) == highest) {
      return magnitude % whole != 0 ? Float.NaN : sign * Float.POSITIVE_INFINITY;
    }
    if (form == Form.ONE_NAN && magnitude == highest) return Float.NaN;
    final int exponent = (int) (magnitude >> fraction);
    final long digits = exponent == 0 ? magnitude : magnitude % whole + whole;
    return sign * Math.scalb((float) digits, Math.max(exponent, 1) - bias - fraction);
  }
}
