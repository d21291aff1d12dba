#define _GNU_SOURCE
#include "CSQLiteVersion.h"

#include <dlfcn.h>
#include <stdatomic.h>

static atomic_int reported_version;
static atomic_bool is_without_threads;

/* The result of SQLite's own function. */
static int original_result(const char *function) {
  int (*original)(void) = (int (*)(void))dlsym(RTLD_NEXT, function);
  return original ? original() : 0;
}

int sqlite3_libversion_number(void);
int sqlite3_threadsafe(void);

int sqlite3_libversion_number(void) {
  const int version = atomic_load(&reported_version);
  return version ? version : original_result("sqlite3_libversion_number");
}

int sqlite3_threadsafe(void) {
  return atomic_load(&is_without_threads) ? 0 : original_result("sqlite3_threadsafe");
}

void csqliteversion_pretend(int version, bool is_thread_safe) {
  atomic_store(&reported_version, version);
  atomic_store(&is_without_threads, !is_thread_safe);
}
