"""Answers of a form, as people type and read them. These functions are pure. Whether the form accepts an answer is up
to the daemon."""

from __future__ import annotations

import datetime
import json
import re
from decimal import Decimal
from typing import Any, Callable, Iterator, Sequence

from .errors import Code, GateError, unreadable
from .masks import TextMask

JSON = dict[str, Any]

_HL7 = "http://hl7.org/fhir/StructureDefinition/"
_MASK = "https://gate.example/fhir/StructureDefinition/mask"
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?")
_ZONE = re.compile(r"Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00)")
_DECIMAL_BYTES = 64


# MARK: JSON


def parsed(data: bytes) -> Any:
    """Parses JSON that the daemon sent. Decimal numbers keep the digits that were written: to people, 1.50 is not
    1.5."""
    try:
        return json.loads(data, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise unreadable("no JSON") from error


def encoded(value: Any) -> bytes:
    """Encodes a value as JSON for the daemon. `Decimal` keeps its digits."""
    return _text(value).encode()


def _text(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(str(key))}: {_text(one)}" for key, one in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_text, value)) + "]"
        case Decimal():
            if not value.is_finite():
                raise ValueError(f"JSON has no number for {value}")
            return str(value)
    return json.dumps(value, allow_nan=False)


# MARK: forms


def items(questionnaire: JSON) -> Iterator[JSON]:
    """All items of a form. The items of a group follow the group."""
    for item in questionnaire.get("item", []):
        yield item
        yield from items(item)


def item_at(questionnaire: JSON, path: str) -> JSON:
    """The item that a path like "driver[1]/driver-name" names. Raises NOT_FOUND."""
    link_id = path.rpartition("/")[2].partition("[")[0]
    for item in items(questionnaire):
        if item.get("linkId") == link_id:
            return item
    raise GateError(Code.NOT_FOUND, f"This form has no item '{_shown(link_id)}'.", "UNKNOWN")


def options(questionnaire: JSON, item: JSON) -> list[JSON]:
    """The answers that an item offers, from its `answerOption` or from a value set in the form."""
    if name := item.get("answerValueSet"):
        return [{"valueCoding": coding} for coding in _codings(questionnaire, name)]
    known = ("valueCoding", "valueString", "valueInteger", "valueDate", "valueTime", "valueReference")
    offered = item.get("answerOption", [])
    return [{key: one[key]} for one in offered for key in known if key in one]


def _codings(questionnaire: JSON, name: str) -> list[JSON]:
    """The codings of a value set that the form contains; empty if it contains none of this name."""
    for contained in questionnaire.get("contained", []):
        if name != f"#{contained.get('id')}":
            continue
        if "expansion" in contained:
            return list(_expanded(contained["expansion"]))
        return [
            _coding(concept, include.get("system"))
            for include in contained.get("compose", {}).get("include", [])
            for concept in include.get("concept", [])
        ]
    return []


def _expanded(node: JSON) -> Iterator[JSON]:
    for one in node.get("contains", []):
        if "code" in one and not one.get("abstract", False):
            yield _coding(one, one.get("system"))
        yield from _expanded(one)


def _coding(concept: JSON, system: str | None) -> JSON:
    coding = {"system": system, "code": concept.get("code"), "display": concept.get("display")}
    return {key: value for key, value in coding.items() if value is not None}


def _extensions(item: JSON, url: str) -> list[JSON]:
    return [one for one in item.get("extension", []) if one.get("url") == url]


def _units(questionnaire: JSON, item: JSON) -> list[JSON]:
    """The units that a quantity may have; empty if any unit is allowed."""
    units = [one["valueCoding"] for name in ("unit", "unitOption") for one in _extensions(item, f"{_HL7}questionnaire-{name}")]
    for one in _extensions(item, f"{_HL7}questionnaire-unitValueSet"):
        units += _codings(questionnaire, one.get("valueCanonical", ""))
    return units


# MARK: reading what was typed


def typed(questionnaire: JSON, path: str, text: str) -> JSON:
    """The answer that a person means by this text: "75 kW", "yes", "2015-03-02". An option is meant by its code, by its
    text, or, if only options may be chosen, by its label (see `labels`). Raises INVALID_ARGUMENT (BAD_ANSWER) with a
    sentence that says how to write it."""
    item = item_at(questionnaire, path)
    offered = options(questionnaire, item)
    kind = item.get("type")
    is_closed = kind == "choice" or (bool(offered) and kind != "open-choice")
    chosen = _option(offered, text.strip(), is_closed)
    return chosen or _typed(questionnaire, item, offered, text)


