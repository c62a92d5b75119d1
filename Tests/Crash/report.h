// Writes the results of a run.
#pragma once
#include <stdio.h>

void print_report(FILE *file, double seconds);
// Writes the results to a file of their own. docs/quality/crashes.md quotes some of them.
void write_page(const char *path, double seconds);
