// What is measured, and what came out.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "servers.h"

// The values of one side, a round each.
enum { MAXIMUM_ROUNDS = 64 };
struct series {
    double values[MAXIMUM_ROUNDS];
    size_t count;
};
void add_value(struct series *series, double value);
double median_of(const struct series *series);

// How the figure of a line is made of the two sides: of the ratios of the rounds, the median.
enum figure {
    // Gate's value itself; there is no peer.
    GATE_ALONE,
    // "1.12 ×": how many times the peer's time, or the peer's rate, Gate's is.
    GATE_OVER_PEER,
    // "3.4 × faster": how many times Gate's time the peer's is (or Gate's rate the peer's: give rates as GATE_OVER_PEER).
    PEER_OVER_GATE,
};
enum bound { NO_TARGET, AT_MOST, AT_LEAST };

// One line of the report.
struct line {
    // Names the line for as long as there is a report: in the table of thresholds, in the plot. "unary-alone"
    const char *id;
    // What was measured, in words, as Markdown.
    const char *what;
    // Of both sides: "µs", "calls/s", "ms", "MiB".
    const char *unit;
    // Who the other side is, in words; NULL where the figure is GATE_ALONE.
    const char *peer;
    const struct series *gate, *other;
    enum figure figure;
    // Whether more is better: of a figure, not of the values.
    bool more_is_better;
    // As the page has it.
    enum bound bound;
    double target;
};

struct report;
// Copies the line into the report and prints it.
void report_line(struct report *report, struct line line);
// The same measure at several sizes (watchers 10 … 10,000): one row of a table, and one curve of a plot.
struct growth {
    const char *id, *what, *unit;
    // What grows: "watchers".
    const char *of;
    size_t count;
    double sizes[8], values[8];
};
void report_growth(struct report *report, struct growth growth);
// How one side's single calls are spread, in seconds each: reported as p50, p99 and p99.9. Sorts them.
void report_latency(struct report *report, const char *id, const char *what, double *seconds, size_t count);
// A line of text under the tables: why a peer was not measured, say.
void report_note(struct report *report, const char *text);

// Where things are.
struct scene {
    // The programs that are measured, as they are installed.
    const char *gated, *gatectl;
    // For sockets.
    const char *directory;
    // On a real disk, for what is made durable.
    const char *state_directory;
    // Where `Benchmarks/run` has built the Go peers.
    const char *peers_directory;
};

// Files of their own, each: calls.c, commands.c, costs.c, growth.c, library.c, pages.c, sign-in.c, starts.c, watchers.c, and of the peers bus.c
// (D-Bus), polkit.c, go.c, redis.c, tools.c (gatectl beside busctl).
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
