// SPDX-License-Identifier: Apache-2.0
//
// Second reading of the same rows, as ../faults/row_table.h, and the members that variants replace
// or leave out.

#undef TURNS_DOWN
#undef LACKS
#undef FORGIVES
#undef AFFINE

#define TURNS_DOWN(SET, ID, SHOWS, CHOICE, ...) FAULT_ROW(SET, ID, SHOWS, CHOICE)
#define LACKS(SET, ID, SHOWS, CHOICE, ...) FAULT_ROW(SET, ID, SHOWS, CHOICE)
#define FORGIVES(SET, ID, SHOWS, CHOICE, ...) FAULT_ROW(SET, ID, SHOWS, CHOICE)
#define AFFINE(SET, ID, SHOWS, CHOICE, ...) FAULT_ROW(SET, ID, SHOWS, CHOICE)

#define MEMBERS_reader MEMBERS_decode, MEMBERS_decode_tensor
#define MEMBERS_writer MEMBERS_encode, MEMBERS_encode_tensor
#define MEMBERS_unpacker MEMBERS_unpack_and_widen, MEMBERS_dequantize_tensor
#define MEMBERS_converter MEMBERS_normalize, MEMBERS_convert
#define MEMBERS_affine MEMBERS_dequantize, .dequantize_tensor = FAULT_NAME(of_tensors)

// Claims less than scalar does.
#define WITHOUT_TENSORS                                                                  \
  .decode_tensor = NULL, .encode_tensor = NULL, .dequantize_tensor = NULL, .layouts = 0, \
  .tensor_types = 0
#define WITHOUT_ELEMENTS \
  .pack = NULL, .unpack = NULL, .packed_bytes = NULL, .widen = NULL, .element_types = 0
#define WITHOUT_CONVERSION .normalize_zero_points = NULL, .convert = NULL
#define WITHOUT_KERNELS \
  .dequantize = NULL, .quantize = NULL, .dequantize_types = 0, .quantize_types = 0
#define WITHOUT_CODEC \
  .decode = NULL, .encode = NULL, .decode_types = 0, .encode_types = 0, .schemes = 0
#define OF_HURRAY .contracts = HURRAY_CONTRACT_HURRAY, .ra8 = NULL

#define MEMBERS_ra8_only                                                              \
  .contracts = HURRAY_CONTRACT_RA8, WITHOUT_CODEC, WITHOUT_KERNELS, WITHOUT_ELEMENTS, \
  WITHOUT_CONVERSION, WITHOUT_TENSORS, MEMBERS_ra8
#define MEMBERS_decode_only                                                        \
  OF_HURRAY, .encode = NULL, .encode_types = 0, WITHOUT_KERNELS, WITHOUT_ELEMENTS, \
             WITHOUT_CONVERSION, WITHOUT_TENSORS, MEMBERS_decode
#define MEMBERS_no_tensors WITHOUT_TENSORS, WITHOUT_ELEMENTS, .convert = NULL, MEMBERS_decode
#define MEMBERS_tensors_only                                        \
  OF_HURRAY, WITHOUT_KERNELS, WITHOUT_ELEMENTS, WITHOUT_CONVERSION, \
      .decode = NULL, .encode = NULL, .decode_types = 0, .encode_types = 0, MEMBERS_decode_tensor
#define MEMBERS_convert_only \
  OF_HURRAY, WITHOUT_CODEC, WITHOUT_KERNELS, WITHOUT_ELEMENTS, WITHOUT_TENSORS, MEMBERS_converter
#define MEMBERS_three_schemes                                                     \
  .schemes = HURRAY_SCHEME_PER_TENSOR_AFFINE | HURRAY_SCHEME_PER_CHANNEL_AFFINE | \
             HURRAY_SCHEME_PER_BLOCK_AFFINE,                                      \
  MEMBERS_reader
#define MEMBERS_one_layout .layouts = HURRAY_LAYOUT_ROW_MAJOR, MEMBERS_decode_tensor
#define MEMBERS_strict_only \
  .modes = HURRAY_MODE_STRICT, MEMBERS_decode_tensor, MEMBERS_dequantize_tensor
// Tier 1, of which no type is below a byte.
#define TYPES_STORED_WHOLE 0x3fu
#define MEMBERS_whole_bytes                                                                 \
  .decode_types = TYPES_STORED_WHOLE, .encode_types = TYPES_STORED_WHOLE,                   \
  .dequantize_types = TYPES_STORED_WHOLE, .quantize_types = TYPES_STORED_WHOLE,             \
  .element_types = HURRAY_TYPES_TIER_1, .tensor_types = HURRAY_TYPES_TIER_1, MEMBERS_codec, \
  MEMBERS_dequantize, MEMBERS_quantize, MEMBERS_elements, MEMBERS_packed_bytes
