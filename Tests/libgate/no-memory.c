// Makes allocations fail at random during the conversations of fuzz.c. The linker redirects those of libgate and
// libprotobuf-c to this file. Nothing may crash, leak, or report something untrue. It does not count if a handle or its
// socket can't be made.
#include <gate.h>
#include <stdio.h>
#include <stdlib.h>

enum { ONE_OF = 150 };
static bool may_fail;
static unsigned chance = 1, failures;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *bytes, size_t size);
char *__real_strdup(const char *text);
int __real_gate_new(gate **made);
int __real_gate_set_socket(gate *gate, const char *path);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *bytes, size_t size);
char *__wrap_strdup(const char *text);
int __wrap_gate_new(gate **made);
int __wrap_gate_set_socket(gate *gate, const char *path);

static bool fails(void) {
    if (!may_fail) return false;
    chance = chance * 1103515245 + 12345;
    bool does = (chance >> 16) % ONE_OF == 0;
    failures += does;
    return does;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *bytes, size_t size) {
    return fails() ? NULL : __real_realloc(bytes, size);
}

char *__wrap_strdup(const char *text) {
    return fails() ? NULL : __real_strdup(text);
}

int __wrap_gate_new(gate **made) {
    may_fail = false;
    return __real_gate_new(made);
}

int __wrap_gate_set_socket(gate *gate, const char *path) {
    int result = __real_gate_set_socket(gate, path);
    may_fail = true;
    return result;
}

__attribute__((destructor)) static void report(void) {
    printf("ok: %u allocations failed meanwhile\n", failures);
}
