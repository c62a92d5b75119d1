// Reads the database file directly, without the daemon.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Adds a row that has to be there, as one line of text. There may be no other rows.
void expect_row(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Checks a copy: it is intact, and has every entry of the journal that was received. A copy, so that nothing is
// recovered in the original.
void inspect_copy(const char *state_directory, const char *scratch_directory);
// Checks that the rows are exactly the expected ones, and the journal is what was received. Meanwhile nothing is
// written.
void inspect_database(const char *state_directory);
