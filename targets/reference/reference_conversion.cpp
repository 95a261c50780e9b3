// SPDX-License-Identifier: Apache-2.0
//
// Zero points and tensors of other toolchains.

#include "reference/convert.h"
#include "reference/zero_point.h"
#include "reference_target.h"

namespace hurray::as_target {
namespace {

ZeroPointFormat from_table(const hurray_zero_point_format& format) {
  return {format.bits, format.bias, format.high_field_first != 0};
}

}  // namespace

hurray_status normalize(const hurray_zero_point_format* format, const std::uint8_t* packed,
                        std::size_t packed_bytes, std::size_t count, std::int32_t* out) {
  return status_of(normalize_zero_points(from_table(*format), {packed, packed_bytes}, count, out));
}

hurray_status convert(const hurray_foreign_tensor* foreign, hurray_converted_tensor* out) {
  ForeignTensor from;
  from.type_tag = foreign->type_tag;
  from.scale_type_tag = foreign->scale_type_tag;
  from.shape = {foreign->shape, foreign->rank};
  from.axis = foreign->axis;
  from.group_size = foreign->group_size;
  from.zero_point_format = from_table(foreign->zero_point_format);
  from.group_major = foreign->group_major != 0;
  from.word_bytes = foreign->word_bytes;
  from.weights = {foreign->weights, foreign->weights_bytes};
  from.scales = {foreign->scales, foreign->scales_bytes};
  from.zero_points = {foreign->zero_points, foreign->zero_points_bytes};
  // As many groups as there are indices along the axis; without an axis nothing is read of it.
  if (foreign->group_index != nullptr && foreign->axis < foreign->rank) {
    from.group_index = {foreign->group_index,
                        static_cast<std::size_t>(foreign->shape[foreign->axis])};
  }
  from.super_scales = {foreign->super_scales, foreign->super_scales_bytes};

  ConvertedTensor to;
  to.descriptor = {out->descriptor, out->descriptor_capacity};
  to.weights = out->weights;
  to.scales = out->scales;
  to.zero_points = out->zero_points;
  const Status status = hurray::convert(from, to);
  if (status == Status::kOk) out->descriptor_bytes = to.descriptor_bytes;
  return status_of(status);
}

}  // namespace hurray::as_target
