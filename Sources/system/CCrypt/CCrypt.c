#define _DEFAULT_SOURCE
#include "CCrypt.h"
#include <crypt.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int copy(const char *text, char *output, size_t capacity) {
    size_t count = strlen(text) + 1;
    if (count > capacity) return ERANGE;
    memcpy(output, text, count);
    return 0;
}

int phrase_hash(const char *phrase, const char *setting, char *hash, size_t capacity) {
    /* 32 KiB are too much for the stack of a small thread. */
    struct crypt_data *data = calloc(1, sizeof *data);
    if (data == NULL) return ENOMEM;
    errno = 0;
    const char *made = crypt_r(phrase, setting, data);
    int error = errno;
    int failed = made == NULL || made[0] == '*';
    int result = failed ? (error ? error : EINVAL) : copy(made, hash, capacity);
    explicit_bzero(data, sizeof *data);
    free(data);
    return result;
}

int phrase_setting(const char *random, int random_count, char *setting, size_t capacity) {
    errno = 0;
    char *made = crypt_gensalt_ra("$y$", 0, random, random_count);
    if (made == NULL) return errno ? errno : EINVAL;
    int result = copy(made, setting, capacity);
    free(made);
    return result;
}
