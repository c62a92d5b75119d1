// What the parts of talk share.
#pragma once
#include <gate.h>

void print_error(const char *what, const gate_error *error);
uint64_t number_of(const char *word);
// The part for forms and news. Returns libgate's result, or 1 if it was none of these commands.
int act_on_forms(gate *handle, char **word, char *what, uint64_t *number);
// The part for people and gates, with the same result.
int act_on_people(gate *handle, char **word, char *what, uint64_t *number);
// The part for asks and schedules, with the same result.
int act_on_asks(gate *handle, char **word, char *what, uint64_t *number);
void print_asks_and_schedules(gate *handle);
