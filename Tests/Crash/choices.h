// How much a grown-up allows with a yes to an ask.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum choice { ONCE, TODAY, ALWAYS, THIS_SITE, HALF_A_DAY, CHOICES };

// The time by the clock on the wall, in milliseconds since 1970.
int64_t wall_milliseconds(void);
// As policies and requests name it.
const char *choice_name(enum choice choice);
// As the journal adds it to what was allowed.
const char *choice_detail(enum choice choice);
// By chance. A yes for today is not given shortly before the day ends, since no yes may end during a run.
enum choice some_choice(void);
// When a yes ends that was given at a time, in milliseconds since 1970; 0: it does not end by itself.
int64_t end_of_choice(enum choice choice, int64_t given, int64_t may_wait);
