// Reading the status page, as a game does in every frame. gated writes the page, and gate_status.h reads it.
#include <unistd.h>

#include "../Sources/daemon/CGateStatus/include/gate_status.h"
#include "measures.h"
#include "wire.h"

// Some batches as short as these are never interrupted. The fastest one shows what a read costs.
enum { ROUNDS = 31, BATCHES = 99, READS = 5000 };

// The nanoseconds of a read. Each one reads the page again, and uses the result.
static double read_often(struct gate_status_reader *reader, const char *path, enum gate_status_mode mode) {
    double fastest = 1e9;
    for (int batch = 0; batch < BATCHES; batch++) {
        long others = 0;
        double start = now();
        for (int i = 0; i < READS; i++) {
            struct gate_status status = gate_status_current(reader, path);
            others += status.mode != mode;
            __asm__ volatile("" : "+r"(others) : : "memory");
        }
        double nanoseconds = (now() - start) / READS * 1e9;
        if (nanoseconds < fastest) fastest = nanoseconds;
        if (others > 0) fail("the page said another mode, %ld times", others);
    }
    return fastest;
}

static void command(const struct daemon *daemon, struct frame request) {
    static struct inbox inbox;
    struct header header;
    inbox.start = inbox.end = 0;
    int socket = connect_to(daemon->socket);
    if (socket < 0) fail_system("can't connect to %s", daemon->socket);
    write_all(socket, request.bytes, request.size);
    const uint8_t *data = await_frame(socket, &inbox, &header);
    check_response(header, data);
    close(socket);
}

void measure_pages(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    char path[256];
    snprintf(path, sizeof path, "%s/status", scene->directory);
    struct gate_status_reader reader = GATE_STATUS_READER;
    struct series without = {0}, with = {0};
    // A processor that was asleep is slow at first.
    for (int round = -2; round < ROUNDS; round++) {
        command(daemon, lock_request());
        if (!gate_status_current(&reader, path).is_live) fail("gated says nothing on the page %s", path);
        double nanoseconds = read_often(&reader, path, GATE_STATUS_CHILD);
        if (round >= 0) add_value(&without, nanoseconds);
        command(daemon, override_request());
        if (gate_status_read(&reader).mode_deadline == GATE_STATUS_FOREVER) fail("parent mode without an end");
        nanoseconds = read_often(&reader, path, GATE_STATUS_PARENT);
        if (round >= 0) add_value(&with, nanoseconds);
    }
    command(daemon, lock_request());
    gate_status_close(&reader);
    report_line(
        report, (struct line){
                    .id = "page-read",
                    .what = "reading the mode from the status page, without a deadline (child mode)",
                    .unit = "ns",
                    .gate = &without,
                    .figure = GATE_ALONE,
                    .bound = AT_MOST,
                    .target = 5,
                });
    report_line(
        report, (struct line){
                    .id = "page-read-deadline",
                    .what = "the same with a deadline (parent mode), which takes a look at the clock",
                    .unit = "ns",
                    .gate = &with,
                    .figure = GATE_ALONE,
                    .bound = AT_MOST,
                    .target = 50,
                });
}
