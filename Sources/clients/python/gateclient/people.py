"""The people on the device's list, and what stands before gated actions, as values."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass
from typing import Any

from . import messages
from .errors import Code, GateError
from .values import Revision


class PersonKind(enum.Enum):
    """Whether a person is a grown-up or a child."""

    GROWN_UP = "grown-up"
    CHILD = "child"
    #: No person, but a Unix user whom several people use, and where they sign in.
    SHARED = "shared"


@dataclass(frozen=True)
class Person:
    """A person on the list. Change one with `dataclasses.replace`, and pass it to `set_person`."""

    #: One line of 1 to 64 bytes, without spaces around it.
    name: str
    #: None: a kind that this version does not know.
    kind: PersonKind | None
    #: A child's date of birth; None: unknown, so the sturdiest questions are asked.
    born: datetime.date | None = None
    #: The name of the person's own Unix user; None: none.
    user: str | None = None
    #: The number of that user. The daemon looks it up, and ignores it in calls, as it does all that follows.
    uid: int | None = None
    #: Whether the person can sign in.
    has_password: bool = False
    #: Whether the person was registered, or given a password, in parent mode. The age does not count until an
    #: administrator confirms it.
    is_unconfirmed: bool = False
    #: Whether the user database has no such user with this number. Gate does not recognize the person then.
    is_user_unknown: bool = False

    @classmethod
    def read(cls, message: messages.Person) -> Person:
        known = {"grown_up": PersonKind.GROWN_UP, "child": PersonKind.CHILD, "shared": PersonKind.SHARED}
        kind = known.get(message.WhichOneof("kind") or "")
        has_user = message.HasField("user")
        return cls(
            message.name,
            kind,
            _date(message.child.born) if kind is PersonKind.CHILD else None,
            message.user.name if has_user else None,
            message.user.uid if has_user else None,
            message.has_password,
            message.is_unconfirmed,
            message.is_user_unknown,
        )


def account_fields(person: Person) -> dict[str, Any]:
    """The fields of the message, without the Unix user. Raises INVALID_ARGUMENT if the person has no kind, or has a
    date of birth and is no child."""
    if person.kind is None or (person.born is not None and person.kind is not PersonKind.CHILD):
        what = "has no kind" if person.kind is None else "has a date of birth, and is no child"
        raise GateError(Code.INVALID_ARGUMENT, f"The person '{person.name}' {what}.", "INVALID_REQUEST")
    kinds: dict[PersonKind, dict[str, Any]] = {
        PersonKind.GROWN_UP: {"grown_up": {}},
        PersonKind.CHILD: {"child": {"born": "" if person.born is None else person.born.isoformat()}},
        PersonKind.SHARED: {"shared": {}},
    }
    return {"name": person.name, **kinds[person.kind]}


def person_fields(person: Person) -> dict[str, Any]:
    """The fields of the message. Raises as `account_fields` does."""
    return account_fields(person) | ({} if person.user is None else {"user": {"name": person.user}})


def _date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None  # empty: the date of birth is unknown


@dataclass(frozen=True)
class GateStrength:
    """How likely somebody gets through a gate who should not."""

    #: How likely somebody who only guesses gets through within an hour, in millionths, at the likeliest age.
    guessed_per_million: int
    #: Whether a program can work out or click the answer.
    program_passes: bool
    #: Whether there is nothing to guess, because a session, a payment or a completed form is enough.
    is_without_question: bool


@dataclass(frozen=True)
class GateRule:
    """What stands before a gated action."""

    gated_action: str
    title: str
    #: What it requires, as English words for people: "challenge passcode".
    requirement: str
    #: For how many seconds a user is not asked again after a person has answered; None: the user is asked every time.
    keep: float | None
    #: Where the policy says so, for people: "choice of link.open"; "": the daemon does not tell.
    origin: str
    #: None: the daemon does not tell.
    strength: GateStrength | None

    @classmethod
    def read(cls, message: messages.GateRule) -> GateRule:
        action, one = message.gated_action, message.strength
        strength = GateStrength(one.guessed_per_million, one.program_passes, one.is_without_question)
        return cls(
            action.name,
            action.title,
            action.requirement,
            action.keep_milliseconds / 1000 if action.keep_milliseconds > 0 else None,
            action.origin.file,
            strength if message.HasField("strength") else None,
        )


@dataclass(frozen=True)
class ChangedGate:
    """A change of what stands before a gated action."""

    #: None: the policy did not name the action, so it was denied.
    before: GateRule | None
    #: None: the action is denied now.
    after: GateRule | None
    #: The revision with the change; None: it was only checked.
    revision: Revision | None

    @classmethod
    def read(cls, message: messages.SetGateResponse) -> ChangedGate:
        has = message.HasField
        return cls(
            GateRule.read(message.before) if has("before") else None,
            GateRule.read(message.after) if has("after") else None,
            revision_of(message) if has("revision") else None,
        )


class TimeRuleKind(enum.Enum):
    """What a time rule limits."""

    #: How much time there is on each weekday, and in each week.
    ALLOWANCE = "allowance"
    #: The hours of the week at which something is open.
    SCHEDULE = "schedule"


@dataclass(frozen=True)
class TimeRule:
    """An allowance or a schedule of the policy."""

    #: None: a kind that this version does not know.
    kind: TimeRuleKind | None
    #: The name by which gated actions need it, like "games".
    name: str
    #: What it says, in the notation of policy files: "{mon-fri: 1h, sat-sun: 2h}".
    notation: str
    #: Where the policy says so, for people: "choice of allowance games"; "": the daemon does not tell.
    origin: str
    #: The gated actions in force that need it, sorted; the first 100 at most.
    gated_actions: tuple[str, ...]

    @classmethod
    def read(cls, message: messages.TimeRule) -> TimeRule:
        kinds = {
            messages.TimeRuleKind.TIME_RULE_KIND_ALLOWANCE: TimeRuleKind.ALLOWANCE,
            messages.TimeRuleKind.TIME_RULE_KIND_SCHEDULE: TimeRuleKind.SCHEDULE,
        }
        gated_actions = tuple(message.gated_actions)
        return cls(kinds.get(message.kind), message.name, message.notation, message.origin.file, gated_actions)


@dataclass(frozen=True)
class ChangedTimeRule:
    """A change of an allowance or a schedule."""

    #: None: there was none.
    before: TimeRule | None
    #: None: there is none now.
    after: TimeRule | None
    #: The revision with the change; None: it was only checked.
    revision: Revision | None

    @classmethod
    def read(cls, message: messages.SetTimeRuleResponse) -> ChangedTimeRule:
        has = message.HasField
        return cls(
            TimeRule.read(message.before) if has("before") else None,
            TimeRule.read(message.after) if has("after") else None,
            revision_of(message) if has("revision") else None,
        )


def time_rule_fields(kind: TimeRuleKind, name: str) -> dict[str, Any]:
    """The fields of a request that name the rule."""
    kinds = {
        TimeRuleKind.ALLOWANCE: messages.TimeRuleKind.TIME_RULE_KIND_ALLOWANCE,
        TimeRuleKind.SCHEDULE: messages.TimeRuleKind.TIME_RULE_KIND_SCHEDULE,
    }
    return {"kind": kinds[kind], "name": name}


def revision_of(message: Any) -> Revision:
    return Revision(message.revision.epoch, message.revision.number)
