/* libutf8proc as a module: normal forms of texts, the width of characters on a terminal, and their reading direction, from
   Unicode's data. */
#pragma once
#include <utf8proc.h>

/* Whether a character is read from right to left, or is an Arabic digit. */
static inline int reads_leftwards(utf8proc_int32_t codepoint) {
    switch (utf8proc_get_property(codepoint)->bidi_class) {
    case UTF8PROC_BIDI_CLASS_R:
    case UTF8PROC_BIDI_CLASS_AL:
    case UTF8PROC_BIDI_CLASS_AN: return 1;
    default: return 0;
    }
}
