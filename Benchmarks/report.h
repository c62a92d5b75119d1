// What the report holds: for the page, the plots and the thresholds, which are written of it.
#pragma once
#include <stdio.h>

#include "measures.h"

// A line, and what became of it.
struct entry {
    struct line line;
    // The line's texts and series are its own.
    struct series gate, other;
    // Medians of both sides, in the line's unit.
    double gate_median, other_median;
    // The line's figure, and its noise as a part of it: 0.03 for 3 %.
    double figure, noise;
    bool is_met;
};

// Seconds.
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

// "121,019 calls/s", "0.91 µs": three digits that say something, or whole numbers. `text` has TEXT_BYTES.
const char *value_text(char *text, double value, const char *unit);
// "0.91 ×", "3.40 × faster", "37.8 ms"
const char *figure_text(char *text, const struct line *line, double figure);
// "≤ 1.15 ×", "met", or "—" and "" where there is no target.
const char *target_text(char *text, const struct line *line);
const char *verdict_of(const struct entry *entry);

// "Model of the processor, 2 processors". `text` has MACHINE_BYTES.
enum { MACHINE_BYTES = 128 };
const char *machine_text(char *text);

// The page: docs/benchmarks.md, but for what `run` appends.
void write_page(const struct report *report, const char *path);

// The plots, benchmarks.svg and growth.svg, into a folder. They are the same for the same report.
void plot_figures(const struct report *report, const char *directory);
void plot_growth(const struct report *report, const char *directory);

// The table of thresholds: figures that were recorded, and are held from then on. `keeps_others`: those that were not measured stay
// as they are, if they are of this machine.
void record_thresholds(const struct report *report, const char *path, bool keeps_others);
// Prints each line that is worse than its threshold by more than noise, and each that has none. Returns whether all
// thresholds are held.
bool check_thresholds(const struct report *report, const char *path);
