// SPDX-License-Identifier: Apache-2.0
//
// What does the value of a field say, in words? One function for each field whose number alone
// tells a person little. Total: any value has words.

#ifndef HURRAY_CONFORMANCE_FIELD_WORDS_H
#define HURRAY_CONFORMANCE_FIELD_WORDS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace hurray::conformance {

std::string_view scheme_name(std::uint8_t scheme_tag);
std::string_view layout_name(std::uint8_t layout_tag);
std::string_view device_name(std::uint8_t device_tag);

std::string tensor_flags_words(std::uint32_t flags);
// SYMMETRIC is a flag of schemes 02 and 03 only.
std::string scheme_flags_words(std::uint8_t scheme_tag, std::uint16_t flags);
std::string dimension_words(std::uint64_t dimension);
std::string scale_words(float scale);
// ffffffff stands for no buffer.
std::string buffer_index_words(std::uint32_t index);
std::string member_role_words(std::uint8_t role);
std::string statistics_mask_words(std::uint32_t mask);
// `12 bytes`, `1 byte`.
std::string byte_count_words(std::uint64_t bytes);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FIELD_WORDS_H
