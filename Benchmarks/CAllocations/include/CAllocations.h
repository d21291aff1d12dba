#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// The allocations of the process.
struct magic_allocations {
  /// The number of allocations. A call that grows or moves a block is counted as one.
  int64_t count;
  /// The requested bytes.
  int64_t bytes;
  /// The usable bytes of the blocks that were not freed. Negative if more bytes were freed than allocated
  /// since counting began.
  int64_t live;
};

/// Starts counting.
///
/// - Returns: False if allocations cannot be counted.
bool magic_count_allocations(void);

/// The allocations of all threads since counting began.
struct magic_allocations magic_allocations_so_far(void);

/// Does nothing. A tool that counts instructions uses calls of it as markers.
void magic_counts_lap(void);

#endif
