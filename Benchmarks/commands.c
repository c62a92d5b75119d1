// Durable commands: how much is gained by committing several together. Each command changes the mode, so each makes a
// revision and an entry in the journal, which are on the disk before the answer.
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measures.h"

enum { ROUNDS = 21, SAMPLES = 4000 };
static const double ROUND_SECONDS = 0.2;

struct administrator *connect_administrator(const char *path) {
    struct administrator *administrator = calloc(1, sizeof *administrator);
    if (!administrator) fail("no memory");
    administrator->socket = connect_to(path);
    if (administrator->socket < 0) fail_system("can't connect to %s", path);
    administrator->stream = 1;
    administrator->commands[0] = override_request();
    administrator->commands[1] = lock_request();
    return administrator;
}

void close_administrator(struct administrator *administrator) {
    close(administrator->socket);
    free(administrator);
}

size_t command(struct administrator *administrator, int window, double *seconds) {
    static uint8_t outbox[COMMANDS_TOGETHER * sizeof administrator->commands[0].bytes];
    int in_flight = 0;
    size_t answered = 0;
    double start = now(), end = start;
    while (end - start < ROUND_SECONDS || in_flight > 0) {
        size_t size = 0;
        // Sends as many new commands as answers arrived with one read.
        for (; in_flight < window && end - start < ROUND_SECONDS; in_flight++, administrator->stream += 2) {
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
    *seconds = end - start;
    return answered;
}

static void measure_latency(struct report *report, struct administrator *administrator) {
    static double seconds[SAMPLES];
    for (int i = 0; i < SAMPLES; i++, administrator->stream += 2) {
        struct frame *frame = &administrator->commands[administrator->stream / 2 % 2];
        set_stream(frame, administrator->stream);
        double start = now();
        write_all(administrator->socket, frame->bytes, frame->size);
        struct header header;
        const uint8_t *data = await_frame(administrator->socket, &administrator->inbox, &header);
        seconds[i] = now() - start;
        check_response(header, data);
    }
    report_latency(report, "latency-durable", "a durable command, one in flight", seconds, SAMPLES);
}

void measure_commands(struct report *report, const struct daemon *daemon) {
    struct administrator *administrator = connect_administrator(daemon->socket);
    struct series rates[2] = {0};
    for (int round = -1; round < ROUNDS; round++) {
        double seconds[2];
        size_t together = command(administrator, COMMANDS_TOGETHER, &seconds[0]);
        size_t alone = command(administrator, 1, &seconds[1]);
        if (round < 0) continue;
        add_value(&rates[0], (double)together / seconds[0]);
        add_value(&rates[1], (double)alone / seconds[1]);
    }
    measure_latency(report, administrator);
    close_administrator(administrator);
    report_line(
        report, (struct line){
                    .id = "durable-commands",
                    .what = "durable commands, 64 in flight on one connection",
                    .unit = "commands/s",
                    .peer = "gated, one in flight",
                    .gate = &rates[0],
                    .other = &rates[1],
                    .figure = GATE_OVER_PEER,
                    .more_is_better = true,
                    .bound = AT_LEAST,
                    .target = 20,
                });
    report_line(
        report, (struct line){
                    .id = "durable-commands-alone",
                    .what = "durable commands, one in flight",
                    .unit = "commands/s",
                    .gate = &rates[1],
                    .more_is_better = true,
                });
}
