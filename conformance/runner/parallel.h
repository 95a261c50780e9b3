// SPDX-License-Identifier: Apache-2.0
//
// Work on several threads, when the pieces do not depend on each other.

#ifndef HURRAY_CONFORMANCE_PARALLEL_H
#define HURRAY_CONFORMANCE_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace hurray::conformance {

inline unsigned processors() { return std::max(1u, std::thread::hardware_concurrency()); }

// Calls work(0) … work(count - 1), each once, on up to `threads` threads. If some throw, the
// exception of the smallest index is thrown again after all have ended.
template <typename Work>
void in_parallel(unsigned threads, std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::size_t failed_index = count;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_index) {
          failed_index = i;
          failure = std::current_exception();
        }
      }
    }
  };
  std::vector<std::thread> pool;
  try {
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i) pool.emplace_back(loop);
  } catch (const std::system_error&) {
    // The machine gives no more threads: those that there are do the work.
  }
  loop();
  for (std::thread& each : pool) each.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PARALLEL_H
