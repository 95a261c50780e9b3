// SPDX-License-Identifier: Apache-2.0
//
// How is foreign code kept at a distance? One child process with three pipes (or two FIFOs and its
// standard output and error, for a guest in an emulator), an own process group,
// limits on memory and core dumps, no inherited descriptors, and a guardian (guardian.h) between
// runner and child.

#ifndef HURRAY_CONFORMANCE_PROCESS_H
#define HURRAY_CONFORMANCE_PROCESS_H

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hurray::conformance {

struct Limits {
  int timeout_ms = 10'000;        // per request
  std::size_t memory_mib = 4096;  // writable memory of the child; 0: no limit
};

// A command and how it is talked to.
struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH
  // Requests and answers go through FIFOs named `request` and `answer` in a private folder, in
  // which the command is started; else through its standard input and output.
  bool over_fifos = false;
};

// A file descriptor with one owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return number_; }  // -1: none
  void reset();

 private:
  int number_ = -1;
};

// What starts this same program again, its arguments left out: its path. Where the program runs in
// an emulator of its processor, the kernel cannot start it, and HURRAY_EMULATOR holds what can, in
// words as in `qemu-s390x -L /usr/s390x-linux-gnu`.
std::vector<std::string> this_program();

class Process {
 public:
  // Starts the command. Throws SuiteError if no process, pipe, folder or FIFO can be made at all; a
  // program that cannot be started shows as an end right after the start.
  Process(const Command& command, const Limits& limits);
  ~Process();  // ends it
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int input() const { return input_.get(); }    // write end, non-blocking
  int output() const { return output_.get(); }  // read end, non-blocking
  int errors() const { return errors_.get(); }  // read end, non-blocking
  // Over FIFOs: standard output, whose end is the end of the process. Else -1.
  int console() const { return console_.get(); }

  void close_input() { input_.reset(); }
  // Kills it with all descendants and waits. After this, how_it_ended is known.
  void end();
  // Waits for the child up to `timeout_ms`, then ends it.
  void wait(int timeout_ms);
  // `exited with status 3`, `killed by signal 11 (Segmentation fault)`, `ended by the runner`.
  std::string how_it_ended() const;

 private:
  class FifoFolder;

  pid_t guardian_ = -1;
  std::unique_ptr<FifoFolder> folder_;
  Descriptor input_, output_, errors_, console_, status_;
  int wait_status_ = 0;
  bool has_status_ = false;
};

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PROCESS_H
