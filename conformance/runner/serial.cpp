// SPDX-License-Identifier: Apache-2.0
//
// Serial ports, see serial.h.

#include "conformance/runner/serial.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

using Clock = std::chrono::steady_clock;

struct Rate {
  unsigned baud;
  speed_t speed;
};
constexpr Rate kRates[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},
                           {57600, B57600},     {115200, B115200},   {230400, B230400},
                           {460800, B460800},   {500000, B500000},   {576000, B576000},
                           {921600, B921600},   {1000000, B1000000}, {1500000, B1500000},
                           {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000}};
constexpr unsigned kDefaultBaud = 115200;
// As long as the runner takes a line for one that does not end.
constexpr std::size_t kLongestLine = std::size_t{4} << 20;
// A board that was reset by opening its port needs a moment before it listens.
constexpr auto kHelloAgain = std::chrono::seconds(1);

struct Port {
  std::string device;
  Rate rate;
};

Port parse_port(std::string_view rest) {
  const std::size_t comma = rest.find(',');
  Port port{std::string(rest.substr(0, comma)), {}};
  const std::string_view baud =
      comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  std::vector<unsigned> known;
  for (const Rate& each : kRates) {
    known.push_back(each.baud);
    const bool is_meant = comma == std::string_view::npos ? each.baud == kDefaultBaud
                                                          : std::to_string(each.baud) == baud;
    if (is_meant) port.rate = each;
  }
  if (port.device.empty() || port.rate.baud == 0) {
    throw UsageError(
        fmt::format("serial: {}; expected serial:DEVICE[,BAUD], for example\n"
                    "--target board=serial:/dev/ttyACM0,115200; rates: {}",
                    port.device.empty() ? "names no device" : fmt::format("`{}` is no rate", baud),
                    fmt::join(known, " ")));
  }
  return port;
}

std::string why_not_open(const std::string& device, int error) {
  constexpr std::string_view kExample = "for example --target board=serial:/dev/ttyACM0,115200";
  switch (error) {
    case ENOENT:
    case ENXIO:
    case ENODEV:
      return fmt::format("there is no serial port `{}`: is the board plugged in? expected {}",
                         device, kExample);
    case EACCES:
    case EPERM:
      return fmt::format(
          "no permission to open the serial port `{}`: on Debian its users are members of the "
          "group dialout (`adduser NAME dialout`, then log in again)",
          device);
    case EBUSY:
    case EWOULDBLOCK:
      return fmt::format(
          "the serial port `{}` is in use by another program: close it there, and ask with one "
          "process at a time",
          device);
    case ENOTTY:
      return fmt::format("`{}` is no serial port: not a terminal; expected a device, {}", device,
                         kExample);
    default:
      return fmt::format("cannot open the serial port `{}`: {}", device, std::strerror(error));
  }
}

