// What is measured, and what came out.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "servers.h"

// One line of the report.
struct result {
    // What was measured, in words.
    const char *what;
    // Gate's side and plain C's, with their units.
    char gate[64], baseline[64];
    // "1.12 ×", or an absolute value.
    char figure[32];
    // As DESIGN, section 19, has it; empty where it has none.
    const char *target;
    bool has_target, is_met;
};

// Where things are.
struct scene {
    const char *program;
    // For sockets.
    const char *directory;
    // On a real disk, for what is made durable.
    const char *state_directory;
};

enum { MAXIMUM_RESULTS = 16 };
struct report {
    struct result results[MAXIMUM_RESULTS];
    size_t count;
};
// The next line of the report, to be filled in.
struct result *add_result(struct report *report, const char *what);

void measure_start(struct report *report, const struct scene *scene);
void measure_calls(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_watchers(struct report *report, const struct scene *scene, const struct daemon *daemon);
void measure_commands(struct report *report, const struct daemon *daemon);
