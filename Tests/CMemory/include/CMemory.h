#ifndef CMEMORY_H
#define CMEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes that this process has from malloc just now; 0 where the system does not tell. */
size_t cmemory_bytes_in_use(void);

/* Whether a sanitizer has the memory of this process: what it takes then says nothing. */
static inline bool cmemory_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#endif
#endif
  return false;
}

/* Lets SQLite have its memory from an allocator that can be told to fail. It must be called before
   SQLite is used in this process. Returns SQLite's code. */
int cmemory_install(void);

/* Counts requests for memory from here on. The one at `position`, 1 for the next, is refused, and
   those behind it where `is_lasting`; none for 0. */
void cmemory_fail(long position, bool is_lasting);

/* Refuses none any more, and goes on counting. */
void cmemory_heal(void);

/* How many requests there were since cmemory_fail. */
long cmemory_requests(void);

/* How many of them were refused. */
long cmemory_refusals(void);

/* An allocator that says that it refuses and does not: what a test of refusals must find. */
void cmemory_disarm(void);

#endif
