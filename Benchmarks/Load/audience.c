// One process that reads 10,000 watches over 1,000 connections. It checks what watches promise: which revisions each
// message covers, and that they follow those of the previous message.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../wire.h"
#include "fields.h"
#include "load.h"

// How much is read at once, and the longest message that may arrive.
enum { READ_BYTES = 1 << 20, MESSAGE_BYTES = 1024 };

struct watch {
    uint64_t told;
    bool has_snapshot;
};

struct listener {
    int socket;
    struct watch watches[WATCHES_PER_CONNECTION];
    // How much of an incomplete frame has arrived.
    size_t kept_bytes;
    uint8_t kept[HEADER_BYTES + MESSAGE_BYTES];
    // The index of its first watch among the sampled ones, or -1.
    int sample;
};

// When a sampled watch learned of a revision, by the revision's number.
struct sample {
    uint64_t arrived[KEPT_COMMANDS];
    // The revisions up to `settled` are in the spread, and those up to `told` have arrived.
    uint64_t settled, told;
};

struct audience {
    struct shared *shared;
    struct listener *listeners;
    struct sample *samples;
    uint64_t epoch, last_number;
    size_t snapshots;
    // How many watches have learned of the last revision.
    size_t at_last;
};

struct change {
    uint64_t first, last, epoch;
    bool is_snapshot;
};

// WatchResponse: first_number, revision {epoch, number}, is_snapshot, …
static struct change decode_change(const uint8_t *data, size_t size) {
    struct change change = {0};
    struct fields fields = {data, data + size};
    for (struct field field, part; next_field(&fields, &field);) {
        if (field.number == 1) change.first = field.value;
        if (field.number == 3) change.is_snapshot = field.value != 0;
        while (field.number == 2 && next_field(&field.fields, &part)) {
            if (part.number == 1) change.epoch = part.value;
            if (part.number == 2) change.last = part.value;
        }
    }
    return change;
}

// Adds the latencies of a watch, for the commands whose sending times are known.
static void settle(struct audience *audience, struct sample *sample) {
    while (sample->settled < sample->told) {
        uint64_t number = sample->settled + 1;
        uint64_t sent = atomic_load(&audience->shared->sent[number % KEPT_COMMANDS]);
        if (sent == 0) return;
        uint64_t arrived = sample->arrived[number % KEPT_COMMANDS];
        add_time(&audience->shared->pushes, arrived > sent ? arrived - sent : 0);
        sample->settled = number;
    }
}

static void told(struct audience *audience, struct listener *listener, struct header header, const uint8_t *data, uint64_t time) {
    size_t index = (header.stream - 1) / 2;
    if (header.type == FRAME_RESPONSE) check_response(header, data);
    if (header.type != FRAME_DATA || header.flags != 0) fail("a watch ended before the daemon did");
    if (index >= WATCHES_PER_CONNECTION) fail("a message on stream %u, which nobody opened", header.stream);
    struct watch *watch = &listener->watches[index];
    struct change change = decode_change(data, header.size);
    if (change.is_snapshot != !watch->has_snapshot) fail("a snapshot at the wrong time");
    if (audience->epoch == 0) audience->epoch = change.epoch;
    if (change.epoch != audience->epoch) fail("a message of another epoch");
    if (change.is_snapshot) {
        watch->has_snapshot = true;
        audience->snapshots++;
    } else if (change.first != watch->told + 1 || change.last < change.first) {
        fail(
            "a watch was told of the revisions %" PRIu64 " to %" PRIu64 " after it was told of %" PRIu64, change.first,
            change.last, watch->told);
    } else {
        audience->shared->messages++;
        audience->shared->revisions_told += change.last - watch->told;
    }
    watch->told = change.last;
    if (audience->last_number > 0 && watch->told > audience->last_number) fail("a revision after the last one");
    if (audience->last_number > 0 && watch->told == audience->last_number) audience->at_last++;
    if (listener->sample < 0 || index > 0) return;
    struct sample *sample = &audience->samples[listener->sample];
    if (change.is_snapshot) sample->settled = change.last;
    else
        for (uint64_t number = change.first; number <= change.last; number++) {
            sample->arrived[number % KEPT_COMMANDS] = time;
        }
    sample->told = change.last;
    if (sample->told - sample->settled >= KEPT_COMMANDS / 2) fail("commands without answers, for too long");
    settle(audience, sample);
}

