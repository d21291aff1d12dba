#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// What the process asked its allocator for.
struct magic_allocations {
  /// How often. A call that grows or moves a block counts as one.
  int64_t count;
  /// How many bytes, as they were asked for.
  int64_t bytes;
  /// The bytes of the blocks that were not freed, as large as the allocator made them. Below zero where
  /// more was freed since counting began.
  int64_t live;
};

/// Begins to count.
///
/// - Returns: false where allocations cannot be counted.
bool magic_count_allocations(void);

/// What all threads asked for since counting began.
struct magic_allocations magic_allocations_so_far(void);

/// Does nothing, where a tool that counts instructions can see it.
void magic_counts_lap(void);

#endif
