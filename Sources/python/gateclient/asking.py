"""The parts of all calls: one that is answered at once, one that may need a person, and lists of any length."""

from __future__ import annotations

from typing import Any, Callable

from . import wire
from .errors import Code, GateError
from .links import Face
from .questions import Completion, OpenPresentation
from .values import Grant

Present = Callable[..., Any]


class Asking(Face):
    """Makes calls."""

    async def _call(self, name: str, /, **fields: Any) -> Any:
        return await self.call(name, fields, self.timeout)

    async def _asked(
        self,
        name: str,
        fields: dict[str, Any],
        present: Present | None,
        presents_itself: bool,
        outcome: Callable[[Any], Any],
    ) -> Any:
        """Makes a request that may need a person, whom a presenter of the device asks; where none can, `present` does."""
        if present is None or not presents_itself:
            try:
                return outcome(await self.call(name, {**fields, "presents_itself": False}, None))
            except GateError as error:
                if error.reason != "NO_PRESENTER" or present is None:
                    raise
        try:
            return await self._presented(name, fields, present, outcome)
        except GateError as error:
            # Withdrawn: the state has changed under it, and may decide otherwise now. Asked once more, and no oftener.
            if outcome is not grant_of or presents_itself or not error.is_of_another_state:
                raise
        return await self._presented(name, fields, present, outcome)

    async def _presented(
        self, name: str, fields: dict[str, Any], present: Present, outcome: Callable[[Any], Any]
    ) -> Any:
        link = await self.connected()

        def late(payload: bytes) -> None:
            """Nobody is there any more to show the question."""
            answer = wire.method(name).decoded(payload)
            if answer.HasField("presentation"):
                OpenPresentation(answer.presentation, "requested", link, self).abandon()

        response = await link.call(name, {**fields, "presents_itself": True}, self.timeout, late)
        if not response.HasField("presentation"):
            return outcome(response)
        question = OpenPresentation(response.presentation, "requested", link, self)
        completion: Completion = await self.answered(question, present)
        while completion.next is not None:
            completion = await self.answered(completion.next, present)
        return outcome(completion)

    async def _all(self, name: str, field: str, /, **fields: Any) -> list[Any]:
        """The elements of all pages."""
        every: list[Any] = []
        token = ""
        while True:
            page = await self._call(name, page_token=token, **fields)
            elements = list(getattr(page, field))
            every += elements
            if not page.next_page_token:
                return every
            if not elements or page.next_page_token == token:
                raise GateError(Code.INTERNAL, "The daemon sent a list without an end.")
            token = page.next_page_token


def grant_of(result: Any) -> Grant:
    if isinstance(result, Completion):
        if result.grant is not None:
            return result.grant
    elif result.WhichOneof("result") == "grant":
        return Grant.read(result.grant)
    raise GateError(Code.INTERNAL, "The daemon sent no grant, and did not say why.")
