// Collects the results, and prints each at once.
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

void add_value(struct series *series, double value) {
    if (series->count == MAXIMUM_ROUNDS) fail("more than %d rounds", MAXIMUM_ROUNDS);
    series->values[series->count++] = value;
}

double median_of(const struct series *series) {
    if (series->count == 0) fail("the median of nothing");
    struct series copy = *series;
    return median(copy.values, copy.count);
}

// Half the distance between the quartiles, as a fraction of the median.
static double noise_of(const struct series *series) {
    struct series sorted = *series;
    double middle = median(sorted.values, sorted.count);
    if (sorted.count < 2 || middle == 0) return 0;
    double last = (double)(sorted.count - 1);
    double low = sorted.values[lround(last * 0.25)], high = sorted.values[lround(last * 0.75)];
    return (high - low) / 2 / fabs(middle);
}

// The figure of each round.
static struct series figures_of(const struct entry *entry) {
    if (entry->line.figure == GATE_ALONE) return entry->gate;
    struct series figures = {.count = entry->gate.count};
    for (size_t i = 0; i < figures.count; i++) {
        double gate = entry->gate.values[i], other = entry->other.values[i];
        figures.values[i] = entry->line.figure == GATE_OVER_PEER ? gate / other : other / gate;
    }
    return figures;
}

// MARK: texts

static const char *copy_text(const char *text) {
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy) fail("no memory");
    return copy;
}

// Numbers from 100 on are written whole, with a comma at the thousands. Others have three digits, unless they count
// something.
static size_t put_number(char *text, double value, bool is_whole) {
    double size = fabs(value);
    if (size < 99.95 && !(is_whole && value == floor(value))) {
        int places = size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.0995 || size == 0 ? 2 : 3;
        return (size_t)snprintf(text, TEXT_BYTES, "%.*f", places, value);
    }
    char digits[32];
    int count = snprintf(digits, sizeof digits, "%.0f", value);
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && digits[i - 1] != '-' && (count - i) % 3 == 0) text[length++] = ',';
        text[length++] = digits[i];
    }
    text[length] = '\0';
    return length;
}

const char *value_text(char *text, double value, const char *unit) {
    size_t length = put_number(text, value, !*unit);
    snprintf(text + length, TEXT_BYTES - length, "%s%s", *unit ? " " : "", unit);
    return text;
}

const char *figure_text(char *text, const struct line *line, double figure) {
    switch (line->figure) {
        case GATE_ALONE: return value_text(text, figure, line->unit);
        case GATE_OVER_PEER: return value_text(text, figure, "×");
        case PEER_OVER_GATE: return value_text(text, figure, "× faster");
    }
    fail("a figure of an unknown kind: %s", line->id);
}

const char *target_text(char *text, const struct line *line) {
    if (line->bound == NO_TARGET) return strcpy(text, "—");
    // Without trailing zeros.
    const char *unit = line->figure == GATE_ALONE ? line->unit : line->figure == GATE_OVER_PEER ? "×" : "× faster";
    snprintf(text, TEXT_BYTES, "%s %g %s", line->bound == AT_MOST ? "≤" : "≥", line->target, unit);
    return text;
}

const char *verdict_of(const struct entry *entry) {
    return entry->line.bound == NO_TARGET ? "" : entry->is_met ? "met" : "not met";
}

// MARK: collecting

void report_line(struct report *report, struct line line) {
    if (report->entry_count == MAXIMUM_ENTRIES) fail("no room in the report");
    for (size_t i = 0; i < report->entry_count; i++) {
        if (strcmp(report->entries[i].line.id, line.id) == 0) fail("two lines called %s", line.id);
    }
    bool has_peer = line.figure != GATE_ALONE;
    if (!line.gate || line.gate->count == 0) fail("%s was not measured", line.id);
    if (has_peer && (!line.peer || !line.other || line.other->count != line.gate->count))
        fail("%s needs a peer that was measured as often as Gate", line.id);

    struct entry *entry = &report->entries[report->entry_count++];
    entry->line = line;
    entry->line.id = copy_text(line.id);
    entry->line.what = copy_text(line.what);
    entry->line.unit = copy_text(line.unit);
    entry->line.peer = copy_text(line.peer);
    entry->gate = *line.gate;
    if (has_peer) entry->other = *line.other;
    entry->line.gate = &entry->gate;
    entry->line.other = has_peer ? &entry->other : NULL;
    entry->gate_median = median_of(&entry->gate);
    entry->other_median = has_peer ? median_of(&entry->other) : 0;
    struct series figures = figures_of(entry);
    entry->figure = median_of(&figures);
    entry->noise = noise_of(&figures);
    entry->is_met = line.bound == AT_MOST ? entry->figure <= line.target : entry->figure >= line.target;

    char gate[TEXT_BYTES], other[TEXT_BYTES], figure[TEXT_BYTES], target[TEXT_BYTES];
    printf("%s: %s\n    %s", line.id, line.what, value_text(gate, entry->gate_median, line.unit));
    if (has_peer) {
        printf(" against %s (%s)", value_text(other, entry->other_median, line.unit), line.peer);
        printf(": %s", figure_text(figure, &line, entry->figure));
    }
    if (entry->noise > 0) printf(" ± %.1f %%", entry->noise * 100);
    if (line.bound != NO_TARGET) printf(", target %s: %s", target_text(target, &line), verdict_of(entry));
    printf("\n");
    fflush(stdout);
}

void report_growth(struct report *report, struct growth growth) {
    if (report->growth_count == MAXIMUM_GROWTHS) fail("no room for the growth of %s", growth.id);
    if (growth.count < 2 || growth.count > sizeof growth.sizes / sizeof *growth.sizes)
        fail("%s has %zu sizes", growth.id, growth.count);
    growth.id = copy_text(growth.id);
    growth.what = copy_text(growth.what);
    growth.unit = copy_text(growth.unit);
    growth.of = copy_text(growth.of);
    report->growths[report->growth_count++] = growth;
    printf("%s: %s\n   ", growth.id, growth.what);
    for (size_t i = 0; i < growth.count; i++) {
        char size[TEXT_BYTES], value[TEXT_BYTES];
        value_text(size, growth.sizes[i], "");
        printf("%s %s %s: %s", i > 0 ? "," : "", size, growth.of, value_text(value, growth.values[i], growth.unit));
    }
    printf("\n");
    fflush(stdout);
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void report_latency(struct report *report, const char *id, const char *what, double *seconds, size_t count) {
    if (report->latency_count == MAXIMUM_LATENCIES) fail("no room for the latency of %s", id);
    if (count < 1000) fail("p99.9 of %zu calls of %s says nothing", count, id);
    qsort(seconds, count, sizeof *seconds, compare);
    struct latency *latency = &report->latencies[report->latency_count++];
    *latency = (struct latency){
        .id = copy_text(id),
        .what = copy_text(what),
        .p50 = seconds[count / 2],
        .p99 = seconds[count * 99 / 100],
        .p999 = seconds[count * 999 / 1000],
        .count = count,
    };
    printf(
        "%s: %s\n    p50 %.1f µs, p99 %.1f µs, p99.9 %.1f µs of %zu\n", id, what, latency->p50 * 1e6,
        latency->p99 * 1e6, latency->p999 * 1e6, count);
    fflush(stdout);
}

void report_note(struct report *report, const char *text) {
    if (report->note_count == MAXIMUM_NOTES) fail("no room for a note");
    report->notes[report->note_count++] = copy_text(text);
    printf("note: %s\n", text);
    fflush(stdout);
}
