"""Writes refusals as sentences in the language of the person, from their reasons and parameters, as `gatectl` and
Gate's windows do.

The texts come from Gate's catalogues, which the package `gate` installs. Without a catalogue, in English, and in a
language that has none, the sentence is the refusal's own message, which says more.
"""

from __future__ import annotations

import gettext
import math
import os
import re
from typing import Callable, Mapping, Sequence

from . import messages, refusals as texts
from .errors import Code, GateError

_FOLDERS = ("/usr/share/locale", "/usr/local/share/locale")
_catalogue: gettext.NullTranslations | None = None


def use(languages: Sequence[str] | None = None, folder: str | None = None) -> None:
    """Chooses the language: names like "de_CH", the preferred one first; None: those of the environment, as without
    this call.

    `folder`: where the catalogues are (LANGUAGE/LC_MESSAGES/gate.mo), if not in /usr/share/locale or
    /usr/local/share/locale.
    """
    global _catalogue
    wanted = _of_environment(os.environ) if languages is None else list(languages)
    for path in (folder,) if folder is not None else _FOLDERS:
        file = gettext.find("gate", path, wanted) if wanted else None
        if file is not None:
            with open(file, "rb") as content:
                _catalogue = gettext.GNUTranslations(content)
            return
    _catalogue = gettext.NullTranslations()


def sentence(error: GateError) -> str:
    """What is wrong, what to do, and when to try again."""
    if not _is_translating():
        return error.message
    # What is wrong with the answer says more than that an answer was refused.
    if error.issues and error.issues[0].message == error.message:
        return issue_sentence(error.issues[0])
    text = _of_reason(error)
    if text is None:
        return error.message
    # The sentence about a closed schedule already says when the schedule opens.
    if error.retry_after is not None and error.retry_after > 0 and error.reason != "OUT_OF_HOURS":
        return f"{text} " + _("Try again in {duration}.", duration=_duration(error.retry_after))
    return text


def issue_sentence(issue: messages.Issue) -> str:
    """What is wrong with an answer, and what to do. Mistakes in files are told in English, except those in files of
    answers."""
    parameters = {one.name: one.value for one in issue.parameters}
    if not _is_translating():
        return issue.message
    if issue.WhichOneof("place") == "file":
        rule = texts.FILE_RULES.get(parameters.get("rule", ""))
        return _(rule, **parameters) if rule else issue.message
    if parameters.get("rule") == "invariant":
        return _in_language("text", parameters) or issue.message
    choices = _in_language("choices", parameters)
    if choices is not None and (issue.kind == messages.IssueKind.ISSUE_KIND_CODE_INVALID or "type" in parameters):
        return _("Choose one of these: {choices}.", choices=choices)
    text = _of_parameters(parameters)
    if text is not None:
        return text
    told = texts.ISSUES.get(issue.kind)
    if told is None:
        return issue.message
    text, is_whole = told
    return _(text) if is_whole else _detailed(_(text), issue.message)


# MARK: the catalogue


