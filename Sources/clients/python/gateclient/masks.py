"""Masks: texts of fixed length, with places to type into and signs that stand between them. Gate's extension `mask`.

`9` is a digit, `A` a letter that is written large, `a` a letter as it is typed, `*` a letter or a digit; `\\` has the sign
behind it stand for itself, as every other sign does anyway. Letters are those of any alphabet, digits those from 0 to 9.
"""

from __future__ import annotations

import unicodedata

_SEPARATORS = {"Pd", "Pc", "Ps", "Pe", "Po"}
_LETTERS = {"Lu", "Ll", "Lt", "Lo", "Lm"}


class TextMask:
    """One mask, of which the daemon has said that it is one."""

    def __init__(self, source: str) -> None:
        self._parts: list[tuple[bool, str]] = []  # whether it stands there by itself, and the sign
        is_escaped = False
        for sign in source:
            if sign == "\\" and not is_escaped:
                is_escaped = True
                continue
            self._parts.append((is_escaped or sign not in "9Aa*", sign))
            is_escaped = False
        self._fixed = {sign for is_fixed, sign in self._parts if is_fixed}

    def matches(self, text: str) -> bool:
        """Whether the whole text is as the mask says."""
        return len(text) == len(self._parts) and all(
            _taken(part, sign) == sign for part, sign in zip(self._parts, text)
        )

    def completed(self, typed: str) -> str:
        """The text that somebody means who has typed this: with the signs that stand there by themselves, typed or not, and with
        large letters where the mask has them. The same text where that can't be made of it."""
        signs = None if self.matches(typed) else self._signs(typed)
        if signs is None:
            return typed
        # Letters and digits that stand there by themselves were typed all, or not at all.
        return self._text(signs, False) or self._text(signs, True) or typed

    def _signs(self, typed: str) -> list[str] | None:
        """The letters and digits; None: there are too many, or something else that has no place."""
        signs: list[str] = []
        for sign in typed:
            if _is_letter(sign):
                signs.append(sign)
            elif (digit := _digit(sign)) is not None:
                signs.append(digit)
            elif not (unicodedata.category(sign) in _SEPARATORS or sign.isspace() or sign in self._fixed):
                return None
        return signs if len(signs) <= len(self._parts) else None

    def _text(self, signs: list[str], includes_fixed: bool) -> str | None:
        rest, text = list(reversed(signs)), ""
        for part in self._parts:
            is_fixed, sign = part
            if not is_fixed:
                taken = _taken(part, rest.pop()) if rest else None
                if taken is None:
                    return None
                text += taken
                continue
            if includes_fixed and (_is_letter(sign) or _digit(sign) is not None):
                if not rest or _capital(rest.pop()) != _capital(sign):
                    return None
            text += sign
        return None if rest else text


def _taken(part: tuple[bool, str], sign: str) -> str | None:
    """The sign that stands at this part once this was typed; None: it has no place there."""
    is_fixed, kind = part
    if is_fixed:
        return sign if sign == kind else None
    match kind:
        case "9":
            return _digit(sign)
        case "A":
            return _capital(sign) if _is_letter(sign) else None
        case "a":
            return sign if _is_letter(sign) else None
    return sign if _is_letter(sign) else _digit(sign)


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign) in _LETTERS


def _digit(sign: str) -> str | None:
    """A digit of any script as one from 0 to 9; None: it is no digit."""
    return str(unicodedata.decimal(sign)) if unicodedata.category(sign) == "Nd" else None


def _capital(sign: str) -> str:
    """Itself where there is no large letter of it alone, as of ß."""
    return sign.upper() if len(sign.upper()) == 1 else sign
