// SPDX-License-Identifier: Apache-2.0
//
// What does an implementation hand over to be judged? One table of functions.
//
// Fill a `struct hurray_target`, export it as `hurray_target`, and build the same source file as
//   * a shared object            judged as  lib:PATH
//   * a program with the kit     judged as  exec:COMMAND
//   * a bare-metal image         judged as  qemu:IMAGE
// A member that is NULL or zero is not claimed, and what is not claimed is not judged. Freestanding
// C11 and C++20: needs no libc. conformance/PORTING.md walks through a complete example.

#ifndef HURRAY_TARGET_H
#define HURRAY_TARGET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Version of this table. Later versions add members at the end and never change an old one, so a
// table of version 1 stays valid; `struct_bytes` says where the table of its author ended. A kit
// does not serve a table of a version that it does not know.
#define HURRAY_TARGET_ABI 1u

// Contracts: what the target says it implements, and by which requirements it is judged.
#define HURRAY_CONTRACT_HURRAY 1u  // descriptors and kernels of the Hurray format
#define HURRAY_CONTRACT_RA8 2u  // the firmware functions of ra8_npu_quant.h, result codes included

// Schemes: bit n claims the scheme with tag n.
#define HURRAY_SCHEME_PER_TENSOR_AFFINE (1u << 1)
#define HURRAY_SCHEME_PER_CHANNEL_AFFINE (1u << 2)
#define HURRAY_SCHEME_PER_BLOCK_AFFINE (1u << 3)
#define HURRAY_SCHEME_NF4 (1u << 4)
#define HURRAY_SCHEME_MXFP (1u << 5)

// Reader modes. Strict is what every requirement speaks of unless it says otherwise.
#define HURRAY_MODE_STRICT 1u
#define HURRAY_MODE_PERMISSIVE 2u

// Storage types: bit n claims the n-th storage type of this list. Tags are those of the format.
//   bit   0     1      2      3       4      5       6     7      8     9
//   type  int8  uint8  int16  uint16  int32  uint32  int4  uint4  int2  uint2
//   tag   10    11     12     13      14     15      48    49     4a    4b
//   bit   10           11           12           13           14
//   type  float8_e4m3  float8_e5m2  float4_e2m1  float6_e2m3  float6_e3m2
//   tag   40           41           43           44           45
#define HURRAY_TYPE_INT8 (1u << 0)
#define HURRAY_TYPE_UINT8 (1u << 1)
#define HURRAY_TYPE_INT16 (1u << 2)
#define HURRAY_TYPE_UINT16 (1u << 3)
#define HURRAY_TYPE_INT32 (1u << 4)
#define HURRAY_TYPE_UINT32 (1u << 5)
#define HURRAY_TYPE_INT4 (1u << 6)
#define HURRAY_TYPE_UINT4 (1u << 7)
#define HURRAY_TYPE_INT2 (1u << 8)
#define HURRAY_TYPE_UINT2 (1u << 9)
#define HURRAY_TYPE_FLOAT8_E4M3 (1u << 10)
#define HURRAY_TYPE_FLOAT8_E5M2 (1u << 11)
#define HURRAY_TYPE_FLOAT4_E2M1 (1u << 12)
#define HURRAY_TYPE_FLOAT6_E2M3 (1u << 13)
#define HURRAY_TYPE_FLOAT6_E3M2 (1u << 14)
#define HURRAY_TYPES_AFFINE 0x3ffu  // the ten storage types of the per-tensor affine scheme
// Further element types, which no scheme stores:
//   bit   15    16           17       18        19       20       21     22
//   type  bool  float8_e8m0  float16  bfloat16  float32  float64  int64  uint64
//   tag   20    42           01       02        03       04       16     17
//   bit   23         24          25
//   type  complex64  complex128  float128
//   tag   50         51          46
#define HURRAY_TYPE_BOOL (1u << 15)
#define HURRAY_TYPE_FLOAT8_E8M0 (1u << 16)
#define HURRAY_TYPE_FLOAT16 (1u << 17)
#define HURRAY_TYPE_BFLOAT16 (1u << 18)
#define HURRAY_TYPE_FLOAT32 (1u << 19)
#define HURRAY_TYPE_FLOAT64 (1u << 20)
#define HURRAY_TYPE_INT64 (1u << 21)
#define HURRAY_TYPE_UINT64 (1u << 22)
#define HURRAY_TYPE_COMPLEX64 (1u << 23)
#define HURRAY_TYPE_COMPLEX128 (1u << 24)
#define HURRAY_TYPE_FLOAT128 (1u << 25)
// What a reader of tensors has to know (Tier 1): float16 to float64, int8 to uint64, bool.
#define HURRAY_TYPES_TIER_1 0x7e803fu

