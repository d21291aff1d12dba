#ifndef CFORK_H
#define CFORK_H

/* Forks, which Swift may not. The child runs the body and ends with what it returns, without running
   what a process runs at its end; after a minute it is ended. The parent waits for that.

   Returns the child's status, 128 and more where a signal has ended it, -1 where there was none. */
int cfork_run(int (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/* Forks and returns in both: 0 in the child, its number in the parent. */
int cfork_split(void);

/* Ends the child at once. */
void cfork_end(int status) __attribute__((noreturn));

/* Waits for a child, and returns as cfork_run does. */
int cfork_wait(int child);

#endif
