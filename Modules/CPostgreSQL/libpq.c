#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* The names of the library, as Linux and Homebrew install it. Absolute paths are first, so that no
   library of the working directory is loaded. */
static const char *const names[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/opt/libpq/lib/libpq.5.dylib",
    "/Applications/Postgres.app/Contents/Versions/latest/lib/libpq.5.dylib",
    "libpq.5.dylib",
#else
    "libpq.so.5",
#endif
};

typedef struct _PQconninfoOption PQconninfoOption;

static struct {
  PGconn *(*PQconnectdbParams)(
      const char *const *keywords, const char *const *values, int expandsName);
  PQconninfoOption *(*PQconninfoParse)(const char *conninfo, char **error);
  void (*PQconninfoFree)(PQconninfoOption *options);
  void (*PQfinish)(PGconn *connection);
  int (*PQstatus)(const PGconn *connection);
  int (*PQtransactionStatus)(const PGconn *connection);
  int (*PQserverVersion)(const PGconn *connection);
  char *(*PQerrorMessage)(const PGconn *connection);
  const char *(*PQparameterStatus)(const PGconn *connection, const char *name);
  magic_notice_receiver (*PQsetNoticeReceiver)(
      PGconn *connection, magic_notice_receiver receiver, void *context);
  int (*PQsendQuery)(PGconn *connection, const char *sql);
  int (*PQsendPrepare)(
      PGconn *connection, const char *name, const char *sql, int count, const Oid *types);
  int (*PQsendQueryPrepared)(
      PGconn *connection, const char *name, int count, const char *const *values,
      const int *lengths, const int *formats, int resultFormat);
  int (*PQsendQueryParams)(
      PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values,
      const int *lengths, const int *formats, int resultFormat);
  int (*PQenterPipelineMode)(PGconn *connection);
  int (*PQexitPipelineMode)(PGconn *connection);
  int (*PQpipelineSync)(PGconn *connection);
  PGresult *(*PQgetResult)(PGconn *connection);
  int (*PQresultStatus)(const PGresult *result);
  char *(*PQresultErrorField)(const PGresult *result, int field);
  void (*PQclear)(PGresult *result);
  int (*PQntuples)(const PGresult *result);
  int (*PQnfields)(const PGresult *result);
  char *(*PQfname)(const PGresult *result, int column);
  Oid (*PQftype)(const PGresult *result, int column);
  char *(*PQgetvalue)(const PGresult *result, int row, int column);
  int (*PQgetlength)(const PGresult *result, int row, int column);
  int (*PQgetisnull)(const PGresult *result, int row, int column);
  char *(*PQcmdStatus)(PGresult *result);
  char *(*PQcmdTuples)(PGresult *result);
  int (*PQputCopyData)(PGconn *connection, const char *bytes, int count);
  int (*PQputCopyEnd)(PGconn *connection, const char *error);
  int (*PQgetCopyData)(PGconn *connection, char **bytes, int isAsynchronous);
  void (*PQfreemem)(void *memory);
  PGcancel *(*PQgetCancel)(PGconn *connection);
  void (*PQfreeCancel)(PGcancel *cancel);
  int (*PQcancel)(PGcancel *cancel, char *error, int size);
  int (*PQconsumeInput)(PGconn *connection);
  int (*PQisBusy)(PGconn *connection);
  int (*PQflush)(PGconn *connection);
  int (*PQsocket)(const PGconn *connection);
  PGnotify *(*PQnotifies)(PGconn *connection);
} libpq;

static int state = magic_libpq_not_found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  if (found == NULL) state = magic_libpq_too_old;
  *(void **)function = found;
}