// Results. Which invalid input gets which rejection is not portable, so there is only one.
typedef int32_t hurray_status;
#define HURRAY_OK 0           // done; every output is written
#define HURRAY_REJECTED 1     // the input is invalid; no output is touched
#define HURRAY_UNSUPPORTED 2  // valid perhaps, but not something this target does

// A quantization descriptor of any scheme. Fields that a scheme does not have are zero.
struct hurray_descriptor {
  uint8_t scheme_tag;      // 01 per-tensor affine … 05 MXFP
  uint8_t scale_type_tag;  // schemes 02 and 03: type of the scale array
  uint16_t flags;
  float scale;                       // scheme 01
  int32_t zero_point;                // scheme 01
  uint32_t axis;                     // schemes 02 to 05
  uint32_t block_size;               // schemes 03 to 05
  uint32_t scale_buffer_index;       // schemes 02 to 05
  uint32_t zero_point_buffer_index;  // schemes 02 and 03
};

// The four functions of ra8_npu_quant.h, under their own contract: NULL is answered by a code,
// every int32 zero point is legal, and result codes are compared (0000 ok, 0103 invalid_arg, 0504
// null_ptr).
struct hurray_ra8_functions {
  uint16_t (*quantize_i8)(const float* in, int8_t* out, size_t count, float scale,
                          int32_t zero_point);
  uint16_t (*dequantize_i8)(const int8_t* in, float* out, size_t count, float scale,
                            int32_t zero_point);
  uint16_t (*quantize_u8)(const float* in, uint8_t* out, size_t count, float scale,
                          int32_t zero_point);
  uint16_t (*dequantize_u8)(const uint8_t* in, float* out, size_t count, float scale,
                            int32_t zero_point);
};

// Foreign zero points, as a quantizing toolchain packed them.
struct hurray_zero_point_format {
  uint32_t bits;  // width of one field; 4 is the recipe's
  int32_t bias;   // added to each field: 1 where the toolchain stored zero_point - 1, else 0
  uint32_t high_field_first;  // 0: the field in the low bits of a byte comes first (the recipe)
};

// --- Whole tensors

#define HURRAY_MOST_RANK 64u
#define HURRAY_MOST_BUFFERS 255u
#define HURRAY_DYNAMIC UINT64_MAX  // a dimension that is not known yet

// Layouts: bit n claims the layout with tag n.
#define HURRAY_LAYOUT_ROW_MAJOR (1u << 1)
#define HURRAY_LAYOUT_COLUMN_MAJOR (1u << 2)
#define HURRAY_LAYOUT_STRIDED (1u << 3)

// Bits of the flags word of a tensor descriptor.
#define HURRAY_HAS_QUANTIZATION (1u << 0)
#define HURRAY_HAS_SHARD (1u << 1)
#define HURRAY_HAS_EXTENSION_TYPE (1u << 2)
#define HURRAY_HAS_STATISTICS (1u << 3)
#define HURRAY_HAS_COMPOSITE_MEMBER (1u << 4)

