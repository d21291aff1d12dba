#include "CAllocations.h"

// The empty statement keeps calls of it from being left out.
__attribute__((noinline)) void magic_counts_lap(void) { __asm__ volatile(""); }
