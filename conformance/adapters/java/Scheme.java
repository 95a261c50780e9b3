// SPDX-License-Identifier: Apache-2.0
//
// The five quantization schemes: what their descriptors consist of, behind scheme, version and flags, and what they
// store. One row each; what the rows mean is in Quantization.java.

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

enum Scheme {
  // The three bytes behind scale_type_tag are zero: read as one word with it they need no rule of their own.
  PER_TENSOR(1, "scale zero_point reserved", Element.AFFINE, Set.of(), 0, 0),
  PER_CHANNEL(2, "axis scale_buffer_index zero_point_buffer_index scale_type_tag", Element.AFFINE, Set.of(3L), 0, 0),
  PER_BLOCK(3, "axis block_size scale_buffer_index zero_point_buffer_index scale_type_tag",
      Set.of(0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b), Set.of(1L, 2L, 3L), 2, Quantization.NO_BUFFER),
  NF4(4, "axis block_size scale_buffer_index", Set.of(0x49), Set.of(), 8, Quantization.NO_BUFFER),
  MXFP(5, "axis block_size scale_buffer_index", Set.of(0x10, 0x40, 0x41, 0x43, 0x44, 0x45, 0x48), Set.of(), 16, 2048);

  final int tag;
  final List<String> words;  // of 32 bits each
  final Set<Integer> storageTypes;
  final Set<Long> scaleTypes;  // if it says which
  final long leastBlock, largestBlock;

  Scheme(int tag, String words, Set<Integer> storageTypes, Set<Long> scaleTypes, long leastBlock, long largestBlock) {
    this.tag = tag;
    this.words = List.of(words.split(" "));
    this.storageTypes = storageTypes;
    this.scaleTypes = scaleTypes;
    this.leastBlock = leastBlock;
    this.largestBlock = largestBlock;
  }

  static boolean isKnown(long tag) {
    return tag >= 1 && tag <= values().length;
  }

  static Scheme of(long tag) {
    Rejected.rejectIf(!isKnown(tag), "scheme");
    return values()[(int) tag - 1];
  }

  /** Only these may be symmetric. */
  boolean hasFlags() {
    return !scaleTypes.isEmpty();
  }

  boolean hasBlocks() {
    return largestBlock > 0;
  }

  int sizeBytes() {
    return 4 + 4 * words.size();
  }

  /** As the protocol names them: no reserved word, and flags only where one is defined. */
  List<String> keys() {
    final List<String> keys = new ArrayList<>(words);
    keys.remove("reserved");
    if (hasFlags()) keys.add(0, "flags");
    return keys;
  }
}
