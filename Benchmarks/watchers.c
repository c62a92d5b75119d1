// One change to 1,000 watchers: from sending the command until the last watcher has its data frame. One process reads
// for all of them, with epoll, the same for both sides.
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "measures.h"
#include "wire.h"

enum { WATCHERS = 1000, ROUNDS = 101 };

// All watchers of one server, and the connection that makes the changes.
struct audience {
    int poll, control;
    uint32_t stream;
    int sockets[WATCHERS];
    struct inbox inbox;
    // The newest change and the newest response.
    struct data change, response;
};

static struct audience *gather(const char *path) {
    struct audience *audience = calloc(1, sizeof *audience);
    if (!audience) fail("no memory");
    audience->poll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < WATCHERS; i++) {
        audience->sockets[i] = connect_to(path);
        if (audience->sockets[i] < 0) fail_system("watcher %d can't connect to %s", i, path);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = audience->sockets[i]};
        if (epoll_ctl(audience->poll, EPOLL_CTL_ADD, audience->sockets[i], &event) != 0) fail_system("epoll_ctl");
    }
    audience->control = connect_to(path);
    if (audience->control < 0) fail_system("can't connect to %s", path);
    audience->stream = 1;
    return audience;
}

// Waits until every watcher has one data frame.
static void await_all(struct audience *audience) {
    for (int missing = WATCHERS; missing > 0;) {
        struct epoll_event events[WATCHERS];
        int count = epoll_wait(audience->poll, events, WATCHERS, 10000);
        if (count == 0) fail("%d watchers heard nothing for 10 s", missing);
        for (int i = 0; i < count; i++) {
            // A frame of a few dozen bytes, written at once, is read at once; so one inbox serves all.
            struct header header;
            audience->inbox.start = audience->inbox.end = 0;
            read_more(events[i].data.fd, &audience->inbox);
            const uint8_t *data = next_frame(&audience->inbox, &header);
            if (!data || header.type != FRAME_DATA || audience->inbox.start != audience->inbox.end)
                fail("something else than one data frame");
            if (--missing == 0) audience->change = copy_data(header, data);
        }
    }
}

// Seconds from sending the command to the last watcher's frame.
static double change(struct audience *audience, struct frame command) {
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

static void dismiss(struct audience *audience) {
    for (int i = 0; i < WATCHERS; i++) close(audience->sockets[i]);
    close(audience->control);
    close(audience->poll);
}

static void add_ratio(
    struct report *report, const char *what, double seconds, double baseline, const char *of, bool has_target
) {
    struct result *result = add_result(report, what);
    snprintf(result->gate, sizeof result->gate, "%.2f ms", seconds * 1e3);
    snprintf(result->baseline, sizeof result->baseline, "%.2f ms (%s)", baseline * 1e3, of);
    snprintf(result->figure, sizeof result->figure, "%.2f ×", seconds / baseline);
    if (!has_target) return;
    result->target = "≤ 1.3 ×";
    result->has_target = true;
    result->is_met = seconds / baseline <= 1.3;
}

void measure_watchers(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    long before = anonymous_kib(daemon);
    struct audience *gate = gather(daemon->socket);
    struct frame watch = watch_request(), override = override_request(), lock = lock_request();
    for (int i = 0; i < WATCHERS; i++) write_all(gate->sockets[i], watch.bytes, watch.size);
    await_all(gate);
    long after = anonymous_kib(daemon);

    // What one change writes, learned from the first one: parent mode is the larger message.
    change(gate, override);
    struct audience *plain = gather(
        start_fan_out(scene->directory, scene->state_directory, WATCHERS, &gate->change, &gate->response));
    struct frame durable = override, volatile_ = override;
    durable.bytes[9] |= FAN_OUT_DURABLE;

    double seconds[3][ROUNDS];
    for (int round = -3; round < ROUNDS; round++) {
        int slot = round < 0 ? 0 : round;
        seconds[0][slot] = change(gate, round % 2 ? lock : override);
        seconds[1][slot] = change(plain, durable);
        seconds[2][slot] = change(plain, volatile_);
    }
    dismiss(gate);
    dismiss(plain);

    double with_gate = median(seconds[0], ROUNDS);
    add_ratio(
        report, "one durable change to 1,000 watchers, all have it", with_gate, median(seconds[1], ROUNDS),
        "fdatasync of 100 B, then a loop of writes", true);
    add_ratio(
        report, "the same, against the loop of writes alone: nothing durable in it", with_gate,
        median(seconds[2], ROUNDS), "loop of writes", false);

    struct result *result = add_result(report, "memory of an idle watcher with a connection of its own (RssAnon)");
    double kib = (double)(after - before) / WATCHERS;
    snprintf(result->gate, sizeof result->gate, "%ld KiB for 1,000", after - before);
    snprintf(result->figure, sizeof result->figure, "%.1f KiB", kib);
    result->target = "≤ 8 KiB";
    result->has_target = true;
    result->is_met = kib <= 8;
}
