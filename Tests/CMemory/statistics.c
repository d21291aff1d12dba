#include "CMemory.h"

#if defined(__linux__)
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size attribute of the last element with this start, which is the total of all arenas. */
static size_t last_size(const char *text, const char *element) {
  const char *last = NULL, *next = text;
  while ((next = strstr(next, element)) != NULL) last = next++;
  const char *size = last ? strstr(last, "size=\"") : NULL;
  return size ? strtoull(size + strlen("size=\""), NULL, 10) : 0;
}

/* Not mallinfo2, which reports the arena of the main thread only. */
size_t cmemory_bytes_in_use(void) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL) return 0;
  malloc_info(0, stream);
  fclose(stream);
  if (text == NULL) return 0;
  size_t free_bytes =
      last_size(text, "<total type=\"fast\"") + last_size(text, "<total type=\"rest\"");
  size_t bytes = last_size(text, "<system type=\"current\"") - free_bytes +
                 last_size(text, "<total type=\"mmap\"");
  free(text);
  return bytes;
}
#else
size_t cmemory_bytes_in_use(void) { return 0; }
#endif