// A port that is this process's alone. Throws UsageError.
Descriptor open_port(const std::string& device) {
  const auto fail = [&] { throw UsageError(why_not_open(device, errno)); };
  Descriptor port(open(device.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (port.get() < 0) fail();
  if (isatty(port.get()) == 0) {
    errno = ENOTTY;
    fail();
  }
  if (flock(port.get(), LOCK_EX | LOCK_NB) != 0) fail();
  return port;
}

// Bytes as they are, eight bits, no flow control. What was under way when the port was opened is
// gone.
void set_up(const Descriptor& port, const std::string& device, const Rate& rate) {
  termios settings{};
  bool is_good = tcgetattr(port.get(), &settings) == 0;
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  // Closing the port is not to reset the board.
  settings.c_cflag &= ~static_cast<tcflag_t>(CRTSCTS | HUPCL | CSTOPB);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  is_good = is_good && cfsetspeed(&settings, rate.speed) == 0 &&
            tcsetattr(port.get(), TCSANOW, &settings) == 0 && tcflush(port.get(), TCIOFLUSH) == 0;
  if (!is_good) {
    throw UsageError(fmt::format("the serial port `{}` cannot be set to {} baud: {}", device,
                                 rate.baud, std::strerror(errno)));
  }
}

// Takes the first line off a text, without its newline.
bool take_line(std::string& text, std::string& line) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return false;
  line = text.substr(0, end);
  text.erase(0, end + 1);
  return true;
}

class Bridge {
 public:
  Bridge(const Port& port, Descriptor descriptor)
      : device_(port.device), port_(std::move(descriptor)) {}

  // Until the runner has no more requests and all are answered.
  int run() {
    while (!is_done()) {
      std::array<pollfd, 2> watched{};
      watched[0] = {input_ended_ || requests_.size() > kLongestLine ? -1 : STDIN_FILENO, POLLIN, 0};
      watched[1] = {port_.get(), static_cast<short>(outgoing_.empty() ? POLLIN : POLLIN | POLLOUT),
                    0};
      poll(watched.data(), watched.size(), is_introduced_ || hello_.empty() ? -1 : 100);
      if (watched[0].revents != 0) read_requests();
      if (watched[1].revents != 0 && !read_port()) return gone();
      ask();
      if (!write_port()) return gone();
    }
    return 0;
  }

 private:
  bool is_done() const {
    if (!input_ended_) return false;
    return !is_introduced_ || (!is_waiting_ && requests_.find('\n') == std::string::npos);
  }

  int gone() const {
    fmt::print(stderr, "the serial port {} is gone: {}\n", device_, std::strerror(errno));
    return 3;
  }

  void read_requests() {
    std::array<char, 65536> chunk;
    const ssize_t got = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (got > 0) requests_.append(chunk.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) input_ended_ = true;
  }

  // The next request, once the one before is answered; hello again while nobody answers it.
  void ask() {
    std::string line;
    if (!is_waiting_ && take_line(requests_, line)) {
      outgoing_ += line + "\n";
      is_waiting_ = true;
      if (hello_.empty()) {
        hello_ = line;
        hello_again_ = Clock::now() + kHelloAgain;
      }
    }
    if (!is_introduced_ && !hello_.empty() && Clock::now() >= hello_again_) {
      if (outgoing_.empty()) outgoing_ = hello_ + "\n";
      hello_again_ = Clock::now() + kHelloAgain;
    }
  }

  bool write_port() {
    if (outgoing_.empty()) return true;
    const ssize_t wrote = write(port_.get(), outgoing_.data(), outgoing_.size());
    if (wrote > 0) outgoing_.erase(0, static_cast<std::size_t>(wrote));
    return wrote >= 0 || errno == EAGAIN || errno == EINTR;
  }

  bool read_port() {
    std::array<char, 65536> chunk;
    const ssize_t got = read(port_.get(), chunk.data(), chunk.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got == 0) errno = ENODEV;  // hung up
    if (got <= 0) return false;
    incoming_.append(chunk.data(), static_cast<std::size_t>(got));
    std::string line;
    while (take_line(incoming_, line)) hand_on(line);
    if (incoming_.size() > kLongestLine) {
      if (is_introduced_) tell_runner(incoming_);
      incoming_.clear();
    }
    return true;
  }

  void hand_on(std::string line) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t digits = line.find_first_not_of("0123456789");
    const bool is_answer = digits != 0 && digits != std::string::npos && line[digits] == ' ';
    const std::string id = hello_.substr(0, hello_.find(' ') + 1);
    const bool is_of_hello = !id.empty() && line.starts_with(id);
    if (is_introduced_ && is_of_hello) return;  // an answer to a repetition
    if (!is_answer || (!is_introduced_ && !is_of_hello)) {
      fmt::print(stderr, "no answer: {}\n", cleaned(excerpt(line, 200)));
      return;
    }
    is_introduced_ = true;
    is_waiting_ = false;
    tell_runner(line + "\n");
  }

  void tell_runner(std::string_view text) {
    while (!text.empty()) {
      const ssize_t wrote = write(answers_, text.data(), text.size());
      if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
      if (wrote < 0 && errno != EINTR) _exit(3);  // the runner does not listen any more
    }
  }

  std::string device_;
  Descriptor port_;
  int answers_ = STDOUT_FILENO;
  std::string requests_, outgoing_, incoming_;
  std::string hello_;  // the first request
  Clock::time_point hello_again_;
  bool is_introduced_ = false;  // hello is answered
  bool is_waiting_ = false;     // a request is under way
  bool input_ended_ = false;
};

}  // namespace

void attach_serial(std::string_view rest, Attachment& attachment) {
  const Port port = parse_port(rest);
  open_port(port.device);  // an error is told before anything else is done
  attachment.one_process = true;
  attachment.execution = {{"device", port.device}, {"baud", std::to_string(port.rate.baud)}};
}

int serve_serial(std::string_view rest) try {
  const Port port = parse_port(rest);
  Descriptor descriptor = open_port(port.device);
  set_up(descriptor, port.device, port.rate);
  return Bridge(port, std::move(descriptor)).run();
} catch (const UsageError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}

}  // namespace hurray::conformance
