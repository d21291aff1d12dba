#include "CMemory.h"

#include <sqlite3.h>
#include <stdatomic.h>

static sqlite3_mem_methods base;
static atomic_long requests, refusals, refused_position;
static atomic_bool is_lasting_refusal, is_disarmed;

static bool is_refused(void) {
  long request = atomic_fetch_add(&requests, 1) + 1;
  long position = atomic_load(&refused_position);
  if (position == 0 || request < position) return false;
  if (request > position && !atomic_load(&is_lasting_refusal)) return false;
  atomic_fetch_add(&refusals, 1);
  return !atomic_load(&is_disarmed);
}

static void *refusing_malloc(int size) { return is_refused() ? NULL : base.xMalloc(size); }

static void *refusing_realloc(void *pointer, int size) {
  return is_refused() ? NULL : base.xRealloc(pointer, size);
}

int cmemory_install(void) {
  int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &base);
  if (code != SQLITE_OK) return code;
  sqlite3_mem_methods methods = base;
  methods.xMalloc = refusing_malloc;
  methods.xRealloc = refusing_realloc;
  code = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
  if (code != SQLITE_OK) return code;
  /* Allocations from a connection's lookaside memory could not be refused. */
  return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

void cmemory_fail(long position, bool is_lasting) {
  atomic_store(&is_lasting_refusal, is_lasting);
  atomic_store(&refused_position, position);
  atomic_store(&requests, 0);
  atomic_store(&refusals, 0);
}

void cmemory_heal(void) { atomic_store(&refused_position, 0); }
long cmemory_requests(void) { return atomic_load(&requests); }
long cmemory_refusals(void) { return atomic_load(&refusals); }
void cmemory_disarm(void) { atomic_store(&is_disarmed, true); }
