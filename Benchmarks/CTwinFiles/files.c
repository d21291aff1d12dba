#define _GNU_SOURCE
#include "CTwinFiles.h"

#include <fcntl.h>
#include <unistd.h>

int twin_sync_file_system(int descriptor) {
#if defined(__linux__)
  return syncfs(descriptor);
#else
  return fcntl(descriptor, F_FULLFSYNC);
#endif
}
