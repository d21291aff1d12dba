#ifndef CFORK_H
#define CFORK_H

/* Forks, because Swift cannot call fork. The child calls the body and exits with its result, without
   exit handlers; an alarm ends it after a minute. The parent waits for the child.

   Returns the exit status of the child, 128 plus the signal if a signal ended it, -1 if fork failed. */
int cfork_run(int (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/* Forks and returns in both processes: 0 in the child, the child's process ID in the parent. */
int cfork_split(void);

/* Exits the child without exit handlers. */
void cfork_end(int status) __attribute__((noreturn));

/* Waits for a child, and returns the same values as cfork_run. */
int cfork_wait(int child);

#endif
