#include "CMagicRuntime.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
size_t magic_allocation_size(const void *allocation) { return malloc_size(allocation); }
#else
#include <malloc.h>
size_t magic_allocation_size(const void *allocation) {
  return malloc_usable_size((void *)allocation);
}
#endif

static _Thread_local void *thread_word;

void *magic_thread_word_get(void) { return thread_word; }

void magic_thread_word_set(void *value) { thread_word = value; }

static _Thread_local magic_ending thread_ending;

magic_ending *magic_thread_ending(void) { return &thread_ending; }

static _Thread_local magic_holding *thread_holding;

magic_holding **magic_thread_holding(void) { return &thread_holding; }

extern void *swift_retain_n(void *object, uint32_t count);

void magic_retain(void *object, uint32_t count) { (void)swift_retain_n(object, count); }