// One entry of the buffer table: 16 bytes on the wire, of which the last is reserved and zero.
struct hurray_buffer_handle {
  uint64_t byte_size;
  uint32_t alignment;
  uint8_t device_tag;
  uint8_t sync_mode;
  uint8_t memory_class;
};

// A tensor descriptor. Members that a descriptor does not have (strides of another layout than
// strided, sections whose flag is not set, entries beyond `rank` and `buffer_count`) are not read
// by an encoder, and need not be set by a decoder.
struct hurray_tensor {
  uint32_t descriptor_length;  // set by a decoder: where the next thing starts
  uint8_t version_major;       // set by a decoder
  uint8_t version_minor;
  uint8_t type_tag;
  uint8_t layout_tag;
  uint32_t flags;  // HURRAY_HAS_…
  uint32_t rank;
  uint64_t shape[HURRAY_MOST_RANK];
  int64_t strides[HURRAY_MOST_RANK];  // in elements
  uint64_t byte_offset;
  uint32_t buffer_count;
  struct hurray_buffer_handle buffers[HURRAY_MOST_BUFFERS];
  // A permissive reader that stepped over a scheme that it does not know sets `scheme_tag` alone.
  struct hurray_descriptor quantization;
  uint64_t parent_shape[HURRAY_MOST_RANK];
  uint64_t shard_offset[HURRAY_MOST_RANK];
  uint8_t statistics[72];
  uint8_t extension_type[20];
  uint8_t member_role;
};

// The buffers of a tensor in the order of its table. A buffer may be there and yet not readable:
// what an operation has no business with, it does not touch.
struct hurray_tensor_buffers {
  uint32_t count;
  const uint8_t* const* bytes;  // of each; NULL only for one of 0 bytes
  const uint64_t* byte_sizes;
};

// A matrix or tensor as another toolchain quantized it: groups of `group_size` elements along
// `axis`, each with a scale and a zero point.
struct hurray_foreign_tensor {
  uint8_t type_tag;        // storage type of the weights
  uint8_t scale_type_tag;  // 01 float16, 02 bfloat16, 03 float32
  uint32_t rank;
  const uint64_t* shape;
  uint32_t axis;
  uint32_t group_size;
  struct hurray_zero_point_format zero_point_format;
  // How scales and zero points follow each other. 0: in the order of Hurray's blocks, the groups of
  // one row after the other. 1: group by group, each with all rows (GPTQ's [groups, rows]).
  uint32_t group_major;
  // 1: the fields of the plane follow each other. 4: each run (the groups of a row, or the rows of
  // a group if group_major) starts in a new little-endian 32-bit word.
  uint32_t word_bytes;
  const uint8_t* weights;  // packed, row-major, as Hurray packs `type_tag`
  size_t weights_bytes;
  const uint8_t* scales;  // little-endian
  size_t scales_bytes;
  const uint8_t* zero_points;  // the plane
  size_t zero_points_bytes;
  const uint32_t* group_index;  // the group of each index along `axis`; NULL: index / group_size
  const uint8_t* super_scales;  // a second level of scales, NULL if there is none
  size_t super_scales_bytes;
};

// Where a converter writes: a tensor descriptor and the three buffers that it speaks of.
struct hurray_converted_tensor {
  uint8_t* descriptor;
  size_t descriptor_capacity;
  size_t descriptor_bytes;  // written, set only on HURRAY_OK
  uint8_t* weights;         // as many bytes as the source has
  float* scales;            // one per block
  int32_t* zero_points;     // one per block
};

struct hurray_target {
  uint32_t struct_bytes;  // sizeof(struct hurray_target) where the target was compiled
  uint32_t abi;           // HURRAY_TARGET_ABI
  const char* name;       // printable ASCII without spaces
  const char* version;    // the same, or NULL; not asked for yet

