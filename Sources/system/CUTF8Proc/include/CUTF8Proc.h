/* libutf8proc as a module: the one spelling of a text, how wide a character is on a terminal, and which way it is read, as Unicode's data has it. */
#pragma once
#include <utf8proc.h>

/* Whether it is read from right to left, or a digit of a script that is. */
static inline int reads_leftwards(utf8proc_int32_t codepoint) {
    switch (utf8proc_get_property(codepoint)->bidi_class) {
    case UTF8PROC_BIDI_CLASS_R:
    case UTF8PROC_BIDI_CLASS_AL:
    case UTF8PROC_BIDI_CLASS_AN: return 1;
    default: return 0;
    }
}
