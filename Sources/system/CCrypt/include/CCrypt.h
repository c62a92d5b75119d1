/* crypt(3) without its static buffers, its failure tokens and its leftovers: what was typed is gone from memory when
   these return. */
#pragma once
#include <stddef.h>

/* Hashes a phrase as its setting, or an earlier hash, says. Writes a C string of less than `capacity` bytes. 0, or an
   errno. */
int phrase_hash(const char *phrase, const char *setting, char *hash, size_t capacity);

/* Makes the setting of a new yescrypt hash, with the cost that the library thinks right. 0, or an errno. */
int phrase_setting(const char *random, int random_count, char *setting, size_t capacity);