def _typed(questionnaire: JSON, item: JSON, offered: Sequence[JSON], text: str) -> JSON:
    trimmed, kind, link_id = text.strip(), item.get("type"), item.get("linkId")
    match kind:
        case "boolean":
            meant = {"y": True, "yes": True, "true": True, "on": True, "n": False, "no": False, "false": False, "off": False}
            if trimmed.lower() not in meant:
                raise _mistake(trimmed, "neither yes nor no", "yes or no")
            return {"valueBoolean": meant[trimmed.lower()]}
        case "integer":
            if not re.fullmatch(r"[+-]?[0-9]+", trimmed) or not -(2**31) <= int(trimmed) < 2**31:
                raise _mistake(trimmed, "no whole number that fits", "like 42")
            return {"valueInteger": int(trimmed)}
        case "decimal":
            if not _is_decimal(trimmed):
                raise _mistake(trimmed, "no number", "like 1.5")
            return {"valueDecimal": Decimal(trimmed)}
        case "date":
            if not _is_date(trimmed):
                raise _mistake(trimmed, "no date", "year first: 2015-03-02, 2015-03 or 2015")
            return {"valueDate": trimmed}
        case "dateTime":
            moment = _date_time(trimmed)
            if moment is None:
                raise _mistake(trimmed, "no date with a time", "with the time zone: 2026-01-31 18:30+01:00, or Z for UTC")
            return {"valueDateTime": moment}
        case "time":
            if not _TIME.fullmatch(_with_seconds(trimmed)):
                raise _mistake(trimmed, "no time of the day", "like 18:30")
            return {"valueTime": _with_seconds(trimmed)}
        case "string" | "open-choice":
            masks = _extensions(item, _MASK)
            return {"valueString": TextMask(masks[0].get("valueString", "")).completed(text) if masks else text}
        case "text":
            return {"valueString": text}
        case "url":
            if not trimmed or any(map(str.isspace, trimmed)):
                raise _mistake(trimmed, "no address", "without spaces, like https://example.org/")
            return {"valueUri": trimmed}
        case "choice":
            words = [text_of(one) or "''" for one in offered]
            rest = f" and {len(words) - 10} more" if len(words) > 10 else ""
            raise _refused(f"'{_shown(trimmed)}' is not offered. Choose from: {', '.join(words[:10])}{rest}.")
        case "reference":
            return {"valueReference": {"reference": trimmed}}
        case "quantity":
            return {"valueQuantity": _quantity(_units(questionnaire, item), trimmed)}
        case "attachment":
            raise _refused(f"'{link_id}' takes a document.")
    raise _refused(f"'{link_id}' is a {'group' if kind == 'group' else 'text'}, and takes no answer.")


def _option(offered: Sequence[JSON], text: str, by_label: bool) -> JSON | None:
    """The option that a text means; None if it means none. Codes are compared exactly, the texts that people read also
    without regard to case. A text that several options share means none of them. "SYSTEM|CODE" also means an
    option; so does its label if `by_label` is true."""
    small = text.lower()
    ways: tuple[Callable[[JSON], bool], ...] = (
        lambda one: _code(one) == text,
        lambda one: text_of(one) == text,
        lambda one: text_of(one).lower() == small,
    )
    for way in ways:
        found = [one for one in offered if text and way(one)]
        if len(found) == 1:
            return found[0]
    for one in offered:
        coding = one.get("valueCoding", {})
        if text and f"{coding.get('system')}|{coding.get('code')}" == text:
            return one
    return dict(zip(labels(offered), offered)).get(small) if by_label else None


def labels(offered: Sequence[JSON]) -> list[str]:
    """A short label for each option, by which a person chooses it: numbers from 1. If there are at most 26 options and
    one of them is itself a number, letters from a."""
    is_numeric = len(offered) <= 26 and any(re.fullmatch(r"[+-]?[0-9]+", text_of(one)) for one in offered)
    return [chr(ord("a") + index) if is_numeric else str(index + 1) for index in range(len(offered))]


def _code(answer: JSON) -> str | None:
    code = answer.get("valueCoding", {}).get("code") or answer.get("valueReference", {}).get("reference")
    return str(code) if code else None


def _quantity(units: Sequence[JSON], text: str) -> JSON:
    """Reads `75 kW`, `75kW`, `<= 5 mg` or `75`. An offered unit is meant by its code or by its text. If only one unit
    is offered, it may be left out."""
    comparator = next((one for one in ("<=", ">=", "<", ">") if text.startswith(one)), "")
    rest = text.removeprefix(comparator).lstrip()
    # Takes the longest beginning that is a number: `1e3` of `1e3 m`, but `75` of `75 eggs`.
    signs = re.match(r"[0-9.+\-eE]*", rest)
    longest = signs.end() if signs else 0
    number = next((rest[:count] for count in range(longest, 0, -1) if _is_decimal(rest[:count])), None)
    if number is None:
        example = _unit_name(units[0]) if units else "kW"
        raise _mistake(text, "no amount", f"a number and its unit: 75 {example}")
    unit = rest[len(number) :].strip()
    quantity: JSON = {"value": Decimal(number)}
    if comparator:
        quantity["comparator"] = comparator
    if not units:
        return quantity | ({"unit": unit} if unit else {})
    named = [one for one in units if unit in (one.get("code"), one.get("display"))]
    named = named or [one for one in units if _unit_name(one).lower() == unit.lower()]
    if not unit:
        named = list(units) if len(units) == 1 else []
    if not named:
        what = f"'{unit}' is no unit that is asked for." if unit else f"'{text}' lacks its unit."
        raise _refused(f"{what} Give one of: {', '.join(map(_unit_name, units))}.")
    coding = named[0]
    quantity["unit"] = coding.get("display") or coding.get("code")
    # A code means nothing without its system.
    if "system" in coding:
        quantity |= {key: coding[key] for key in ("system", "code") if key in coding}
    return quantity


