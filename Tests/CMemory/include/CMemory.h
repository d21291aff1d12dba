#ifndef CMEMORY_H
#define CMEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes that this process has allocated by malloc; 0 where the system does not report them. */
size_t cmemory_bytes_in_use(void);

/* Whether a sanitizer manages the memory of this process. Its use of memory is not comparable then. */
static inline bool cmemory_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#endif
#endif
  return false;
}

/* Installs an allocator for SQLite that can refuse requests. Must be called before SQLite is used in
   this process. Returns SQLite's result code. */
int cmemory_install(void);

/* Starts counting requests for memory. The request at `position`, 1 for the next, is refused, and all
   later ones if `is_lasting`; 0 refuses none. */
void cmemory_fail(long position, bool is_lasting);

/* Stops refusing requests, and continues to count them. */
void cmemory_heal(void);

/* The number of requests since cmemory_fail. */
long cmemory_requests(void);

/* The number of refused requests since cmemory_fail. */
long cmemory_refusals(void);

/* A flaw: counts refusals without refusing. Tests of refusals must find it. */
void cmemory_disarm(void);

#endif
