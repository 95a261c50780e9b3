// SPDX-License-Identifier: Apache-2.0
//
// Child processes, see process.h. Between fork and exec only async-signal-safe calls: the runner
// has threads.

#include "conformance/runner/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include <fmt/format.h>

#include "conformance/runner/case.h"

namespace hurray::conformance {
namespace {

struct Pipe {
  int read_end = -1, write_end = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw SuiteError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return {ends[0], ends[1]};
}

constexpr std::string_view kRequestFifo = "request", kAnswerFifo = "answer";

std::string make_private_folder() {
  const char* parent = std::getenv("TMPDIR");
  std::string path = std::string(parent && *parent ? parent : "/tmp") + "/hurray-XXXXXX";
  if (!mkdtemp(path.data())) {
    throw SuiteError(
        fmt::format("cannot make a private folder for the FIFOs as {}: {}; is TMPDIR a "
                    "folder that can be written to?",
                    path, std::strerror(errno)));
  }
  return path;
}

// Open for both directions, so that opening never waits for the guest and its end never closes it.
int make_fifo(const std::string& folder, std::string_view name) {
  const std::string path = fmt::format("{}/{}", folder, name);
  if (mkfifo(path.c_str(), 0600) != 0) {
    throw SuiteError(fmt::format("cannot make the FIFO {}: {}", path, std::strerror(errno)));
  }
  const int descriptor = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    throw SuiteError(fmt::format("cannot open the FIFO {}: {}", path, std::strerror(errno)));
  }
  return descriptor;
}

void set_nonblocking(int descriptor) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

void close_from(int first) {
  // close_range is in every kernel that Debian 12 runs on; the loop is for the rest.
  if (close_range(static_cast<unsigned>(first), ~0u, 0) == 0) return;
  for (int descriptor = first; descriptor < 1024; ++descriptor) close(descriptor);
}

[[noreturn]] void run_target(char* const* argv, const Limits& limits) {
  setpgid(0, 0);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (limits.memory_mib != 0) {
    // What it may write to, not what it reserves: run-time systems reserve address space by the
    // gigabyte.
    const rlim_t bytes = static_cast<rlim_t>(limits.memory_mib) * 1024 * 1024;
    rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_DATA, &memory);
  }
  signal(SIGPIPE, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execvp(argv[0], argv);
  const char* reason = std::strerror(errno);
  (void)!write(2, "cannot start ", 13);
  (void)!write(2, argv[0], std::strlen(argv[0]));
  (void)!write(2, ": ", 2);
  (void)!write(2, reason, std::strlen(reason));
  (void)!write(2, "\n", 1);
  _exit(127);
}

// --- The guardian

// What the guardian removes when it goes, in storage that a signal handler may read. Empty:
// nothing.
std::array<char, 512> guarded_folder, guarded_request, guarded_answer;

void remember(std::array<char, 512>& place, const std::string& path) {
  std::strncpy(place.data(), path.c_str(), place.size() - 1);
}

void pause_a_millisecond() {
  const timespec moment{0, 1'000'000};
  nanosleep(&moment, nullptr);
}

// Kills every child of this process. As orphans below a subreaper become its children, calling this
// until there are none ends all descendants, whatever groups or sessions they made.
void kill_children() {
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  std::array<char, 4096> text;
  pid_t child = 0;
  for (ssize_t got = read(list, text.data(), text.size()); got > 0;
       got = read(list, text.data(), text.size())) {
    for (const char c : std::string_view(text.data(), static_cast<std::size_t>(got))) {
      if (c >= '0' && c <= '9') {
        child = child * 10 + (c - '0');
      } else if (child > 0) {
        kill(child, SIGKILL);
        child = 0;
      }
    }
  }
  close(list);
}

// Also the handler of SIGTERM, by which the runner, or its death, asks for the end.
extern "C" void end_all_descendants(int) {
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    kill_children();
    pid_t reaped = 0;
    while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0) break;  // no child is left
    pause_a_millisecond();
  }
  if (guarded_folder[0] != 0) {
    unlink(guarded_request.data());
    unlink(guarded_answer.data());
    rmdir(guarded_folder.data());
  }
  _exit(0);
}

