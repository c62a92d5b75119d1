// Recorded figures, which later runs have to keep.
#include <math.h>
#include <string.h>

#include "report.h"
#include "wire.h"

// The least noise of a figure, as a fraction of it: the difference between two runs, rather than between rounds of one
// run.
static const double LEAST_NOISE = 0.03;
// Growth is measured in fewer rounds.
static const double GROWTH_NOISE = 0.15;
// With more noise than this a threshold is almost useless, which is reported.
static const double MUCH_NOISE = 0.4;

// What is kept: a line's figure, or the ratio of a growth row's value at its largest size to that at its smallest.
struct held {
    const char *id;
    double figure, noise;
    bool is_more_better;
    // Ratios and memory are compared on all machines, times and rates only on the machine where they were recorded.
    bool holds_everywhere;
    // The line, for the text of figures; NULL: they are ratios.
    const struct line *line;
};

static size_t count_held(const struct report *report) { return report->entry_count + report->growth_count; }

static struct held held_of(const struct report *report, size_t index) {
    if (index < report->entry_count) {
        const struct entry *entry = &report->entries[index];
        const struct line *line = &entry->line;
        bool is_memory = strcmp(line->unit, "KiB") == 0 || strcmp(line->unit, "MiB") == 0;
        return (struct held){
            .id = line->id,
            .figure = entry->figure,
            .noise = fmax(entry->noise, LEAST_NOISE),
            .is_more_better = line->bound == NO_TARGET ? line->more_is_better : line->bound == AT_LEAST,
            .holds_everywhere = line->figure != GATE_ALONE || is_memory,
            .line = line,
        };
    }
    const struct growth *growth = &report->growths[index - report->entry_count];
    return (struct held){
        .id = growth->id,
        .figure = growth->values[growth->count - 1] / growth->values[0],
        .noise = GROWTH_NOISE,
        .holds_everywhere = true,
    };
}

struct threshold {
    char id[TEXT_BYTES];
    double figure, noise;
    bool is_used;
};

enum { MAXIMUM_THRESHOLDS = MAXIMUM_ENTRIES + MAXIMUM_GROWTHS };

static size_t read_thresholds(const char *path, struct threshold *thresholds, char *machine) {
    FILE *file = fopen(path, "re");
    if (!file) fail_system("can't read %s", path);
    char line[512];
    size_t count = 0;
    *machine = '\0';
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if (*line == '#' || sscanf(line, "machine: %127[^\n]", machine) == 1) continue;
        if (count == MAXIMUM_THRESHOLDS) fail("%s has more than %d thresholds", path, MAXIMUM_THRESHOLDS);
        struct threshold *threshold = &thresholds[count++];
        threshold->is_used = false;
        if (sscanf(line, "%63s %lf %lf", threshold->id, &threshold->figure, &threshold->noise) != 3 ||
            !(threshold->figure > 0) || !(threshold->noise >= 0))
            fail("%s:%d: neither a comment nor an id, a figure and its noise", path, number);
        threshold->noise /= 100;
    }
    fclose(file);
    return count;
}

void record_thresholds(const struct report *report, const char *path, bool keeps_others) {
    static struct threshold kept[MAXIMUM_THRESHOLDS];
    char machine[MACHINE_BYTES], recorded_on[MACHINE_BYTES];
    machine_text(machine);
    size_t kept_count = keeps_others ? read_thresholds(path, kept, recorded_on) : 0;
    if (keeps_others && strcmp(recorded_on, machine) != 0)
        fail("%s was recorded on %s: record everything on this machine", path, recorded_on);
    FILE *file = fopen(path, "we");
    if (!file) fail_system("can't write %s", path);
    fprintf(
        file,
        "# The figures that `make bench-check` holds. Written by `Benchmarks/run --record`.\n"
        "# A line: id, figure, and its noise in percent: half the distance between the quartiles of its rounds, at least %g.\n"
        "# Of what grows, the figure is how many times as large it is at its largest size as at its smallest; noise %g.\n"
        "# A figure fails where it is worse than the one here by more than both noises together, that of the run that\n"
        "# recorded it and that of the run that checks it. Ratios and memory (KiB, MiB) are held everywhere, times and\n"
        "# rates only on the machine that they were recorded on. A target that is not met fails nothing here.\n"
        "machine: %s\n",
        LEAST_NOISE * 100, GROWTH_NOISE * 100, machine);
    for (size_t i = 0; i < count_held(report); i++) {
        struct held held = held_of(report, i);
        for (size_t j = 0; j < kept_count; j++) kept[j].is_used |= strcmp(kept[j].id, held.id) == 0;
        fprintf(file, "%-32s %-10.4g %.1f\n", held.id, held.figure, held.noise * 100);
    }
    for (size_t j = 0; j < kept_count; j++) {
        if (!kept[j].is_used) fprintf(file, "%-32s %-10.4g %.1f\n", kept[j].id, kept[j].figure, kept[j].noise * 100);
    }
    if (fclose(file) != 0) fail_system("can't write %s", path);
}

static const char *text_of(char *text, const struct held *held, double figure) {
    if (held->line) return figure_text(text, held->line, figure);
    return value_text(text, figure, "× from the smallest size to the largest");
}

// Whether the figure is as good as the recorded one. Prints it if not.
static bool is_as_good(const struct held *held, const struct threshold *threshold) {
    double allowed = threshold->noise + held->noise;
    double ratio = held->is_more_better ? threshold->figure / held->figure : held->figure / threshold->figure;
    // A figure that can't be compared (not a number) counts as worse.
    if (ratio - 1 <= allowed) return true;
    char figure[TEXT_BYTES], recorded[TEXT_BYTES];
    printf(
        "%s: %s is worse than the recorded %s by %.1f %%; noise explains %.1f %%\n", held->id,
        text_of(figure, held, held->figure), text_of(recorded, held, threshold->figure), (ratio - 1) * 100,
        allowed * 100);
    return false;
}

bool check_thresholds(const struct report *report, const char *path) {
    static struct threshold thresholds[MAXIMUM_THRESHOLDS];
    char recorded_on[MACHINE_BYTES], machine[MACHINE_BYTES];
    size_t count = read_thresholds(path, thresholds, recorded_on), good = 0, failed = 0;
    bool is_same_machine = strcmp(recorded_on, machine_text(machine)) == 0;
    printf("\n-- thresholds\n");
    if (!is_same_machine) printf("times and rates are not held here: they were recorded on %s\n", recorded_on);
    for (size_t i = 0; i < count_held(report); i++) {
        struct held held = held_of(report, i);
        struct threshold *threshold = NULL;
        for (size_t j = 0; j < count && !threshold; j++) {
            if (strcmp(thresholds[j].id, held.id) == 0) threshold = &thresholds[j];
        }
        if (!threshold) {
            printf("%s: has no threshold; Benchmarks/run --record writes one\n", held.id);
            continue;
        }
        threshold->is_used = true;
        if (!is_same_machine && !held.holds_everywhere) continue;
        if (threshold->noise + held.noise > MUCH_NOISE)
            printf("%s: ± %.0f %% holds little; does something else run?\n", held.id, held.noise * 100);
        if (is_as_good(&held, threshold)) good++;
        else failed++;
    }
    // A figure that is not measured any more is not checked, so it must not pass.
    for (size_t j = 0; j < count; j++) {
        if (thresholds[j].is_used) continue;
        printf("%s: has a threshold, and was not measured\n", thresholds[j].id);
        failed++;
    }
    printf("%zu figures are as good as recorded, %zu are not\n", good, failed);
    return failed == 0;
}
