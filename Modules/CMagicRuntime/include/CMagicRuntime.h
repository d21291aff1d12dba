#ifndef CMAGIC_RUNTIME_H
#define CMAGIC_RUNTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 Functions for which the Swift standard library has no equivalent on the oldest supported systems: a
 four-byte lock, atomic pointers and counters, thread-local state, a retain of several references,
 and distances of vectors.
*/

/* A lock of four bytes. Zero is unlocked. The lock is not recursive: locking it twice on one thread
   ends the process with a message. */
typedef uint32_t magic_lock_word;

void magic_lock_contended(magic_lock_word *_Nonnull word);
void magic_lock_wake(magic_lock_word *_Nonnull word);
uint32_t magic_lock_current_thread(void);
/* Ends the process with the error message for using a property inside its own in-place change. */
void magic_lock_refuse_nested_use(void) __attribute__((noreturn));
/* Clears the cached thread ID. Called in the child process of a fork, where the thread has a new
   ID. */
void magic_lock_forget_thread(void);

#if defined(__linux__) || defined(__ANDROID__)

extern _Thread_local uint32_t magic_lock_thread_cache
    __attribute__((tls_model("initial-exec")));

static inline void magic_lock(magic_lock_word *_Nonnull word) {
  uint32_t owner = magic_lock_thread_cache;
  if (__builtin_expect(owner == 0, 0)) owner = magic_lock_current_thread();
  uint32_t expected = 0;
  if (__builtin_expect(
          !__atomic_compare_exchange_n(
              word, &expected, owner, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED),
          0))
    magic_lock_contended(word);
}

static inline void magic_unlock(magic_lock_word *_Nonnull word) {
  uint32_t previous = __atomic_exchange_n(word, 0, __ATOMIC_RELEASE);
  if (__builtin_expect((previous & UINT32_C(0x80000000)) != 0, 0)) magic_lock_wake(word);
}

#elif defined(__APPLE__)

#include <os/lock.h>

static inline void magic_lock(magic_lock_word *_Nonnull word) {
  os_unfair_lock_lock((os_unfair_lock_t)word);
}

static inline void magic_unlock(magic_lock_word *_Nonnull word) {
  os_unfair_lock_unlock((os_unfair_lock_t)word);
}

#else
#error "CMagicRuntime supports only Linux and Apple systems."
#endif