// Waits for the target, hands on its status, and ends whatever it left behind.
[[noreturn]] void guard(char* const* argv, const Limits& limits, pid_t runner, int status_pipe) {
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGTERM, end_all_descendants);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != runner) _exit(1);
  const pid_t target = fork();
  if (target == 0) {
    close(status_pipe);
    run_target(argv, limits);
  }
  // The pipes belong to the target alone: their end is its end.
  close(0);
  close(1);
  close(2);
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(-1, &status, 0);
  } while (ended != target && (ended > 0 || errno == EINTR));
  (void)!write(status_pipe, &status, sizeof status);
  end_all_descendants(0);
  _exit(0);
}

}  // namespace

Process::Process(const Command& command, const Limits& limits) {
  std::vector<char*> arguments;
  for (const std::string& each : command.argv) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);

  if (command.over_fifos) {
    folder_ = make_private_folder();
    input_ = make_fifo(folder_, kRequestFifo);
    output_ = make_fifo(folder_, kAnswerFifo);
  }
  const Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), status = make_pipe();
  const pid_t runner = getpid();
  guardian_ = fork();
  if (guardian_ == 0) {
    dup2(in.read_end, 0);
    dup2(out.write_end, 1);
    dup2(err.write_end, 2);
    // Out of the way of the three, then close all others.
    constexpr int kStatus = 3;
    if (status.write_end != kStatus)
      dup2(status.write_end, kStatus);
    else
      fcntl(kStatus, F_SETFD, 0);
    close_from(kStatus + 1);
    if (!folder_.empty()) {
      remember(guarded_folder, folder_);
      remember(guarded_request, fmt::format("{}/{}", folder_, kRequestFifo));
      remember(guarded_answer, fmt::format("{}/{}", folder_, kAnswerFifo));
      if (chdir(guarded_folder.data()) != 0) _exit(126);
    }
    guard(arguments.data(), limits, runner, kStatus);
  }
  const int failure = errno;
  for (const int mine : {in.read_end, out.write_end, err.write_end, status.write_end}) close(mine);
  if (command.over_fifos) {
    close(in.write_end);
    console_ = out.read_end;
  } else {
    input_ = in.write_end;
    output_ = out.read_end;
  }
  errors_ = err.read_end;
  status_ = status.read_end;
  if (guardian_ < 0) throw SuiteError(fmt::format("cannot fork: {}", std::strerror(failure)));
  for (const int each : {input_, output_, errors_, console_}) {
    if (each >= 0) set_nonblocking(each);
  }
}

Process::~Process() {
  end();
  for (const int each : {input_, output_, errors_, console_, status_}) {
    if (each >= 0) close(each);
  }
}

void Process::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void Process::wait(int timeout_ms) {
  if (guardian_ < 0) return;
  pollfd ready{status_, POLLIN, 0};
  while (poll(&ready, 1, timeout_ms) < 0 && errno == EINTR) {
  }
  end();
}

void Process::end() {
  if (guardian_ < 0) return;
  // A status that is already there tells how the target ended by itself.
  pollfd ready{status_, POLLIN, 0};
  const bool ended_itself = poll(&ready, 1, 0) > 0;
  if (ended_itself) {
    has_status_ = read(status_, &wait_status_, sizeof wait_status_) == sizeof wait_status_;
  }
  // The guardian ends its descendants first, itself last.
  constexpr int kMilliseconds = 3000;
  kill(guardian_, SIGTERM);
  pid_t gone = 0;
  for (int waited = 0; gone == 0 && waited < kMilliseconds; ++waited) {
    gone = waitpid(guardian_, nullptr, WNOHANG);
    if (gone == 0) pause_a_millisecond();
  }
  if (gone == 0) {
    kill(guardian_, SIGKILL);
    waitpid(guardian_, nullptr, 0);
  }
  guardian_ = -1;
}

std::string Process::how_it_ended() const {
  if (!has_status_) return "ended by the runner";
  if (WIFSIGNALED(wait_status_)) {
    const int number = WTERMSIG(wait_status_);
    return fmt::format("killed by signal {} ({})", number, strsignal(number));
  }
  const int status = WEXITSTATUS(wait_status_);
  // A shell says so of the program that it ran.
  if (status > 128 && status < 128 + NSIG) {
    return fmt::format("exited with status {}: signal {} ({})", status, status - 128,
                       strsignal(status - 128));
  }
  return fmt::format("exited with status {}", status);
}

}  // namespace hurray::conformance
