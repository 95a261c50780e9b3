// SPDX-License-Identifier: Apache-2.0
//
// What makes a tensor descriptor valid, whether it was read or is to be written: places and sizes of its buffers, and
// what a quantization scheme asks of shape and buffers. Sizes are BigInteger, because products of uint64 are none.

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class TensorRules {
  private TensorRules() {}

  private static final int[] HIGHEST_CLASS = {2, 3, 3, 2, 3, 0, 2, 3, 2};  // of memory, by device
  private static final int STATISTICS_MASK = 0x3f, MOST_BUFFERS = 255, HIGHEST_ROLE = 1;

  static void check(Tensor tensor) {
    final boolean isPrivate = isPrivate(tensor.type());
    final Quantization quantization = tensor.quantization();
    Rejected.rejectIf(!isPrivate && !Element.ALL.containsKey(tensor.type()), "element type");
    Rejected.rejectIf(isPrivate != (tensor.extensionType() != null), "extension type");
    Rejected.rejectIf(isPrivate && quantization != null, "quantization of a private element type");
    Rejected.rejectIf(tensor.layout() < Tensor.ROW_MAJOR || tensor.layout() > Tensor.STRIDED, "layout");
    Rejected.rejectIf(tensor.shape().size() > Tensor.MOST_DIMENSIONS, "rank");
    Rejected.rejectIf(tensor.shape().isEmpty() && tensor.layout() != Tensor.ROW_MAJOR, "layout of a scalar");
    checkHandles(tensor.buffers());
    checkSections(tensor);
    final boolean isKnown = quantization == null || quantization.isKnown();
    if (quantization == null) Rejected.rejectIf(tensor.buffers().size() != 1, "number of buffers");
    else if (isKnown) checkQuantization(tensor, quantization);
    checkData(tensor, isKnown && !isPrivate && !tensor.isDynamic());
  }

  private static boolean isPrivate(int tag) {
    return tag >= 0xf0 && tag <= 0xfe;
  }

  private static void checkHandles(List<Tensor.Handle> handles) {
    Rejected.rejectIf(handles.isEmpty() || handles.size() > MOST_BUFFERS, "number of buffers");
    for (final Tensor.Handle handle : handles) {
      final int device = handle.device();
      final long least = handle.byteSize().signum() == 0 ? 1 : 64;
      Rejected.rejectIf(Long.bitCount(handle.alignment()) != 1 || handle.alignment() < least, "alignment");
      final int highest = isPrivate(device) ? 0 : device < HIGHEST_CLASS.length ? HIGHEST_CLASS[device] : -1;
      final boolean isPrivate = isPrivate(device) && isPrivate(handle.memoryClass());
      Rejected.rejectIf(handle.memoryClass() > highest && !isPrivate, "device or memory class");
      Rejected.rejectIf(handle.syncMode() > (device == 0 ? 0 : 2), "sync mode");
      Rejected.rejectIf(handle.reserved() != 0, "reserved byte");
      Rejected.rejectIf(device != handles.get(0).device() || handle.memoryClass() != handles.get(0).memoryClass(),
          "buffers in several places");
    }
  }

  private static void checkSections(Tensor tensor) {
    for (int i = 0; tensor.shard() != null && i < tensor.shape().size(); ++i) {
      final BigInteger size = tensor.shape().get(i), parent = tensor.shard().parentShape().get(i);
      final boolean isDynamic = size.equals(Tensor.DYNAMIC) || parent.equals(Tensor.DYNAMIC);
      Rejected.rejectIf(!isDynamic && tensor.shard().offset().get(i).add(size).compareTo(parent) > 0,
          "shard outside its parent");
    }
    if (tensor.statistics() != null) {
      Rejected.rejectIf((Bytes.little(tensor.statistics()).getInt() & ~STATISTICS_MASK) != 0, "statistics mask");
    }
    Rejected.rejectIf(tensor.memberRole() != null && tensor.memberRole() > HIGHEST_ROLE, "member role");
  }

  private static void checkData(Tensor tensor, boolean isSizeKnown) {
    BigInteger first = tensor.byteOffset(), end = first;
    if (isSizeKnown && tensor.shape().stream().allMatch(size -> size.signum() > 0)) {
      BigInteger low = BigInteger.ZERO, high = BigInteger.ZERO;  // in elements
      for (int i = 0; tensor.strides() != null && i < tensor.strides().length; ++i) {
        final BigInteger last = tensor.shape().get(i).subtract(BigInteger.ONE);
        final BigInteger reach = last.multiply(BigInteger.valueOf(tensor.strides()[i]));
        low = low.add(reach.min(BigInteger.ZERO));
        high = high.add(reach.max(BigInteger.ZERO));
      }
      if (tensor.strides() == null) high = Tensor.product(tensor.shape()).subtract(BigInteger.ONE);
      final Element element = Element.of(tensor.type());
      first = first.add(bytesBefore(element, low));
      end = end.add(bytesBefore(element, high)).add(BigInteger.valueOf(element.runBytes()));
    }
    Rejected.rejectIf(first.signum() < 0 || end.compareTo(tensor.buffers().get(0).byteSize()) > 0, "data buffer");
  }

  /** Of the run that an element is in; rounded down, of negative ones too. */
  private static BigInteger bytesBefore(Element element, BigInteger index) {
    return index.shiftRight(Integer.numberOfTrailingZeros(element.runElements()))
        .multiply(BigInteger.valueOf(element.runBytes()));
  }

  // --- Quantization

  private static void checkQuantization(Tensor tensor, Quantization quantization) {
    final List<BigInteger> shape = tensor.shape();
    final List<Tensor.Handle> buffers = tensor.buffers();
    if (quantization.scheme() == Scheme.PER_TENSOR) {
      Rejected.rejectIf(buffers.size() != 1, "number of buffers");
      return;
    }
    final long axis = quantization.get("axis");
    Rejected.rejectIf(axis >= shape.size() || shape.get((int) axis).equals(Tensor.DYNAMIC), "axis");
    checkBlocks(quantization, shape.get((int) axis));
    final Map<Long, BigInteger> sizes = parameterBytes(tensor);
    Rejected.rejectIf(sizes.containsKey(0L) || buffers.size() != 1 + sizes.size(), "parameter buffers");
    // Blocks depend on all dimensions, channels on one, which is not dynamic.
    final boolean isSizeKnown = !quantization.scheme().hasBlocks() || !tensor.isDynamic();
    sizes.forEach((index, bytes) -> {
      Rejected.rejectIf(index >= buffers.size(), "index of a buffer");
      Rejected.rejectIf(isSizeKnown && !buffers.get(index.intValue()).byteSize().equals(bytes),
          "size of a parameter buffer");
    });
  }

  private static void checkBlocks(Quantization quantization, BigInteger length) {
    final BigInteger block = BigInteger.valueOf(quantization.get("block_size"));
    if (quantization.scheme() == Scheme.MXFP) {
      Rejected.rejectIf(length.signum() == 0 || length.mod(block).signum() != 0, "no multiple of the block size");
    } else if (quantization.scheme().hasBlocks()) {
      Rejected.rejectIf(length.signum() > 0 && length.compareTo(block) < 0, "blocks longer than the axis");
    }
  }

  /** By the index of the buffer; scales and zero points may lie in one, the scales first. */
  private static Map<Long, BigInteger> parameterBytes(Tensor tensor) {
    final Quantization quantization = tensor.quantization();
    final BigInteger count = parameterCount(tensor);
    final Map<Long, BigInteger> sizes = new TreeMap<>();
    sizes.put(quantization.get("scale_buffer_index"),
        count.multiply(BigInteger.valueOf(scaleType(quantization).bits() / 8)));
    if (hasZeroPoints(quantization)) {
      sizes.merge(quantization.get("zero_point_buffer_index"), count.multiply(BigInteger.valueOf(Integer.BYTES)),
          BigInteger::add);
    }
    return sizes;
  }

  static boolean hasZeroPoints(Quantization quantization) {
    return quantization.scheme().hasFlags() && !quantization.isSymmetric();
  }

  static Element scaleType(Quantization quantization) {
    return Element.of(switch (quantization.scheme()) {
      case PER_TENSOR, NF4 -> 0x03;
      case MXFP -> 0x42;
      case PER_CHANNEL, PER_BLOCK -> (int) quantization.get("scale_type_tag");
    });
  }

  /** Of per-channel every index is a block; the last block may be a partial one. */
  static BigInteger blocksOnAxis(Tensor tensor) {
    final Quantization quantization = tensor.quantization();
    final BigInteger length = tensor.shape().get((int) quantization.get("axis"));
    final BigInteger block = BigInteger.valueOf(quantization.scheme().hasBlocks() ? quantization.get("block_size") : 1);
    return length.add(block).subtract(BigInteger.ONE).divide(block);
  }

  /** How many scales there are. */
  static BigInteger parameterCount(Tensor tensor) {
    if (!tensor.quantization().scheme().hasBlocks()) return blocksOnAxis(tensor);
    final List<BigInteger> others = new ArrayList<>(tensor.shape());
    others.remove((int) tensor.quantization().get("axis"));
    return Tensor.product(others).multiply(blocksOnAxis(tensor));
  }
}
