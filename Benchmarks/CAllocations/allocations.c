#include "CAllocations.h"

#if __linux__ && __GLIBC__

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

// An allocator that counts calls, and that behaves identically in every run. The number of instructions
// and the sizes of blocks of glibc's allocator depend on earlier frees; a Swift array uses the whole
// block, so it would grow at different times.
//
// The dynamic linker prefers an executable's functions to those of libraries, so all allocations use
// these functions, also those of Swift's runtime and of SQLite.

// The names of glibc's own allocator, for programs that replace it.
extern void *__libc_malloc(size_t size);
extern void __libc_free(void *memory);

// The header before each block.
struct header {
  void *memory;
  // The allocated size, including this header, and the requested size.
  size_t taken;
  size_t size;
  size_t unused;
};

// Freed memory by size in units of 16 bytes, which is reused for the same size.
static void *freed[1 << 16];
static bool is_locked;

static bool counts;
static struct magic_allocations so_far;

static void lock(void) {
  while (__atomic_exchange_n(&is_locked, true, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock(void) { __atomic_store_n(&is_locked, false, __ATOMIC_RELEASE); }

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) & ~(unit - 1); }

// The list of freed memory of a size; null if the size is too large to be kept.
static void **freed_of(size_t size) {
  const size_t place = size / 16;
  return place < sizeof(freed) / sizeof(freed[0]) ? &freed[place] : NULL;
}

static void *take(size_t size) {
  void **const list = freed_of(size);
  if (list == NULL) return __libc_malloc(size);
  lock();
  void **const memory = *list;
  if (memory != NULL) *list = *memory;
  unlock();
  return memory != NULL ? memory : __libc_malloc(size);
}

static void give(void *memory, size_t size) {
  void **const list = freed_of(size);
  if (list == NULL) return __libc_free(memory);
  lock();
  *(void **)memory = *list;
  *list = memory;
  unlock();
}

static struct header *header_of(void *block) { return (struct header *)block - 1; }

// The usable size of glibc's blocks: a multiple of 16 minus its 8 bytes of overhead.
static size_t room(size_t size) { return size <= 24 ? 24 : round_up(size + 8, 16) - 8; }

static void add(int64_t *sum, int64_t number) {
  __atomic_fetch_add(sum, number, __ATOMIC_RELAXED);
}

static void *allocate(size_t alignment, size_t size) {
  const size_t spare = sizeof(struct header) + (alignment > 16 ? alignment : 0);
  const bool is_possible = size < PTRDIFF_MAX - spare - 16;
  const size_t taken = is_possible ? round_up(room(size) + spare, 16) : 0;
  char *const memory = is_possible ? take(taken) : NULL;
  if (memory == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  const size_t place = round_up((size_t)memory + sizeof(struct header), alignment);
  void *const block = memory + (place - (size_t)memory);
  *header_of(block) = (struct header){memory, taken, size, 0};
  if (counts) {
    add(&so_far.count, 1);
    add(&so_far.bytes, (int64_t)size);
    add(&so_far.live, (int64_t)room(size));
  }
  return block;
}

void *malloc(size_t size) { return allocate(16, size); }

void free(void *block) {
  if (block == NULL) return;
  const struct header *const header = header_of(block);
  if (counts) add(&so_far.live, -(int64_t)room(header->size));
  give(header->memory, header->taken);
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  void *const block = allocate(16, bytes);
  return block == NULL ? NULL : memset(block, 0, bytes);
}

void *realloc(void *block, size_t size) {
  if (block == NULL) return allocate(16, size);
  void *const moved = allocate(16, size);
  if (moved == NULL) return NULL;
  const size_t before = header_of(block)->size;
  memcpy(moved, block, before < size ? before : size);
  free(block);
  return moved;
}

void *memalign(size_t alignment, size_t size) {
  return allocate(alignment > 16 ? alignment : 16, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

void *valloc(size_t size) { return memalign(4096, size); }

void *pvalloc(size_t size) { return memalign(4096, round_up(size, 4096)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  const bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!is_power_of_two || alignment % sizeof(void *) != 0) return EINVAL;
  void *const made = memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

size_t malloc_usable_size(void *block) { return block == NULL ? 0 : room(header_of(block)->size); }

bool magic_count_allocations(void) {
  counts = true;
  return true;
}

struct magic_allocations magic_allocations_so_far(void) {
  struct magic_allocations result;
  result.count = __atomic_load_n(&so_far.count, __ATOMIC_RELAXED);
  result.bytes = __atomic_load_n(&so_far.bytes, __ATOMIC_RELAXED);
  result.live = __atomic_load_n(&so_far.live, __ATOMIC_RELAXED);
  return result;
}

#else

bool magic_count_allocations(void) { return false; }

struct magic_allocations magic_allocations_so_far(void) {
  return (struct magic_allocations){0, 0, 0};
}

#endif
