#include "CFork.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

int cfork_split(void) {
  const pid_t child = fork();
  if (child == 0) alarm(60);
  return (int)child;
}

void cfork_end(int status) { _exit(status); }

int cfork_wait(int child) {
  int status;
  while (waitpid((pid_t)child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cfork_run(int (*body)(void *), void *context) {
  const int child = cfork_split();
  if (child == 0) _exit(body(context));
  return child < 0 ? -1 : cfork_wait(child);
}
