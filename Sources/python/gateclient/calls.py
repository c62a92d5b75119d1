"""Every call, once for both faces. The asyncio face has them as they are; the plain one runs each to its end."""

from __future__ import annotations

from typing import Any, Callable, Collection, Iterable

from . import messages, wire
from .errors import Code, GateError
from .forms import JSON, FormDraft, parsed
from .links import Face
from .questions import Completion, OpenPresentation
from .streams import PresenterStream, RawStream, WatchStream, register_request
from .values import EntitlementsState, Grant, ModeState, Outlook, Requester, SignInState
from .watching import Topic
from .wire import Request

Present = Callable[..., Any]


class Calls(Face):
    """Calls by subject. Each raises GateError, and none is ever sent twice."""

    # MARK: mode

    async def mode(self) -> ModeState:
        """The mode now, and until when, as the daemon answers."""
        return ModeState.read((await self._call("Mode/GetMode")).state)

    async def lock(self) -> ModeState:
        """Goes to child mode, at once."""
        return ModeState.read((await self._call("Mode/Lock")).state)

    async def cancel(self) -> ModeState:
        """Takes back the question that this client has open. In the other modes it changes nothing."""
        return ModeState.read((await self._call("Mode/CancelVerifying")).state)

    async def toggle(self, present: Present | None = None, *, presents_itself: bool = False) -> ModeState:
        """Goes one step round: parent mode is left at once; from child mode a question is shown, and this waits for its answer.

        The presenters of the device show it; where none can, `present` does. With `presents_itself` it does even where others can.
        """
        mode: ModeState = await self._asked("Mode/Toggle", {}, present, presents_itself, _mode_of)
        return mode

    async def extend(
        self, seconds: float | None = None, present: Present | None = None, *, presents_itself: bool = False
    ) -> ModeState:
        """Has parent mode end so many seconds from now; None: after the length of a lease as configured."""
        fields = {"duration_milliseconds": round((seconds or 0) * 1000)}
        mode: ModeState = await self._asked("Mode/Extend", fields, present, presents_itself, _mode_of)
        return mode

    # MARK: gated actions

    async def check(self, gated_action: str) -> Outlook:
        """How an authorization would go now, and what is missing. Shows nothing and changes nothing."""
        return Outlook.read(await self._call("Authorization/Check", gated_action=gated_action))

    async def grant(
        self,
        gated_action: str,
        details: str = "",
        *,
        redeemer: int | None = None,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> Grant:
        """Asks for a grant, to be redeemed once, here or by the user `redeemer`. It lives a minute at most.

        The presenters of the device show what has to be shown; where none can, `present` does.
        """
        fields: dict[str, Any] = {"gated_action": gated_action, "details": details}
        if redeemer is not None:
            fields["redeemer"] = {"uid": redeemer}
        grant: Grant = await self._asked("Authorization/Authorize", fields, present, presents_itself, _grant_of)
        return grant

    async def redeem(self, proof: bytes, gated_action: str, details: str = "") -> Requester:
        """Takes a grant, once, for exactly what it was given for. Returns the process that had asked for it."""
        response = await self._call("Authorization/Redeem", proof=proof, gated_action=gated_action, details=details)
        return Requester(response.requester_uid, response.requester_pid)

    async def _authorized(self, gated_action: str, details: str, present: Present | None, presents_itself: bool) -> None:
        grant = await self.grant(gated_action, details, present=present, presents_itself=presents_itself)
        # For what is about to be done, and not for what the daemon says that was granted.
        await self.redeem(grant.proof, gated_action, details)

    # MARK: people and purchases

    async def sign_in(self) -> SignInState:
        """Who is signed in."""
        return SignInState.read((await self._call("SignIn/GetSignIn")).state)

    async def log_in(self, name: str, password: str | bytes) -> SignInState:
        """Signs somebody in, on the whole device."""
        fields = {"name": name, "password": password.encode() if isinstance(password, str) else password}
        return SignInState.read((await self.call("SignIn/LogIn", fields, self.hashing_timeout)).state)

    async def log_out(self) -> SignInState:
        """Signs out the person who is signed in. Where nobody is, this changes nothing."""
        return SignInState.read((await self._call("SignIn/LogOut")).state)

    async def entitlements(self) -> EntitlementsState:
        """Everything that can be paid for, and whether it is."""
        return EntitlementsState.read((await self._call("Entitlements/GetEntitlements")).state)

    async def require_premium(
        self, entitlement: str = "", *, present: Present | None = None, presents_itself: bool = False
    ) -> None:
        """Has a paywall shown where the entitlement is not active, and returns once it is. "": what stands behind the paywall."""
        paywall = {"paywall": {"entitlement": entitlement}}
        await self._asked("Entitlements/RequirePremium", paywall, present, presents_itself, _paid_of)

    # MARK: forms

    async def forms(self) -> list[messages.ListedQuestionnaire]:
        """The forms of the device, by name."""
        return await self._all("Questionnaires/ListQuestionnaires", "questionnaires")

    async def questionnaire(self, name: str) -> JSON:
        """A form as it was written."""
        return dict(parsed((await self._call("Questionnaires/GetQuestionnaire", name=name)).questionnaire))

    async def open_form(self, name: str, *, draft: int = 0, begins_another: bool = False, label: str = "") -> FormDraft:
        """Opens a draft of a form, or begins one."""
        target = {"name": name, "draft_id": draft}
        return await FormDraft.opened(self, None, target, {"begins_another": begins_another, "label": label})

    async def response(self, number: int) -> JSON:
        """A response that was kept, as FHIR has it."""
        return dict(parsed((await self._call("Questionnaires/GetResponse", response_id=number)).response))

    # MARK: by the names of the wire

    async def raw(self, name: str, request: Request | None = None, timeout: float | None = None) -> Any:
        """Calls any unary method, like "Mode/GetMode", with a dictionary of its fields or a message. Returns the message.

        `timeout` is in seconds; None: that of the options.
        """
        return await self.call(name, request or {}, self.timeout if timeout is None else timeout)

    # MARK: streams

    def _watch(self, topics: Collection[Topic]) -> WatchStream:
        return WatchStream(self, topics)

    def _presenter(self, kinds: Iterable[str], styles: Iterable[str], has_own_screen: bool) -> PresenterStream:
        return PresenterStream(self, register_request(kinds, styles, has_own_screen))

    def _stream(self, name: str, request: Request | None) -> RawStream:
        return RawStream(self, name, request or {})

    # MARK: questions

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
            if outcome is not _grant_of or presents_itself or not error.is_of_another_state:
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

    async def _all(self, name: str, field: str) -> list[Any]:
        """The elements of all pages."""
        every: list[Any] = []
        token = ""
        while True:
            page = await self._call(name, page_token=token)
            elements = list(getattr(page, field))
            every += elements
            if not page.next_page_token:
                return every
            if not elements or page.next_page_token == token:
                raise GateError(Code.INTERNAL, "The daemon sent a list without an end.")
            token = page.next_page_token


def _mode_of(result: Any) -> ModeState:
    return result.mode if isinstance(result, Completion) else ModeState.read(result.state)


def _grant_of(result: Any) -> Grant:
    if isinstance(result, Completion):
        if result.grant is not None:
            return result.grant
    elif result.WhichOneof("result") == "grant":
        return Grant.read(result.grant)
    raise GateError(Code.INTERNAL, "The daemon sent no grant, and did not say why.")


def _paid_of(result: Any) -> None:
    """An outcome that this version does not know counts as not paid for."""
    if isinstance(result, Completion) and result.is_done:
        return
    paid = (messages.PaywallOutcome.PAYWALL_OUTCOME_ACTIVE_ALREADY, messages.PaywallOutcome.PAYWALL_OUTCOME_PAID)
    if isinstance(result, Completion) or result.WhichOneof("result") != "outcome" or result.outcome not in paid:
        raise GateError(Code.INTERNAL, "The daemon does not say that it was paid for.")
