#include "CMagicRuntime.h"

uint32_t magic_fork_number;

#define MOST_LOCKS 32

static magic_lock_word *locks[MOST_LOCKS];
static uint32_t lock_count;

/* The locks that the current fork holds. Guarded by `turn`. */
static magic_lock_word turn;
static magic_lock_word *held[MOST_LOCKS];

static void before_fork(void) {
  magic_lock(&turn);
  for (uint32_t index = 0; index < MOST_LOCKS; index++) {
    held[index] = __atomic_load_n(&locks[index], __ATOMIC_ACQUIRE);
    if (held[index] != NULL) magic_lock(held[index]);
  }
}

static void after_fork_in_parent(void) {
  for (uint32_t index = 0; index < MOST_LOCKS; index++)
    if (held[index] != NULL) magic_unlock(held[index]);
  magic_unlock(&turn);
}

/* In the child process the thread has a new ID and no other thread waits, so the locks are reset,
   not unlocked. */
static void after_fork_in_child(void) {
  __atomic_fetch_add(&magic_fork_number, 1, __ATOMIC_RELAXED);
  magic_lock_forget_thread();
  for (uint32_t index = 0; index < MOST_LOCKS; index++)
    if (held[index] != NULL) __atomic_store_n(held[index], 0, __ATOMIC_RELEASE);
  __atomic_store_n(&turn, 0, __ATOMIC_RELEASE);
}

static void watch(void) {
  (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void magic_watch_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, watch);
}

bool magic_lock_during_forks(magic_lock_word *word) {
  const uint32_t index = __atomic_fetch_add(&lock_count, 1, __ATOMIC_RELAXED);
  if (index >= MOST_LOCKS) return false;
  __atomic_store_n(&locks[index], word, __ATOMIC_RELEASE);
  return true;
}
