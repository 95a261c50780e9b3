// SPDX-License-Identifier: Apache-2.0
//
// Child processes, see process.h.

#include "conformance/runner/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "conformance/runner/case.h"
#include "conformance/runner/guardian.h"

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

std::vector<std::string> emulator() {
  const char* words = std::getenv("HURRAY_EMULATOR");
  std::istringstream rest(words ? words : "");
  return {std::istream_iterator<std::string>(rest), {}};
}

// Starts this program again, with these as its only descriptors, numbered from 0 on.
pid_t spawn(std::vector<std::string> argv, std::initializer_list<int> descriptors) {
  std::string program = "/proc/self/exe";  // even if its file is replaced meanwhile
  if (!emulator().empty()) {
    const std::vector<std::string> emulated = this_program();
    program = emulated.front();
    argv.erase(argv.begin());
    argv.insert(argv.begin(), emulated.begin(), emulated.end());
  }
  std::vector<char*> arguments;
  for (const std::string& each : argv) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int number = 0;
  for (const int each : descriptors) posix_spawn_file_actions_adddup2(&actions, each, number++);
  posix_spawn_file_actions_addclosefrom_np(&actions, number);
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw SuiteError(fmt::format("cannot start a process: {}", std::strerror(error)));
  return child;
}

}  // namespace

std::vector<std::string> this_program() {
  std::vector<std::string> words = emulator();
  std::error_code failure;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failure);
  words.push_back(failure ? "hurray-conform" : path.string());
  return words;
}

void Descriptor::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

// The private folder of a guest, and its two FIFOs.
class Process::FifoFolder {
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
  }
  FifoFolder(const FifoFolder&) = delete;
  FifoFolder& operator=(const FifoFolder&) = delete;
  ~FifoFolder() { remove_fifo_folder(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Process::Process(const Command& command, const Limits& limits) {
  if (command.over_fifos) {
    folder_ = std::make_unique<FifoFolder>();
    input_ = make_fifo(request_fifo(folder_->path()));
    output_ = make_fifo(answer_fifo(folder_->path()));
  }
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), status = make_pipe();
  guardian_ =
      spawn(guardian_command(command.argv, limits, folder_ ? folder_->path() : ""),
            {in.read_end.get(), out.write_end.get(), err.write_end.get(), status.write_end.get()});
  if (folder_) {
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
  kill(guardian_, SIGTERM);
  pid_t gone = 0;
  for (int waited = 0; gone == 0 && waited < kRunnerMilliseconds; ++waited) {
    gone = waitpid(guardian_, nullptr, WNOHANG);
    if (gone == 0) pause_a_millisecond();
  }
  if (gone == 0) {
    kill(guardian_, SIGKILL);
    waitpid(guardian_, nullptr, 0);
  }
  guardian_ = -1;
  folder_.reset();
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
