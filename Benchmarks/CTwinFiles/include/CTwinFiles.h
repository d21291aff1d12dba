#ifndef CTWIN_FILES_H
#define CTWIN_FILES_H

#include <stddef.h>
#include <stdio.h>

/* Syncs the file system of an open file. Returns -1 and sets errno on failure. */
int twin_sync_file_system(int descriptor);

/* The values of a person. The texts end with a null character; the nickname can be NULL. */
typedef struct {
  const char *id;
  const char *name;
  long long age;
  double height;
  const char *nickname;
  const unsigned char *photo;
  size_t photo_size;
} twin_person;

/* Writes a line with a tab between the values: numbers with all their digits, the photo in hexadecimal
   digits, and "-" for no nickname. Returns -1 on failure. */
int twin_write_line(FILE *file, const twin_person *person);

#endif
