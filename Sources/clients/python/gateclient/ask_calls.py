"""Calls about questions that wait for a grown-up's answer, written once for both clients."""

from __future__ import annotations

from .asking import Asking
from .asks import Ask
from .people import revision_of
from .values import Revision


class AskCalls(Asking):
    """Questions that wait. Only a request with `may_wait` becomes one (`authorize`, `grant`). Each call raises
    GateError."""

    async def asks(self) -> list[Ask]:
        """The questions that wait or were answered, by number: all of them for presenters of grown-ups and for
        administrators, and only their own for everybody else."""
        return [Ask.read(one) for one in await self._all("Authorization/ListAsks", "asks")]

    async def answer_ask(self, number: int, is_allowed: bool, choice: str = "") -> Revision:
        """Answers a question that waits. If the program that asked still waits, it gets the answer at once. A yes is for
        any program of the person's user, and as much as the choice says, which is one of the question's `choices`,
        like "today"; "": the first of them. A no also takes back a yes as long as it holds. With the choice
        "until-tomorrow", it refuses everything that the person asks of the gated action until the next day begins.
        Returns the revision from which on that counts.

        Raises PERMISSION_DENIED for all but presenters of grown-ups and administrators; NOT_FOUND (UNKNOWN) if the
        question is over, or already has this answer; INVALID_ARGUMENT (INVALID_REQUEST) if the choice is not offered,
        or if a no has another one.
        """
        answer = await self._call("Authorization/AnswerAsk", number=number, is_allowed=is_allowed, choice=choice)
        return revision_of(answer)

    async def withdraw_ask(self, number: int) -> Revision:
        """Takes a question back, or the yes to it that holds. For the person who asked, and for administrators.
        Returns the revision from which on nobody can answer it.

        Raises NOT_FOUND (UNKNOWN) if the question is over, was refused, or is one that `asks` does not list for this
        user; PERMISSION_DENIED if it is listed, but somebody else asked.
        """
        return revision_of(await self._call("Authorization/WithdrawAsk", number=number))

    async def more_time(self, gated_action: str, choice: str = "") -> Ask:
        """Asks a grown-up for more time for a gated action whose schedule is closed, or whose allowance is used up, where
        the policy offers it. Returns at once, with the ask's state: it waits, at most until the day ends; or a
        grown-up has allowed time until `until`, or has refused it. The same call finds it again, and in the last five
        minutes of a yes asks anew. `choice` is how much the person would like, like "15m" or "today"; empty: a grown-up
        decides.

        Raises FAILED_PRECONDITION (NOT_SET_UP) if the policy offers no more time there, or nobody on the list of people
        has this user; INVALID_ARGUMENT for an amount that it does not offer; RESOURCE_EXHAUSTED if too much was asked.
        """
        answer = await self._call("Authorization/AskMoreTime", gated_action=gated_action, choice=choice)
        return Ask.read(answer.ask)
