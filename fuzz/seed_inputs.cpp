// SPDX-License-Identifier: Apache-2.0
//
// Cases of the suite as inputs, see seed_inputs.h: the layouts that the claims read, written.

#include "fuzz/seed_inputs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/case.h"
#include "conformance/runner/embedded.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/zoo.h"
#include "fuzz/kernel_input.h"
#include "fuzz/left_open.h"
#include "fuzz/mutator.h"
#include "fuzz/text_readers.h"
#include "reference/byte_order.h"

namespace hurray::fuzz {
namespace {

using namespace conformance;

// What is longer shows nothing that is not in something shorter.
constexpr std::size_t kMostBytes = 512;
constexpr std::size_t kDrawn = 600;

void append(Bytes& to, std::size_t bytes, std::uint64_t value) {
  for (std::size_t i = 0; i < bytes; ++i) to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

Bytes decoder_input(const ReadRequest& request) {
  Bytes input = {request.type};
  input.insert(input.end(), request.bytes.begin(), request.bytes.end());
  return input;
}

Bytes encoder_input(const ReadRequest& request) {
  const auto number = [&](std::string_view key) {
    return request.fields.find(key) ? request.number_of(key) : 0;
  };
  const auto pattern = [&](std::string_view key, std::size_t digits) {
    return request.fields.find(key) ? request.pattern_of(key, digits) : 0;
  };
  Bytes input = {request.type, static_cast<std::uint8_t>(
                                   std::min<std::size_t>(request.capacity.value_or(64), 255))};
  append(input, 1, request.scheme);
  append(input, 1, pattern("scale_type_tag", 2));
  append(input, 2, pattern("flags", 4));
  append(input, 4, std::bit_cast<std::uint32_t>(request.scale));
  append(input, 4, static_cast<std::uint32_t>(request.zero_point));
  for (const char* key : {"axis", "block_size", "scale_buffer_index", "zero_point_buffer_index"}) {
    append(input, 4, number(key));
  }
  return input;
}

// With settings that leave the parameters as they are.
std::optional<Bytes> kernel_bytes(const ReadRequest& request) {
  const std::uint8_t tag = !request.is_ra8() ? request.type : request.is_ra8_signed() ? 0x10 : 0x11;
  const StorageTypeInfo* const type = find_storage_type(tag);
  if (type == nullptr || request.null_in || request.null_out) return std::nullopt;
  std::uint8_t settings = request.is_ra8() ? kFirmware : 0;
  const Contract contract = request.is_ra8() ? Contract::kRa8 : Contract::kHurray;
  const bool is_valid =
      !must_refuse(contract, request.scale) && is_finite(request.scale) &&
      (request.is_ra8() || (request.zero_point >= type->min && request.zero_point <= type->max));
  if (!is_valid) {
    if (!request.quantizes()) return std::nullopt;
    settings |= kAsTheyAre;
  }
  if (std::ranges::any_of(request.floats, [](float x) { return is_nan(x); }))
    settings |= kKeepsNans;
  Bytes data = request.bytes;
  if (request.quantizes()) {
    data.clear();
    for (const float x : request.floats) append(data, 4, std::bit_cast<std::uint32_t>(x));
  } else if (type->bits < 8) {
    const std::size_t fewer = data.size() * 8 / type->bits - request.count;
    if (fewer >= 8 / type->bits) return std::nullopt;
    settings |= static_cast<std::uint8_t>(fewer << 6);
  }
  Bytes input = {static_cast<std::uint8_t>(type - kStorageTypes.data()), settings};
  append(input, 4, std::bit_cast<std::uint32_t>(request.scale));
  append(input, 4, static_cast<std::uint32_t>(request.zero_point));
  input.insert(input.end(), data.begin(), data.end());
  return input;
}

std::optional<Bytes> zero_points_bytes(const ReadRequest& request) {
  const unsigned bits = request.bits;
  const std::uint64_t selector = bits == 4 ? 0 : bits == 2 ? 2 : bits == 8 ? 3 : bits;
  if (bits < 4 && bits != 2) return std::nullopt;  // a width that stands for another
  const std::size_t fields = request.bytes.size() * 8 / (bits == 2 || bits == 8 ? bits : 4);
  if (request.count > fields + 1 || fields > request.count + 2) return std::nullopt;
  const std::size_t fewer = request.count > fields ? 3 : fields - request.count;
  Bytes input;
  append(input, 1, selector);
  append(input, 1, (request.high_field_first ? 1u : 0u) | fewer << 2);
  append(input, 4, static_cast<std::uint32_t>(request.bias));
  input.insert(input.end(), request.bytes.begin(), request.bytes.end());
  return input;
}

std::optional<Bytes> elements_bytes(const ReadRequest& request) {
  constexpr std::array<std::string_view, 4> kVerbs = {"pack", "unpack", "widen", "packed_bytes"};
  const auto operation =
      static_cast<std::size_t>(std::ranges::find(kVerbs, request.verb) - kVerbs.begin());
  Bytes input = {request.type, static_cast<std::uint8_t>(operation)};
  if (request.verb == "packed_bytes") {
    append(input, 8, request.number_of("count"));
    return input;
  }
  const Bytes data = request.verb == "pack" ? request.array_of("values") : request.bytes;
  const ElementTypeInfo* const info = find_element_type(request.type);
  if (info != nullptr && request.verb != "pack") {
    const std::size_t held = info->bits == 6 ? data.size() / 3 * 4 : data.size() * 8 / info->bits;
    if (held < request.count || held > request.count + 3) return std::nullopt;
    input[1] = static_cast<std::uint8_t>(operation | (held - request.count) << 2);
  }
  input.insert(input.end(), data.begin(), data.end());
  return input;
}

Bytes tensor_bytes_of(const ReadRequest& request) {
  // What the buffers hold is drawn by the claim: by the descriptor here, so that it is the same.
  std::uint8_t sum = 0;
  for (const std::uint8_t byte : request.bytes) sum = static_cast<std::uint8_t>(sum + byte);
  const bool is_permissive = request.fields.find("mode") != nullptr;
  Bytes input = {static_cast<std::uint8_t>((sum & 0xfe) | (is_permissive ? 1 : 0))};
  input.insert(input.end(), request.bytes.begin(), request.bytes.end());
  return input;
}

Bytes of_text(std::string_view text) { return {text.begin(), text.end()}; }

// The first case of each family: of lines one is much like the next.
std::vector<const Case*> one_of_each_family(const Suite& suite) {
  std::vector<const Case*> cases;
  std::set<std::string> seen;
  for (const Case& each : suite.cases) {
    if (seen.insert(family_of(each.name)).second) cases.push_back(&each);
  }
  return cases;
}

// An input of text_survives: the byte that chooses the reader, and the text.
Bytes for_reader(std::string_view name, std::string_view text) {
  const auto at = std::ranges::find(text_readers(), name, &TextReader::name);
  if (at == text_readers().end()) throw SuiteError(fmt::format("no text reader `{}`", name));
  Bytes input(1 + text.size());
  input[0] = static_cast<std::uint8_t>(at - text_readers().begin());
  std::ranges::copy(text, input.begin() + 1);
  return input;
}

// The part of a file from each line `[[…]]` of the first level to the next.
void add_blocks(std::string_view reader, const EmbeddedFile& file,
                std::vector<NamedInput>& inputs) {
  const std::string_view head = file.content.substr(file.content.find("\n[[") + 1);
  const std::string mark = "\n" + std::string(head.substr(0, head.find('\n')));
  std::size_t at = file.content.find(mark), number = 0;
  while (at != std::string_view::npos) {
    const std::size_t end = file.content.find(mark, at + 1);
    const std::string_view block =
        file.content.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    if (block.size() <= 2 * kMostBytes) {
      inputs.push_back({fmt::format("{}/{}", file.name, number), for_reader(reader, block)});
    }
    ++number;
    at = end;
  }
}

void add_texts(const Suite& suite, std::vector<NamedInput>& inputs) {
  for (const Case* const each : one_of_each_family(suite)) {
    const Step& step = each->steps.front();
    const std::string& answer = step.expect.front().answer;
    inputs.push_back({each->name + "/answer-body", for_reader("answer-body", answer)});
    inputs.push_back({each->name + "/answer", for_reader("answer", "7 " + answer)});
    inputs.push_back({each->name + "/request", for_reader("request", step.request)});
  }
  for (const EmbeddedFile& file : embedded_requirement_files()) {
    add_blocks("requirements", file, inputs);
  }
  for (const EmbeddedFile& file : embedded_fault_files()) {
    add_blocks(file.name == "separate.toml"  ? "separate-faults"
               : file.name == "retired.toml" ? "retired-faults"
                                             : "without-fault",
               file, inputs);
  }
  inputs.push_back(
      {"expectation", for_reader("expectations",
                                 "[[target]]\nname = \"a\"\nattachment = \"lib:{bin}/a.so\"\n"
                                 "verdict = \"broken\"\nreason = \"x\"\ntimeout = 1.5\n")});
  for (const char* text : {"3f800000", "-9223372036854775808", "18446744073709551615", "0A", "a"}) {
    inputs.push_back({fmt::format("value/{}", text), for_reader("values", text)});
  }
  inputs.push_back(
      {"people", for_reader("for-people", "h\xc3\xa9\xff\n\t\xe2\x82\xac\xed\xa0\x80")});
}

void add_drawn(std::vector<NamedInput>& inputs) {
  for (std::size_t i = 0; i < kDrawn; ++i) {
    Random random(i);
    Bytes bytes(16 + i % 120);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    inputs.push_back({fmt::format("drawn/{}", i), std::move(bytes)});
  }
}

}  // namespace

std::optional<Bytes> input_of(std::string_view claim, const std::string& line) {
  const ReadRequest request = read_request(line);
  const std::string& verb = request.verb;
  if (claim == "decoders_agree" && verb == "decode") return decoder_input(request);
  if (claim == "encoders_agree" && verb == "encode") return encoder_input(request);
  if (claim == "dequantize_agrees" || claim == "requantize_is_identity") {
    if (request.dequantizes()) return kernel_bytes(request);
  }
  if (claim == "quantize_agrees" && request.quantizes()) return kernel_bytes(request);
  if (claim == "zero_points_agree" && verb == "normalize") return zero_points_bytes(request);
  if (claim == "elements_agree" && request.is_about_elements()) return elements_bytes(request);
  if (claim == "tensors_agree" && (verb == "decode_tensor" || verb == "dequantize_tensor")) {
    return tensor_bytes_of(request);
  }
  if (claim == "lines_are_answered" && verb != "sweep") return of_text("1 " + line + "\n");
  return std::nullopt;
}

std::vector<NamedInput> seed_inputs(std::string_view claim) {
  static const Suite suite = load_suite();
  std::vector<NamedInput> inputs;
  if (claim == "conversions_agree") add_drawn(inputs);
  if (claim == "text_survives") add_texts(suite, inputs);
  std::vector<const Case*> cases;
  for (const Case& each : suite.cases) cases.push_back(&each);
  if (claim == "lines_are_answered") cases = one_of_each_family(suite);
  for (const Case* const each : cases) {
    for (std::size_t i = 0; i < each->steps.size(); ++i) {
      std::optional<Bytes> input = input_of(claim, each->steps[i].request);
      if (!input) continue;
      std::string name = each->name;
      if (i > 0) name += fmt::format("#{}", i);
      inputs.push_back({std::move(name), std::move(*input)});
    }
  }
  std::erase_if(inputs, [](const NamedInput& each) { return each.bytes.size() > 2 * kMostBytes; });
  std::ranges::sort(inputs, {}, &NamedInput::name);
  std::set<std::string> seen;
  std::erase_if(inputs,
                [&](const NamedInput& each) { return !seen.insert(to_hex(each.bytes)).second; });
  return inputs;
}

}  // namespace hurray::fuzz