static void read_all(struct audience *audience, struct listener *listener) {
    static uint8_t bytes[READ_BYTES];
    memcpy(bytes, listener->kept, listener->kept_bytes);
    ssize_t count = read(listener->socket, bytes + listener->kept_bytes, READ_BYTES - listener->kept_bytes);
    if (count == 0) fail("gated hung up on a watcher");
    if (count < 0 && errno == EINTR) return;
    if (count < 0) fail_system("can't read");
    uint64_t time = nanoseconds_now();
    size_t end = listener->kept_bytes + (size_t)count, start = 0;
    while (end - start >= HEADER_BYTES) {
        struct header header = decode_header(bytes + start);
        if (header.size > MESSAGE_BYTES) fail("a message of %u bytes, for no reason", header.size);
        if (end - start < HEADER_BYTES + header.size) break;
        told(audience, listener, header, bytes + start + HEADER_BYTES, time);
        start += HEADER_BYTES + header.size;
    }
    listener->kept_bytes = end - start;
    memcpy(listener->kept, bytes + start, listener->kept_bytes);
}

static void open_watches(struct audience *audience, const char *path, int poll) {
    struct frame watch = watch_request();
    for (int i = 0; i < CONNECTIONS; i++) {
        struct listener *listener = &audience->listeners[i];
        listener->sample = i % (CONNECTIONS / SAMPLED_WATCHES) == 0 ? i / (CONNECTIONS / SAMPLED_WATCHES) : -1;
        listener->socket = connect_to(path);
        if (listener->socket < 0) fail_system("watcher %d can't connect to %s", i, path);
        for (uint32_t j = 0; j < WATCHES_PER_CONNECTION; j++) {
            set_stream(&watch, 2 * j + 1);
            write_all(listener->socket, watch.bytes, watch.size);
        }
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = listener};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, listener->socket, &event) != 0) fail_system("epoll_ctl");
    }
}

static double own_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

// The last revision is known now. Counts the watches that have learned of it already.
static void expect_last(struct audience *audience, uint64_t number) {
    audience->last_number = number;
    for (int i = 0; i < CONNECTIONS; i++) {
        for (int j = 0; j < WATCHES_PER_CONNECTION; j++) {
            audience->at_last += audience->listeners[i].watches[j].told == number;
        }
    }
}

void listen_to_changes(const char *path, struct shared *shared) {
    struct audience audience = {.shared = shared};
    audience.listeners = calloc(CONNECTIONS, sizeof *audience.listeners);
    audience.samples = calloc(SAMPLED_WATCHES, sizeof *audience.samples);
    if (!audience.listeners || !audience.samples) fail("no memory");
    int poll = epoll_create1(EPOLL_CLOEXEC);
    open_watches(&audience, path, poll);
    double begun = own_seconds(), waited = 0;
    while (audience.at_last < WATCHES) {
        struct epoll_event events[CONNECTIONS];
        int count = epoll_wait(poll, events, CONNECTIONS, 100);
        for (int i = 0; i < count; i++) read_all(&audience, events[i].data.ptr);
        if (!shared->is_listening && audience.snapshots == WATCHES) {
            shared->is_listening = true;
            begun = own_seconds();
        }
        if (audience.last_number == 0 && shared->last_number > 0) expect_last(&audience, shared->last_number);
        waited = audience.last_number > 0 && count == 0 ? waited + 0.1 : 0;
        if (waited > 10) fail("%zu watches never heard of the last revision", WATCHES - audience.at_last);
    }
    for (int i = 0; i < SAMPLED_WATCHES; i++) {
        settle(&audience, &audience.samples[i]);
        if (audience.samples[i].settled != audience.last_number) fail("a revision that no command has made");
    }
    shared->audience_seconds = own_seconds() - begun;
}
