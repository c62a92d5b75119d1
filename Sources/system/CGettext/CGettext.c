#include "CGettext.h"
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char *named_locale(const char *category) {
    const char *names[] = {"LC_ALL", category, "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return value;
    }
    return NULL;
}

bool texts_begin(const char *domain, const char *folder) {
    if (!setlocale(LC_MESSAGES, "")) {
        /* The device does not have the locale. Every glibc since 2.35 has C.UTF-8, with which gettext still looks for translations;
           with C it does not. */
        const char *language = named_locale("LC_MESSAGES");
        if (!language || !setlocale(LC_MESSAGES, "C.UTF-8")) return false;
        setenv("LANGUAGE", language, 0);
    }
    /* A missing catalogue is not an error: then the program's own texts are used. */
    return bindtextdomain(domain, folder) && bind_textdomain_codeset(domain, "UTF-8");
}

const char *texts_text(const char *domain, const char *text) { return dgettext(domain, text); }

const char *texts_plural(const char *domain, const char *one, const char *many, unsigned long count) {
    return dngettext(domain, one, many, count);
}

static const char *item(const char *category, int mask, nl_item item) {
    const char *name = named_locale(category);
    if (!name || !strcmp(name, "C") || !strncmp(name, "C.", 2) || !strcmp(name, "POSIX")) return NULL;
    locale_t locale = newlocale(mask, "", (locale_t)0);
    return locale ? nl_langinfo_l(item, locale) : NULL;
}

const char *texts_date_format(void) { return item("LC_TIME", LC_TIME_MASK, D_FMT); }

const char *texts_decimal_separator(void) { return item("LC_NUMERIC", LC_NUMERIC_MASK, RADIXCHAR); }