  uint32_t contracts;  // HURRAY_CONTRACT_… that the target claims
  uint32_t schemes;    // HURRAY_SCHEME_…
  uint32_t modes;      // HURRAY_MODE_…; strict need not be named

  // Storage types claimed per operation, HURRAY_TYPE_….
  uint32_t decode_types;
  uint32_t encode_types;
  uint32_t dequantize_types;
  uint32_t quantize_types;

  // Reads a descriptor for a tensor whose storage type has the tag `type_tag`.
  //   bytes   `length` bytes at any alignment; nothing outside is readable
  //   out     written only on HURRAY_OK
  hurray_status (*decode)(uint8_t type_tag, const uint8_t* bytes, size_t length,
                          struct hurray_descriptor* out);

  // Writes the descriptor for a tensor whose storage type has the tag `type_tag`.
  //   out       room for `capacity` bytes at any alignment; untouched unless HURRAY_OK
  //   written   number of bytes written, set only on HURRAY_OK
  hurray_status (*encode)(uint8_t type_tag, const struct hurray_descriptor* descriptor,
                          uint8_t* out, size_t capacity, size_t* written);

  // out[i] = scale * float(q[i] - zero_point), for `count` packed elements.
  //   scale, zero_point   those of a valid descriptor for this type, so negative and subnormal
  //                       scales too; others are not passed, and what they give is not judged
  //   q     ceil(count * bits / 8) bytes at any alignment, little-endian, low bits first; only read
  //   out   `count` binary32, aligned as float, does not overlap q; untouched unless HURRAY_OK
  //   count 0 is HURRAY_OK and writes nothing
  // The difference is exact, or wraps in int32. It is rounded once to binary32 and the product once
  // more; nearest-even, subnormals kept, never fused.
  // [HQ-PTA-018..021, -025; HQ-PACK-001..009; rulings A01, A02, A04, A05]
  hurray_status (*dequantize)(uint8_t type_tag, float scale, int32_t zero_point, const void* q,
                              float* out, size_t count);

  // q[i] = saturate(round(in[i] / scale) + zero_point), ties away from zero.
  //   scale        NaN and zero are rejected; a negative scale is divided by or rejected, an
  //                infinite one gives the zero point for finite inputs or is rejected
  //   zero_point   one outside the range of the type is added as it is or rejected
  //   in    `count` binary32, aligned as float; only read
  //   q     ceil(count * bits / 8) bytes at any alignment, does not overlap in; unused bits of the
  //         last byte become zero; untouched unless HURRAY_OK
  //   count 0 writes nothing; invalid parameters are rejected all the same
  // The quotient is the binary32 one, or the exact one throughout. The sum is exact and saturates,
  // infinities by their sign. A NaN input gives one code of the type, the same everywhere, or is
  // rejected. Where there is a choice, it is the same in every call.
  // [HC-QNT-001..012; under the firmware's contract RA8-Q-001..018; rulings A09, R01, R03, R06]
  hurray_status (*quantize)(uint8_t type_tag, float scale, int32_t zero_point, const float* in,
                            void* q, size_t count);

  // Element types, those of `element_types`.
  //   values   `count` integers as they are (uint64 as int64 with the same bits), floats as their
  //            bit pattern, bool as 0 or 1; not for types of more than 64 bits
  //   packed   as many bytes as `packed_bytes` says, at any alignment
  // A tag of no element type is rejected; outputs are untouched unless HURRAY_OK; nothing overlaps;
  // count 0 is HURRAY_OK.   [HQ-PACK-001..026]

