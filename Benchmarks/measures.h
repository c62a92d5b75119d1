// What is measured, and the results.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "servers.h"

// The values of one side, one for each round.
enum { MAXIMUM_ROUNDS = 64 };
struct series {
    double values[MAXIMUM_ROUNDS];
    size_t count;
};
void add_value(struct series *series, double value);
double median_of(const struct series *series);

// How the figure of a line follows from the two sides. It is the median of the ratios of the rounds.
enum figure {
    // Gate's value itself; there is no peer.
    GATE_ALONE,
    // "1.12 ×": Gate's time divided by the peer's, or Gate's rate divided by the peer's.
    GATE_OVER_PEER,
    // "3.4 × faster": the peer's time divided by Gate's. (For rates use GATE_OVER_PEER.)
    PEER_OVER_GATE,
};
enum bound { NO_TARGET, AT_MOST, AT_LEAST };

// One line of the report.
struct line {
    // Names the line in the thresholds and the plot, and never changes: "unary-alone".
    const char *id;
    // What was measured, in words, as Markdown.
    const char *what;
    // The unit of both sides: "µs", "calls/s", "ms", "MiB".
    const char *unit;
    // The peer, in words; NULL if the figure is GATE_ALONE.
    const char *peer;
    const struct series *gate, *other;
    enum figure figure;
    // Whether a larger figure is better. (Figures, not values.)
    bool more_is_better;
    // The bound that the page shows.
    enum bound bound;
    double target;
};

struct report;
// Copies the line into the report and prints it.
void report_line(struct report *report, struct line line);
// The same measure at several sizes (watchers 10 … 10,000): one row of a table, and one curve of a plot.
struct growth {
    const char *id, *what, *unit;
    // What grows, like "watchers".
    const char *of;
    size_t count;
    double sizes[8], values[8];
};
void report_growth(struct report *report, struct growth growth);
// Reports the distribution of one side's single calls, in seconds each, as p50, p99 and p99.9. Sorts them.
void report_latency(struct report *report, const char *id, const char *what, double *seconds, size_t count);
// Adds a line of text under the tables, for example why a peer was not measured.
void report_note(struct report *report, const char *text);

// The paths that measures use.
struct scene {
    // The programs that are measured, as they are installed.
    const char *gated, *gatectl;
    // The folder for sockets.
    const char *directory;
    // A folder on a real disk, for durable data.
    const char *state_directory;
    // Where `Benchmarks/run` has built the Go peers.
    const char *peers_directory;
};

// Each measure has a file of its own: calls.c, commands.c, costs.c, growth.c, library.c, pages.c, sign-in.c, starts.c,
// watchers.c, and for the peers bus.c (D-Bus), polkit.c, go.c, redis.c, tools.c (gatectl beside busctl).
void measure_start(struct report *report, const struct scene *scene);
void measure_calls(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_library(struct report *report, const struct daemon *daemon);
void measure_watchers(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_commands(struct report *report, const struct daemon *daemon);
void measure_costs(struct report *report, const struct daemon *daemon);
void measure_sign_in(struct report *report, const struct daemon *daemon);
void measure_growth(struct report *report, const struct scene *scene);
void measure_pages(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_bus(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_polkit(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_go(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_redis(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_tools(struct report *report, const struct scene *scene, const struct daemon *daemon);
