#ifndef MAGIC_POSTGRESQL_H
#define MAGIC_POSTGRESQL_H

/* The functions of libpq that the library uses, with the prefix magic_.

   libpq is loaded when the first connection is opened: programs that open no database of PostgreSQL
   need neither the library nor its headers. Each function may be called after
   magic_load_libpq() has returned magic_libpq_loaded. */

/* The names and types of libpq-fe.h. */
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;
typedef struct pgNotify PGnotify;
typedef unsigned int Oid;

typedef void (*magic_notice_receiver)(void *context, const PGresult *result);

enum magic_libpq_state {
  magic_libpq_loaded = 0,
  magic_libpq_not_found = 1,
  /* A function is missing: the library is older than version 14. */
  magic_libpq_too_old = 2,
};

/* Loads the library once, and returns an enum magic_libpq_state. */
int magic_load_libpq(void);

/* Whether libpq can parse a connection string. */
int magic_can_parse(const char *conninfo);

/* Opens a connection with PQconnectdbParams. The timeouts have defaults, which the connection string
   overrides. A connection that replicates also accepts the commands of replication. */
PGconn *magic_connect(const char *conninfo, int replicates);
void magic_PQfinish(PGconn *connection);
int magic_PQstatus(const PGconn *connection);
int magic_PQtransactionStatus(const PGconn *connection);
int magic_PQserverVersion(const PGconn *connection);
char *magic_PQerrorMessage(const PGconn *connection);
const char *magic_PQparameterStatus(const PGconn *connection, const char *name);
magic_notice_receiver magic_PQsetNoticeReceiver(
    PGconn *connection, magic_notice_receiver receiver, void *context);
int magic_PQsendQuery(PGconn *connection, const char *sql);
int magic_PQsendPrepare(
    PGconn *connection, const char *name, const char *sql, int count, const Oid *types);
int magic_PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int resultFormat);
int magic_PQsendQueryParams(
    PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values,
    const int *lengths, const int *formats, int resultFormat);
int magic_PQenterPipelineMode(PGconn *connection);
int magic_PQexitPipelineMode(PGconn *connection);
int magic_PQpipelineSync(PGconn *connection);
PGresult *magic_PQgetResult(PGconn *connection);
int magic_PQresultStatus(const PGresult *result);
char *magic_PQresultErrorField(const PGresult *result, int field);
void magic_PQclear(PGresult *result);
int magic_PQntuples(const PGresult *result);
int magic_PQnfields(const PGresult *result);
char *magic_PQfname(const PGresult *result, int column);
Oid magic_PQftype(const PGresult *result, int column);
int magic_PQgetisnull(const PGresult *result, int row, int column);

/* Returns a value and its length; NULL for a value that is NULL. */
const char *magic_value(const PGresult *result, int row, int column, int *length);

char *magic_PQcmdStatus(PGresult *result);
char *magic_PQcmdTuples(PGresult *result);
int magic_PQputCopyData(PGconn *connection, const char *bytes, int count);
int magic_PQputCopyEnd(PGconn *connection, const char *error);
int magic_PQgetCopyData(PGconn *connection, char **bytes, int isAsynchronous);
void magic_PQfreemem(void *memory);
PGcancel *magic_PQgetCancel(PGconn *connection);
void magic_PQfreeCancel(PGcancel *cancel);
int magic_PQcancel(PGcancel *cancel, char *error, int size);
int magic_PQconsumeInput(PGconn *connection);
int magic_PQisBusy(PGconn *connection);
int magic_PQflush(PGconn *connection);

/* Removes the first notification that PQconsumeInput has read. Returns 0 if there is none. */
int magic_take_notification(PGconn *connection);

/* Waits until the connection or the file `wakeup` has input, or the time is over. Returns 0 if the time
   is over, and a negative number after an error, such as EINTR. */
int magic_wait(const PGconn *connection, int wakeup, int milliseconds);

/* Values of ConnStatusType, PGTransactionStatusType and ExecStatusType. */
enum {
  magic_connection_ok = 0,
  magic_transaction_idle = 0,
  magic_transaction_active = 1,
  magic_transaction_open = 2,
  magic_transaction_failed = 3,
  magic_result_empty_query = 0,
  magic_result_command_ok = 1,
  magic_result_tuples_ok = 2,
  magic_result_copy_out = 3,
  magic_result_copy_in = 4,
  magic_result_copy_both = 8,
  magic_result_pipeline_sync = 10,
  magic_result_pipeline_aborted = 11,
};

/* Fields of an error. */
enum {
  /* The severity, which is not translated. */
  magic_field_severity = 'V',
  magic_field_sqlstate = 'C',
  magic_field_message = 'M',
  magic_field_detail = 'D',
  magic_field_table = 't',
  magic_field_column = 'c',
  magic_field_constraint = 'n',
  /* The file of the server's source. */
  magic_field_file = 'F',
};

#endif
