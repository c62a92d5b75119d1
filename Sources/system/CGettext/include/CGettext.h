/* The system's gettext, as functions: Swift can't call what libintl.h declares with format attributes and macros. */
#pragma once
#include <stdbool.h>

/* Takes the language of messages from LC_ALL, LC_MESSAGES, LANG and LANGUAGE. The device need not have the locale: then
   its language is read all the same. To be called before there is a second thread. False: the language stays English. */
bool texts_begin(const char *domain, const char *folder);

/* The text in that language, or `text` itself. It lives as long as the program. */
const char *texts_text(const char *domain, const char *text);

/* The same, for so many of something. */
const char *texts_plural(const char *domain, const char *one, const char *many, unsigned long count);

/* How the locale writes dates, like "%d.%m.%Y", and what stands between whole and tenths. NULL: the device does not have it, or
   it is C. They live as long as the program. */
const char *texts_date_format(void);
const char *texts_decimal_separator(void);
