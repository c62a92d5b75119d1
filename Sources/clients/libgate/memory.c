#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct chunk { struct chunk *next; max_align_t bytes[]; };

void *arena_take(struct arena *arena, size_t size) {
    struct chunk *chunk = size < SIZE_MAX - sizeof *chunk ? calloc(1, sizeof *chunk + size) : NULL;
    if (!chunk) {
        arena->has_failed = true;
        return NULL;
    }
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return chunk->bytes;
}

const char *known(const char *text) {
    return text ? text : "";
}

const char *arena_text(struct arena *arena, const char *text) {
    size_t size = strlen(known(text)) + 1;
    char *copy = size > 1 ? arena_take(arena, size) : NULL;
    return copy ? memcpy(copy, text, size) : "";
}

void *const *arena_list(struct arena *arena, size_t count, size_t size) {
    static void *const empty[1];
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (count == 0) return empty;
    void **list = arena_take(arena, (count + 1) * sizeof *list);
    char *elements = list && count < SIZE_MAX / size ? arena_take(arena, count * size) : NULL;
    if (!elements) {
        arena->has_failed = true;
        return empty;
    }
    for (size_t i = 0; i < count; i++) list[i] = elements + i * size;
    return (void *const *)list;
}

void arena_free(struct arena *arena) {
    while (arena->chunks) {
        struct chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        free(chunk);
    }
    arena->has_failed = false;
}

void wipe(void *bytes, size_t size) {
    if (bytes) explicit_bzero(bytes, size);
}
