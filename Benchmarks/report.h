// The contents of the report, from which the page, the plots and the thresholds are written.
#pragma once
#include <stdio.h>

#include "measures.h"

// A line and its result.
struct entry {
    struct line line;
    // Copies of the line's texts and series.
    struct series gate, other;
    // The medians of both sides, in the line's unit.
    double gate_median, other_median;
    // The line's figure, and its noise as a fraction of the figure: 0.03 for 3 %.
    double figure, noise;
    bool is_met;
};

// In seconds.
struct latency {
    const char *id, *what;
    double p50, p99, p999;
    size_t count;
};

enum { MAXIMUM_ENTRIES = 96, MAXIMUM_GROWTHS = 48, MAXIMUM_LATENCIES = 16, MAXIMUM_NOTES = 16, TEXT_BYTES = 64 };
struct report {
    struct entry entries[MAXIMUM_ENTRIES];
    struct growth growths[MAXIMUM_GROWTHS];
    struct latency latencies[MAXIMUM_LATENCIES];
    const char *notes[MAXIMUM_NOTES];
    size_t entry_count, growth_count, latency_count, note_count;
};

// "121,019 calls/s", "0.91 µs": three significant digits, or whole numbers. `text` has TEXT_BYTES.
const char *value_text(char *text, double value, const char *unit);
// "0.91 ×", "3.40 × faster", "37.8 ms".
const char *figure_text(char *text, const struct line *line, double figure);
// "≤ 1.15 ×" and "met", or "—" and "" if there is no target.
const char *target_text(char *text, const struct line *line);
const char *verdict_of(const struct entry *entry);

// "Model of the processor, 2 processors". `text` has MACHINE_BYTES.
enum { MACHINE_BYTES = 128 };
const char *machine_text(char *text);

// Writes docs/quality/benchmarks.md, without the part that `run` appends.
void write_page(const struct report *report, const char *path);

// Writes the plots, benchmarks.svg and growth.svg, into a folder. The same report gives the same plots.
void plot_figures(const struct report *report, const char *directory);
void plot_growth(const struct report *report, const char *directory);

// Writes the table of thresholds: recorded figures, which later runs have to keep. `keeps_others`: lines that were not
// measured stay, if they are of this machine.
void record_thresholds(const struct report *report, const char *path, bool keeps_others);
// Prints each line that is worse than its threshold by more than the noise, and each that has none. Returns whether all
// thresholds were kept.
bool check_thresholds(const struct report *report, const char *path);
