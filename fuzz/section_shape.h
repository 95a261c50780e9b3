// SPDX-License-Identifier: Apache-2.0
//
// The fields of a quantization section, wherever it lies in an input, and how to make it valid.

#ifndef HURRAY_FUZZ_SECTION_SHAPE_H
#define HURRAY_FUZZ_SECTION_SHAPE_H

#include "fuzz/mutator.h"

namespace hurray::fuzz {

// The fields of a section at `at` whose first byte is `scheme_tag`.
void add_section_fields(std::size_t at, std::uint8_t scheme_tag, FieldList& fields);

// Makes scheme and type go together, drawing what does not: the scheme of the section at `at`.
std::uint8_t repair_scheme_and_type(Edited& input, std::size_t scheme_at, std::size_t type_at,
                                    Random& random);
// Everything else of a section of a known scheme.
void repair_section(Edited& input, std::size_t at, std::uint8_t scheme_tag, std::uint8_t type_tag,
                    Random& random);

// One field, wherever it stands.
void repair_scale(Edited& input, std::size_t at, Random& random);
void repair_zero_point(Edited& input, std::size_t at, std::uint8_t type_tag, Random& random);
void repair_block_size(Edited& input, std::size_t at, std::uint8_t scheme_tag, Random& random);

// Whether the scheme has the flag SYMMETRIC, and so an index of zero points and a scale type.
bool may_be_symmetric(std::uint8_t scheme_tag);
// The flags of any scheme: none that it does not have.
void repair_flags(Edited& input, std::size_t at, std::uint8_t scheme_tag);
// Of a scheme that may be symmetric, so that both go with its flags.
void repair_index_and_scale_type(Edited& input, std::size_t flags_at, std::size_t index_at,
                                 std::size_t scale_type_at, std::uint8_t scheme_tag);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_SECTION_SHAPE_H
