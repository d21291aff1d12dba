#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdbool.h>

/* Lets the file system that SQLite sees answer every request for a lock with an errno; 0 lets it
   grant locks again. Meanwhile SQLite does not sleep between its tries, which take ten seconds
   otherwise. For processes that run one test alone. Returns whether SQLite allows it. */
bool clocks_refuse(int number);

#endif
