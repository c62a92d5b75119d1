// What the parts of talk share.
#pragma once
#include <gate.h>

void print_error(const char *what, const gate_error *error);
uint64_t number_of(const char *word);
// The part for forms and news. Returns what the library has said; 1: it was no command of these.
int act_on_forms(gate *handle, char **word, char *what, uint64_t *number);
