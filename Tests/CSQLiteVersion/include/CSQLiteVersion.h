#ifndef CSQLITEVERSION_H
#define CSQLITEVERSION_H

#include <stdbool.h>

/* Makes SQLite report another version, such as 3031001 for 3.31.1, or that it was built without thread
   support. Affects this process, until a call with 0 and true. Programs that link this target find its
   functions before SQLite's. */
void csqliteversion_pretend(int version, bool is_thread_safe);

#endif
