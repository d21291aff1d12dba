#ifndef CMAGIC_RUNTIME_H
#define CMAGIC_RUNTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 What Swift offers only on newer systems than the oldest supported ones: a four-byte lock, an
 atomic pointer, a thread-local word and a retain of more than one.
*/

/* A lock in four bytes. Zero is unlocked. Not recursive: taking it twice on one thread ends the
   process with a message. */
typedef uint32_t magic_lock_word;

void magic_lock_contended(magic_lock_word *_Nonnull word);
void magic_lock_wake(magic_lock_word *_Nonnull word);
uint32_t magic_lock_current_thread(void);
/* Ends the process with the message for a property that is used inside its own in-place change. */
void magic_lock_refuse_nested_use(void) __attribute__((noreturn));
/* In the child of a fork the thread has another number. */
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
#error "CMagicRuntime knows Linux and Apple systems."
#endif

/* An atomic pointer. Loads acquire, an exchange releases what was written before it. */
static inline const void *_Nullable magic_pointer_load(const void *_Nullable const *_Nonnull slot) {
  return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

/* Puts `pointer` where nil was; returns what is there afterwards. */
static inline const void *_Nonnull magic_pointer_install(
    const void *_Nullable *_Nonnull slot, const void *_Nonnull pointer) {
  const void *expected = NULL;
  if (__atomic_compare_exchange_n(
          slot, &expected, pointer, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return pointer;
  return expected;
}

/* A count that other threads watch: who sees it grown sees what was written before it grew. */
static inline void magic_count_add(uintptr_t *_Nonnull count) {
  __atomic_fetch_add(count, 1, __ATOMIC_RELEASE);
}

static inline uintptr_t magic_count_load(const uintptr_t *_Nonnull count) {
  return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

/* A word of bits that other threads read without a lock. */
static inline uint32_t magic_bits_load(const uint32_t *_Nonnull bits) {
  return __atomic_load_n(bits, __ATOMIC_ACQUIRE);
}

static inline void magic_bits_store(uint32_t *_Nonnull bits, uint32_t value) {
  __atomic_store_n(bits, value, __ATOMIC_RELEASE);
}

/* A flag that other threads look at without a lock. */
static inline bool magic_flag_load(const uint32_t *_Nonnull flag) {
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0;
}

static inline void magic_flag_store(uint32_t *_Nonnull flag, bool value) {
  __atomic_store_n(flag, value ? 1 : 0, __ATOMIC_RELEASE);
}

/* One word a thread: what the reflection of a type hands to the wrappers it makes. */
void *_Nullable magic_thread_word_get(void);
void magic_thread_word_set(void *_Nullable value);

/* A pointer and a count a thread: what waits to be ended on it, and how deep it is in ending. */
typedef struct {
  void *_Nullable waiting;
  uint32_t depth;
} magic_ending;
magic_ending *_Nonnull magic_thread_ending(void);

/* The properties whose atomic in-place changes this thread is inside of, by the addresses of their
   cells. Only the first eight are known: inside more, every property is said to be among them. */
void magic_changes_enter(const void *_Nonnull cell);
void magic_changes_leave(void);
bool magic_changes_are_none(void);
bool magic_changes_include(const void *_Nonnull cell);

/* Remembers that this thread has read an earlier value of a property than the one from before a change
   that has suspended. */
void magic_changes_note_earlier_value(void);
/* Whether that happened since the last call. */
bool magic_changes_take_earlier_value(void);

/* Whether a variable of the caller's caller cannot outlive a suspension of the task: it lies on this
   thread's stack, or in a frame that a variable on it owns. False where that is not known. */
bool magic_is_bound_to_stack(const void *_Nonnull variable);

/* Tells a thread from every other that lives. */
const void *_Nonnull magic_thread_identity(void);
/* Lets other threads run; for no time, only if one is ready. */
void magic_thread_pause(uint32_t microseconds);

/* Nanoseconds of a clock that only goes forward. */
uint64_t magic_monotonic_time(void);

/* Which databases a thread reads from or writes to, the innermost first; each lies on the thread's stack. */
typedef struct magic_holding {
  const void *_Nonnull database;
  uint64_t token;
  struct magic_holding *_Nullable outer;
} magic_holding;
magic_holding *_Nullable *_Nonnull magic_thread_holding(void);

/* The bytes behind an allocated address that may be read. */
size_t magic_allocation_size(const void *_Nonnull allocation);

/* Asks for the memory behind an address to be fetched; any address will do. */
static inline void magic_prefetch(const void *_Nullable address) { __builtin_prefetch(address); }

/* Brings all that was written to the file system of an open file to the disk, and tells of what could
   not be written since it was opened. -1 with errno ENOTSUP where the system does not do both. */
int magic_sync_file_system(int descriptor);

/* How many forks lie between the process that counted first and this one. */
extern uint32_t magic_fork_number;
static inline uint32_t magic_fork_count(void) {
  return __atomic_load_n(&magic_fork_number, __ATOMIC_RELAXED);
}

/* Counts forks from now on; calling it again does nothing. */
void magic_watch_forks(void);

/* Takes a lock for the time of each fork, so that the child finds whole what it guards, and the lock
   free. Nobody waits for another of these locks, or forks, while holding one. It is never freed.
   False where there are too many. */
bool magic_hold_across_forks(magic_lock_word *_Nonnull word);

/* A file as the system sees it. */
typedef struct {
  uint64_t device;
  uint64_t number;
  /* How many names it has; 0 once it was removed. */
  uint64_t links;
  int64_t size;
  /* When it was last written to, in nanoseconds. */
  int64_t modified;
} magic_file_status;

/* The file at a path; false where there is none. No descriptor is opened: closing one would end this
   process's locks of a database. */
bool magic_find_file(const char *_Nonnull path, magic_file_status *_Nonnull status);

/* Whether an errno says that a file system grants no locks. SQLite reports the first as SQLITE_BUSY. */
bool magic_grants_no_locks(int number);

/* Opens a regular file that has no locks. Returns a descriptor, or -1, also where a link, a directory or a
   device has its name. */
int magic_open_file(const char *_Nonnull path, bool is_made);
void magic_close_file(int descriptor);
/* How many bytes were read or written; -1 where that failed. */
int64_t magic_read_file(int descriptor, void *_Nonnull bytes, size_t count, int64_t offset);
int64_t magic_write_file(
    int descriptor, const void *_Nonnull bytes, size_t count, int64_t offset);
/* Brings what was written to the disk; false where that failed. */
bool magic_sync_file(int descriptor);

/* The Swift runtime's retain of `count` references at once. */
void magic_retain(void *_Nonnull object, uint32_t count);

#endif
