#ifndef CSQLITEVERSION_H
#define CSQLITEVERSION_H

#include <stdbool.h>

/* Lets SQLite say of itself that it is another version, as 3031001 for 3.31.1, or was built without
   support for threads; in this process, until it is called with 0 and true. Programs that link this
   target find its functions before SQLite's. */
void csqliteversion_pretend(int version, bool is_thread_safe);

#endif
