// Durable commands: how much commits in groups gain. Each command changes the mode, so each is a revision and an entry
// in the journal, on the disk before its answer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measures.h"
#include "wire.h"

enum { ROUNDS = 9, WINDOW = 64 };
static const double ROUND_SECONDS = 0.4;

struct administrator {
    int socket;
    uint32_t stream;
    struct frame commands[2];
    struct inbox inbox;
};

// Commands a second with `window` in flight: as many new ones as answers came with one read.
static double command(struct administrator *administrator, int window) {
    static uint8_t outbox[WINDOW * sizeof administrator->commands[0].bytes];
    int in_flight = 0;
    long answered = 0;
    double start = now(), end = start;
    while (end - start < ROUND_SECONDS || in_flight > 0) {
        size_t size = 0;
        for (; in_flight < window && end - start < ROUND_SECONDS; in_flight++, administrator->stream += 2) {
            // Parent, child, parent, …: every one is a change.
            struct frame *frame = &administrator->commands[administrator->stream / 2 % 2];
            set_stream(frame, administrator->stream);
            memcpy(outbox + size, frame->bytes, frame->size);
            size += frame->size;
        }
        if (size > 0) write_all(administrator->socket, outbox, size);
        struct header header;
        read_more(administrator->socket, &administrator->inbox);
        for (const uint8_t *data; (data = next_frame(&administrator->inbox, &header)); in_flight--, answered++) {
            check_response(header, data);
        }
        end = now();
    }
    return (double)answered / (end - start);
}

void measure_commands(struct report *report, const struct daemon *daemon) {
    struct administrator *administrator = calloc(1, sizeof *administrator);
    if (!administrator) fail("no memory");
    administrator->socket = connect_to(daemon->socket);
    if (administrator->socket < 0) fail_system("can't connect to %s", daemon->socket);
    administrator->stream = 1;
    administrator->commands[0] = override_request();
    administrator->commands[1] = lock_request();

    double rates[2][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        int slot = round < 0 ? 0 : round;
        rates[0][slot] = command(administrator, WINDOW);
        rates[1][slot] = command(administrator, 1);
    }
    close(administrator->socket);

    double together = median(rates[0], ROUNDS), alone = median(rates[1], ROUNDS);
    struct result *result = add_result(report, "durable commands, 64 in flight on one connection");
    snprintf(result->gate, sizeof result->gate, "%.0f commands/s", together);
    snprintf(result->baseline, sizeof result->baseline, "%.0f/s (gated, one in flight)", alone);
    snprintf(result->figure, sizeof result->figure, "%.1f ×", together / alone);
    result->target = "≥ 20 ×";
    result->has_target = true;
    result->is_met = together / alone >= 20;
}