def _unit_name(unit: JSON) -> str:
    return str(unit.get("display") or unit.get("code") or "")


def _is_decimal(text: str) -> bool:
    return len(text.encode()) <= _DECIMAL_BYTES and _DECIMAL.fullmatch(text) is not None


def _is_date(text: str) -> bool:
    parts = _DATE.fullmatch(text)
    try:
        return parts is not None and bool(datetime.date(*(int(part or 1) for part in parts.groups())))
    except ValueError:
        return False


def _date_time(text: str) -> str | None:
    """A date, or a date with a time, as FHIR writes it; None if the text is neither. A space in place of the T, and
    missing seconds, are accepted."""
    gap = re.search("[T ]", text)
    if gap is None:
        return text if _is_date(text) else None
    date, rest = text[: gap.start()], "".join(text[gap.end() :].split())
    place = re.search("[Zz+-]", rest)
    time = _with_seconds(rest[: place.start()] if place else rest)
    zone = rest[place.start() :].upper() if place else ""
    is_whole = _is_date(date) and len(date) == 10 and _TIME.fullmatch(time) and _ZONE.fullmatch(zone)
    return f"{date}T{time}{zone}" if is_whole else None


def _with_seconds(text: str) -> str:
    """Completes `18:30` to `18:30:00`, and `8:30` to `08:30:00`."""
    parts = text.split(":")
    if len(parts) < 2:
        return text
    return ":".join([parts[0].zfill(2) if len(parts[0]) == 1 else parts[0], *parts[1:]] + (["00"] if len(parts) == 2 else []))


# MARK: for people to read


def text_of(answer: JSON) -> str:
    """The text of an answer for people: "Yes", "75 kW", "passport.png (120 kB)"."""
    key = next((key for key in answer if key.startswith("value")), "")
    value: Any = answer.get(key, "")
    match key:
        case "valueBoolean":
            return "Yes" if value else "No"
        case "valueDateTime":
            return _moment_text(value)
        case "valueTime":
            return _time_text(value)
        case "valueCoding":
            return str(value.get("display") or value.get("code") or value.get("system") or "")
        case "valueQuantity":
            parts = (value.get("comparator"), value.get("value"), value.get("unit") or value.get("code"))
            return " ".join(str(part) for part in parts if part is not None)
        case "valueReference":
            reference, display = value.get("reference"), value.get("display")
            if not display:
                return str(reference or value.get("type") or "")
            return f"{display} [{reference}]" if reference else str(display)
        case "valueAttachment":
            return f"{value.get('title') or value.get('contentType') or 'document'} ({_size_text(value.get('size', 0))})"
    return str(value)


def _time_text(text: str) -> str:
    return text[:-3] if len(text) == 8 and text.endswith(":00") else text


def _moment_text(text: str) -> str:
    parts = re.fullmatch(r"([^T]+)T([^Z+-]+)(.+)", text)
    if parts is None:
        return text
    return f"{parts[1]} {_time_text(parts[2])} {'UTC' if parts[3] == 'Z' else parts[3]}"


def _size_text(count: int) -> str:
    """The size in bytes below 1,000, then in kB of 1,000 bytes or in MB, with a decimal digit below 100 of them."""
    if count < 1000:
        return "1 byte" if count == 1 else f"{count} bytes"
    unit, name = (1000, "kB") if count < 999_500 else (1_000_000, "MB")
    whole, rest = divmod(count, unit)
    tenths = 0 if whole >= 100 else (rest + unit // 20) // (unit // 10)
    if 1 <= tenths <= 9:
        return f"{whole}.{tenths} {name}"
    return f"{whole + (rest >= unit // 2)} {name}"


# MARK: what is wrong


def _shown(text: str) -> str:
    """A text in an error message: on one line, and at most 64 characters of it."""
    visible = "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
    return visible if len(visible) <= 64 else visible[:64] + "…"


def _mistake(text: str, what: str, how: str) -> GateError:
    return _refused(f"'{_shown(text)}' is {what}. Write it {how}.")


def _refused(message: str) -> GateError:
    return GateError(Code.INVALID_ARGUMENT, message, "BAD_ANSWER")
