// SPDX-License-Identifier: Apache-2.0
//
// How do lines get to a target and back? Queued writing and bounded reading on the pipes of a
// process, never blocking on one while the other has something.

#ifndef HURRAY_CONFORMANCE_CONNECTION_H
#define HURRAY_CONFORMANCE_CONNECTION_H

#include <chrono>
#include <string>
#include <string_view>

#include "conformance/runner/attachment.h"
#include "conformance/runner/process.h"

namespace hurray::conformance {

class Connection {
 public:
  Connection(const Attachment& attachment, const Limits& limits);

  // Queues a line (without its newline).
  void send(std::string_view line);
  std::size_t queued_bytes() const { return outgoing_.size() - sent_; }

  enum class Event { kLine, kEnd, kTimeout, kEndlessLine };
  // Moves bytes both ways until a line is complete, the target's output ends, `deadline` passes, or
  // a line grows beyond kLongestLine. A line is handed out once, without its newline.
  Event next_line(std::chrono::steady_clock::time_point deadline, std::string& line);

  // No more requests; waits a moment for the target to exit by itself. Returns the output that came
  // after the last answer, if any.
  std::string finish();
  // Ends the target now.
  void end() { process_.end(); }
  // As Process, with the time that a dying process may need to be reaped.
  std::string how_it_ended();
  // Ends the target. The last that it wrote to standard error, at most 2 KiB.
  const std::string& last_errors();

 private:
  static constexpr std::size_t kLongestLine = std::size_t{4} << 20;

  bool take_line(std::string& line);
  void read_output();
  enum class Evidence { kSome, kNothingNow, kEnded };
  // Keeps the last of what people may want to see.
  Evidence read_evidence(int descriptor);
  void read_all_errors();
  void write_queued();

  Process process_;
  std::string outgoing_;
  std::size_t sent_ = 0;
  std::string incoming_;
  std::size_t scanned_ = 0, taken_ = 0;
  bool output_ended_ = false, errors_ended_ = false;
  std::string errors_;
};

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CONNECTION_H
