/* Stops one thread of a process and lets the others run, as if a loop hung in it. SIGSTOP would stop them all. The
 * thread continues when this program ends.
 * usage: hang-thread THREAD */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int failed(const char *what) {
    fprintf(stderr, "hang-thread: %s: %s\n", what, strerror(errno));
    return 1;
}

int main(int count, char **words) {
    char *end = NULL;
    long thread = count == 2 ? strtol(words[1], &end, 10) : 0;
    if (thread <= 0 || *end != '\0') {
        fputs("usage: hang-thread THREAD\n", stderr);
        return 64;
    }
    if (ptrace(PTRACE_SEIZE, (pid_t)thread, NULL, NULL) != 0) return failed("seize");
    if (ptrace(PTRACE_INTERRUPT, (pid_t)thread, NULL, NULL) != 0) return failed("interrupt");
    int status;
    if (waitpid((pid_t)thread, &status, __WALL) < 0) return failed("wait");
    if (!WIFSTOPPED(status)) return failed("it did not stop");
    puts("hangs");
    if (fflush(stdout) != 0) return failed("say so");
    /* Waits until the whole process is killed. */
    if (waitpid((pid_t)thread, &status, __WALL) < 0) return failed("wait for its death");
    puts(WIFSIGNALED(status) || WIFEXITED(status) ? "died" : "stopped again");
    return 0;
}
