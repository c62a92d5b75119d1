// A game with a hatch, for the tests of guarded apps. Its own process is one that nobody may read; beside it, it runs a
// program of the child's, as a game with add-ons does. So what the child's code can do inside can be tried.
// Each start leaves a line in a file of the child's: the group with which it runs.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// In the memory and in the file of the program, and nowhere else.
static const char *secret = "only hatch has this line, and nobody else may read it";

int main(int count, char **arguments)
{
    FILE *starts = fopen("/home/mia/starts", "a");
    if (starts != NULL) {
        fprintf(starts, "%d %d\n", (int)getpid(), (int)getegid());
        fclose(starts);
    }
    // For starts that only leave the line.
    if (count > 1 && strcmp(arguments[1], "--once") == 0)
        return strlen(secret) == 0;
    if (fork() == 0) {
        execl("/usr/bin/python3", "python3", "-B", "/home/mia/apps/inside.py", NULL);
        _exit(127);
    }
    for (;;)
        pause();
}
