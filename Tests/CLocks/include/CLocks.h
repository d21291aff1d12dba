#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdbool.h>

/* Makes every lock request of SQLite fail with an errno; 0 makes them succeed again. While they fail,
   SQLite does not sleep between its attempts, which would take ten seconds. For processes that run a
   single test. Returns whether SQLite supports the replacement of system calls. */
bool clocks_refuse(int number);

#endif
