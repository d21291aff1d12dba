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

int twin_write_line(FILE *file, const twin_person *person) {
  static const char digits[] = "0123456789abcdef";
  if (fprintf(
          file, "%s\t%s\t%lld\t%.17g\t%s\t", person->id, person->name, person->age, person->height,
          person->nickname ? person->nickname : "-") < 0) {
    return -1;
  }
  for (size_t index = 0; index < person->photo_size; index++) {
    putc(digits[person->photo[index] >> 4], file);
    putc(digits[person->photo[index] & 15], file);
  }
  return putc('\n', file) == EOF ? -1 : 0;
}
