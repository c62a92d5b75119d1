// The database itself, read by itself and not through the daemon.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// A row that there has to be, as one line of text; nothing else may be there.
void expect_row(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Whole, and with every entry of the journal that somebody has heard; of a copy, so that nothing is recovered in its place.
void inspect_copy(const char *state_directory, const char *scratch_directory);
// All rows are those that are expected, and the journal is what was heard; nothing is written meanwhile.
void inspect_database(const char *state_directory);
