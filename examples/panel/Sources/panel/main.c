// A panel with one lamp: `panel LAMP.so [SERVER-USER]` loads the lamp, and prints its state, one line for each change.
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

// The function of a lamp. `server_user`: the user that its daemon may run as (NULL: root or gate). It calls `show` with
// each mode.
typedef void start_lamp(const char *server_user, void (*show)(const char *mode));

static void show(const char *mode) {
    puts(mode);
    fflush(stdout);
}

int main(int count, char **words) {
    if (count < 2) {
        fprintf(stderr, "usage: panel LAMP.so [SERVER-USER]\n");
        return 64;
    }
    void *lamp = dlopen(words[1], RTLD_NOW);
    start_lamp *start = lamp ? (start_lamp *)dlsym(lamp, "gate_lamp_start") : NULL;
    if (!start) {
        fprintf(stderr, "panel: %s\n", dlerror());
        return 1;
    }
    start(words[2], show);
    for (;;) pause();
}
