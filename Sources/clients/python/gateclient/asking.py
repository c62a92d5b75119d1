"""What all calls are made of: a call that is answered at once, one that may need a person, and lists of any length."""

from __future__ import annotations

from typing import Any, Callable

from . import wire
from .errors import Code, GateError
from .links import Face
from .questions import Completion, OpenPresentation
from .server import uses_portal
from .values import Grant

Present = Callable[..., Any]


class Asking(Face):
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
        """Makes a request that may need a person. A presenter of the device asks the person; if none can, `present`
        does."""
        if present is None:
            return outcome(await self.call(name, fields, None))
        may_ask_again = outcome is grant_of and not presents_itself
        while True:
            response, question = await self._begun(name, fields, presents_itself)
            if question is None:
                return outcome(response)
            try:
                return outcome(await self._answered_to_the_end(question, present))
            except GateError as error:
                # The question shown here was withdrawn because the state has changed. The new state may decide
                # otherwise, so the request is made once more.
                if not may_ask_again or not error.is_of_another_state:
                    raise
                may_ask_again = False

    async def _answered_to_the_end(self, question: OpenPresentation, present: Present) -> Completion:
        completion: Completion = await self.answered(question, present)
        while completion.next is not None:
            completion = await self.answered(completion.next, present)
        return completion

    async def _begun(self, name: str, fields: dict[str, Any], presents_itself: bool) -> tuple[Any, OpenPresentation | None]:
        """Sends a request. Returns the response, and the question that this program has to show, or None."""
        link = await self.connected()

        def late(payload: bytes) -> None:
            """Dismisses a question that comes after the caller was cancelled: there is nobody to show it."""
            answer = wire.method(name).decoded(payload)
            if answer.HasField("presentation"):
                OpenPresentation(answer.presentation, "requested", link, self).abandon()

        # Every daemon understands presents_itself, so `presenting` is sent only for what that can't say.
        where: dict[str, Any] = {"presents_itself": True} if presents_itself else {"presenting": "PRESENTING_ELSEWHERE_IF_POSSIBLE"}
        # In a sandbox a presenter shows the question in any case, and the call waits for the person.
        timeout = self.timeout if presents_itself and not uses_portal(self.options) else None
        response = await link.call(name, {**fields, **where}, timeout, late)
        if not response.HasField("presentation"):
            return response, None
        return response, OpenPresentation(response.presentation, "requested", link, self)

    async def _all(self, name: str, field: str, /, **fields: Any) -> list[Any]:
        """The elements of all pages of a list."""
        every: list[Any] = []
        token = ""
        while True:
            page = await self._call(name, page_token=token, **fields)
            elements = list(getattr(page, field))
            every += elements
            if not page.next_page_token:
                return every
            if not elements or page.next_page_token == token:
                raise GateError(Code.INTERNAL, "The daemon sent an endless list. Are gated and this program of the same version?")
            token = page.next_page_token


def grant_of(result: Any) -> Grant:
    if isinstance(result, Completion):
        if result.grant is not None:
            return result.grant
    elif result.WhichOneof("result") == "grant":
        return Grant.read(result.grant)
    raise GateError(Code.INTERNAL, "The daemon sent no grant and no reason. Are gated and this program of the same version?")
