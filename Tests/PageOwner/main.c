// For the tests of the status page: a process that owns a page, until it is told what to do.
// usage: page-owner FILE    FILE has 4,096 bytes. Reads one line: with "exec" it becomes another program, which runs
// until its input ends; with "end" it stops owning the page, and runs until its input ends.
#include <stdlib.h>
#include "CStatusPage.h"

static struct gate_status_page *page_at(const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return NULL;
    void *page = mmap(NULL, GATE_STATUS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return page == MAP_FAILED ? NULL : page;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    struct gate_status_page *page = page_at(arguments[1]);
    struct page_owner *owner = page ? page_owner_start(page) : NULL;
    if (!owner) {
        perror(arguments[1]);
        return 69;
    }
    // Unbuffered, since the program that it becomes must find the rest of the input.
    setvbuf(stdin, NULL, _IONBF, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("answering");
    char line[16];
    if (!fgets(line, sizeof line, stdin)) return 0;
    if (strcmp(line, "exec\n") == 0) {
        execl("/bin/cat", "cat", (char *)NULL);
        return 69;
    }
    page_owner_end(owner);
    puts("ended");
    while (getchar() != EOF) continue;
    return 0;
}
