// SPDX-License-Identifier: Apache-2.0
//
// hurray-replay-firmware: puts inputs to a firmware image, as fuzz_firmware would, in a build
// without it. Inputs are those of a claim, or, for the claim `firmware`, those of the fuzzer, whose
// first byte chooses the claim.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fuzz/fuzz_firmware_target.h"
#include "fuzz/given_inputs.h"
#include "fuzz/report.h"

namespace {

using namespace hurray::fuzz;

constexpr std::string_view kFirmware = "firmware";

// Inputs as the fuzzer has them.
std::vector<NamedInput> all_inputs(const std::string& claim,
                                   const std::vector<std::string>& arguments) {
  std::vector<NamedInput> all;
  for (NamedInput& input : inputs_of(arguments)) {
    if (claim != kFirmware) {
      const auto at = std::ranges::find(kFirmwareClaims, claim, &NamedClaim::name);
      input.bytes.insert(input.bytes.begin(),
                         static_cast<std::uint8_t>(at - kFirmwareClaims.begin()));
    }
    if (!input.bytes.empty()) all.push_back(std::move(input));
  }
  return all;
}

int replay(const std::vector<NamedInput>& inputs, Guest& guest) {
  const hurray_registry_row target = firmware_target(guest);
  std::vector<std::uint8_t> counters(std::max<std::size_t>(guest.counters(), 1));
  guest.count_in(counters);
  std::size_t contradicted = 0;
  for (const NamedInput& input : inputs) {
    const NamedClaim& claim = kFirmwareClaims[input.bytes[0] % kFirmwareClaims.size()];
    const Input bytes = Input(input.bytes).subspan(1);
    if (const auto mismatch = asked_of_firmware(claim, bytes, target)) {
      ++contradicted;
      fmt::print("{}\n{}\n", input.name, report_text(claim, *mismatch, bytes));
    }
  }
  const auto reached = std::ranges::count_if(counters, [](std::uint8_t each) { return each != 0; });
  fmt::print("{}: {} inputs, {} contradict a claim, {} of {} counters reached\n", guest.image(),
             inputs.size(), contradicted, reached, guest.counters());
  return contradicted == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Puts inputs to claims about a firmware image that ./ci/firmware.sh --fuzz built.",
               "hurray-replay-firmware"};
  std::vector<std::string> names{std::string(kFirmware)}, arguments;
  for (const NamedClaim& each : kFirmwareClaims) names.emplace_back(each.name);
  std::string name, image = kImage, folder;
  int seconds = Guest::kTimeoutMs / 1000;
  app.add_option("claim", name,
                 fmt::format("{}; {}: the first byte chooses one of the others, in this order",
                             fmt::join(names, ", "), kFirmware))
      ->required()
      ->check(CLI::IsMember(names));
  app.add_option("inputs", arguments,
                 "Files; archives, NAME.txt, as in corpus/; or bytes, as hex:10010100")
      ->required();
  app.add_option("--image", image, "IMAGE[,machine=NAME][,cpu=NAME]")
      ->envname(kImageVariable)
      ->capture_default_str();
  app.add_option("--timeout", seconds, "Seconds after which a guest hangs")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  app.add_option("--unpack", folder,
                 "Ask nothing: write the inputs of fuzz_firmware into this folder, a file each");
  app.footer("Exit codes: 0 the claims hold for all of them, 1 they do not, 2 usage or no image.");
  try {
    app.parse(argc, argv);
    const std::vector<NamedInput> inputs = all_inputs(name, arguments);
    if (!folder.empty()) {
      write_inputs(inputs, name, folder);
      return 0;
    }
    Guest guest(image, seconds * 1000);
    return replay(inputs, guest);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hurray-replay-firmware: {}\n", error.what());
  }
  return 2;
}
