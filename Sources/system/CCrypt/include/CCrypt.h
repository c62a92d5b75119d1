/* crypt(3) without its static buffers and failure tokens. When these functions return, the phrase is erased from all memory that
   they took for their work; the caller erases its own. */
#pragma once
#include <stddef.h>

/* Hashes a phrase. `setting`: from `phrase_setting`, or an earlier hash, whose setting is then used again. Writes a C string of
   at most `capacity` bytes with its NUL. Returns 0 or an error number. */
int phrase_hash(const char *phrase, const char *setting, char *hash, size_t capacity);

/* Makes the setting for a new yescrypt hash, with the library's default cost. Returns 0 or an error number. */
int phrase_setting(const char *random, int random_count, char *setting, size_t capacity);
