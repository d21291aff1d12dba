/* Compares the declarations with those of libpq-fe.h where this header is installed. */
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#endif

#ifdef LIBPQ_FE_H
#define magic_notice_receiver PQnoticeReceiver

#define SAME(name, result, ...) \
  _Static_assert( \
      __builtin_types_compatible_p(__typeof__(&name), result (*)(__VA_ARGS__)), #name)

/* Functions that return an enumeration of libpq are declared to return int. */
#define ENUMERATION(name, result, ...) \
  _Static_assert(sizeof(result) == sizeof(int), #name); \
  SAME(name, result, __VA_ARGS__)

SAME(PQconnectdbParams, PGconn *, const char *const *, const char *const *, int);
SAME(PQconninfoParse, PQconninfoOption *, const char *, char **);
SAME(PQconninfoFree, void, PQconninfoOption *);
SAME(PQfinish, void, PGconn *);
ENUMERATION(PQstatus, ConnStatusType, const PGconn *);
ENUMERATION(PQtransactionStatus, PGTransactionStatusType, const PGconn *);
SAME(PQserverVersion, int, const PGconn *);
SAME(PQerrorMessage, char *, const PGconn *);
SAME(PQparameterStatus, const char *, const PGconn *, const char *);
SAME(PQsetNoticeReceiver, magic_notice_receiver, PGconn *, magic_notice_receiver, void *);
SAME(PQsendQuery, int, PGconn *, const char *);
SAME(PQsendPrepare, int, PGconn *, const char *, const char *, int, const Oid *);
SAME(PQsendQueryPrepared, int, PGconn *, const char *, int, const char *const *, const int *,
     const int *, int);
SAME(PQenterPipelineMode, int, PGconn *);
SAME(PQexitPipelineMode, int, PGconn *);
SAME(PQpipelineSync, int, PGconn *);
SAME(PQgetResult, PGresult *, PGconn *);
ENUMERATION(PQresultStatus, ExecStatusType, const PGresult *);
SAME(PQresultErrorField, char *, const PGresult *, int);
SAME(PQclear, void, PGresult *);
SAME(PQntuples, int, const PGresult *);
SAME(PQnfields, int, const PGresult *);
SAME(PQfname, char *, const PGresult *, int);
SAME(PQftype, Oid, const PGresult *, int);
SAME(PQgetvalue, char *, const PGresult *, int, int);
SAME(PQgetlength, int, const PGresult *, int, int);
SAME(PQgetisnull, int, const PGresult *, int, int);
SAME(PQcmdStatus, char *, PGresult *);
SAME(PQcmdTuples, char *, PGresult *);
SAME(PQputCopyData, int, PGconn *, const char *, int);
SAME(PQputCopyEnd, int, PGconn *, const char *);
SAME(PQgetCopyData, int, PGconn *, char **, int);
SAME(PQfreemem, void, void *);
SAME(PQgetCancel, PGcancel *, PGconn *);
SAME(PQfreeCancel, void, PGcancel *);
SAME(PQcancel, int, PGcancel *, char *, int);
SAME(PQconsumeInput, int, PGconn *);
SAME(PQisBusy, int, PGconn *);
SAME(PQflush, int, PGconn *);
SAME(PQsocket, int, const PGconn *);
SAME(PQnotifies, PGnotify *, PGconn *);

_Static_assert(CONNECTION_OK == 0, "connection status");
_Static_assert(PQTRANS_IDLE == 0 && PQTRANS_ACTIVE == 1 && PQTRANS_INTRANS == 2, "transaction");
_Static_assert(PQTRANS_INERROR == 3, "transaction");
_Static_assert(PGRES_EMPTY_QUERY == 0 && PGRES_COMMAND_OK == 1 && PGRES_TUPLES_OK == 2, "result");
_Static_assert(PGRES_COPY_OUT == 3 && PGRES_COPY_IN == 4, "result");
_Static_assert(PGRES_COPY_BOTH == 8, "result");
#ifdef LIBPQ_HAS_PIPELINING
_Static_assert(PGRES_PIPELINE_SYNC == 10 && PGRES_PIPELINE_ABORTED == 11, "result");
#endif
#else
/* The declarations are not compared. */
typedef int magic_no_declarations;
#endif
