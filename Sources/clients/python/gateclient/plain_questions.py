"""Questions in the plain client: what a program is given to show."""

from __future__ import annotations

from typing import Any, Callable

from . import messages, questions
from .blocking import run
from .errors import GateError
from .plain_forms import FormDraft
from .questions import Answer
from .values import Kind, ModeState, SignInState

#: Shows a presentation, and returns the person's answer.
Present = Callable[["OpenPresentation"], Answer]


class OpenPresentation:
    """A question, a sign-in, a paywall, a form, or what is new in an app. `present` is given one to show.

    While `present` blocks, it is not told that the question is gone, so it must honour `time_left`. (The asyncio client
    cancels it instead.)
    """

    def __init__(self, core: questions.OpenPresentation) -> None:
        self._core = core

    def __repr__(self) -> str:
        return repr(self._core)

    @property
    def number(self) -> int:
        """Counts up from 1 for the life of a store."""
        return self._core.number

    @property
    def kind(self) -> Kind:
        """The kind, spelled as in policies and `kinds`: "arithmetic-choice", "sign-in"."""
        return self._core.kind

    @property
    def content(self) -> Any:
        """What to show: `messages.ArithmeticChoice` and its like."""
        return self._core.content

    @property
    def text(self) -> str:
        """The question in words."""
        return self._core.text

    @property
    def asked(self) -> messages.Asked:
        """Who asks, and for what; show it. `is_apps_own`: no administrator has read the words of this form or news; say
        so before them. `device`: if another device of the household asks, show its name in place of user and
        process."""
        return self._core.asked

    @property
    def summary(self) -> messages.PresentationSummary:
        """The part of the presentation that others may see."""
        return self._core.summary

    @property
    def refusal(self) -> GateError | None:
        """Why the previous answer was refused; None if this is shown for the first time."""
        return self._core.refusal

    @property
    def time_left(self) -> float | None:
        """Seconds until it closes by itself; None if it does not."""
        return self._core.time_left

    def report(self, what: str) -> None:
        """Reports what happens on the screen: "shown", "pressed", "restore"."""
        run(self._core.report(what))

    def complete(self, answer: Answer) -> None:
        """Gives the person's answer, in a presenter. Do not call it in `present`, which returns the answer."""
        run(self._core.complete(answer))

    def dismiss(self) -> ModeState:
        """Says that the person closed it without an answer."""
        return run(self._core.dismiss())

    def log_in(self, name: str, password: str | bytes) -> SignInState:
        """Signs a person in with the name and password typed into this sign-in."""
        return run(self._core.log_in(name, password))

    def open_form(self) -> FormDraft:
        """Opens the form that this invites to."""
        return FormDraft(run(self._core.open_form()))


def wrapped(present: Present | None) -> Callable[[questions.OpenPresentation], Answer] | None:
    """The function that the calls of both clients take, for one of the plain client."""
    if present is None:
        return None
    show = present
    return lambda question: show(OpenPresentation(question))