  // Packs into `out`, unused bits of the last byte zero. Rejects a value outside the type's range.
  hurray_status (*pack)(uint8_t type_tag, const int64_t* values, size_t count, uint8_t* out);
  // The way back. Unused bits may be refused (A43), and 00 and ff of float8_e8m0 as well (A63).
  hurray_status (*unpack)(uint8_t type_tag, const uint8_t* packed, size_t count, int64_t* values);
  // Bytes of `count` elements: ceil(count * bits / 8), for 6 bits 3 * ceil(count / 4). Rejects what
  // does not fit 64 bits.
  hurray_status (*packed_bytes)(uint8_t type_tag, uint64_t count, uint64_t* bytes);
  // The value of each element in `out`, `count` binary32 aligned as float: small floats exactly,
  // integers rounded once, to nearest-even.
  hurray_status (*widen)(uint8_t type_tag, const uint8_t* packed, size_t count, float* out);

  // out[i] = field(packed, i) + bias, for `count` fields. Other forms than the recipe's (4 bits,
  // the low field first) may be HURRAY_UNSUPPORTED: ruling A27.
  //   packed   `packed_bytes` bytes, any alignment; rejected if they hold fewer than `count` fields
  //   out      `count` int32, aligned as int32_t, no overlap; untouched unless HURRAY_OK
  // [HQ-ZP-005..008, -015]
  hurray_status (*normalize_zero_points)(const struct hurray_zero_point_format* format,
                                         const uint8_t* packed, size_t packed_bytes, size_t count,
                                         int32_t* out);

  // The conversion recipe: a per-block affine tensor, row-major, asymmetric, float32 scales, all
  // buffers on the CPU and aligned to 64 bytes. Weights are copied, scales carried value for value,
  // zero points normalized. Rejects what per-block affine cannot express (groups that are not runs
  // of `group_size`, a second level of scales), arrays of another length than the shape asks for,
  // and what its rules exclude: storage types of more than 8 bits, groups of other sizes than
  // powers of two from 2 up, scales that are zero, infinite or NaN. The recipe's form is converted
  // with every scale type and rank: 4-bit fields, the low one first, row after row without words,
  // weights of whole bytes. Other forms are converted, or are HURRAY_UNSUPPORTED (rulings A27,
  // A61). What becomes of a last group that is shorter is not judged (A28). Untouched outputs
  // unless HURRAY_OK.   [HQ-ZP-002..015]
  hurray_status (*convert)(const struct hurray_foreign_tensor* foreign,
                           struct hurray_converted_tensor* out);

  // Reads the tensor descriptor at the start of `bytes`; what is behind descriptor_length is not
  // looked at. Judges everything but the contents of buffers. `mode` is one HURRAY_MODE_….
  //   out   written only on HURRAY_OK
  hurray_status (*decode_tensor)(uint32_t mode, const uint8_t* bytes, size_t length,
                                 struct hurray_tensor* out);
  // Writes what a strict reader accepts, or rejects. As encode.
  hurray_status (*encode_tensor)(const struct hurray_tensor* tensor, uint8_t* out, size_t capacity,
                                 size_t* written);
  // The real values of all elements in logical row-major order, whatever the layout.
  //   tensor    as decode_tensor gave it in the same mode
  //   out       `count` binary32, rejected unless one for each element; untouched unless HURRAY_OK
  // Contents of parameter buffers that a scheme excludes are rejected.
  hurray_status (*dequantize_tensor)(uint32_t mode, const struct hurray_tensor* tensor,
                                     const struct hurray_tensor_buffers* buffers, float* out,
                                     size_t count);

  const struct hurray_ra8_functions* ra8;  // contract HURRAY_CONTRACT_RA8, else NULL

  // Of the element-type operations, and of tensors: types beyond Tier 1, and layouts.
  uint32_t element_types;  // HURRAY_TYPE_…, bit 15 and up too
  uint32_t tensor_types;   // HURRAY_TYPE_…
  uint32_t layouts;        // HURRAY_LAYOUT_…
};

// The one symbol of a shared object. Builds that hold several targets rename it on the command
// line.
#ifndef HURRAY_TARGET_SYMBOL
#define HURRAY_TARGET_SYMBOL hurray_target
#endif
extern const struct hurray_target HURRAY_TARGET_SYMBOL;

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_TARGET_H
