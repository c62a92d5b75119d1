"""Every call, written once for both clients. The asyncio client has the coroutines as they are; the plain client runs
each to its end."""

from __future__ import annotations

from typing import Any, Collection, Iterable

from . import messages
from .ask_calls import AskCalls
from .asking import Present, grant_of
from .errors import Code, GateError
from .form_calls import FormCalls
from .people_calls import PeopleCalls
from .questions import Completion
from .streams import PresenterStream, RawStream, WatchStream, register_request
from .values import EntitlementsState, Grant, ModeState, Outlook, PaywallOutcome, Requester, SignInState, Subject, provider_number
from .watching import Topic
from .wire import Request


class Calls(FormCalls, PeopleCalls, AskCalls):
    """Calls by subject. Each raises GateError. A call is never sent twice."""

    # MARK: mode

    async def mode(self) -> ModeState:
        """The mode and its deadline, as the daemon answers."""
        return ModeState.read((await self._call("Mode/GetMode")).state)

    async def lock(self) -> ModeState:
        """Enters child mode at once."""
        return ModeState.read((await self._call("Mode/Lock")).state)

    async def cancel(self) -> ModeState:
        """Withdraws the question for parent mode that this client has open. In child and parent mode this changes
        nothing."""
        return ModeState.read((await self._call("Mode/CancelVerifying")).state)

    async def toggle(self, present: Present | None = None, *, presents_itself: bool = False) -> ModeState:
        """Leaves parent mode at once; in child mode shows a question, and waits for its answer.

        The presenters of the device show the question; if none can, `present` does. With `presents_itself`, `present`
        shows it even if they could.
        """
        mode: ModeState = await self._asked("Mode/Toggle", {}, present, presents_itself, _mode_of)
        return mode

    async def extend(
        self, seconds: float | None = None, present: Present | None = None, *, presents_itself: bool = False
    ) -> ModeState:
        """Sets the end of parent mode to so many seconds from now; None: the configured length of a lease."""
        fields = {"duration_milliseconds": round((seconds or 0) * 1000)}
        mode: ModeState = await self._asked("Mode/Extend", fields, present, presents_itself, _mode_of)
        return mode

    # MARK: gated actions

    async def check(self, gated_action: str, *, subject: Subject | None = None) -> Outlook:
        """How an authorization would go now, and what is missing for it. Shows nothing and changes nothing.

        `subject`: the process that would take the action, if a broker asks for another process.
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
        may_wait: bool = False,
    ) -> Grant:
        """Requests a grant. It can be redeemed once: by the user `redeemer`, or by this client if that is None. It
        lives a minute at most, and ends with this client's connection.

        The presenters of the device show what has to be shown; if none can, `present` does. `subject`: the process that
        will take the action, if a broker asks for another process; that process's user is shown and billed.

        `may_wait`: the program can wait for the answer longer than this call lasts. If the policy also lets the question
        wait, and no grown-up answers in time, `Asked` is raised. Make the same request again later: it is granted,
        refused with REFUSED, or `Asked` is raised again.
        """
        fields: dict[str, Any] = {"gated_action": gated_action, "details": details, **_about(subject)}
        if may_wait:
            fields["may_wait"] = True
        if redeemer is not None:
            fields["redeemer"] = {"uid": redeemer}
        grant: Grant = await self._asked("Authorization/Authorize", fields, present, presents_itself, grant_of)
        return grant

    async def redeem(self, proof: bytes, gated_action: str, details: str = "") -> Requester:
        """Redeems a grant, once, for exactly what it was given for. Returns the process that had requested it."""
        response = await self._call("Authorization/Redeem", proof=proof, gated_action=gated_action, details=details)
        return Requester(response.requester_uid, response.requester_pid)

    async def _authorized(
        self,
        gated_action: str,
        details: str,
        subject: Subject | None,
        present: Present | None,
        presents_itself: bool,
        may_wait: bool,
    ) -> None:
        named: dict[str, Any] = {"subject": subject, "present": present, "presents_itself": presents_itself, "may_wait": may_wait}
        grant = await self.grant(gated_action, details, **named)
        # Redeemed for what is about to be done, not for what the daemon says it has granted.
        await self.redeem(grant.proof, gated_action, details)

    # MARK: people and purchases

    async def sign_in(self) -> SignInState:
        """Who is signed in."""
        return SignInState.read((await self._call("SignIn/GetSignIn")).state)

    async def log_in(self, name: str, password: str | bytes) -> SignInState:
        """Signs a person in, on the whole device."""
        fields = {"name": name, "password": password.encode() if isinstance(password, str) else password}
        return SignInState.read((await self.call("SignIn/LogIn", fields, self.hashing_timeout)).state)

    async def log_out(self) -> SignInState:
        """Signs out the person who is signed in. If nobody is, this changes nothing."""
        return SignInState.read((await self._call("SignIn/LogOut")).state)

    async def entitlements(self) -> EntitlementsState:
        """All entitlements, and whether each is paid for."""
        return EntitlementsState.read((await self._call("Entitlements/GetEntitlements")).state)

    async def require_premium(
        self,
        entitlement: str = "",
        *,
        provider: str = "",
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> PaywallOutcome:
        """Shows a paywall if the entitlement is not active, and returns once it is. An empty name stands for the
        entitlement that the policy puts behind the paywall.

        `provider`: "storekit" or "revenuecat", to buy through another provider than the one in the policy.
        """
        paywall = {"entitlement": entitlement, "provider": provider_number(provider)}
        outcome: PaywallOutcome = await self._asked(
            "Entitlements/RequirePremium", {"paywall": paywall}, present, presents_itself, _paid_of
        )
        return outcome

    # MARK: by the names of the wire

    async def raw(self, name: str, request: Request | None = None, timeout: float | None = None) -> Any:
        """Calls any unary method, for example "Mode/GetMode", with a dictionary of its fields or a message. Returns the
        response message.

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
    """An outcome that this version does not know counts as not paid for, and raises INTERNAL."""
    if isinstance(result, Completion) and result.is_done:
        return PaywallOutcome.PAID
    known = {
        messages.PaywallOutcome.PAYWALL_OUTCOME_ACTIVE_ALREADY: PaywallOutcome.ACTIVE_ALREADY,
        messages.PaywallOutcome.PAYWALL_OUTCOME_PAID: PaywallOutcome.PAID,
    }
    if isinstance(result, Completion) or result.WhichOneof("result") != "outcome" or result.outcome not in known:
        raise GateError(Code.INTERNAL, "The daemon does not say that it was paid for.")
    return known[result.outcome]
