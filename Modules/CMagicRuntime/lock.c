#include "CMagicRuntime.h"

#include <stdio.h>
#include <stdlib.h>

void magic_lock_refuse_nested_use(void) {
  fputs(
      "MagicData: a property was used inside its own in-place change. "
      "Copy the value first, change the copy, then assign it.\n",
      stderr);
  abort();
}

#if defined(__linux__) || defined(__ANDROID__)

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 The word contains the thread ID of the owner. The top bit is set while threads wait in the kernel.
 A waiting thread takes the lock with the bit set, because other threads may still be waiting.
*/
#define WAITED UINT32_C(0x80000000)

_Thread_local uint32_t magic_lock_thread_cache;

uint32_t magic_lock_current_thread(void) {
  if (magic_lock_thread_cache == 0) magic_lock_thread_cache = (uint32_t)syscall(SYS_gettid);
  return magic_lock_thread_cache;
}

void magic_lock_forget_thread(void) { magic_lock_thread_cache = 0; }

void magic_lock_contended(magic_lock_word *word) {
  const uint32_t owner = magic_lock_current_thread();
  for (int spin = 0; spin < 64; spin++) {
    uint32_t expected = 0;
    if (__atomic_compare_exchange_n(
            word, &expected, owner, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    if ((expected & ~WAITED) == owner) magic_lock_refuse_nested_use();
    if (expected & WAITED) break;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }
  for (;;) {
    uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (seen == 0) {
      if (__atomic_compare_exchange_n(
              word, &seen, owner | WAITED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
      continue;
    }
    if ((seen & WAITED) == 0) {
      if (!__atomic_compare_exchange_n(
              word, &seen, seen | WAITED, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
      seen |= WAITED;
    }
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
  }
}

void magic_lock_wake(magic_lock_word *word) {
  (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#else

void magic_lock_forget_thread(void) {}

#endif
