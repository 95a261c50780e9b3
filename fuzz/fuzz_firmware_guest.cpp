// SPDX-License-Identifier: Apache-2.0
//
// The emulator and its two pipes, see fuzz_firmware_guest.h.

#include "fuzz/fuzz_firmware_guest.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "conformance/runner/attachment.h"
#include "conformance/runner/case.h"
#include "conformance/runner/qemu.h"

namespace hurray::fuzz {
namespace {

using conformance::Descriptor;
using conformance::SuiteError;

static_assert(std::endian::native == std::endian::little,
              "messages are sent as they lie in memory");

constexpr int kBootTimeoutMs = 60'000;
constexpr std::size_t kMostCounterBytes = std::size_t{1} << 17;
constexpr int kExitFault = 64;  // semihosting.h of the image

std::array<Descriptor, 2> made_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw SuiteError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// Between fork and exec: only what may be called there.
[[noreturn]] void become(char* const* argv, pid_t parent, int in, int out, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);  // what is typed at a terminal is for the fuzzer
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const int each : {SIGPIPE, SIGTERM, SIGINT}) signal(each, SIG_DFL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigprocmask(SIG_SETMASK, &blocked, nullptr);
  if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
    _exit(127);
  execvp(argv[0], argv);
  _exit(127);
}

// What was written to its standard error, on one line.
std::string text_of(int errors) {
  std::string text;
  std::array<char, 1024> part;
  for (ssize_t got = 0; (got = read(errors, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

Guest::Guest(const std::string& image, int timeout_ms)
    : image_(image),
      timeout_ms_(timeout_ms),
      answer_(sizeof(hurray_fuzz_answer) + HURRAY_FUZZ_MOST_OUTPUT + kMostCounterBytes) {
  // The rest is options of the emulator.
  const std::string path = image.substr(0, image.find(','));
  if (!std::filesystem::exists(path)) {
    throw conformance::UsageError(
        fmt::format("no firmware image `{}`; ./ci/firmware.sh --fuzz builds some", path));
  }
  conformance::Attachment attachment;
  conformance::attach_qemu(image, attachment);
  argv_ = attachment.command.argv;
  signal(SIGPIPE, SIG_IGN);  // a guest that is gone shows at the next answer
  boot();
}

Guest::~Guest() { end(); }

void Guest::boot() {
  auto [request_read, request_write] = made_pipe();
  auto [answer_read, answer_write] = made_pipe();
  auto [error_read, error_write] = made_pipe();
  fcntl(error_read.get(), F_SETFL, O_NONBLOCK);
  std::vector<char*> argv;
  for (std::string& each : argv_) argv.push_back(each.data());
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) {
    throw SuiteError(fmt::format("cannot start {}: {}", argv_[0], std::strerror(errno)));
  }
  if (process_ == 0) {
    become(argv.data(), parent, request_read.get(), answer_write.get(), error_write.get());
  }
  requests_ = std::move(request_write);
  answers_ = std::move(answer_read);
  errors_ = std::move(error_read);
  // Ends here, so that the end of the emulator is the end of its answers.
  request_read.reset();
  answer_write.reset();
  error_write.reset();

  const int timeout_ms = std::exchange(timeout_ms_, kBootTimeoutMs);
  hurray_fuzz_request request{};
  request.operation = HURRAY_FUZZ_HELLO;
  request.out_bytes = sizeof hello_;
  GuestAnswer answer{};
  try {
    answer = ask(request, {});
  } catch (const GuestTrouble& trouble) {
    throw conformance::UsageError(
        fmt::format("the image `{}` does not serve a fuzzer: {}\n"
                    "expected one made by ./ci/firmware.sh --fuzz",
                    image_, trouble.detail));
  }
  timeout_ms_ = timeout_ms;
  (void)text_of(errors_.get());  // warnings of the machine
  if (answer.out.size() == sizeof hello_) std::memcpy(&hello_, answer.out.data(), sizeof hello_);
  if (hello_.version != HURRAY_FUZZ_VERSION) {
    throw conformance::UsageError(fmt::format(
        "the image `{}` is of another version; build it anew: ./ci/firmware.sh --fuzz", image_));
  }
}

void Guest::end() {
  if (process_ < 0) return;
  requests_.reset();
  kill(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  answers_.reset();
}

// The answers ended.
void Guest::lost() {
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(process_, &status, 0)) < 0 && errno == EINTR) {
  }
  process_ = -1;
  requests_.reset();
  answers_.reset();
  const std::string text = text_of(errors_.get());
  if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) > kExitFault) {
    throw GuestTrouble{"guest-faults", text};
  }
  throw GuestTrouble{
      "guest-ends",
      WIFSIGNALED(status)
          ? fmt::format("{} was ended by signal {} {}", argv_[0], WTERMSIG(status), text)
          : fmt::format("{} ended with exit code {} {}", argv_[0], WEXITSTATUS(status), text)};
}

void Guest::send(const hurray_fuzz_request& request, std::span<const std::uint8_t> in) {
  message_.resize(sizeof request + in.size());
  std::memcpy(message_.data(), &request, sizeof request);
  if (!in.empty()) std::memcpy(message_.data() + sizeof request, in.data(), in.size());
  // Less than a pipe holds: this does not wait.
  static_assert(sizeof request + HURRAY_FUZZ_MOST_INPUT < 65536);
  while (write(requests_.get(), message_.data(), message_.size()) < 0 && errno == EINTR) {
  }
}

void Guest::receive_at_least(std::size_t bytes) {
  while (have_ < bytes) {
    pollfd ready{answers_.get(), POLLIN, 0};
    const int count = poll(&ready, 1, timeout_ms_);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) {
      end();
      const std::string text = text_of(errors_.get());
      throw GuestTrouble{"guest-hangs",
                         fmt::format("no answer for {} seconds {}", timeout_ms_ / 1000, text)};
    }
    const ssize_t got = read(answers_.get(), answer_.data() + have_, answer_.size() - have_);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) lost();
    have_ += static_cast<std::size_t>(got);
  }
}