static void load(void) {
  void *library = NULL;
  for (size_t i = 0; library == NULL && i < sizeof(names) / sizeof(names[0]); i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (library == NULL) return;
  state = magic_libpq_loaded;
  find(library, "PQconnectdbParams", &libpq.PQconnectdbParams);
  find(library, "PQconninfoParse", &libpq.PQconninfoParse);
  find(library, "PQconninfoFree", &libpq.PQconninfoFree);
  find(library, "PQfinish", &libpq.PQfinish);
  find(library, "PQstatus", &libpq.PQstatus);
  find(library, "PQtransactionStatus", &libpq.PQtransactionStatus);
  find(library, "PQserverVersion", &libpq.PQserverVersion);
  find(library, "PQerrorMessage", &libpq.PQerrorMessage);
  find(library, "PQparameterStatus", &libpq.PQparameterStatus);
  find(library, "PQsetNoticeReceiver", &libpq.PQsetNoticeReceiver);
  find(library, "PQsendQuery", &libpq.PQsendQuery);
  find(library, "PQsendPrepare", &libpq.PQsendPrepare);
  find(library, "PQsendQueryPrepared", &libpq.PQsendQueryPrepared);
  find(library, "PQsendQueryParams", &libpq.PQsendQueryParams);
  find(library, "PQenterPipelineMode", &libpq.PQenterPipelineMode);
  find(library, "PQexitPipelineMode", &libpq.PQexitPipelineMode);
  find(library, "PQpipelineSync", &libpq.PQpipelineSync);
  find(library, "PQgetResult", &libpq.PQgetResult);
  find(library, "PQresultStatus", &libpq.PQresultStatus);
  find(library, "PQresultErrorField", &libpq.PQresultErrorField);
  find(library, "PQclear", &libpq.PQclear);
  find(library, "PQntuples", &libpq.PQntuples);
  find(library, "PQnfields", &libpq.PQnfields);
  find(library, "PQfname", &libpq.PQfname);
  find(library, "PQftype", &libpq.PQftype);
  find(library, "PQgetvalue", &libpq.PQgetvalue);
  find(library, "PQgetlength", &libpq.PQgetlength);
  find(library, "PQgetisnull", &libpq.PQgetisnull);
  find(library, "PQcmdStatus", &libpq.PQcmdStatus);
  find(library, "PQcmdTuples", &libpq.PQcmdTuples);
  find(library, "PQputCopyData", &libpq.PQputCopyData);
  find(library, "PQputCopyEnd", &libpq.PQputCopyEnd);
  find(library, "PQgetCopyData", &libpq.PQgetCopyData);
  find(library, "PQfreemem", &libpq.PQfreemem);
  find(library, "PQgetCancel", &libpq.PQgetCancel);
  find(library, "PQfreeCancel", &libpq.PQfreeCancel);
  find(library, "PQcancel", &libpq.PQcancel);
  find(library, "PQconsumeInput", &libpq.PQconsumeInput);
  find(library, "PQisBusy", &libpq.PQisBusy);
  find(library, "PQflush", &libpq.PQflush);
  find(library, "PQsocket", &libpq.PQsocket);
  find(library, "PQnotifies", &libpq.PQnotifies);
}

int magic_load_libpq(void) {
  pthread_once(&once, load);
  return state;
}

int magic_can_parse(const char *conninfo) {
  char *error = NULL;
  PQconninfoOption *options = libpq.PQconninfoParse(conninfo, &error);
  if (error != NULL) libpq.PQfreemem(error);
  if (options == NULL) return 0;
  libpq.PQconninfoFree(options);
  return 1;
}

PGconn *magic_connect(const char *conninfo, int replicates) {
  /* The last value of a keyword is used, and the connection string is expanded in its place. A keyword
     that is NULL ends the list. */
  const char *const replication = replicates ? "replication" : NULL;
  const char *const keywords[] = {
      "keepalives_idle",  "keepalives_interval", "keepalives_count",
      "tcp_user_timeout", "dbname",              replication,        NULL,
  };
  const char *const values[] = {"30", "10", "3", "60000", conninfo, "database", NULL};
  const char *const timeoutKeywords[] = {
      "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
      "connect_timeout", "dbname",              replication,        NULL,
  };
  const char *const timeoutValues[] = {"30", "10", "3", "60000", "10", conninfo, "database", NULL};
  int hasTimeout = getenv("PGCONNECT_TIMEOUT") != NULL;
  return libpq.PQconnectdbParams(
      hasTimeout ? keywords : timeoutKeywords, hasTimeout ? values : timeoutValues, 1);
}

void magic_PQfinish(PGconn *connection) {
  libpq.PQfinish(connection);
}

int magic_PQstatus(const PGconn *connection) {
  return libpq.PQstatus(connection);
}

int magic_PQtransactionStatus(const PGconn *connection) {
  return libpq.PQtransactionStatus(connection);
}

int magic_PQserverVersion(const PGconn *connection) {
  return libpq.PQserverVersion(connection);
}

char *magic_PQerrorMessage(const PGconn *connection) {
  return libpq.PQerrorMessage(connection);
}

const char *magic_PQparameterStatus(const PGconn *connection, const char *name) {
  return libpq.PQparameterStatus(connection, name);
}

magic_notice_receiver magic_PQsetNoticeReceiver(
    PGconn *connection, magic_notice_receiver receiver, void *context) {
  return libpq.PQsetNoticeReceiver(connection, receiver, context);
}

int magic_PQsendQuery(PGconn *connection, const char *sql) {
  return libpq.PQsendQuery(connection, sql);
}

int magic_PQsendPrepare(
    PGconn *connection, const char *name, const char *sql, int count, const Oid *types) {
  return libpq.PQsendPrepare(connection, name, sql, count, types);
}

int magic_PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int resultFormat) {
  return libpq.PQsendQueryPrepared(connection, name, count, values, lengths, formats, resultFormat);
}

