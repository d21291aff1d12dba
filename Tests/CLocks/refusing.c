#include "CLocks.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>

static atomic_int refusal;

static int refusing_fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  const int number = atomic_load(&refusal);
  if (command == F_SETLK && number != 0 && ((struct flock *)argument)->l_type != F_UNLCK) {
    errno = number;
    return -1;
  }
  return fcntl(file, command, argument);
}

static int (*original_sleep)(sqlite3_vfs *, int);

static int refusing_sleep(sqlite3_vfs *vfs, int microseconds) {
  if (atomic_load(&refusal) != 0) return microseconds;
  return original_sleep(vfs, microseconds);
}

bool clocks_refuse(int number) {
  sqlite3_vfs *vfs = sqlite3_vfs_find("unix");
  if (vfs == NULL || vfs->iVersion < 3 || vfs->xSetSystemCall == NULL) return false;
  if (vfs->xSleep != refusing_sleep) {
    original_sleep = vfs->xSleep;
    vfs->xSleep = refusing_sleep;
  }
  atomic_store(&refusal, number);
  return vfs->xSetSystemCall(vfs, "fcntl", (sqlite3_syscall_ptr)refusing_fcntl) == SQLITE_OK;
}
