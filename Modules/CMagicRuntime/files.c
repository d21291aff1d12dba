#define _GNU_SOURCE
#include "CMagicRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Android declares the call only for its newer versions. */
#if defined(__linux__) && !defined(__ANDROID__) && defined(STATX_BASIC_STATS)
#include <sys/sysmacros.h>

/* Gets the attributes without times; returns false if that is not possible. */
static bool find_without_time(const char *path, magic_file_status *result) {
  const unsigned wanted = STATX_INO | STATX_NLINK | STATX_SIZE;
  struct statx status;
  if (statx(AT_FDCWD, path, 0, wanted, &status) != 0) return false;
  if ((status.stx_mask & wanted) != wanted) return false;
  result->device = (uint64_t)makedev(status.stx_dev_major, status.stx_dev_minor);
  result->number = (uint64_t)status.stx_ino;
  result->links = (uint64_t)status.stx_nlink;
  result->size = (int64_t)status.stx_size;
  result->modified = 0;
  return true;
}
#else
static bool find_without_time(const char *path, magic_file_status *result) {
  (void)path, (void)result;
  return false;
}
#endif

bool magic_find_file(const char *path, bool with_time, magic_file_status *result) {
  /* A container can refuse the call without times, and an old system does not have it. */
  if (!with_time && find_without_time(path, result)) return true;
  struct stat status;
  if (stat(path, &status) != 0) return false;
#if defined(__APPLE__)
  const struct timespec modified = status.st_mtimespec;
#else
  const struct timespec modified = status.st_mtim;
#endif
  result->device = (uint64_t)status.st_dev;
  result->number = (uint64_t)status.st_ino;
  result->links = (uint64_t)status.st_nlink;
  result->size = (int64_t)status.st_size;
  result->modified = (int64_t)modified.tv_sec * 1000000000 + (int64_t)modified.tv_nsec;
  return true;
}

bool magic_grants_no_locks(int number) {
  return number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP || number == ENOTSUP;
}

int magic_open_file(const char *path, bool creates) {
  const int flags =
      O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creates ? O_RDWR | O_CREAT : O_RDONLY);
  struct stat status;
  const int descriptor = open(path, flags, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return -1;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return descriptor;
  (void)close(descriptor);
  return -1;
}

void magic_close_file(int descriptor) { (void)close(descriptor); }

int64_t magic_read_file(int descriptor, void *bytes, size_t count, int64_t offset) {
  return (int64_t)pread(descriptor, bytes, count, (off_t)offset);
}

int64_t magic_write_file(int descriptor, const void *bytes, size_t count, int64_t offset) {
  return (int64_t)pwrite(descriptor, bytes, count, (off_t)offset);
}

bool magic_sync_file(int descriptor) { return fsync(descriptor) == 0; }

#if defined(__linux__)
#include <stdio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

/* Before Linux 5.18, syncfs did not report all failed writes. */
static int reports_failed_writes(void) {
  struct utsname names;
  int major, minor;
  if (uname(&names) != 0 || sscanf(names.release, "%d.%d", &major, &minor) != 2) return 0;
  return major > 5 || (major == 5 && minor >= 18);
}

/* Whether syncfs syncs the file system. Other file systems, such as those in user space, ignore the
   request. */
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
