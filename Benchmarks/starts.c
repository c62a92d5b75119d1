// How long gated takes to be there, and how much it takes.
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measures.h"
#include "wire.h"

enum { STARTS = 9 };

void measure_start(struct report *report, const struct scene *scene) {
    double seconds[STARTS];
    double kib[STARTS];
    for (int i = 0; i < STARTS; i++) {
        struct daemon daemon = start_gated(scene->program, scene->directory, scene->state_directory);
        seconds[i] = daemon.start_seconds;
        kib[i] = (double)anonymous_kib(&daemon);
        stop_gated(&daemon);
    }
    struct result *result = add_result(report, "`gated`, exec to its first answer");
    double milliseconds = median(seconds, STARTS) * 1e3;
    snprintf(result->gate, sizeof result->gate, "%.1f ms", milliseconds);
    snprintf(result->figure, sizeof result->figure, "%.1f ms", milliseconds);
    result->target = "≤ 30 ms";
    result->has_target = true;
    result->is_met = milliseconds <= 30;

    result = add_result(report, "`gated`, idle (RssAnon)");
    double mebibytes = median(kib, STARTS) / 1024;
    snprintf(result->gate, sizeof result->gate, "%.1f MiB", mebibytes);
    snprintf(result->figure, sizeof result->figure, "%.1f MiB", mebibytes);
    result->target = "≤ 8 MiB";
    result->has_target = true;
    result->is_met = mebibytes <= 8;
}
