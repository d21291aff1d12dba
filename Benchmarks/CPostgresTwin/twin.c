#define _GNU_SOURCE
#include "CPostgresTwin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

static PGconn *(*PQconnectdb)(const char *);
static void (*PQfinish)(PGconn *);
static int (*PQstatus)(const PGconn *);
static char *(*PQerrorMessage)(const PGconn *);
static PGresult *(*PQexec)(PGconn *, const char *);
static PGresult *(*PQprepare)(PGconn *, const char *, const char *, int, const unsigned *);
static PGresult *(*PQexecPrepared)(
    PGconn *, const char *, int, const char *const *, const int *, const int *, int);
static int (*PQsendQueryPrepared)(
    PGconn *, const char *, int, const char *const *, const int *, const int *, int);
static PGresult *(*PQexecParams)(
    PGconn *, const char *, int, const unsigned *, const char *const *, const int *, const int *,
    int);
static int (*PQenterPipelineMode)(PGconn *);
static int (*PQpipelineSync)(PGconn *);
static PGresult *(*PQgetResult)(PGconn *);
static int (*PQresultStatus)(const PGresult *);
static void (*PQclear)(PGresult *);
static int (*PQntuples)(const PGresult *);
static char *(*PQgetvalue)(const PGresult *, int, int);
static int (*PQgetlength)(const PGresult *, int, int);
static int (*PQputCopyData)(PGconn *, const char *, int);
static int (*PQputCopyEnd)(PGconn *, const char *);

enum { COMMAND_OK = 1, TUPLES_OK = 2, COPY_IN = 4, PIPELINE_SYNC = 10 };

