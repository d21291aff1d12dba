#ifndef C_POSTGRES_TWIN_H
#define C_POSTGRES_TWIN_H

/* The workloads on PostgreSQL, written by hand in C over libpq. Each function returns the time that
   it took, in seconds, or a negative number after an error, which it prints. */

/* Loads libpq, and returns 0, or -1 if it is missing. */
int twin_load(void);

/* Runs SQL that returns nothing. */
double twin_run(const char *conninfo, const char *sql);

/* Inserts people with one COPY in one transaction. */
double twin_insert(const char *conninfo, int count);

/* Fetches all people, and adds every value to the checksum. */
double twin_fetch(const char *conninfo, double *checksum);

/* Looks people up by name, at places all over the first `size` people, on one connection, in pipelines of the
   given length. */
double twin_look_up(
    const char *conninfo, int count, int size, int pipeline, double *checksum);

/* Inserts people, each in a transaction of its own, in threads with a connection each. */
double twin_save_in_threads(const char *conninfo, int threads, int countOfEach);

/* Inserts people in transactions of the given number of rows, each sent as one pipeline. */
double twin_save_in_pipelines(const char *conninfo, int count, int length);

/* Inserts teams with members, with one COPY for each table. */
double twin_insert_teams(const char *conninfo, int teams, int members);

/* Saves orders with lines, which may exist: the rows are copied to temporary tables, and inserted from them or
   updated by their primaries. */
double twin_save_orders(const char *conninfo, int orders, int lines, int version);

/* Fetches teams, members and join rows, and adds every value to the checksum. */
double twin_fetch_teams(const char *conninfo, double *checksum);

/* Inserts articles with one COPY into a table with an index of a tsvector. */
double twin_insert_articles(
    const char *conninfo, int count, const char *const *titles, const char *const *bodies);

/* Searches for words, one search after the other, and reads the 20 rows with the best ranks. Adds the number
   of rows to `found`. */
double twin_search(const char *conninfo, int count, const char *const *searches, double *found);

#endif
