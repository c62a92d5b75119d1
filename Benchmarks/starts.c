// How long gated takes to start, and how much memory it takes.
#include "measures.h"

enum { STARTS = 15 };

void measure_start(struct report *report, const struct scene *scene) {
    struct series milliseconds = {0}, mebibytes = {0};
    for (int i = 0; i < STARTS; i++) {
        struct daemon daemon = start_gated(scene->gated, scene->directory, scene->state_directory);
        add_value(&milliseconds, daemon.start_seconds * 1e3);
        add_value(&mebibytes, (double)anonymous_kib(&daemon) / 1024);
        stop_gated(&daemon);
    }
    report_line(
        report, (struct line){
                    .id = "start",
                    .what = "`gated`, exec to its first answer",
                    .unit = "ms",
                    .gate = &milliseconds,
                    .bound = AT_MOST,
                    .target = 12,
                });
    report_line(
        report, (struct line){
                    .id = "idle-memory",
                    .what = "`gated`, idle (RssAnon)",
                    .unit = "MiB",
                    .gate = &mebibytes,
                    .bound = AT_MOST,
                    .target = 8,
                });
}
