// SPDX-License-Identifier: Apache-2.0
//
// Pages that cannot be touched, see guarded.h.

#include "fuzz/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace hurray::fuzz {

Guarded::Guarded(std::size_t most_bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t inside = (most_bytes + 2 * kInFront + page - 1) / page * page;
  all_bytes_ = inside + 2 * page;
  void* const all = mmap(nullptr, all_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  all_ = static_cast<std::uint8_t*>(all);
  if (mprotect(all_ + page, inside, PROT_READ | PROT_WRITE) != 0) {
    munmap(all_, all_bytes_);
    throw std::bad_alloc();
  }
  begin_ = all_ + page;
  end_ = begin_ + inside;
}

Guarded::~Guarded() { munmap(all_, all_bytes_); }

bool Guarded::is_filled(const std::uint8_t* at, std::size_t bytes) {
  // Each byte equals the next, and the first is the fill: a comparison by the library's fast means.
  return bytes == 0 || (*at == kFill && std::memcmp(at, at + 1, bytes - 1) == 0);
}

}  // namespace hurray::fuzz
