// Writes the results of a run.
#pragma once
#include <stdio.h>

void print_report(FILE *file, double seconds);
// Replaces the part of docs/quality/crashes.md between its two marks.
void write_page(const char *path, double seconds);
