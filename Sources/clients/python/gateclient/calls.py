"""Every call, once for both faces. The asyncio face has them as they are; the plain one runs each to its end."""

from __future__ import annotations

from typing import Any, Collection, Iterable

from . import messages
from .asking import Present, grant_of
from .errors import Code, GateError
from .form_calls import FormCalls
from .questions import Completion
from .streams import PresenterStream, RawStream, WatchStream, register_request
from .values import EntitlementsState, Grant, ModeState, Outlook, PaywallOutcome, Requester, SignInState, Subject, provider_number
from .watching import Topic
from .wire import Request


class Calls(FormCalls):
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

    async def check(self, gated_action: str, *, subject: Subject | None = None) -> Outlook:
        """How an authorization would go now, and what is missing. Shows nothing and changes nothing.

        `subject`: the process that would do it, where a broker asks for another one.
        """
        return Outlook.read(await self._call("Authorization/Check", gated_action=gated_action, **_about(subject)))

    async def grant(
        self,
        gated_action: str,
        details: str = "",
        *,
        redeemer: int | None = None,
        subject: Subject | None = None,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> Grant:
        """Asks for a grant, to be redeemed once, here or by the user `redeemer`. It lives a minute at most.

        The presenters of the device show what has to be shown; where none can, `present` does. `subject`: the process that will do
        it, where a broker asks for another one; that one's user is shown and billed.
        """
        fields: dict[str, Any] = {"gated_action": gated_action, "details": details, **_about(subject)}
        if redeemer is not None:
            fields["redeemer"] = {"uid": redeemer}
        grant: Grant = await self._asked("Authorization/Authorize", fields, present, presents_itself, grant_of)
        return grant

    async def redeem(self, proof: bytes, gated_action: str, details: str = "") -> Requester:
        """Takes a grant, once, for exactly what it was given for. Returns the process that had asked for it."""
        response = await self._call("Authorization/Redeem", proof=proof, gated_action=gated_action, details=details)
        return Requester(response.requester_uid, response.requester_pid)

    async def _authorized(
        self, gated_action: str, details: str, subject: Subject | None, present: Present | None, presents_itself: bool
    ) -> None:
        grant = await self.grant(gated_action, details, subject=subject, present=present, presents_itself=presents_itself)
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
        self,
        entitlement: str = "",
        *,
        provider: str = "",
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> PaywallOutcome:
        """Has a paywall shown where the entitlement is not active, and returns once it is. "": what stands behind the paywall.

        `provider`: "storekit" or "revenuecat", where it is to be bought through another one than the policy says.
        """
        paywall = {"entitlement": entitlement, "provider": provider_number(provider)}
        outcome: PaywallOutcome = await self._asked(
            "Entitlements/RequirePremium", {"paywall": paywall}, present, presents_itself, _paid_of
        )
        return outcome

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


def _about(subject: Subject | None) -> dict[str, Any]:
    return {} if subject is None else {"subject": subject._asdict()}


def _mode_of(result: Any) -> ModeState:
    return result.mode if isinstance(result, Completion) else ModeState.read(result.state)


def _paid_of(result: Any) -> PaywallOutcome:
    """An outcome that this version does not know counts as not paid for."""
    if isinstance(result, Completion) and result.is_done:
        return PaywallOutcome.PAID
    known = {
        messages.PaywallOutcome.PAYWALL_OUTCOME_ACTIVE_ALREADY: PaywallOutcome.ACTIVE_ALREADY,
        messages.PaywallOutcome.PAYWALL_OUTCOME_PAID: PaywallOutcome.PAID,
    }
    if isinstance(result, Completion) or result.WhichOneof("result") != "outcome" or result.outcome not in known:
        raise GateError(Code.INTERNAL, "The daemon does not say that it was paid for.")
    return known[result.outcome]
