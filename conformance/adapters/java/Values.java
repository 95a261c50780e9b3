// SPDX-License-Identifier: Apache-2.0
//
// The real values of a tensor, in row-major order of its shape whatever its layout.

import java.math.BigInteger;
import java.util.List;

final class Values {
  // Of binary32.
  private static final int[] NF4_LEVEL_BITS = {0xbf800000, 0xbf3239b1, 0xbf066b30, 0xbeca32a0, 0xbe91a24d, 0xbe3d353f,
      0xbdba7871, 0x00000000, 0x3da2faff, 0x3e24cae3, 0x3e7c04dd, 0x3ead033a, 0x3ee1a4b8, 0x3f1007ab, 0x3f3913b3,
      0x3f800000};

  /** One of each for every block, channel or tensor. */
  private record Parameters(float[] scales, int[] zeroPoints) {}

  private final Tensor tensor;
  private final Element element;
  private final byte[] data;
  private final int[] shape;
  private final Parameters parameters;

  /** Of a valid tensor with as many elements as `count`, and its buffers in the order of the descriptor. */
  static float[] dequantize(Tensor tensor, BigInteger count, List<byte[]> buffers) {
    final Quantization quantization = tensor.quantization();
    Rejected.rejectIf(quantization != null && !quantization.isKnown(), "no scheme to compute with");
    Rejected.rejectIf(tensor.isDynamic() || !Tensor.product(tensor.shape()).equals(count), "number of elements");
    for (int i = 0; i < tensor.buffers().size(); ++i) {
      Rejected.rejectIf(BigInteger.valueOf(buffers.get(i).length).compareTo(tensor.buffers().get(i).byteSize()) < 0,
          "a buffer is shorter than its handle says");
    }
    if (count.signum() == 0) return new float[0];
    return new Values(tensor, buffers).all(count.intValueExact());
  }

  // From here on sizes are int: the answer has all elements.

  private Values(Tensor tensor, List<byte[]> buffers) {
    this.tensor = tensor;
    element = Element.of(tensor.type());
    Rejected.rejectIf(element.form() == Element.Form.OPAQUE, "no real numbers");
    data = buffers.get(0);
    shape = tensor.shape().stream().mapToInt(BigInteger::intValue).toArray();
    parameters = tensor.quantization() == null ? null : readParameters(buffers);
  }

  private Parameters readParameters(List<byte[]> buffers) {
    final Quantization quantization = tensor.quantization();
    if (quantization.scheme() == Scheme.PER_TENSOR) {
      return new Parameters(new float[] {Float.intBitsToFloat((int) quantization.get("scale"))},
          new int[] {(int) quantization.get("zero_point")});
    }
    final int count = TensorRules.parameterCount(tensor).intValue();
    final Element scaleType = TensorRules.scaleType(quantization);
    final long scaleIndex = quantization.get("scale_buffer_index");
    final long zeroPointIndex = quantization.get("zero_point_buffer_index");
    final Parameters read = new Parameters(new float[count], new int[count]);
    for (int i = 0; i < count; ++i) {
      final long code = scaleType.at(buffers.get((int) scaleIndex), 0, i);
      Rejected.rejectIf(scaleType.form() == Element.Form.POWER_OF_TWO && !scaleType.holds(code), "no float8_e8m0");
      read.scales[i] = scaleType.widen(code);
      if (TensorRules.hasZeroPoints(quantization)) {
        final int start = scaleIndex == zeroPointIndex ? count * scaleType.runBytes() : 0;
        read.zeroPoints[i] = Bytes.little(buffers.get((int) zeroPointIndex)).getInt(start + 4 * i);
      }
      checkParameters(read.scales[i], read.zeroPoints[i]);
    }
    return read;
  }

  private void checkParameters(float scale, int zeroPoint) {
    switch (tensor.quantization().scheme()) {
      case PER_CHANNEL -> Kernels.checkParameters(element, scale, zeroPoint);
      case PER_BLOCK -> Rejected.rejectIf(!Float.isFinite(scale) || scale == 0, "scale");
      case NF4 -> Rejected.rejectIf(!Float.isFinite(scale) || scale < 0, "scale");
      case PER_TENSOR, MXFP -> { }  // of the descriptor, and of the type of the scales
    }
  }

  private float[] all(int count) {
    final float[] out = new float[count];
    final int[] index = new int[shape.length];
    for (int i = 0; i < count; ++i) {
      int rest = i;
      for (int d = shape.length - 1; d >= 0; rest /= shape[d--]) index[d] = rest % shape[d];
      out[i] = value(element.at(data, tensor.byteOffset().longValue(), place(index)), index);
    }
    return out;
  }

  private float value(long code, int[] index) {
    if (parameters == null) return element.widen(code);
    final int at = parameterPlace(index);
    final float scale = parameters.scales[at];
    return switch (tensor.quantization().scheme()) {
      case PER_TENSOR, PER_CHANNEL, PER_BLOCK -> Kernels.dequantize(scale, parameters.zeroPoints[at], code);
      case NF4 -> scale * Float.intBitsToFloat(NF4_LEVEL_BITS[(int) code]);
      case MXFP -> scale * element.widen(code);
    };
  }

  /** Of an element, in elements behind the byte offset. */
  private long place(int[] index) {
    long place = 0;
    for (int i = 0; i < shape.length; ++i) {
      final int d = tensor.layout() == Tensor.COLUMN_MAJOR ? shape.length - 1 - i : i;
      place = tensor.layout() == Tensor.STRIDED ? place + index[d] * tensor.strides()[d] : place * shape[d] + index[d];
    }
    return place;
  }

  /** Of the block, or channel, that an element belongs to. */
  private int parameterPlace(int[] index) {
    final Quantization quantization = tensor.quantization();
    if (quantization.scheme() == Scheme.PER_TENSOR) return 0;
    final int axis = (int) quantization.get("axis");
    if (quantization.scheme() == Scheme.PER_CHANNEL) return index[axis];
    int outer = 0;
    for (int d = 0; d < shape.length; ++d) {
      if (d != axis) outer = outer * shape[d] + index[d];
    }
    final int block = (int) (index[axis] / quantization.get("block_size"));
    return outer * TensorRules.blocksOnAxis(tensor).intValue() + block;
  }
}
