#include "CAllocations.h"

#if __linux__ && __GLIBC__

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

// The dynamic linker prefers an executable's functions to those of libraries: whatever allocates comes
// by here, Swift's runtime and SQLite too. The names forwarded to are the ones under which glibc offers
// its own to those who replace it.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static bool counts;
static struct magic_allocations so_far;

static void add(int64_t *sum, int64_t number) {
  __atomic_fetch_add(sum, number, __ATOMIC_RELAXED);
}

static int64_t usable(void *block) { return (int64_t)malloc_usable_size(block); }

static void *counted(void *block, size_t size) {
  if (!counts || block == NULL) return block;
  add(&so_far.count, 1);
  add(&so_far.bytes, (int64_t)size);
  add(&so_far.live, usable(block));
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) {
  return counted(__libc_calloc(count, size), count * size);
}

void *realloc(void *block, size_t size) {
  const int64_t before = counts ? usable(block) : 0;
  void *const moved = __libc_realloc(block, size);
  // Where it fails, the block stays as it was.
  if (counts && (moved != NULL || size == 0)) add(&so_far.live, -before);
  return counted(moved, size);
}

void free(void *block) {
  if (counts) add(&so_far.live, -usable(block));
  __libc_free(block);
}

void *memalign(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size), size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  const bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!is_power_of_two || alignment % sizeof(void *) != 0) return EINVAL;
  void *const made = memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

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
