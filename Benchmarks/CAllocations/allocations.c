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
extern void __libc_free(void *block);

// What stands before each block. The size is remembered because glibc's own answer depends on what was
// freed before: a Swift array takes as many elements as its block has room for, and would grow at
// another time in each run.
struct header {
  void *base;
  size_t size;
};

static bool counts;
static struct magic_allocations so_far;

static struct header *header_of(void *block) { return (struct header *)block - 1; }

// As large as glibc makes a block at least: multiples of 16 but for 8 bytes of its own.
static size_t room(size_t size) { return size <= 24 ? 24 : ((size + 8 + 15) & ~(size_t)15) - 8; }

static void add(int64_t *sum, int64_t number) {
  __atomic_fetch_add(sum, number, __ATOMIC_RELAXED);
}

static void lose(size_t size) {
  if (counts) add(&so_far.live, -(int64_t)room(size));
}

// Makes a block of what was allocated, behind a header that ends at the offset.
static void *block_in(void *base, size_t offset, size_t size) {
  if (base == NULL) return NULL;
  void *const block = (char *)base + offset;
  *header_of(block) = (struct header){base, size};
  if (counts) {
    add(&so_far.count, 1);
    add(&so_far.bytes, (int64_t)size);
    add(&so_far.live, (int64_t)room(size));
  }
  return block;
}

// Sizes for which the sum would wrap around are refused by glibc, which gets all bits set.
static size_t with_header(size_t size, size_t offset) {
  return size > PTRDIFF_MAX - offset ? SIZE_MAX : size + offset;
}

void *malloc(size_t size) {
  const size_t offset = sizeof(struct header);
  return block_in(__libc_malloc(with_header(size, offset)), offset, size);
}

void *calloc(size_t count, size_t size) {
  const size_t offset = sizeof(struct header);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return block_in(__libc_calloc(1, with_header(bytes, offset)), offset, bytes);
}

void free(void *block) {
  if (block == NULL) return;
  lose(header_of(block)->size);
  __libc_free(header_of(block)->base);
}

void *realloc(void *block, size_t size) {
  if (block == NULL) return malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  const struct header before = *header_of(block);
  const size_t offset = (size_t)((char *)block - (char *)before.base);
  void *const moved = __libc_realloc(before.base, with_header(size, offset));
  // Where it fails, the block stays as it was.
  if (moved != NULL) lose(before.size);
  return block_in(moved, offset, size);
}

void *memalign(size_t alignment, size_t size) {
  const size_t spare = alignment + sizeof(struct header);
  char *const base = __libc_malloc(with_header(size, spare));
  const size_t least = (size_t)base + sizeof(struct header);
  const size_t place = (least + alignment - 1) & ~(alignment - 1);
  return block_in(base, place - (size_t)base, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

void *valloc(size_t size) { return memalign(4096, size); }

void *pvalloc(size_t size) { return memalign(4096, (size + 4095) & ~(size_t)4095); }

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
