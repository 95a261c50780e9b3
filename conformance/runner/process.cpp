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
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "conformance/runner/case.h"

namespace hurray::conformance {
namespace {

struct Pipe {
  Descriptor read_end, write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw SuiteError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// The private folder of a guest, and its two FIFOs. Goes with its owner unless released.
class FifoFolder {
 public:
  FifoFolder() {
    const char* parent = std::getenv("TMPDIR");
    path_ = std::string(parent && *parent ? parent : "/tmp") + "/hurray-XXXXXX";
    if (!mkdtemp(path_.data())) {
      throw SuiteError(
          fmt::format("cannot make a private folder for the FIFOs as {}: {}; is TMPDIR a "
                      "folder that can be written to?",
                      path_, std::strerror(errno)));
    }
    request_ = path_ + "/request";
    answer_ = path_ + "/answer";
  }
  FifoFolder(const FifoFolder&) = delete;
  FifoFolder& operator=(const FifoFolder&) = delete;
  ~FifoFolder() {
    if (is_released_) return;
    unlink(request_.c_str());
    unlink(answer_.c_str());
    rmdir(path_.c_str());
  }

  const std::string& path() const { return path_; }
  const std::string& request() const { return request_; }
  const std::string& answer() const { return answer_; }
  void release() { is_released_ = true; }

 private:
  std::string path_, request_, answer_;
  bool is_released_ = false;
};

// Open for both directions, so that opening never waits for the guest and its end never closes it.
Descriptor make_fifo(const std::string& path) {
  if (mkfifo(path.c_str(), 0600) != 0) {
    throw SuiteError(fmt::format("cannot make the FIFO {}: {}", path, std::strerror(errno)));
  }
  Descriptor descriptor(open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (descriptor.get() < 0) {
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
  for (const int each : {SIGPIPE, SIGTERM, SIGXFSZ}) signal(each, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execvp(argv[0], argv);
  const char* reason = strerrordesc_np(errno);  // unlike strerror safe here
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
  // Whatever the runner's parent left blocked or ignored: here signals arrive and children are
  // waited for.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGCHLD, SIG_DFL);
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

void Descriptor::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

Process::Process(const Command& command, const Limits& limits) {
  std::vector<char*> arguments;
  for (const std::string& each : command.argv) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);

  std::optional<FifoFolder> folder;
  if (command.over_fifos) {
    folder.emplace();
    input_ = make_fifo(folder->request());
    output_ = make_fifo(folder->answer());
  }
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), status = make_pipe();
  const pid_t runner = getpid();
  guardian_ = fork();
  if (guardian_ == 0) {
    dup2(in.read_end.get(), 0);
    dup2(out.write_end.get(), 1);
    dup2(err.write_end.get(), 2);
    // Out of the way of the three, then close all others.
    constexpr int kStatus = 3;
    if (status.write_end.get() != kStatus)
      dup2(status.write_end.get(), kStatus);
    else
      fcntl(kStatus, F_SETFD, 0);
    close_from(kStatus + 1);
    if (folder) {
      remember(guarded_folder, folder->path());
      remember(guarded_request, folder->request());
      remember(guarded_answer, folder->answer());
      if (chdir(guarded_folder.data()) != 0) _exit(126);
    }
    guard(arguments.data(), limits, runner, kStatus);
  }
  if (guardian_ < 0) throw SuiteError(fmt::format("cannot fork: {}", std::strerror(errno)));
  if (folder) {
    folder->release();  // to the guardian
    console_ = std::move(out.read_end);
  } else {
    input_ = std::move(in.write_end);
    output_ = std::move(out.read_end);
  }
  errors_ = std::move(err.read_end);
  status_ = std::move(status.read_end);
  for (const Descriptor* each : {&input_, &output_, &errors_, &console_}) {
    if (each->get() >= 0) set_nonblocking(each->get());
  }
}

Process::~Process() { end(); }

void Process::wait(int timeout_ms) {
  if (guardian_ < 0) return;
  pollfd ready{status_.get(), POLLIN, 0};
  while (poll(&ready, 1, timeout_ms) < 0 && errno == EINTR) {
  }
  end();
}

void Process::end() {
  if (guardian_ < 0) return;
  // A status that is already there tells how the target ended by itself.
  pollfd ready{status_.get(), POLLIN, 0};
  const bool ended_itself = poll(&ready, 1, 0) > 0;
  if (ended_itself) {
    has_status_ = read(status_.get(), &wait_status_, sizeof wait_status_) == sizeof wait_status_;
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
