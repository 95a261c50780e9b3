// SPDX-License-Identifier: Apache-2.0
//
// What does a POSIX system lend the kit? A stream on two descriptors, and memory between pages
// that cannot be touched.

#define _DEFAULT_SOURCE  // MAP_ANONYMOUS

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hurray_kit_posix.h"
#include "kit_posix_calls.h"

#if !defined(MAP_ANONYMOUS)
#define MAP_ANONYMOUS MAP_ANON
#endif

enum {
  kLineBytes = 1 << 20,
  kAnswerBytes = 1 << 16,
  kInputBytes = 1 << 25,   // what a line can hold, and copies of it
  kOutputBytes = 1 << 25,  // 2-bit elements grow 16 times; pages that nobody uses cost nothing
  kGuardedInputBytes = 1 << 16,
  kGuardedOutputBytes = 1 << 20
};

struct streams {
  int in_fd;
  int out_fd;
  struct hurray_kit_memory guarded_input;
};

static int wait_for(int fd, short events) {
  struct pollfd ready = {.fd = fd, .events = events};
  return poll(&ready, 1, -1) < 0 && errno != EINTR ? -1 : 0;
}

static long read_some(void* context, uint8_t* bytes, size_t capacity) {
  const struct streams* streams = context;
  for (;;) {
    const ssize_t count = read(streams->in_fd, bytes, capacity);
    if (count >= 0) return (long)count;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    if (wait_for(streams->in_fd, POLLIN) != 0) return -1;
  }
}

static int write_all(void* context, const uint8_t* bytes, size_t length) {
  const struct streams* streams = context;
  while (length > 0) {
    const ssize_t count = write(streams->out_fd, bytes, length);
    if (count >= 0) {
      bytes += count;
      length -= (size_t)count;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (wait_for(streams->out_fd, POLLOUT) != 0) return -1;
    } else if (errno != EINTR) {
      return -1;
    }
  }
  return 0;
}

// One mapping for all buffers, in which a page before and behind each is inaccessible.
struct mapping {
  uint8_t* start;
  size_t size;
  size_t used;
  size_t page;
};

static size_t whole_pages(const struct mapping* mapping, size_t size) {
  return (size + mapping->page - 1) / mapping->page * mapping->page;
}

static int carve(struct mapping* mapping, size_t size, struct hurray_kit_memory* memory) {
  size = whole_pages(mapping, size);
  memory->bytes = mapping->start + mapping->used + mapping->page;
  memory->size = size;
  mapping->used += mapping->page + size;
  return mprotect(memory->bytes, size, PROT_READ | PROT_WRITE);
}

static int map_buffers(struct mapping* mapping, struct hurray_kit_host* host) {
  const struct {
    struct hurray_kit_memory* memory;
    size_t size;
  } buffers[] = {
      {&host->line, kLineBytes},
      {&host->answer, kAnswerBytes},
      {&host->input, kInputBytes},
      {&host->output, kOutputBytes},
      {&host->guarded_input, kGuardedInputBytes},
      {&host->guarded_output, kGuardedOutputBytes},
  };
  const size_t count = sizeof buffers / sizeof buffers[0];
  const long page = sysconf(_SC_PAGESIZE);
  mapping->page = page > 0 ? (size_t)page : 4096;
  mapping->used = 0;
  mapping->size = mapping->page;
  for (size_t i = 0; i < count; ++i) {
    mapping->size += whole_pages(mapping, buffers[i].size) + mapping->page;
  }
  void* const start = mmap(NULL, mapping->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return -1;
  mapping->start = start;
  for (size_t i = 0; i < count; ++i) {
    if (carve(mapping, buffers[i].size, buffers[i].memory) != 0) {
      munmap(mapping->start, mapping->size);
      return -1;
    }
  }
  host->line.size = kLineBytes;  // where pages are larger too: max_line stays the same
  return 0;
}

static int protect_input(void* context, int is_read_only) {
  const struct streams* streams = context;
  return mprotect(streams->guarded_input.bytes, streams->guarded_input.size,
                  is_read_only ? PROT_READ : PROT_READ | PROT_WRITE);
}

int hurray_kit_serve_fds(const struct hurray_target* target, int in_fd, int out_fd) {
  struct streams streams = {.in_fd = in_fd, .out_fd = out_fd};
  struct hurray_kit_host host = {.context = &streams,
                                 .read = read_some,
                                 .write = write_all,
                                 .protect_input = protect_input,
                                 .enter_fenv = hurray_kit_posix_enter_fenv,
                                 .leave_fenv = hurray_kit_posix_leave_fenv,
                                 .run_threads = hurray_kit_posix_run_threads};
  struct mapping mapping;
  if (map_buffers(&mapping, &host) != 0) return HURRAY_KIT_BAD_SETUP;
  streams.guarded_input = host.guarded_input;

  struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction before;
  sigemptyset(&ignore.sa_mask);
  const int replaced = sigaction(SIGPIPE, &ignore, &before) == 0;
  hurray_kit_posix_keep_fenv();
  const int result = hurray_kit_serve(target, &host);
  if (replaced) sigaction(SIGPIPE, &before, NULL);
  munmap(mapping.start, mapping.size);
  return result;
}
