// SPDX-License-Identifier: Apache-2.0
//
// Second reading of the rows: each becomes an entry of the table. SET names the members that are
// replaced, as below.

#undef CALL
#undef AFTER
#undef SPOILS
#undef SPOILS_REFUSED
#undef DEQUANTIZE
#undef QUANTIZE
#undef NORMALIZE
#undef TAKES
#undef TAKES_OF_SCHEME
#undef TELLS
#undef TELLS_OF_SCHEME
#undef EMITS
#undef EMITS_OF_SCHEME
#undef SPELLS
#undef SPELLS_OF_SCHEME
#undef REFUSES
#undef REFUSES_OF_SCHEME
#undef PACK
#undef PATTERN
#undef WIDEN
#undef SIZE
#undef SEES
#undef JUDGES
#undef FINDS
#undef DECLINES
#undef WRITES
#undef SETS
#undef HANDED
#undef VALUE
#undef CONVERTS
#undef MAKES

#define FAULT_STRING(WHAT) #WHAT
#define FAULT_STRING_EXPANDED(WHAT) FAULT_STRING(WHAT)

#define FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)                              \
  {                                                                          \
      .id = (ID),                                                            \
      .requirements = (REQUIREMENTS),                                        \
      .wrong = (WRONG),                                                      \
      .replaced = REPLACED_##SET,                                            \
      .file = FAULT_STRING_EXPANDED(THEME),                                  \
      .strict = (THEME_IS_STRICT),                                           \
      .target = {HURRAY_SCALAR_MEMBERS, .name = "fault-" ID, MEMBERS_##SET}, \
  },

#define CALL(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define AFTER(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define SPOILS(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define SPOILS_REFUSED(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define DEQUANTIZE(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define QUANTIZE(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define NORMALIZE(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(normalize, ID, REQUIREMENTS, WRONG)
#define TAKES(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(decode, ID, REQUIREMENTS, WRONG)
#define TAKES_OF_SCHEME(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(decode, ID, REQUIREMENTS, WRONG)
#define TELLS(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(decode, ID, REQUIREMENTS, WRONG)
#define TELLS_OF_SCHEME(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(decode, ID, REQUIREMENTS, WRONG)
#define EMITS(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(encode, ID, REQUIREMENTS, WRONG)
#define EMITS_OF_SCHEME(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(encode, ID, REQUIREMENTS, WRONG)
#define SPELLS(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(encode, ID, REQUIREMENTS, WRONG)
#define SPELLS_OF_SCHEME(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(encode, ID, REQUIREMENTS, WRONG)
#define REFUSES(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define REFUSES_OF_SCHEME(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define PACK(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(pack, ID, REQUIREMENTS, WRONG)
#define PATTERN(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define WIDEN(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(widen, ID, REQUIREMENTS, WRONG)
#define SIZE(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(packed_bytes, ID, REQUIREMENTS, WRONG)
#define SEES(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(decode_tensor, ID, REQUIREMENTS, WRONG)
#define JUDGES(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(decode_tensor, ID, REQUIREMENTS, WRONG)
#define FINDS(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(decode_tensor, ID, REQUIREMENTS, WRONG)
#define DECLINES(SET, ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(SET, ID, REQUIREMENTS, WRONG)
#define WRITES(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(encode_tensor, ID, REQUIREMENTS, WRONG)
#define SETS(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(encode_tensor, ID, REQUIREMENTS, WRONG)
#define HANDED(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(dequantize_tensor, ID, REQUIREMENTS, WRONG)
#define VALUE(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(dequantize_tensor, ID, REQUIREMENTS, WRONG)
#define CONVERTS(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(convert, ID, REQUIREMENTS, WRONG)
#define MAKES(ID, REQUIREMENTS, WRONG, ...) FAULT_ROW(convert, ID, REQUIREMENTS, WRONG)

#define MEMBERS_decode .decode = FAULT_NAME(decode)
#define MEMBERS_encode .encode = FAULT_NAME(encode)
#define MEMBERS_codec MEMBERS_decode, MEMBERS_encode
#define MEMBERS_dequantize .dequantize = FAULT_NAME(dequantize)
#define MEMBERS_quantize .quantize = FAULT_NAME(quantize)
#define MEMBERS_normalize .normalize_zero_points = FAULT_NAME(normalize)
#define MEMBERS_pack .pack = FAULT_NAME(pack)
#define MEMBERS_unpack .unpack = FAULT_NAME(unpack)
#define MEMBERS_packed_bytes .packed_bytes = FAULT_NAME(packed_bytes)
#define MEMBERS_widen .widen = FAULT_NAME(widen)
#define MEMBERS_convert .convert = FAULT_NAME(convert)
#define MEMBERS_decode_tensor .decode_tensor = FAULT_NAME(decode_tensor)
#define MEMBERS_encode_tensor .encode_tensor = FAULT_NAME(encode_tensor)
#define MEMBERS_dequantize_tensor .dequantize_tensor = FAULT_NAME(dequantize_tensor)
#define MEMBERS_unpack_and_widen MEMBERS_unpack, MEMBERS_widen
#define MEMBERS_elements MEMBERS_pack, MEMBERS_unpack, MEMBERS_widen
#define MEMBERS_tensor_reader MEMBERS_decode_tensor, MEMBERS_dequantize_tensor
#define MEMBERS_tensor_codec MEMBERS_decode_tensor, MEMBERS_encode_tensor
#define MEMBERS_ra8_quantize_i8 FAULT_RA8(FAULT_QUANTIZE_I8)
#define MEMBERS_ra8_quantize_u8 FAULT_RA8(FAULT_QUANTIZE_U8)
#define MEMBERS_ra8_dequantize_i8 FAULT_RA8(FAULT_DEQUANTIZE_I8)
#define MEMBERS_ra8_dequantize_u8 FAULT_RA8(FAULT_DEQUANTIZE_U8)
#define MEMBERS_ra8_quantize FAULT_RA8(FAULT_QUANTIZE_I8, FAULT_QUANTIZE_U8)
#define MEMBERS_ra8_dequantize FAULT_RA8(FAULT_DEQUANTIZE_I8, FAULT_DEQUANTIZE_U8)
#define MEMBERS_ra8 \
  FAULT_RA8(FAULT_QUANTIZE_I8, FAULT_QUANTIZE_U8, FAULT_DEQUANTIZE_I8, FAULT_DEQUANTIZE_U8)
#define MEMBERS_both_quantize MEMBERS_quantize, MEMBERS_ra8_quantize
#define MEMBERS_both_dequantize MEMBERS_dequantize, MEMBERS_ra8_dequantize
#define MEMBERS_kernels MEMBERS_quantize, MEMBERS_dequantize, MEMBERS_ra8
#define MEMBERS_all MEMBERS_codec, MEMBERS_normalize, MEMBERS_kernels

#define REPLACED_decode "decode"
#define REPLACED_encode "encode"
#define REPLACED_codec "decode encode"
#define REPLACED_dequantize "dequantize"
#define REPLACED_quantize "quantize"
#define REPLACED_normalize "normalize_zero_points"
#define REPLACED_pack "pack"
#define REPLACED_unpack "unpack"
#define REPLACED_packed_bytes "packed_bytes"
#define REPLACED_widen "widen"
#define REPLACED_convert "convert"
#define REPLACED_decode_tensor "decode_tensor"
#define REPLACED_encode_tensor "encode_tensor"
#define REPLACED_dequantize_tensor "dequantize_tensor"
#define REPLACED_unpack_and_widen REPLACED_unpack " " REPLACED_widen
#define REPLACED_elements REPLACED_pack " " REPLACED_unpack_and_widen
#define REPLACED_tensor_reader REPLACED_decode_tensor " " REPLACED_dequantize_tensor
#define REPLACED_tensor_codec REPLACED_decode_tensor " " REPLACED_encode_tensor
#define REPLACED_ra8_quantize_i8 "ra8.quantize_i8"
#define REPLACED_ra8_quantize_u8 "ra8.quantize_u8"
#define REPLACED_ra8_dequantize_i8 "ra8.dequantize_i8"
#define REPLACED_ra8_dequantize_u8 "ra8.dequantize_u8"
#define REPLACED_ra8_quantize REPLACED_ra8_quantize_i8 " " REPLACED_ra8_quantize_u8
#define REPLACED_ra8_dequantize REPLACED_ra8_dequantize_i8 " " REPLACED_ra8_dequantize_u8
#define REPLACED_ra8 REPLACED_ra8_quantize " " REPLACED_ra8_dequantize
#define REPLACED_both_quantize REPLACED_quantize " " REPLACED_ra8_quantize
#define REPLACED_both_dequantize REPLACED_dequantize " " REPLACED_ra8_dequantize
#define REPLACED_kernels REPLACED_dequantize " " REPLACED_quantize " " REPLACED_ra8
#define REPLACED_all REPLACED_codec " " REPLACED_normalize " " REPLACED_kernels

#define FAULT_RA8(...) \
  .ra8 = &(const struct hurray_ra8_functions) { HURRAY_SCALAR_RA8_MEMBERS, __VA_ARGS__ }
#define FAULT_QUANTIZE_I8 .quantize_i8 = FAULT_NAME(quantize_i8)
#define FAULT_QUANTIZE_U8 .quantize_u8 = FAULT_NAME(quantize_u8)
#define FAULT_DEQUANTIZE_I8 .dequantize_i8 = FAULT_NAME(dequantize_i8)
#define FAULT_DEQUANTIZE_U8 .dequantize_u8 = FAULT_NAME(dequantize_u8)
