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

static _Thread_local magic_deferred_release thread_deferred_release;

magic_deferred_release *magic_thread_deferred_release(void) { return &thread_deferred_release; }

static _Thread_local magic_database_scope *thread_database_scope;

magic_database_scope **magic_thread_database_scope(void) { return &thread_database_scope; }

extern void *swift_retain_n(void *object, uint32_t count);

void magic_retain(void *object, uint32_t count) { (void)swift_retain_n(object, count); }