int magic_PQsendQueryParams(
    PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values,
    const int *lengths, const int *formats, int resultFormat) {
  return libpq.PQsendQueryParams(
      connection, sql, count, types, values, lengths, formats, resultFormat);
}

int magic_PQenterPipelineMode(PGconn *connection) {
  return libpq.PQenterPipelineMode(connection);
}

int magic_PQexitPipelineMode(PGconn *connection) {
  return libpq.PQexitPipelineMode(connection);
}

int magic_PQpipelineSync(PGconn *connection) {
  return libpq.PQpipelineSync(connection);
}

PGresult *magic_PQgetResult(PGconn *connection) {
  return libpq.PQgetResult(connection);
}

int magic_PQresultStatus(const PGresult *result) {
  return libpq.PQresultStatus(result);
}

char *magic_PQresultErrorField(const PGresult *result, int field) {
  return libpq.PQresultErrorField(result, field);
}

void magic_PQclear(PGresult *result) {
  libpq.PQclear(result);
}

int magic_PQntuples(const PGresult *result) {
  return libpq.PQntuples(result);
}

int magic_PQnfields(const PGresult *result) {
  return libpq.PQnfields(result);
}

char *magic_PQfname(const PGresult *result, int column) {
  return libpq.PQfname(result, column);
}

Oid magic_PQftype(const PGresult *result, int column) {
  return libpq.PQftype(result, column);
}

int magic_PQgetisnull(const PGresult *result, int row, int column) {
  return libpq.PQgetisnull(result, row, column);
}

const char *magic_value(const PGresult *result, int row, int column, int *length) {
  *length = libpq.PQgetlength(result, row, column);
  if (*length == 0 && libpq.PQgetisnull(result, row, column)) return NULL;
  return libpq.PQgetvalue(result, row, column);
}

char *magic_PQcmdStatus(PGresult *result) {
  return libpq.PQcmdStatus(result);
}

char *magic_PQcmdTuples(PGresult *result) {
  return libpq.PQcmdTuples(result);
}

int magic_PQputCopyData(PGconn *connection, const char *bytes, int count) {
  return libpq.PQputCopyData(connection, bytes, count);
}

int magic_PQputCopyEnd(PGconn *connection, const char *error) {
  return libpq.PQputCopyEnd(connection, error);
}

int magic_PQgetCopyData(PGconn *connection, char **bytes, int isAsynchronous) {
  return libpq.PQgetCopyData(connection, bytes, isAsynchronous);
}

void magic_PQfreemem(void *memory) {
  libpq.PQfreemem(memory);
}

PGcancel *magic_PQgetCancel(PGconn *connection) {
  return libpq.PQgetCancel(connection);
}

void magic_PQfreeCancel(PGcancel *cancel) {
  libpq.PQfreeCancel(cancel);
}

int magic_PQcancel(PGcancel *cancel, char *error, int size) {
  return libpq.PQcancel(cancel, error, size);
}

int magic_PQconsumeInput(PGconn *connection) {
  return libpq.PQconsumeInput(connection);
}

int magic_PQisBusy(PGconn *connection) {
  return libpq.PQisBusy(connection);
}

int magic_PQflush(PGconn *connection) {
  return libpq.PQflush(connection);
}

int magic_take_notification(PGconn *connection) {
  PGnotify *notification = libpq.PQnotifies(connection);
  if (notification == NULL) return 0;
  libpq.PQfreemem(notification);
  return 1;
}

int magic_wait(const PGconn *connection, int wakeup, int milliseconds) {
  struct pollfd files[2] = {
      {.fd = libpq.PQsocket(connection), .events = POLLIN},
      {.fd = wakeup, .events = POLLIN},
  };
  int count = poll(files, 2, milliseconds);
  return count < 0 ? -1 : count;
}
