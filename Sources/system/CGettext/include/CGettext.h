/* The system's gettext as functions. Swift can't call what libintl.h declares with format attributes and macros. */
#pragma once
#include <stdbool.h>

/* Sets the language of messages from LC_ALL, LC_MESSAGES, LANG and LANGUAGE, even if the device does not have the locale. Call
   this before there is a second thread. Returns false if that fails; then the language stays English. */
bool texts_begin(const char *domain, const char *folder);

/* The translation of a text, or `text` itself if there is none. It stays valid until the program ends. */
const char *texts_text(const char *domain, const char *text);

/* The translation of a text in its form for `count` things. If there is none: `one` or `many`, by English rules. */
const char *texts_plural(const char *domain, const char *one, const char *many, unsigned long count);

/* The locale's format of dates, like "%d.%m.%Y", and its decimal separator. NULL if the device does not have the locale, or if it is
   C. They stay valid until the program ends. */
const char *texts_date_format(void);
const char *texts_decimal_separator(void);
