"""Masks: texts of fixed length, with places to type into and fixed characters between them (Gate's FHIR extension
`mask`).

`9` is a digit, `A` a letter that becomes a capital, `a` a letter as it is typed, `*` a letter or a digit. After `\\`, a
character stands for itself, as all other characters do anyway. Letters are those of any alphabet, digits are 0 to 9.
"""

from __future__ import annotations

import unicodedata

_SEPARATORS = {"Pd", "Pc", "Ps", "Pe", "Po"}
_LETTERS = {"Lu", "Ll", "Lt", "Lo", "Lm"}


class TextMask:
    """One mask. The daemon has checked that it is valid."""

    def __init__(self, source: str) -> None:
        self._parts: list[tuple[bool, str]] = []  # for each place: whether its character is fixed, and the character
        is_escaped = False
        for sign in source:
            if sign == "\\" and not is_escaped:
                is_escaped = True
                continue
            self._parts.append((is_escaped or sign not in "9Aa*", sign))
            is_escaped = False
        self._fixed = {sign for is_fixed, sign in self._parts if is_fixed}

    def matches(self, text: str) -> bool:
        """Whether the whole text fits the mask."""
        return len(text) == len(self._parts) and all(
            _taken(part, sign) == sign for part, sign in zip(self._parts, text)
        )

    def completed(self, typed: str) -> str:
        """The text that a person means by what was typed: with the fixed characters, whether they were typed or not,
        and with capitals where the mask has them. Returns `typed` unchanged if it does not fit the mask."""
        signs = None if self.matches(typed) else self._signs(typed)
        if signs is None:
            return typed
        # A person types either all fixed letters and digits, or none of them.
        return self._text(signs, False) or self._text(signs, True) or typed

    def _signs(self, typed: str) -> list[str] | None:
        """The letters and digits of the text; None if there are too many, or another character has no place in the
        mask."""
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
    """The character that stands at this place after `sign` was typed; None if it does not fit there."""
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
    """A digit of any script as one from 0 to 9; None if the character is not a digit."""
    return str(unicodedata.decimal(sign)) if unicodedata.category(sign) == "Nd" else None


def _capital(sign: str) -> str:
    """The capital of a letter; the letter itself if its capital is not a single letter, as with ß."""
    return sign.upper() if len(sign.upper()) == 1 else sign
