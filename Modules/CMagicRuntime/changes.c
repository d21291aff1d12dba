#define _GNU_SOURCE
#include "CMagicRuntime.h"

#include <dlfcn.h>
#include <sched.h>
#include <time.h>

/* The bounds of this thread's stack; the upper one is 0 until it is asked for. */
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

/* The frame of the function that called the one with a frame; 0 at the end of the chain. Swift keeps
   frame pointers, and on some systems sets a bit of those that asynchronous functions save. */
#define ASYNC_FRAME ((uintptr_t)1 << 60)

UNCHECKED static uintptr_t caller_of(uintptr_t frame) {
  const uintptr_t caller = *(const uintptr_t *)frame & ~ASYNC_FRAME;
  return caller > frame && caller % sizeof(uintptr_t) == 0 && is_on_stack(caller) ? caller : 0;
}

extern void swift_task_dealloc(void *);

/* Whether code belongs to the library that runs tasks. */
static bool runs_tasks(uintptr_t code) {
  Dl_info place, runtime;
  return dladdr((const void *)code, &place) == 0 ||
         dladdr((const void *)swift_task_dealloc, &runtime) == 0 ||
         place.dli_fbase == runtime.dli_fbase;
}

#define KNOWN_CALLERS 64

/* Asynchronous functions are called by the library that runs tasks, and continue each other without a
   further frame. */
UNCHECKED static bool is_asynchronous(uintptr_t frame) {
  static _Thread_local struct {
    uintptr_t code;
    bool runs_tasks;
  } known[KNOWN_CALLERS];
  const uintptr_t *words = (const uintptr_t *)frame;
  const uintptr_t caller = words[1];
  if (words[0] & ASYNC_FRAME) return true;
  const size_t place = (caller ^ caller >> 6) % KNOWN_CALLERS;
  if (known[place].code != caller) {
    known[place].code = caller;
    known[place].runs_tasks = runs_tasks(caller);
  }
  return known[place].runs_tasks;
}

UNCHECKED static bool has_word(uintptr_t low, uintptr_t high, uintptr_t sought) {
  for (uintptr_t word = low; word < high; word += sizeof(word))
    if (*(const uintptr_t *)word == sought) return true;
  return false;
}

/*
 Compiled without optimisation, an accessor that calls the one with the variable has its own frame in
 allocated memory, and the variable at its beginning. The function that accesses the property has a
 pointer to that memory, in a variable of its own: on the stack, unless the access may suspend.

 The frames are, from here: the function that asks, the one that begins the change, the accessor with
 the variable, the accessor that called it, the function that accesses the property. Where one of them is
 asynchronous nothing is known: what its frame has on the stack may be left from an earlier call.
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

/* Frames are laid out in other ways there. */
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
  bool has_earlier_value;
  const void *cells[KNOWN_CHANGES];
} changes;

void magic_changes_enter(const void *cell) {
  if (changes.depth < KNOWN_CHANGES) changes.cells[changes.depth] = cell;
  changes.depth++;
}

void magic_changes_leave(void) { changes.depth--; }

bool magic_changes_are_none(void) { return changes.depth == 0; }

bool magic_changes_include(const void *cell) {
  if (changes.depth > KNOWN_CHANGES) return true;
  for (uint32_t index = 0; index < changes.depth; index++)
    if (changes.cells[index] == cell) return true;
  return false;
}

void magic_changes_note_earlier_value(void) { changes.has_earlier_value = true; }

bool magic_changes_take_earlier_value(void) {
  const bool has = changes.has_earlier_value;
  changes.has_earlier_value = false;
  return has;
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