def _of_environment(variables: Mapping[str, str]) -> list[str]:
    """The languages that gettext would choose; none for the locales C and POSIX."""
    locale = next((variables[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if variables.get(name)), "")
    if locale in ("", "C", "POSIX"):
        return []
    return [*filter(None, variables.get("LANGUAGE", "").split(":")), locale]


def _translations() -> gettext.NullTranslations:
    if _catalogue is None:
        use()
    assert _catalogue is not None
    return _catalogue


def _is_translating() -> bool:
    return type(_translations()) is not gettext.NullTranslations


def _filled(text: str, values: Mapping[str, object]) -> str:
    return re.sub(r"\{(\w+)\}", lambda place: str(values.get(place[1], place[0])), text)


def _(msgid: str, /, **values: object) -> str:
    return _filled(_translations().gettext(msgid), values)


def _plural(one: str, many: str, count: int) -> str:
    return _filled(_translations().ngettext(one, many, count), {"count": count})


# MARK: words


def _duration(seconds: float) -> str:
    whole = max(0, math.ceil(seconds))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    parts = []
    if hours:
        parts.append(_plural("{count} hour", "{count} hours", hours))
    if minutes:
        parts.append(_plural("{count} minute", "{count} minutes", minutes))
    if rest or not parts:
        parts.append(_plural("{count} second", "{count} seconds", rest))
    return " ".join(parts)


def _size(count: int) -> str:
    if count < 1000:
        return _plural("{count} byte", "{count} bytes", count)
    unit, name = (1000, "kB") if count < 1_000_000 else (1_000_000, "MB")
    whole, rest = count // unit, count % unit * 10 // unit
    return f"{whole}.{rest} {name}" if rest else f"{whole} {name}"


def _alternatives(words: str) -> str:
    every = words.split(", ")
    if len(every) < 2:
        return words
    return _("{words} or {last}", words=_(", ").join(every[:-1]), last=every[-1])


def _decimal(text: str) -> str:
    return text.replace(".", _("1.5")[1:-1] or ".", 1)


def _dated(text: str) -> str:
    """Rewrites the date at the beginning of a text as the language writes dates."""
    numbers = re.match(r"(\d{4})-(\d\d)-(\d\d)", text)
    if numbers is None:
        return text
    year, month, day = numbers.groups()
    date = re.sub(r"%-?([Ymd])", lambda part: {"Y": year, "m": month, "d": day}[part[1]], _("%Y-%m-%d"))
    return date + text[10:]


def _written(value: str) -> str:
    """Writes a date or a number as the language does; other text stays as it is."""
    if re.match(r"\d{4}-\d\d-\d\d", value):
        return _dated(value)
    return _decimal(value) if re.fullmatch(r"[\d.-]*( .*)?", value) else value


def _detailed(text: str, message: str) -> str:
    """Appends the English message to a sentence that says less."""
    return _("{text} ({note})", text=text, note=message) if message else text


def _in_language(name: str, parameters: Mapping[str, str]) -> str | None:
    """Words of a form in the catalogue's language, if the parameters have them; otherwise the words for all
    languages."""
    language = _translations().info().get("language", "").replace("_", "-")
    for tag in (language, language.split("-")[0]):
        if f"{name}-{tag}" in parameters:
            return parameters[f"{name}-{tag}"]
    return parameters.get(name)


# MARK: by reason

def _of_reason(error: GateError) -> str | None:
    """The sentence for the reason; None if the reason has none."""
    parameters = error.parameters
    what = parameters.get("what", "")
    if error.reason == "LOCKED_OUT" and parameters.get("at") == "sign-in":
        return _("There were too many attempts to sign in.")
    if error.reason == "REFUSED" and parameters.get("until") == "tomorrow":
        return _("A grown-up said: not until tomorrow.")
    if error.reason in texts.REASONS:
        return _(texts.REASONS[error.reason])
    parent, question = _in_language("parent-question", parameters), _in_language("question", parameters)
    if error.reason == "NOT_ANSWERABLE" and what == "parent-missing" and parent and question:
        return _("Answer “{parent}” first: “{question}” depends on it.", parent=parent, question=question)
    if error.reason in texts.BY_WHAT:
        by_what = texts.BY_WHAT[error.reason]
        return _(by_what.get(what, by_what[""]))
    match error.reason:
        case "INVALID_REQUEST":
            text = _of_field(parameters)
            return text or _detailed(_("Something about the request is wrong."), error.message)
        case "LIMIT":
            return _of_limit(what, error)
        case "UNKNOWN":
            return _of_unknown(what, error)
        case "SIGNED_IN" if "account" in parameters:
            return _("{name} is signed in already. Sign out first.", name=parameters["account"])
        case "SIGNED_IN":
            return _("Somebody is signed in already.")
        case "BAD_POLICY" if "overruled-by" in parameters:
            return _(
                "'{name}' is set in {file}, which takes precedence. Change it there.",
                name=parameters.get("name", ""),
                file=parameters["overruled-by"],
            )
        case "BAD_POLICY" if "needed-by" in parameters:
            return _(
                "'{name}' can't be taken back while these gates need it: {gates}. Change them first.",
                name=parameters.get("name", ""),
                gates=parameters["needed-by"],
            )
        case "BAD_POLICY":
            return _before_issues(_("The policy has mistakes."), error)
        case "BAD_ANSWER":
            return _before_issues(_("This can't be the answer here."), error)
        case "BAD_RECEIPT":
            return _detailed(_("The receipt could not be verified."), error.message)
        case "OUT_OF_HOURS":
            closed = _closed(parameters)
            if "more-time" not in parameters:
                return closed
            more = _("Ask for more time: `gatectl more-time {gate}`.", gate=parameters.get("gated-action", ""))
            return f"{closed} {more}"
    return _of_code(error) if error.reason == "UNSPECIFIED" else None


def _closed(parameters: dict[str, str]) -> str:
    if "day" in parameters:
        day = parameters["day"]
        day = _(day) if day in ("today", "tomorrow") else _(_dated(day).capitalize())
        text = "This is closed now. It opens {day} at {time}."
        if "allowance" in parameters:
            text = "The time for this is used up. There is more {day} at {time}."
        elsewhere = parameters.get("elsewhere", "")
        if "allowance" in parameters and elsewhere.isdecimal():
            text = "The time for this is used up, {duration} of it on {devices}. There is more {day} at {time}."
            used = {"duration": _duration(int(elsewhere) / 1000), "devices": parameters.get("devices", "")}
            return _(text, day=day, time=parameters.get("time", ""), **used)
        return _(text, day=day, time=parameters.get("time", ""))
    if "allowance" in parameters:
        return _("There is no time for this, and none within two weeks.")
    return _("This is closed, and does not open within two weeks.")


def _of_code(error: GateError) -> str | None:
    match error.code:
        case Code.UNAVAILABLE if error.parameters.get("what") == "sandbox":
            return _(
                "This app runs in a sandbox, and can't reach Gate. Add --filesystem=xdg-run/gate:ro to its manifest, and "
                "install gate-portal on the device."
            )
        case Code.UNAVAILABLE:
            return _("Gate can't be reached. Is it running? `gatectl doctor` says what is wrong.")
        case Code.DEADLINE_EXCEEDED:
            return _("It took too long.")
        case Code.CANCELLED:
            return _("The request was taken back.")
        case Code.PERMISSION_DENIED:
            return _("You are not allowed to do this.")
        case Code.UNIMPLEMENTED:
            return _("This version of Gate can't do that yet.")
        case Code.INTERNAL | Code.DATA_LOSS:
            text = _("Gate and this program do not understand each other. Are both of the same version?")
            return _detailed(text, error.message)
    return None


def _before_issues(text: str, error: GateError) -> str:
    """A sentence that the issues continue. If there are none, the message is appended."""
    return text if error.issues else _detailed(text, error.message)


def _of_limit(what: str, error: GateError) -> str:
    maximum = error.parameters.get("maximum", "")
    if what in texts.BYTES and maximum.isdecimal():
        return _("This is too much: at most {maximum}.", maximum=_size(int(maximum)))
    if what in texts.LIMITS:
        return _(texts.LIMITS[what], maximum=maximum)
    return _detailed(_("That is too much at once."), error.message)


def _of_unknown(what: str, error: GateError) -> str:
    name = error.parameters.get("name", "")
    if what in texts.UNKNOWNS:
        form = error.parameters.get("form", "")
        return _(texts.UNKNOWNS[what], name=name, number=name, path=name, app=name, form=form)
    if not name:
        return _detailed(_("This does not exist."), error.message)
    return _("There is no “{name}” here.", name=name)


def _of_field(parameters: Mapping[str, str]) -> str | None:
    """What is wrong with a field that a person has filled in; None if there is only the English message."""
    field = parameters.get("field", "")
    maximum = parameters.get("maximum", "")
    if field in texts.FIELDS:
        return _(texts.FIELDS[field], user=parameters.get("user", ""), name=parameters.get("name", ""))
    if field == "duration_milliseconds" and maximum.isdecimal():
        return _("Parent mode lasts at most {duration}.", duration=_duration(int(maximum) / 1000))
    if field == "choice" and "choice" in parameters and "choices" in parameters:
        return _(
            "“{choice}” can't be chosen here. These can: {choices}.", choice=parameters["choice"], choices=parameters["choices"]
        )
    if field == "answer" and parameters.get("challenge") in texts.ANSWERS:
        return _(texts.ANSWERS[parameters["challenge"]])
    if field == "path" and parameters.get("rule") in texts.PATHS:
        values = {key: parameters.get(name, "") for key, name in _PLACES.items()}
        return _(texts.PATHS[parameters["rule"]], **values)
    return None


_PLACES = {"path": "name", "first": "minimum", "last": "maximum"}

# MARK: by what is wrong with an answer

_EXAMPLES: dict[str, Callable[[], str]] = {
    "decimal": lambda: _decimal("1.5"),
    "date": lambda: _dated("2015-03-02"),
    "dateTime": lambda: _dated("2026-01-31 18:30+01:00"),
}


def _of_parameters(parameters: Mapping[str, str]) -> str | None:
    """The sentence that the parameters make; None if they make none. A limit is a number of a unit, or a date or number
    by itself."""
    unit = parameters.get("unit", "")
    if (limit := parameters.get("minimum")) is not None:
        if unit == "characters" and limit.isdecimal():
            return _plural("At least {count} character.", "At least {count} characters.", int(limit))
        return _("At least {minimum}.", minimum=_written(limit))
    if (limit := parameters.get("maximum")) is not None:
        return _at_most(limit, unit)
    for name, text, value in (
        ("maximum-decimal-places", "This has too many decimal places: at most {maximum}.", "maximum"),
        ("example", "Write it like {example}.", "example"),
        ("pattern", "Write it in this form: {pattern}", "pattern"),
    ):
        if name in parameters:
            return _(text, **{value: parameters[name]})
    for name, text, value in (
        ("types", "Choose a document of one of these types: {types}.", "types"),
        ("resource-types", "This has to refer to one of these: {types}.", "types"),
        ("units", "Give one of these units: {units}.", "units"),
    ):
        if name in parameters:
            return _(text, **{value: _alternatives(parameters[name])})
    if (kind := parameters.get("type", "")) in texts.TYPES:
        return _(texts.TYPES[kind], example=_EXAMPLES[kind]()) if kind in _EXAMPLES else _(texts.TYPES[kind])
    rule = texts.RULES.get(parameters.get("rule", ""))
    return None if rule is None else _(rule)


def _at_most(limit: str, unit: str) -> str:
    count = int(limit) if limit.isdecimal() else None
    if count is not None and unit == "bytes":
        return _("This is too much: at most {maximum}.", maximum=_size(count))
    if count is not None and unit == "characters":
        return _plural("At most {count} character.", "At most {count} characters.", count)
    if count is not None and unit == "answers":
        return _plural("At most {count} answer.", "At most {count} answers.", count)
    return _("At most {maximum}.", maximum=_written(limit))
