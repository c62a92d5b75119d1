// One change to 1,000 watchers: from sending the command until the last watcher has its data frame. One process reads
// for all of them, with epoll, in the same way for both sides.
#include "watchers.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { WATCHERS = 1000, ROUNDS = 63, SAMPLES = 2000 };

struct audience *gather(const char *path, size_t connection_count) {
    struct audience *audience = calloc(1, sizeof *audience);
    if (!audience || !(audience->sockets = calloc(connection_count, sizeof *audience->sockets))) fail("no memory");
    audience->poll = epoll_create1(EPOLL_CLOEXEC);
    audience->connection_count = audience->watch_count = connection_count;
    for (size_t i = 0; i < connection_count; i++) {
        audience->sockets[i] = connect_to(path);
        if (audience->sockets[i] < 0) fail_system("watcher %zu can't connect to %s", i, path);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = audience->sockets[i]};
        if (epoll_ctl(audience->poll, EPOLL_CTL_ADD, audience->sockets[i], &event) != 0) fail_system("epoll_ctl");
    }
    audience->control = connect_to(path);
    if (audience->control < 0) fail_system("can't connect to %s", path);
    audience->stream = 1;
    return audience;
}

// Reads once, and up to the end of a frame that has begun. Returns how many watches were told.
static size_t read_changes(struct audience *audience, int socket) {
    size_t heard = 0;
    struct header header;
    audience->inbox.start = audience->inbox.end = 0;
    do {
        read_more(socket, &audience->inbox);
        for (const uint8_t *data; (data = next_frame(&audience->inbox, &header)); heard++) {
            if (header.type != FRAME_DATA) fail("a frame of type %d in the place of a change", header.type);
            audience->change = copy_data(header, data);
        }
    } while (audience->inbox.start != audience->inbox.end);
    return heard;
}

// Waits until every watch has one data frame.
static void await_all(struct audience *audience) {
    for (size_t heard = 0; heard < audience->watch_count;) {
        struct epoll_event events[WATCHERS];
        int count = epoll_wait(audience->poll, events, WATCHERS, 10000);
        if (count == 0) fail("%zu watches heard nothing for 10 s", audience->watch_count - heard);
        for (int i = 0; i < count; i++) heard += read_changes(audience, events[i].data.fd);
        if (heard > audience->watch_count) fail("a watch heard twice of one change");
    }
}

void begin_watching(struct audience *audience, size_t watch_count) {
    audience->watch_count = watch_count;
    struct frame watch = watch_request();
    for (size_t i = 0; i < watch_count; i++) {
        set_stream(&watch, (uint32_t)(i / audience->connection_count) * 2 + 1);
        write_all(audience->sockets[i % audience->connection_count], watch.bytes, watch.size);
    }
    await_all(audience);
}

double change_once(struct audience *audience, struct frame command) {
    set_stream(&command, audience->stream);
    audience->stream += 2;
    double start = now();
    write_all(audience->control, command.bytes, command.size);
    await_all(audience);
    double seconds = now() - start;
    struct header header;
    audience->inbox.start = audience->inbox.end = 0;
    const uint8_t *data = await_frame(audience->control, &audience->inbox, &header);
    check_response(header, data);
    audience->response = copy_data(header, data);
    return seconds;
}

void dismiss(struct audience *audience) {
    for (size_t i = 0; i < audience->connection_count; i++) close(audience->sockets[i]);
    close(audience->control);
    close(audience->poll);
    free(audience->sockets);
    free(audience);
}

static void measure_push(struct report *report, const struct daemon *daemon) {
    static double seconds[SAMPLES];
    struct audience *audience = gather(daemon->socket, 1);
    begin_watching(audience, 1);
    struct frame commands[] = {override_request(), lock_request()};
    for (int i = 0; i < SAMPLES; i++) seconds[i] = change_once(audience, commands[i % 2]);
    dismiss(audience);
    report_latency(
        report, "latency-push", "a change to one watcher: from the command until it has it, durable meanwhile", seconds,
        SAMPLES);
}

void measure_watchers(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    measure_push(report, daemon);
    long before = anonymous_kib(daemon);
    struct audience *gate = gather(daemon->socket, WATCHERS);
    begin_watching(gate, WATCHERS);
    struct series memory = {0};
    add_value(&memory, (double)(anonymous_kib(daemon) - before) / WATCHERS);

    // The frames of one change, learned from the first one. Parent mode is the larger message.
    struct frame override = override_request(), lock = lock_request();
    change_once(gate, override);
    struct audience *plain = gather(
        start_fan_out(scene->directory, scene->state_directory, WATCHERS, &gate->change, &gate->response), WATCHERS);
    struct frame durable = override, volatile_ = override;
    durable.bytes[9] |= FAN_OUT_DURABLE;

    struct series milliseconds[3] = {0};
    for (int round = -3; round < ROUNDS; round++) {
        double values[] = {
            change_once(gate, round % 2 ? lock : override), change_once(plain, durable), change_once(plain, volatile_)};
        for (int i = 0; round >= 0 && i < 3; i++) add_value(&milliseconds[i], values[i] * 1e3);
    }
    dismiss(gate);
    dismiss(plain);

    struct line line = {
        .id = "watchers-durable",
        .what = "one durable change to 1,000 watchers, all have it",
        .unit = "ms",
        .peer = "fdatasync of 100 B, then a loop of writes in C",
        .gate = &milliseconds[0],
        .other = &milliseconds[1],
        .figure = GATE_OVER_PEER,
        .bound = AT_MOST,
        .target = 1.2,
    };
    report_line(report, line);
    line.id = "watchers-volatile";
    line.what = "the same, against the loop of writes alone: nothing durable in it";
    line.peer = "loop of writes in C";
    line.other = &milliseconds[2];
    line.bound = NO_TARGET;
    report_line(report, line);
    report_line(
        report, (struct line){
                    .id = "watcher-memory",
                    .what = "memory of an idle watcher with a connection of its own (RssAnon), of 1,000",
                    .unit = "KiB",
                    .gate = &memory,
                    .bound = AT_MOST,
                    .target = 5,
                });
}
