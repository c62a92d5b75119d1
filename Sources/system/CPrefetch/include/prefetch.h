/* Loading memory into the cache ahead of time, which Swift can't express. */
#pragma once

/* Begins to load the first two cache lines of an object, and does not wait for them. Any address is allowed. */
static inline void prefetch(const void *object) {
    __builtin_prefetch(object, 1);
    __builtin_prefetch((const char *)object + 64, 1);
}
