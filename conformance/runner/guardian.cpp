// SPDX-License-Identifier: Apache-2.0
//
// The guardian, see guardian.h.

#include "conformance/runner/guardian.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

#include "conformance/runner/process.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kGuard = "guard";
// guard RUNNER MEMORY_MIB FIFO_FOLDER PROGRAM…
constexpr int kFirstOfTarget = 5;

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int each : signals) sigaddset(&set, each);
  return set;
}

[[noreturn]] void run_target(char** argv, std::size_t memory_mib) {
  setpgid(0, 0);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (memory_mib != 0) {
    // What it may write to, not what it reserves: run-time systems reserve address space by the
    // gigabyte.
    const rlim_t bytes = static_cast<rlim_t>(memory_mib) * 1024 * 1024;
    rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_DATA, &memory);
  }
  for (const int each : {SIGPIPE, SIGXFSZ}) signal(each, SIG_DFL);
  const sigset_t blocked = set_of({});
  sigprocmask(SIG_SETMASK, &blocked, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execvp(argv[0], argv);
  fmt::print(stderr, "cannot start {}: {}\n", argv[0], std::strerror(errno));
  std::fflush(stderr);
  _exit(127);
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

void end_all_descendants() {
  for (int round = 0; round < kGuardianMilliseconds; ++round) {
    kill_children();
    pid_t reaped = 0;
    while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0) return;  // no child is left
    pause_a_millisecond();
  }
}

// Waits until the target has ended and hands on its status, or until SIGTERM comes, by which the
// runner, or its death, asks for the end.
void wait_for_end(pid_t target, const sigset_t& signals) {
  for (;;) {
    int number = 0;
    sigwait(&signals, &number);
    if (number == SIGTERM) return;
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != target) continue;
      (void)!write(kGuardianStatus, &status, sizeof status);
      return;
    }
  }
}

void guard(pid_t runner, std::size_t memory_mib, const std::string& fifo_folder, char** argv) {
  setpgid(0, 0);
  // Whatever the runner's parent left blocked or ignored.
  for (const int each : {SIGCHLD, SIGTERM}) signal(each, SIG_DFL);
  const sigset_t signals = set_of({SIGCHLD, SIGTERM});
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const bool is_early_enough = getppid() == runner;
  if (is_early_enough && (fifo_folder.empty() || chdir(fifo_folder.c_str()) == 0)) {
    const pid_t target = fork();
    if (target == 0) {
      close(kGuardianStatus);
      run_target(argv, memory_mib);
    }
    // The pipes belong to the target alone: their end is its end.
    for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(each);
    wait_for_end(target, signals);
    end_all_descendants();
  }
  if (!fifo_folder.empty()) remove_fifo_folder(fifo_folder);
}

template <typename Number>
Number number(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

void pause_a_millisecond() {
  const timespec moment{0, 1'000'000};
  nanosleep(&moment, nullptr);
}

std::string request_fifo(const std::string& folder) { return folder + "/request"; }
std::string answer_fifo(const std::string& folder) { return folder + "/answer"; }

void remove_fifo_folder(const std::string& folder) {
  unlink(request_fifo(folder).c_str());
  unlink(answer_fifo(folder).c_str());
  rmdir(folder.c_str());
}

std::vector<std::string> guardian_command(const std::vector<std::string>& argv,
                                          const Limits& limits, const std::string& folder) {
  std::vector<std::string> command = {"hurray-guardian", std::string(kGuard),
                                      std::to_string(getpid()), std::to_string(limits.memory_mib),
                                      folder};
  command.insert(command.end(), argv.begin(), argv.end());
  return command;
}

void guard_if_asked(int argc, char** argv) {
  if (argc <= kFirstOfTarget || argv[1] != kGuard) return;
  guard(number<pid_t>(argv[2]), number<std::size_t>(argv[3]), argv[4], argv + kFirstOfTarget);
  _exit(0);
}

}  // namespace hurray::conformance
