// SPDX-License-Identifier: Apache-2.0
//
// How does a fuzzer call functions of a firmware image? One emulator is booted once and asked over
// two pipes, call after call (targets/ra8/firmware/fuzz_messages.h). A guest that faults, hangs or
// ends is a finding; the next call boots another one. No file is made, and the kernel ends the
// emulator with the process that started it, however that ends.

#ifndef HURRAY_FUZZ_FIRMWARE_GUEST_H
#define HURRAY_FUZZ_FIRMWARE_GUEST_H

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/process.h"
#include "targets/ra8/firmware/fuzz_messages.h"

namespace hurray::fuzz {

// Thrown through a claim: what happened to the guest, instead of an answer.
struct GuestTrouble {
  std::string_view kind;  // guest-faults, guest-hangs, guest-ends, or what a call may not do
  std::string detail;
};

struct GuestAnswer {
  std::int32_t result;
  std::uint32_t written;
  // What the call left in its output; empty: it is as it was filled. Until the next call.
  std::span<const std::uint8_t> out;
};

class Guest {
 public:
  static constexpr int kTimeoutMs = 10'000;

  // Boots the image. Throws UsageError: no such image, or none for a fuzzer; SuiteError: no QEMU.
  explicit Guest(const std::string& image, int timeout_ms = kTimeoutMs);
  ~Guest();
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  const std::string& image() const { return image_; }
  const hurray_fuzz_hello& hello() const { return hello_; }
  std::size_t counters() const { return counters_; }

  // One call; `bytes` and `in_bytes` of the request are set here. Throws GuestTrouble.
  GuestAnswer ask(hurray_fuzz_request request, std::span<const std::uint8_t> in);

  // Where the counters of every call are added, saturating; the n-th to the n-th, modulo the size.
  void count_in(std::span<std::uint8_t> counters) { sink_ = counters; }

 private:
  void boot();
  void end();                // kills it
  [[noreturn]] void lost();  // it ended by itself
  void send(const hurray_fuzz_request& request, std::span<const std::uint8_t> in);
  void receive();
  void receive_at_least(std::size_t bytes);
  void add_counters(std::size_t at, std::size_t words);

  std::string image_;
  int timeout_ms_;
  std::vector<std::string> argv_;
  pid_t process_ = -1;
  conformance::Descriptor requests_, answers_, errors_;
  hurray_fuzz_hello hello_{};
  std::size_t counters_ = 0;
  std::vector<std::uint8_t> message_;  // what is sent
  std::vector<std::uint8_t> answer_;
  std::size_t have_ = 0;
  std::span<std::uint8_t> sink_;
};

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_FIRMWARE_GUEST_H
