#define _GNU_SOURCE
#include "CMagicRuntime.h"

#include <errno.h>
#if defined(__linux__)
#include <stdio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Before Linux 5.18 the system did not tell of everything that could not be written. */
static int reports_failed_writes(void) {
  struct utsname names;
  int major, minor;
  if (uname(&names) != 0 || sscanf(names.release, "%d.%d", &major, &minor) != 2) return 0;
  return major > 5 || (major == 5 && minor >= 18);
}

/* Others, as those in user space, do not pass on that all is to be synced. */
static int syncs_all(int descriptor) {
  struct statfs status;
  if (fstatfs(descriptor, &status) != 0) return 0;
  switch ((unsigned long)status.f_type) {
  case 0xEF53UL:     /* ext4 */
  case 0x58465342UL: /* XFS */
  case 0x9123683EUL: /* Btrfs */
  case 0xF2F52010UL: /* F2FS */
    return 1;
  default:
    return 0;
  }
}

int magic_sync_file_system(int descriptor) {
  if (!reports_failed_writes() || !syncs_all(descriptor)) {
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
