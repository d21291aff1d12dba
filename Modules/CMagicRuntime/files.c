#define _GNU_SOURCE
#include "CMagicRuntime.h"

#include <errno.h>
#if defined(__linux__)
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Before Linux 5.8 the system did not tell of what could not be written. */
static int reports_failed_writes(void) {
  struct utsname names;
  int major, minor;
  if (uname(&names) != 0 || sscanf(names.release, "%d.%d", &major, &minor) != 2) return 0;
  return major > 5 || (major == 5 && minor >= 8);
}

int magic_sync_file_system(int descriptor) {
  if (!reports_failed_writes()) {
    errno = ENOTSUP;
    return -1;
  }
  return syncfs(descriptor);
}
#else
int magic_sync_file_system(int descriptor) {
  (void)descriptor;
  errno = ENOTSUP;
  return -1;
}
#endif