int twin_load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen("libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen("/opt/homebrew/opt/libpq/lib/libpq.5.dylib", RTLD_NOW);
  if (library == NULL) return -1;
#define FIND(name) *(void **)&name = dlsym(library, #name)
  FIND(PQconnectdb);
  FIND(PQfinish);
  FIND(PQstatus);
  FIND(PQerrorMessage);
  FIND(PQexec);
  FIND(PQprepare);
  FIND(PQexecPrepared);
  FIND(PQsendQueryPrepared);
  FIND(PQexecParams);
  FIND(PQenterPipelineMode);
  FIND(PQpipelineSync);
  FIND(PQgetResult);
  FIND(PQresultStatus);
  FIND(PQclear);
  FIND(PQntuples);
  FIND(PQgetvalue);
  FIND(PQgetlength);
  FIND(PQputCopyData);
  FIND(PQputCopyEnd);
#undef FIND
  return PQenterPipelineMode != NULL ? 0 : -1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static PGconn *open_connection(const char *conninfo) {
  PGconn *connection = PQconnectdb(conninfo);
  if (PQstatus(connection) == 0) return connection;
  fprintf(stderr, "%s", PQerrorMessage(connection));
  PQfinish(connection);
  return NULL;
}

static int run(PGconn *connection, const char *sql) {
  PGresult *result = PQexec(connection, sql);
  int status = PQresultStatus(result);
  PQclear(result);
  if (status == COMMAND_OK || status == TUPLES_OK || status == COPY_IN) return 0;
  fprintf(stderr, "%s: %s", sql, PQerrorMessage(connection));
  return -1;
}

double twin_run(const char *conninfo, const char *sql) {
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  double start = now();
  int code = run(connection, sql);
  PQfinish(connection);
  return code == 0 ? now() - start : -1;
}

/* A buffer of the binary form. */
struct buffer {
  char *bytes;
  size_t count, capacity;
};

static void append(struct buffer *buffer, const void *bytes, size_t count) {
  if (buffer->count + count > buffer->capacity) {
    buffer->capacity = (buffer->count + count) * 2;
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
}

static void append16(struct buffer *buffer, uint16_t value) {
  value = __builtin_bswap16(value);
  append(buffer, &value, 2);
}

static void append32(struct buffer *buffer, uint32_t value) {
  value = __builtin_bswap32(value);
  append(buffer, &value, 4);
}

static void append_integer(struct buffer *buffer, int64_t value) {
  append32(buffer, 8);
  uint64_t word = __builtin_bswap64((uint64_t)value);
  append(buffer, &word, 8);
}

static void append_real(struct buffer *buffer, double value) {
  int64_t bits;
  memcpy(&bits, &value, 8);
  append_integer(buffer, bits);
}

static void append_text(struct buffer *buffer, const char *text) {
  size_t count = strlen(text);
  append32(buffer, (uint32_t)count);
  append(buffer, text, count);
}

static void begin_copy(struct buffer *buffer) {
  append(buffer, "PGCOPY\n\377\r\n\0", 11);
  append32(buffer, 0);
  append32(buffer, 0);
}

static int send_rows(PGconn *connection, struct buffer *buffer) {
  int code = PQputCopyData(connection, buffer->bytes, (int)buffer->count);
  buffer->count = 0;
  return code == 1 ? 0 : -1;
}

static int end_copy(PGconn *connection, struct buffer *buffer) {
  append16(buffer, 0xFFFF);
  if (send_rows(connection, buffer) != 0 || PQputCopyEnd(connection, NULL) != 1) return -1;
  int code = 0;
  PGresult *result;
  while ((result = PQgetResult(connection)) != NULL) {
    if (PQresultStatus(result) != COMMAND_OK) {
      fprintf(stderr, "%s", PQerrorMessage(connection));
      code = -1;
    }
    PQclear(result);
  }
  return code;
}

static void append_person(struct buffer *buffer, int index) {
  char name[32], city[32];
  snprintf(name, sizeof name, "person %d", index);
  snprintf(city, sizeof city, "city %d", index % 100);
  append_integer(buffer, index + 1);
  append_text(buffer, name);
  append_integer(buffer, index % 90);
  append_real(buffer, 1.5 + (double)(index % 50) / 100);
  append32(buffer, 1);
  append(buffer, index % 2 ? "\1" : "\0", 1);
  append_text(buffer, city);
}

#define PERSON_COLUMNS "z_index, name, age, height, \"isMember\", city"

/* Inserts rows with one COPY in one transaction. */
static double insert_rows(
    const char *conninfo, const char *copy, int count, uint16_t columns,
    void (*append_row)(struct buffer *, int index, const void *context), const void *context) {
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  struct buffer buffer = {0};
  double start = now();
  int code = run(connection, "BEGIN");
  code |= run(connection, copy);
  begin_copy(&buffer);
  for (int i = 0; i < count && code == 0; i++) {
    append16(&buffer, columns);
    append_row(&buffer, i, context);
    if (buffer.count > 65536) code |= send_rows(connection, &buffer);
  }
  code |= end_copy(connection, &buffer);
  code |= run(connection, "COMMIT");
  double time = now() - start;
  free(buffer.bytes);
  PQfinish(connection);
  return code == 0 ? time : -1;
}

static void append_person_row(struct buffer *buffer, int index, const void *context) {
  (void)context;
  append_person(buffer, index);
}

double twin_insert(const char *conninfo, int count) {
  return insert_rows(
      conninfo, "COPY twin_person (" PERSON_COLUMNS ") FROM STDIN (FORMAT binary)", count, 6,
      append_person_row, NULL);
}

static int64_t integer(const PGresult *result, int row, int column) {
  uint64_t word;
  memcpy(&word, PQgetvalue(result, row, column), 8);
  return (int64_t)__builtin_bswap64(word);
}

static double real(const PGresult *result, int row, int column) {
  int64_t bits = integer(result, row, column);
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

static double person_sum(const PGresult *result, int row) {
  return (double)PQgetlength(result, row, 1) + (double)integer(result, row, 2) +
      real(result, row, 3) + (double)*PQgetvalue(result, row, 4) +
      (double)PQgetlength(result, row, 5);
}

double twin_fetch(const char *conninfo, double *checksum) {
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  double start = now(), sum = 0;
  PGresult *result = PQexecParams(
      connection, "SELECT " PERSON_COLUMNS " FROM twin_person ORDER BY z_index", 0, NULL, NULL,
      NULL, NULL, 1);
  int count = PQntuples(result);
  for (int row = 0; row < count; row++) sum += person_sum(result, row);
  PQclear(result);
  double time = now() - start;
  PQfinish(connection);
  *checksum = sum;
  return count > 0 ? time : -1;
}

double twin_look_up(
    const char *conninfo, int count, int size, int pipeline, double *checksum) {
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  PQclear(PQprepare(
      connection, "look", "SELECT " PERSON_COLUMNS " FROM twin_person WHERE name = $1", 0, NULL));
  double start = now(), sum = 0;
  char name[32];
  const char *values[] = {name};
  int lengths[] = {0}, formats[] = {1};
  if (pipeline > 1) PQenterPipelineMode(connection);
  for (int i = 0; i < count; i += pipeline) {
    for (int j = i; j < i + pipeline; j++) {
      lengths[0] = snprintf(name, sizeof name, "person %d", (int)((int64_t)j * 7919 % size));
      if (pipeline > 1) {
        PQsendQueryPrepared(connection, "look", 1, values, lengths, formats, 1);
      } else {
        PGresult *result = PQexecPrepared(connection, "look", 1, values, lengths, formats, 1);
        if (PQntuples(result) == 1) sum += person_sum(result, 0);
        PQclear(result);
      }
    }
    if (pipeline == 1) continue;
    PQpipelineSync(connection);
    for (int isOver = 0; !isOver;) {
      PGresult *result = PQgetResult(connection);
      if (result == NULL) continue;
      isOver = PQresultStatus(result) == PIPELINE_SYNC;
      if (PQresultStatus(result) == TUPLES_OK && PQntuples(result) == 1) {
        sum += person_sum(result, 0);
      }
      PQclear(result);
    }
  }
  double time = now() - start;
  PQfinish(connection);
  *checksum = sum;
  return time;
}

static const char *insert_person =
    "INSERT INTO twin_person (" PERSON_COLUMNS ") VALUES ($1, $2, $3, $4, $5, $6)";

struct person_values {
  char rowID[8], age[8], height[8], name[32], city[32], isMember;
  const char *values[6];
  int lengths[6];
};

static void set_values(struct person_values *person, int index) {
  uint64_t word = __builtin_bswap64((uint64_t)index + 1);
  memcpy(person->rowID, &word, 8);
  word = __builtin_bswap64((uint64_t)(index % 90));
  memcpy(person->age, &word, 8);
  double height = 1.5 + (double)(index % 50) / 100;
  memcpy(&word, &height, 8);
  word = __builtin_bswap64(word);
  memcpy(person->height, &word, 8);
  person->isMember = (char)(index % 2);
  int name = snprintf(person->name, sizeof person->name, "person %d", index);
  int city = snprintf(person->city, sizeof person->city, "city %d", index % 100);
  const char *values[] = {person->rowID, person->name, person->age,
                          person->height, &person->isMember, person->city};
  int lengths[] = {8, name, 8, 8, 1, city};
  memcpy(person->values, values, sizeof values);
  memcpy(person->lengths, lengths, sizeof lengths);
}

static const int binary[] = {1, 1, 1, 1, 1, 1};

struct worker {
  PGconn *connection;
  int first, count, code;
};

static void *save(void *argument) {
  struct worker *worker = argument;
  struct person_values person;
  for (int i = 0; i < worker->count; i++) {
    set_values(&person, worker->first + i);
    PGresult *result = PQexecPrepared(
        worker->connection, "insert", 6, person.values, person.lengths, binary, 1);
    if (PQresultStatus(result) != COMMAND_OK) worker->code = -1;
    PQclear(result);
  }
  return NULL;
}

double twin_save_in_threads(const char *conninfo, int threads, int countOfEach) {
  struct worker *workers = calloc((size_t)threads, sizeof *workers);
  pthread_t *handles = calloc((size_t)threads, sizeof *handles);
  for (int i = 0; i < threads; i++) {
    workers[i] = (struct worker){open_connection(conninfo), i * countOfEach, countOfEach, 0};
    if (workers[i].connection == NULL) return -1;
    PQclear(PQprepare(workers[i].connection, "insert", insert_person, 0, NULL));
  }
  double start = now();
  for (int i = 0; i < threads; i++) pthread_create(&handles[i], NULL, save, &workers[i]);
  int code = 0;
  for (int i = 0; i < threads; i++) {
    pthread_join(handles[i], NULL);
    code |= workers[i].code;
  }
  double time = now() - start;
  for (int i = 0; i < threads; i++) PQfinish(workers[i].connection);
  free(workers);
  free(handles);
  return code == 0 ? time : -1;
}

double twin_save_in_pipelines(const char *conninfo, int count, int length) {
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  PQclear(PQprepare(connection, "insert", insert_person, 0, NULL));
  PQclear(PQprepare(connection, "begin", "BEGIN", 0, NULL));
  PQclear(PQprepare(connection, "commit", "COMMIT", 0, NULL));
  struct person_values person;
  PQenterPipelineMode(connection);
  double start = now();
  int code = 0;
  for (int i = 0; i < count; i += length) {
    PQsendQueryPrepared(connection, "begin", 0, NULL, NULL, NULL, 1);
    for (int j = i; j < i + length; j++) {
      set_values(&person, j);
      PQsendQueryPrepared(
          connection, "insert", 6, person.values, person.lengths, binary, 1);
    }
    PQsendQueryPrepared(connection, "commit", 0, NULL, NULL, NULL, 1);
    PQpipelineSync(connection);
    for (int isOver = 0; !isOver;) {
      PGresult *result = PQgetResult(connection);
      if (result == NULL) continue;
      isOver = PQresultStatus(result) == PIPELINE_SYNC;
      if (!isOver && PQresultStatus(result) != COMMAND_OK) code = -1;
      PQclear(result);
    }
  }
  double time = now() - start;
  PQfinish(connection);
  return code == 0 ? time : -1;
}

/* Copies the join rows of owners with the same number of members. */
static int copy_members(
    PGconn *connection, struct buffer *buffer, const char *sql, int owners, int members) {
  int code = run(connection, sql);
  begin_copy(buffer);
  for (int i = 0; i < owners * members; i++) {
    append16(buffer, 3);
    append_integer(buffer, i / members + 1);
    append_integer(buffer, i % members);
    append_integer(buffer, i + 1);
    if (buffer->count > 65536) code |= send_rows(connection, buffer);
  }
  return code | end_copy(connection, buffer);
}

double twin_insert_teams(const char *conninfo, int teams, int members) {
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  struct buffer buffer = {0};
  char name[32];
  double start = now();
  int code = run(connection, "BEGIN");
  code |= run(connection, "COPY twin_team (z_index, name) FROM STDIN (FORMAT binary)");
  begin_copy(&buffer);
  for (int i = 0; i < teams; i++) {
    append16(&buffer, 2);
    append_integer(&buffer, i + 1);
    snprintf(name, sizeof name, "team %d", i);
    append_text(&buffer, name);
    if (buffer.count > 65536) code |= send_rows(connection, &buffer);
  }
  code |= end_copy(connection, &buffer);
  code |= run(connection, "COPY twin_player (z_index, name) FROM STDIN (FORMAT binary)");
  begin_copy(&buffer);
  for (int i = 0; i < teams * members; i++) {
    append16(&buffer, 2);
    append_integer(&buffer, i + 1);
    snprintf(name, sizeof name, "player %d", i);
    append_text(&buffer, name);
    if (buffer.count > 65536) code |= send_rows(connection, &buffer);
  }
  code |= end_copy(connection, &buffer);
  code |= copy_members(
      connection, &buffer, "COPY twin_members (owner, position, target) FROM STDIN (FORMAT binary)",
      teams, members);
  code |= run(connection, "COMMIT");
  double time = now() - start;
  free(buffer.bytes);
  PQfinish(connection);
  return code == 0 ? time : -1;
}

/* Copies rows with a number and texts whose last one has the version. */
static int copy_named(
    PGconn *connection, struct buffer *buffer, const char *sql, const char *kind, int count,
    int version) {
  char text[48];
  int code = run(connection, sql);
  begin_copy(buffer);
  for (int i = 0; i < count; i++) {
    append16(buffer, 3);
    append_integer(buffer, i + 1);
    snprintf(text, sizeof text, "%s %d", kind, i);
    append_text(buffer, text);
    snprintf(text, sizeof text, "text %d of %s %d", version, kind, i);
    append_text(buffer, text);
    if (buffer->count > 65536) code |= send_rows(connection, buffer);
  }
  return code | end_copy(connection, buffer);
}

double twin_save_orders(const char *conninfo, int orders, int lines, int version) {
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  struct buffer buffer = {0};
  double start = now();
  int code = run(connection, "BEGIN");
  code |= run(
      connection,
      "CREATE TEMP TABLE new_order (z bigint, id text, title text) ON COMMIT DROP; "
      "CREATE TEMP TABLE new_line (z bigint, id text, title text) ON COMMIT DROP; "
      "CREATE TEMP TABLE new_lines (owner bigint, position bigint, target bigint) ON COMMIT DROP");
  code |= copy_named(
      connection, &buffer, "COPY new_order FROM STDIN (FORMAT binary)", "order", orders, version);
  code |= copy_named(
      connection, &buffer, "COPY new_line FROM STDIN (FORMAT binary)", "line", orders * lines,
      version);
  code |= copy_members(
      connection, &buffer, "COPY new_lines FROM STDIN (FORMAT binary)", orders, lines);
  code |= run(
      connection,
      "INSERT INTO twin_order (z_index, id, title) SELECT * FROM new_order "
      "ON CONFLICT (id) DO UPDATE SET title = excluded.title; "
      "INSERT INTO twin_line (z_index, id, text) SELECT * FROM new_line "
      "ON CONFLICT (id) DO UPDATE SET text = excluded.text; "
      "INSERT INTO twin_lines SELECT * FROM new_lines ON CONFLICT (owner, position) "
      "DO UPDATE SET target = excluded.target WHERE twin_lines.target <> excluded.target");
  code |= run(connection, "COMMIT");
  double time = now() - start;
  free(buffer.bytes);
  PQfinish(connection);
  return code == 0 ? time : -1;
}

double twin_fetch_teams(const char *conninfo, double *checksum) {
  static const char *const queries[] = {
      "SELECT z_index, name FROM twin_team ORDER BY z_index",
      "SELECT owner, position, target FROM twin_members ORDER BY owner, position",
      "SELECT z_index, name FROM twin_player ORDER BY z_index",
  };
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  double start = now(), sum = 0;
  for (int i = 0; i < 3; i++) {
    PGresult *result =
        PQexecParams(connection, queries[i], 0, NULL, NULL, NULL, NULL, 1);
    int count = PQntuples(result);
    for (int row = 0; row < count; row++) {
      if (i == 1) {
        if (integer(result, row, 0) + integer(result, row, 2) == 0) sum += 1;
      } else {
        if (integer(result, row, 0) == 0) sum += 1;
        sum += PQgetlength(result, row, 1);
      }
    }
    PQclear(result);
  }
  double time = now() - start;
  PQfinish(connection);
  *checksum = sum;
  return time;
}

struct articles {
  const char *const *titles, *const *bodies;
};

static void append_article(struct buffer *buffer, int index, const void *context) {
  const struct articles *articles = context;
  append_integer(buffer, index + 1);
  append_integer(buffer, index);
  append_text(buffer, articles->titles[index]);
  append_text(buffer, articles->bodies[index]);
}

double twin_insert_articles(
    const char *conninfo, int count, const char *const *titles, const char *const *bodies) {
  struct articles articles = {titles, bodies};
  return insert_rows(
      conninfo, "COPY twin_article (z_index, id, title, body) FROM STDIN (FORMAT binary)", count, 4,
      append_article, &articles);
}

double twin_search(const char *conninfo, int count, const char *const *searches, double *found) {
  PGconn *connection = open_connection(conninfo);
  if (connection == NULL) return -1;
  PQclear(PQprepare(
      connection, "search",
      "SELECT a.z_index, a.id, a.title, a.body FROM twin_article AS a, plainto_tsquery('simple', $1) AS q "
      "WHERE a.words @@ q ORDER BY ts_rank(a.words, q) DESC, a.z_index LIMIT 20",
      0, NULL));
  double start = now(), sum = 0;
  int code = 0;
  for (int i = 0; i < count; i++) {
    int length = (int)strlen(searches[i]), format = 1;
    PGresult *result =
        PQexecPrepared(connection, "search", 1, &searches[i], &length, &format, 1);
    if (PQresultStatus(result) != TUPLES_OK) code = -1;
    sum += PQntuples(result);
    PQclear(result);
  }
  double time = now() - start;
  PQfinish(connection);
  *found += sum;
  return code == 0 ? time : -1;
}
