// Follows the mode, and opens a page behind the gate link.open: libgate in a loop of your own, with poll.
// usage: poll [ADDRESS]
#define _POSIX_C_SOURCE 200809L // for clock_gettime
#include <gate.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Prints each change. Without a daemon the mode is child.
static void changed(gate *gate, const gate_update *update, void *userdata) {
    static const char *const names[] = {"child", "verifying", "parent"};
    (void)userdata;
    printf("%s%s\n", names[gate_get_mode(gate)], update->event == GATE_EVENT_LOST ? " (no daemon)" : "");
    fflush(stdout);
}

// Opens the page, or says why not. The grant is redeemed already, so this is the moment to do it.
static void decided(gate *gate, const gate_error *error, void *address) {
    (void)gate;
    if (error) printf("refused: %s\n", error->message);
    else printf("opening %s\n", (const char *)address);
    fflush(stdout);
}

// How long poll may wait, in milliseconds; -1: without limit. gate_get_timeout returns a moment of CLOCK_MONOTONIC.
static int milliseconds_left(gate *gate) {
    uint64_t until;
    struct timespec now;
    if (gate_get_timeout(gate, &until) < 0 || until == UINT64_MAX) return -1;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t passed = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    return until <= passed ? 0 : (int)((until - passed) / 1000 < 60000 ? (until - passed) / 1000 + 1 : 60000);
}

int main(int count, char **words) {
    gate *gate;
    int problem = gate_new(&gate);
    if (problem < 0) {
        fprintf(stderr, "poll: %s\n", strerror(-problem));
        return 1;
    }
    gate_set_program(gate, "poll example");
    if (getenv("SERVER_UID")) gate_set_server_uid(gate, (uid_t)atoi(getenv("SERVER_UID"))); // for a private gated
    gate_watch(gate, GATE_TOPIC_MODE, changed, NULL);
    if (count > 1) gate_authorize(gate, "link.open", words[1], 0, decided, words[1], NULL);
    for (;;) {
        while ((problem = gate_process(gate)) > 0) continue;
        if (problem < 0) break;
        struct pollfd polled = {.fd = gate_get_fd(gate), .events = (short)gate_get_events(gate)};
        poll(&polled, 1, milliseconds_left(gate)); // together with everything else that this program waits for
    }
    fprintf(stderr, "poll: %s\n", strerror(-problem));
    gate_free(gate);
    return 1;
}
