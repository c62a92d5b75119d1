/* Prints the mode of this device whenever it changes: child, verifying, parent. With --once it prints it once, and
 * exits with 0, or with 69 if no living daemon maintains the page.
 *
 *     cc -O2 mode.c -o mode       (in a clone: -I ../../Sources/daemon/CGateStatus/include)
 *     ./mode [--once] [PAGE]      (PAGE: the page of a private daemon of yours; default: /run/gated/status)
 *
 * Only one call matters: gate_status_current. A game makes it in every frame; it takes nanoseconds. */
#include <gate_status.h>

static const char *name(enum gate_status_mode mode) {
    switch (mode) {
    case GATE_STATUS_PARENT: return "parent";
    case GATE_STATUS_VERIFYING: return "verifying";
    default: return "child";
    }
}

int main(int count, char **words) {
    bool is_once = count > 1 && strcmp(words[1], "--once") == 0;
    int first = is_once ? 2 : 1;
    if (count > first + 1) {
        fputs("usage: mode [--once] [PAGE]\n", stderr);
        return 64;
    }
    const char *path = count > first ? words[first] : NULL;

    struct gate_status_reader reader = GATE_STATUS_READER;
    const char *shown = NULL;
    for (;;) {
        struct gate_status status = gate_status_current(&reader, path);
        const char *mode = name(status.mode);
        if (shown != mode) {
            shown = mode;
            /* If nobody reads the output any more, this program ends, too. */
            if (puts(mode) < 0 || fflush(stdout) != 0) return 1;
        }
        if (is_once) return status.is_live ? 0 : 69;
        struct timespec frame = {0, 16666667};
        nanosleep(&frame, NULL);
    }
}
