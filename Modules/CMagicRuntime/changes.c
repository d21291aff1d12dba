#define _GNU_SOURCE
#include "CMagicRuntime.h"

#include <dlfcn.h>
#include <sched.h>
#include <time.h>

/* The bounds of this thread's stack; the upper bound is 0 until find_stack determines it. */
static _Thread_local uintptr_t stack_low, stack_high;

static bool find_stack(void) {
#if defined(__APPLE__)
  const pthread_t thread = pthread_self();
  stack_high = (uintptr_t)pthread_get_stackaddr_np(thread);
  stack_low = stack_high - pthread_get_stacksize_np(thread);
#else
  pthread_attr_t attributes;
  void *low;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  const bool is_known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!is_known) return false;
  stack_low = (uintptr_t)low;
  stack_high = stack_low + size;
#endif
  return true;
}

static bool is_on_stack(uintptr_t address) {
  return address >= stack_low && address < stack_high;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNCHECKED __attribute__((no_sanitize("address", "thread")))
#endif
#endif
#ifndef UNCHECKED
#define UNCHECKED
#endif

#if UINTPTR_MAX > 0xFFFFFFFF

/* Returns the frame of the caller of the function with a frame; 0 at the end of the chain. Swift
   code has frame pointers, and on some systems a bit is set in those that asynchronous functions
   save. */
#define ASYNC_FRAME ((uintptr_t)1 << 60)

UNCHECKED static uintptr_t caller_of(uintptr_t frame) {
  const uintptr_t caller = *(const uintptr_t *)frame & ~ASYNC_FRAME;
  return caller > frame && caller % sizeof(uintptr_t) == 0 && is_on_stack(caller) ? caller : 0;
}

extern void swift_task_dealloc(void *);

/* Whether code belongs to the concurrency library of Swift, which runs tasks. True if this is
   unknown. */
static bool runs_tasks(uintptr_t code) {
  Dl_info place, runtime;
  return dladdr((const void *)code, &place) == 0 ||
         dladdr((const void *)swift_task_dealloc, &runtime) == 0 ||
         place.dli_fbase == runtime.dli_fbase;
}

#define KNOWN_CALLERS 64

/* Whether the function with a frame is asynchronous. The concurrency library calls asynchronous
   functions, and they continue each other without further frames. */
UNCHECKED static bool is_asynchronous(uintptr_t frame) {
  static _Thread_local struct {
    uintptr_t code;
    bool runs_tasks;
  } known[KNOWN_CALLERS];
  const uintptr_t *words = (const uintptr_t *)frame;
  const uintptr_t caller = words[1];
  if (words[0] & ASYNC_FRAME) return true;
  const size_t index = (caller ^ caller >> 6) % KNOWN_CALLERS;
  if (known[index].code != caller) {
    known[index].code = caller;
    known[index].runs_tasks = runs_tasks(caller);
  }
  return known[index].runs_tasks;
}

UNCHECKED static bool has_word(uintptr_t low, uintptr_t high, uintptr_t sought) {
  for (uintptr_t word = low; word < high; word += sizeof(word))
    if (*(const uintptr_t *)word == sought) return true;
  return false;
}

/*
 Whether a variable in heap memory belongs to an access that cannot suspend.

 In code that is compiled without optimisation, an accessor that calls the accessor with the
 variable has its frame in heap memory, and the variable is at the beginning of that memory. The
 function that accesses the property has a pointer to the memory in one of its own variables. That
 variable is on the stack, unless the access may suspend.

 The frames, from here on, are: magic_is_bound_to_stack, the function that begins the change, the
 accessor with the variable, the accessor that called it, and the function that accesses the
 property. If one of them is asynchronous, the result is unknown, because its part of the stack may
 contain data of an earlier call.
*/
UNCHECKED static bool is_owned_by_stack(uintptr_t frame, uintptr_t address) {
  for (int level = 0; level < 4; level++) {
    frame = caller_of(frame);
    if (frame == 0 || is_asynchronous(frame)) return false;
  }
  const uintptr_t accessing = caller_of(frame);
  return accessing != 0 && has_word(frame + 2 * sizeof(frame), accessing, address) &&
         !is_asynchronous(accessing);
}

#else

/* The layout of frames is different on 32-bit systems. */
static bool is_owned_by_stack(uintptr_t frame, uintptr_t address) { return false; }

#endif

bool magic_is_bound_to_stack(const void *variable) {
  if (stack_high == 0 && !find_stack()) return false;
  const uintptr_t address = (uintptr_t)variable;
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (!is_on_stack(frame)) return false;
  return is_on_stack(address) || is_owned_by_stack(frame, address);
}

#define KNOWN_CHANGES 8

static _Thread_local struct {
  uint32_t depth;
  bool has_stale_read;
  const void *boxes[KNOWN_CHANGES];
} changes;

void magic_changes_enter(const void *box) {
  if (changes.depth < KNOWN_CHANGES) changes.boxes[changes.depth] = box;
  changes.depth++;
}

void magic_changes_leave(void) { changes.depth--; }

bool magic_changes_are_none(void) { return changes.depth == 0; }

bool magic_changes_include(const void *box) {
  if (changes.depth > KNOWN_CHANGES) return true;
  for (uint32_t index = 0; index < changes.depth; index++)
    if (changes.boxes[index] == box) return true;
  return false;
}

void magic_stale_read_record(void) { changes.has_stale_read = true; }

bool magic_stale_read_take(void) {
  const bool has_stale_read = changes.has_stale_read;
  changes.has_stale_read = false;
  return has_stale_read;
}

const void *magic_thread_identity(void) { return &changes; }

void magic_thread_pause(uint32_t microseconds) {
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = (long)microseconds * 1000};
  if (microseconds == 0)
    (void)sched_yield();
  else
    (void)nanosleep(&pause, NULL);
}

uint64_t magic_monotonic_time(void) {
  struct timespec now;
#if defined(__APPLE__)
  const clockid_t clock = CLOCK_UPTIME_RAW;
#else
  const clockid_t clock = CLOCK_MONOTONIC;
#endif
  if (clock_gettime(clock, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
