#ifndef MAGIC_CSQLITE_SHIM_H
#define MAGIC_CSQLITE_SHIM_H

#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* sqlite3_db_config is variadic, which Swift cannot call. */
static inline int magic_sqlite3_db_config_flag(sqlite3 *db, int option, int value, int *result) {
  return sqlite3_db_config(db, option, value, result);
}

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import. */
static inline int magic_sqlite3_bind_text_copy(
    sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int magic_sqlite3_bind_blob_copy(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void magic_sqlite3_result_blob_copy(
    sqlite3_context *context, const void *bytes, int count) {
  sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
}

static inline void magic_sqlite3_result_text_copy(
    sqlite3_context *context, const void *bytes, int count) {
  sqlite3_result_text(context, (const char *)bytes, count, SQLITE_TRANSIENT);
}

/* Binds the place for the C interface of full-text search to the parameter of `SELECT fts5(?1)`. SQLite keeps
   the pointer to the name of its type, which a string that Swift passes to C would not outlive. */
static inline int magic_sqlite3_bind_fts5_api(sqlite3_stmt *statement, fts5_api **result) {
  return sqlite3_bind_pointer(statement, 1, result, "fts5_api_ptr", NULL);
}

/* sqlite3_vtab_config is variadic. Only statements of the user can read the table, not triggers or views. */
static inline int magic_sqlite3_make_direct_only(sqlite3 *db) {
  return sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
}

/* A cursor of a virtual table, whose first member must be that of SQLite. */
typedef struct {
  sqlite3_vtab_cursor base;
  /* A copy of the JSON text, and its size. */
  unsigned char *json;
  sqlite3_int64 size;
  /* The offset of the current element; negative after the last one. */
  sqlite3_int64 place;
} magic_sqlite3_json_cursor;

/* The description of an errno, for modules that import no other C library. */
static inline const char *magic_sqlite3_system_error(int number) { return strerror(number); }

/* The words of the index of a write-ahead log that every commit and every checkpoint that copies frames
   changes: the first copy of the header (48 bytes), and the word behind the second copy, which has the number
   of copied frames. See https://sqlite.org/walformat.html#the_wal_index_header */
typedef struct {
  uint64_t words[7];
} magic_sqlite3_log_state;

static inline uint64_t magic_sqlite3_log_word(const void *index, int number) {
  /* Other processes write to the index at any time. */
  return __atomic_load_n((const uint64_t *)index + (number < 6 ? number : 12), __ATOMIC_ACQUIRE);
}

/* Returns false if the index has no valid header. */
static inline bool magic_sqlite3_load_log_state(const void *index, magic_sqlite3_log_state *state) {
  for (int number = 0; number < 7; number++)
    state->words[number] = magic_sqlite3_log_word(index, number);
  uint32_t version;
  memcpy(&version, state->words, sizeof(version));
  return version == 3007000 && ((const unsigned char *)state->words)[12] != 0;
}

/* The number of frames of the log that are not copied to the database. */
static inline uint32_t magic_sqlite3_uncopied_frames(const magic_sqlite3_log_state *state) {
  uint32_t frames, copied;
  memcpy(&frames, (const unsigned char *)state->words + 16, sizeof(frames));
  memcpy(&copied, &state->words[6], sizeof(copied));
  return frames > copied ? frames - copied : 0;
}

static inline bool magic_sqlite3_has_log_state(
    const void *index, const magic_sqlite3_log_state *state) {
  for (int number = 0; number < 7; number++)
    if (magic_sqlite3_log_word(index, number) != state->words[number]) return false;
  return true;
}

/* Returns the errno of this thread's last failed call and resets errno to 0. */
static inline int magic_sqlite3_take_errno(void) {
  const int number = errno;
  errno = 0;
  return number;
}

#endif