void Guest::receive() {
  hurray_fuzz_answer head;
  have_ = 0;
  receive_at_least(sizeof head);
  std::memcpy(&head, answer_.data(), sizeof head);
  if (head.bytes < sizeof head || head.bytes > answer_.size()) {
    end();
    throw GuestTrouble{"guest-ends", fmt::format("an answer of {} bytes", head.bytes)};
  }
  receive_at_least(head.bytes);
}

// Whatever the guest says, nothing outside of the answer is read.
void Guest::add_counters(std::size_t at, std::size_t words) {
  counters_ = 4 * words;
  if (sink_.empty()) return;
  std::size_t next = at + (words + 31) / 32 * 4;
  for (std::size_t first = 0; first < words; first += 32, at += 4) {
    if (at + 4 > have_) return;
    std::uint32_t bits;
    std::memcpy(&bits, &answer_[at], 4);
    for (; bits != 0; bits &= bits - 1, next += 4) {
      if (next + 4 > have_) return;
      const std::size_t counter = 4 * (first + static_cast<std::size_t>(std::countr_zero(bits)));
      for (std::size_t i = 0; i < 4; ++i) {
        std::uint8_t& sum = sink_[(counter + i) % sink_.size()];
        sum = static_cast<std::uint8_t>(std::min(255, sum + answer_[next + i]));
      }
    }
  }
}

GuestAnswer Guest::ask(hurray_fuzz_request request, std::span<const std::uint8_t> in) {
  if (process_ < 0) boot();
  request.bytes = static_cast<std::uint32_t>(sizeof request + in.size());
  request.in_bytes = static_cast<std::uint32_t>(in.size());
  send(request, in);
  receive();
  hurray_fuzz_answer head;
  std::memcpy(&head, answer_.data(), sizeof head);
  if (head.out_bytes > have_ - sizeof head || head.out_bytes > request.out_bytes) {
    end();
    throw GuestTrouble{"guest-ends", fmt::format("an output of {} bytes", head.out_bytes)};
  }
  add_counters(sizeof head + (head.out_bytes + 3) / 4 * 4, head.counter_words);
  if ((head.flags & HURRAY_FUZZ_CHANGES_INPUT) != 0) throw GuestTrouble{"changes-input", {}};
  if ((head.flags & HURRAY_FUZZ_WRITES_IN_FRONT) != 0) throw GuestTrouble{"writes-in-front", {}};
  if ((head.flags & HURRAY_FUZZ_WRITES_BEHIND) != 0) throw GuestTrouble{"writes-behind", {}};
  return {head.result, head.written, std::span(answer_).subspan(sizeof head, head.out_bytes)};
}

}  // namespace hurray::fuzz
