"""Questions that wait for a grown-up's answer, in the plain client: calls that block."""

from __future__ import annotations

import abc
from typing import Any, Callable, Coroutine, TypeVar

from .asks import Ask
from .blocking import BlockingCalls
from .values import Revision

T = TypeVar("T")


class PlainAsks(abc.ABC):
    """Questions that wait; see `gateclient.ask_calls.AskCalls`."""

    _core: BlockingCalls

    @abc.abstractmethod
    def _do(self, call: Callable[..., Coroutine[Any, Any, T]], *args: Any, **named: Any) -> T:
        """Runs a call to its end."""

    def asks(self) -> list[Ask]:
        """The questions that wait or were answered, by number: all of them for presenters of grown-ups and for
        administrators, and only their own for everybody else."""
        return self._do(self._core.asks)

    def answer_ask(self, number: int, is_allowed: bool, choice: str = "") -> Revision:
        """Answers a question that waits. A yes is as much as the choice says, one of the question's `choices`; "": the
        first of them. A no also takes back a yes as long as it holds. For presenters of grown-ups, and for
        administrators."""
        return self._do(self._core.answer_ask, number, is_allowed, choice)

    def withdraw_ask(self, number: int) -> Revision:
        """Takes a question back, or the yes to it that holds. For the person who asked, and for
        administrators."""
        return self._do(self._core.withdraw_ask, number)

    def more_time(self, gated_action: str, choice: str = "") -> Ask:
        """Asks a grown-up for more time for a gated action whose schedule is closed, or whose allowance is used up.
        `choice` is how much the person would like, like "15m"; empty: a grown-up decides. Returns at once, with what has
        become of it; the same call finds it again."""
        return self._do(self._core.more_time, gated_action, choice)
