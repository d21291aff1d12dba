#include "CAllocations.h"

// The empty statement prevents the compiler from removing calls.
__attribute__((noinline)) void magic_counts_lap(void) { __asm__ volatile(""); }
