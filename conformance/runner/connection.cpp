// SPDX-License-Identifier: Apache-2.0
//
// The poll loop of connection.h.

#include "conformance/runner/connection.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace hurray::conformance {
namespace {

using Clock = std::chrono::steady_clock;

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count() + 1, 0, 60'000));
}

}  // namespace

Connection::Connection(const Attachment& attachment, const Limits& limits)
    : process_(attachment.command, limits) {}

void Connection::send(std::string_view line) {
  outgoing_.append(line);
  outgoing_ += '\n';
}

bool Connection::take_line(std::string& line) {
  const std::size_t end = incoming_.find('\n', scanned_);
  if (end == std::string::npos) {
    scanned_ = incoming_.size();
    return false;
  }
  line.assign(incoming_, taken_, end - taken_);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  taken_ = scanned_ = end + 1;
  if (taken_ == incoming_.size()) {
    incoming_.clear();
    taken_ = scanned_ = 0;
  } else if (taken_ > (std::size_t{1} << 16)) {
    incoming_.erase(0, taken_);
    taken_ = scanned_ = 0;
  }
  return true;
}

void Connection::read_output() {
  std::array<char, 65536> chunk;
  const ssize_t got = read(process_.output(), chunk.data(), chunk.size());
  if (got > 0)
    incoming_.append(chunk.data(), static_cast<std::size_t>(got));
  else if (got == 0 || (errno != EAGAIN && errno != EINTR))
    output_ended_ = true;
}

Connection::Evidence Connection::read_evidence(int descriptor) {
  constexpr std::size_t kMost = 2048;
  std::array<char, 4096> chunk;
  const ssize_t got = read(descriptor, chunk.data(), chunk.size());
  if (got <= 0) {
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? Evidence::kNothingNow
                                                          : Evidence::kEnded;
  }
  errors_.append(chunk.data(), static_cast<std::size_t>(got));
  if (errors_.size() > kMost) errors_.erase(0, errors_.size() - kMost);
  return Evidence::kSome;
}

void Connection::read_all_errors() {
  Evidence evidence = errors_ended_ ? Evidence::kEnded : Evidence::kSome;
  while (evidence == Evidence::kSome) evidence = read_evidence(process_.errors());
  errors_ended_ = evidence == Evidence::kEnded;
}

const std::string& Connection::last_errors() {
  process_.end();
  read_all_errors();
  return errors_;
}

void Connection::write_queued() {
  const ssize_t wrote = write(process_.input(), outgoing_.data() + sent_, outgoing_.size() - sent_);
  if (wrote > 0) sent_ += static_cast<std::size_t>(wrote);
  // A target that no longer reads is noticed by its end; what it was not asked is asked again.
  else if (errno != EAGAIN && errno != EINTR)
    process_.close_input();
  if (sent_ == outgoing_.size()) {
    outgoing_.clear();
    sent_ = 0;
  }
}

Connection::Event Connection::next_line(Clock::time_point deadline, std::string& line) {
  while (true) {
    if (take_line(line)) return Event::kLine;
    if (incoming_.size() - taken_ > kLongestLine) return Event::kEndlessLine;
    if (output_ended_) return Event::kEnd;

    std::array<pollfd, 4> watched{};
    const bool wants_to_write = process_.input() >= 0 && queued_bytes() > 0;
    watched[0] = {wants_to_write ? process_.input() : -1, POLLOUT, 0};
    watched[1] = {process_.output(), POLLIN, 0};
    watched[2] = {errors_ended_ ? -1 : process_.errors(), POLLIN, 0};
    watched[3] = {process_.console(), POLLIN, 0};
    const int timeout = milliseconds_until(deadline);
    poll(watched.data(), watched.size(), timeout);
    if (watched[0].revents != 0) write_queued();
    if (watched[1].revents != 0) read_output();
    if (watched[2].revents != 0)
      errors_ended_ = read_evidence(process_.errors()) == Evidence::kEnded;
    // A guest's answers stay in their FIFO when it ends; its console ends with it.
    if (watched[3].revents != 0 && watched[1].revents == 0) {
      output_ended_ = read_evidence(process_.console()) == Evidence::kEnded;
    }
    // Also when bytes keep dripping in.
    if (Clock::now() >= deadline) return take_line(line) ? Event::kLine : Event::kTimeout;
  }
}

std::string Connection::finish() {
  process_.close_input();
  outgoing_.clear();
  sent_ = 0;
  std::string rest;
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(1);
  const Event event = next_line(deadline, rest);
  if (event == Event::kTimeout || event == Event::kEndlessLine) rest = incoming_.substr(taken_);
  if (event == Event::kEnd) {
    rest = incoming_.substr(taken_);
    process_.wait(1000);
  } else {
    process_.end();
  }
  return rest;
}

std::string Connection::how_it_ended() {
  process_.wait(2000);
  read_all_errors();
  return process_.how_it_ended();
}

}  // namespace hurray::conformance