/* Loads an atomic pointer with acquire ordering. */
static inline const void *_Nullable magic_pointer_load(const void *_Nullable const *_Nonnull slot) {
  return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

/* Stores `pointer` if the slot is null, with acquire and release ordering. Returns the pointer in
   the slot afterwards. */
static inline const void *_Nonnull magic_pointer_install(
    const void *_Nullable *_Nonnull slot, const void *_Nonnull pointer) {
  const void *expected = NULL;
  if (__atomic_compare_exchange_n(
          slot, &expected, pointer, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return pointer;
  return expected;
}

/* Increments an atomic counter with release ordering. A thread that loads the new count also sees
   everything that was written before the increment. */
static inline void magic_count_add(uintptr_t *_Nonnull count) {
  __atomic_fetch_add(count, 1, __ATOMIC_RELEASE);
}

static inline uintptr_t magic_count_load(const uintptr_t *_Nonnull count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

/* An atomic word of eight bytes: loads with acquire ordering, stores with release ordering or without
   any. */
static inline uint64_t magic_word_load(const uint64_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void magic_word_store(uint64_t *_Nonnull word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void magic_word_store_relaxed(uint64_t *_Nonnull word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* An atomic word of flags, which other threads read without a lock. */
static inline uint32_t magic_bits_load(const uint32_t *_Nonnull bits) {
  return __atomic_load_n(bits, __ATOMIC_ACQUIRE);
}

static inline void magic_bits_store(uint32_t *_Nonnull bits, uint32_t value) {
  __atomic_store_n(bits, value, __ATOMIC_RELEASE);
}

/* An atomic flag, which other threads read without a lock. */
static inline bool magic_flag_load(const uint32_t *_Nonnull flag) {
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0;
}

static inline void magic_flag_store(uint32_t *_Nonnull flag, bool value) {
  __atomic_store_n(flag, value ? 1 : 0, __ATOMIC_RELEASE);
}

/* A thread-local word. The reflection of a type passes its state to property wrappers in it. */
void *_Nullable magic_thread_word_get(void);
void magic_thread_word_set(void *_Nullable value);

/* The thread-local state of deferred releases: a list of the objects that are still to be released,
   and the depth of nested releases. */
typedef struct {
  void *_Nullable waiting;
  uint32_t depth;
} magic_deferred_release;
magic_deferred_release *_Nonnull magic_thread_deferred_release(void);

/* The properties of which this thread is making atomic in-place changes, as a stack of the
   addresses of their boxes. Only the first eight are recorded: if there are more,
   magic_changes_include is true for every box. */
void magic_changes_enter(const void *_Nonnull box);
void magic_changes_leave(void);
bool magic_changes_are_none(void);
bool magic_changes_include(const void *_Nonnull box);

/* Records that this thread has read a stale value: one that is older than the value before a change
   of the property that is in progress. */
void magic_stale_read_record(void);
/* Returns whether this thread has recorded a stale read since the last call, and clears the
   record. */
bool magic_stale_read_take(void);

/* Whether a variable of the caller's caller cannot outlive a suspension of the task, because it is
   on the stack of this thread, or in a heap frame that a variable on the stack owns. False if
   this is unknown. */
bool magic_is_bound_to_stack(const void *_Nonnull variable);

/* A pointer that is unique among the existing threads. */
const void *_Nonnull magic_thread_identity(void);
/* Sleeps; 0 microseconds yield the processor to a thread that is ready to run. */
void magic_thread_pause(uint32_t microseconds);

/* A monotonic clock in nanoseconds. */
uint64_t magic_monotonic_time(void);

/* The databases that the thread is reading from or writing to: a linked list with the innermost
   first, whose elements are on the stack of the thread. */
typedef struct magic_database_scope {
  const void *_Nonnull database;
  uint64_t token;
  struct magic_database_scope *_Nullable outer;
} magic_database_scope;
magic_database_scope *_Nullable *_Nonnull magic_thread_database_scope(void);

/* The usable size of an allocation in bytes. */
size_t magic_allocation_size(const void *_Nonnull allocation);

/* Prefetches the memory at an address, which may be invalid. */
static inline void magic_prefetch(const void *_Nullable address) { __builtin_prefetch(address); }

/* Syncs the file system that contains an open file, and fails if a write to the file system has
   failed since the file was opened. Returns -1 with errno ENOTSUP if the operating system does not
   support this, or does not report failed writes. */
int magic_sync_file_system(int descriptor);

/* The number of forks between the process that called magic_watch_forks first and this one. */
extern uint32_t magic_fork_number;
static inline uint32_t magic_fork_count(void) {
  return __atomic_load_n(&magic_fork_number, __ATOMIC_RELAXED);
}

/* Counts forks from now on. Further calls do nothing. */
void magic_watch_forks(void);

/* Registers a lock to be held during each fork, so that in the child process the state it guards is
   consistent and the lock is free. A thread that holds one of these locks must neither wait for
   another one nor fork. The lock must never be deallocated. Returns false if too many locks are
   registered. */
bool magic_lock_during_forks(magic_lock_word *_Nonnull word);

/* The attributes of a file. */
typedef struct {
  uint64_t device;
  uint64_t number;
  /* The number of hard links; 0 after the file was removed. */
  uint64_t links;
  int64_t size;
  /* The time of the last write, in nanoseconds. It may be 0 if it was not asked for. */
  int64_t modified;
} magic_file_status;

/* Gets the attributes of the file at a path; returns false if there is none. The file is not
   opened, because closing a descriptor would release this process's POSIX locks on a database.

   Since Linux 6.13, the next write to a file whose times were read gives it a new time, and some
   file systems write the attributes of such a file at each sync. A file that every commit writes
   and syncs is therefore examined without its time. */
bool magic_find_file(const char *_Nonnull path, bool with_time, magic_file_status *_Nonnull status);

/* Whether an errno means that the file system does not support locks. SQLite reports ENOLCK as
   SQLITE_BUSY. */
bool magic_grants_no_locks(int number);

/* Opens a regular file on which this process has no locks, and creates it if `creates` is true.
   Returns a descriptor. Returns -1 on failure, and also if a link, a directory or a device exists
   at the path. */
int magic_open_file(const char *_Nonnull path, bool creates);
void magic_close_file(int descriptor);
/* Both functions return the number of bytes that were read or written; -1 on failure. */
int64_t magic_read_file(int descriptor, void *_Nonnull bytes, size_t count, int64_t offset);
int64_t magic_write_file(
    int descriptor, const void *_Nonnull bytes, size_t count, int64_t offset);
/* Syncs the written data to disk; returns false on failure. */
bool magic_sync_file(int descriptor);

/* Retains `count` references to an object in one call of the Swift runtime. */
void magic_retain(void *_Nonnull object, uint32_t count);

/* How the distance of two vectors is computed. */
typedef enum {
  magic_vector_euclidean = 0,
  magic_vector_cosine = 1,
  magic_vector_dot_product = 2
} magic_vector_metric;

/* Returns the distance of two vectors of `count` numbers, which may have any address; infinity if it
   is not a number. The sums have single precision. */
double magic_vector_distance(
    const void *_Nonnull left, const void *_Nonnull right, size_t count,
    magic_vector_metric metric);

#endif
