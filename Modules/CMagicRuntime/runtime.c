#include "CMagicRuntime.h"

static _Thread_local void *thread_word;

void *magic_thread_word_get(void) { return thread_word; }

void magic_thread_word_set(void *value) { thread_word = value; }

extern void *swift_retain_n(void *object, uint32_t count);

void magic_retain(void *object, uint32_t count) { (void)swift_retain_n(object, count); }
