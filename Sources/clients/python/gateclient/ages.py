"""Age ranges, and the choices of grown-ups about them, as values."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from . import messages


class AgeSource(enum.Enum):
    """Who has stated the age of a person. Nobody has checked it."""

    #: A grown-up has, for a child.
    GUARDIAN = "guardian"
    #: The person, who is a grown-up.
    SELF = "self"


@dataclass(frozen=True)
class AgeRange:
    """How old a person is, in full years. Children count as up to a year younger than they are."""

    #: The person is at least so old; None: there is no lower bound.
    low: int | None
    #: The person is at most so old; None: there is no upper bound.
    high: int | None
    #: None: a source that this version does not know.
    source: AgeSource | None

    @classmethod
    def read(cls, message: messages.AgeRange) -> AgeRange:
        known = {
            messages.AgeSource.AGE_SOURCE_GUARDIAN: AgeSource.GUARDIAN,
            messages.AgeSource.AGE_SOURCE_SELF: AgeSource.SELF,
        }
        return cls(message.low or None, message.high or None, known.get(message.source))


@dataclass(frozen=True)
class AgeSettings:
    """Whether apps are told age ranges, and the ages at which ranges begin."""

    is_on: bool
    #: The ages at which a new range begins, like 13, 16 and 18.
    gates: tuple[int, ...]


class AgeChoice(enum.Enum):
    """A grown-up's choice about a person and an app."""

    #: A grown-up is asked; until then the app is told nothing. Choosing this removes the app from the list until it asks
    #: again.
    ASK = "ask"
    #: The app is told the range.
    ALWAYS = "always"
    #: The app is told nothing.
    NEVER = "never"
    #: The app is told the range until the end of the half-year, when the range can change. Then it is ASK again.
    FOR_NOW = "for-now"
    #: The app is told nothing until the end of the half-year. Then it is ASK again.
    NOT_NOW = "not-now"


_CHOICES = {
    messages.AgeChoice.AGE_CHOICE_ASK: AgeChoice.ASK,
    messages.AgeChoice.AGE_CHOICE_ALWAYS: AgeChoice.ALWAYS,
    messages.AgeChoice.AGE_CHOICE_NEVER: AgeChoice.NEVER,
    messages.AgeChoice.AGE_CHOICE_FOR_NOW: AgeChoice.FOR_NOW,
    messages.AgeChoice.AGE_CHOICE_NOT_NOW: AgeChoice.NOT_NOW,
}


@dataclass(frozen=True)
class AgeApp:
    """An app that has asked how old a person is."""

    #: The person's name on the list of people.
    person: str
    #: The name that the app has given itself. Nobody has checked it.
    app: str
    #: None: a choice that this version does not know.
    choice: AgeChoice | None
    #: Whether the app has asked, and waits for a grown-up's choice.
    is_waiting: bool

    @classmethod
    def read(cls, message: messages.AgeApp) -> AgeApp:
        return cls(message.person, message.app, _CHOICES.get(message.choice), message.is_waiting)


def choice_number(choice: AgeChoice) -> int:
    """The number of a choice on the wire."""
    return next(number for number, one in _CHOICES.items() if one is choice)
