#define _GNU_SOURCE
#include "CSQLiteVersion.h"

#include <dlfcn.h>
#include <stdatomic.h>

static atomic_int pretended_version;
static atomic_bool is_without_threads;

/* What the library itself says. */
static int answer_of(const char *function) {
  int (*original)(void) = (int (*)(void))dlsym(RTLD_NEXT, function);
  return original ? original() : 0;
}

int sqlite3_libversion_number(void);
int sqlite3_threadsafe(void);

int sqlite3_libversion_number(void) {
  const int version = atomic_load(&pretended_version);
  return version ? version : answer_of("sqlite3_libversion_number");
}

int sqlite3_threadsafe(void) {
  return atomic_load(&is_without_threads) ? 0 : answer_of("sqlite3_threadsafe");
}

void csqliteversion_pretend(int version, bool is_thread_safe) {
  atomic_store(&pretended_version, version);
  atomic_store(&is_without_threads, !is_thread_safe);
}
