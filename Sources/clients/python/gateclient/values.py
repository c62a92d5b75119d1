"""The state of the device as values. A value that this version does not know reads as one that opens nothing."""

from __future__ import annotations

import enum
import os
import time
from dataclasses import dataclass, field
from typing import NamedTuple

from . import messages
from .asks import Ask, ScheduleState
from .errors import Code, GateError

#: The deadline of something that does not end by itself, in nanoseconds of CLOCK_BOOTTIME.
NEVER = 2**63 - 1


class Mode(enum.Enum):
    """Who is in charge of the device."""

    CHILD = "child"
    VERIFYING = "verifying"
    PARENT = "parent"

    @property
    def is_blocked(self) -> bool:
        """Whether apps are blocked, because a question for parent mode is open."""
        return self is Mode.VERIFYING


class Kind(str):
    """The kind of a presentation, spelled as in policies and in the `kinds` of a presenter: "arithmetic-entry",
    "sign-in".

    Gate 0.9.0 wrote "arithmetic_entry" in one place and "arithmetic-entry" in another, so both spellings compare equal.
    Look a kind up in a dictionary or set with the spelling of policies.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and str(self) == other.replace("_", "-")

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class Reading(NamedTuple):
    """One moment, on both clocks of the device."""

    boot_nanoseconds: int
    wall_milliseconds: int

    @classmethod
    def now(cls) -> Reading:
        return cls(time.clock_gettime_ns(time.CLOCK_BOOTTIME), time.time_ns() // 1_000_000)


class Revision(NamedTuple):
    """The position of a change in the single order of changes. Compare numbers only if the epochs are equal."""

    epoch: int
    number: int


@dataclass(frozen=True)
class ModeState:
    """The mode, and when it ends by itself, in nanoseconds of CLOCK_BOOTTIME; None if it doesn't, or while it waits for
    its question to be shown."""

    mode: Mode = Mode.CHILD
    deadline: int | None = None

    @classmethod
    def read(cls, message: messages.ModeState) -> ModeState:
        """Reads a message. An unknown mode reads as child."""
        known = {messages.ModeState.MODE_VERIFYING: Mode.VERIFYING, messages.ModeState.MODE_PARENT: Mode.PARENT}
        if message.mode not in known and message.mode != messages.ModeState.MODE_CHILD:
            return cls()
        return cls(known.get(message.mode, Mode.CHILD), message.deadline_boottime_nanoseconds or None)


@dataclass(frozen=True)
class Session:
    """A signed-in account. The session ends at the deadline (nanoseconds of CLOCK_BOOTTIME) unless it is used
    before."""

    name: str
    is_child: bool
    deadline: int


@dataclass(frozen=True)
class SignInState:
    """Who is signed in; by default nobody."""

    session: Session | None = None
    is_authenticating: bool = False
    needs_authentication: bool = False

    @classmethod
    def read(cls, message: messages.SignInState) -> SignInState:
        session = None
        if message.HasField("session"):
            one = message.session
            session = Session(one.name, one.is_child, one.deadline_boottime_nanoseconds)
        return cls(session, message.is_authenticating, message.needs_authentication)


_PROVIDERS = {
    messages.Provider.PROVIDER_STORE_KIT: "storekit",
    messages.Provider.PROVIDER_REVENUE_CAT: "revenuecat",
    messages.Provider.PROVIDER_MANUAL: "manual",
}


def provider_name(number: int) -> str:
    """The name of a provider in policies; "" if there is none, or this version does not know it."""
    return _PROVIDERS.get(number, "")


def provider_number(name: str) -> int:
    """The number of a provider on the wire; 0 for "". Raises INVALID_ARGUMENT if there is no such provider."""
    for number, known in {0: "", **_PROVIDERS}.items():
        if known == name:
            return number
    every = ", ".join(_PROVIDERS.values())
    raise GateError(Code.INVALID_ARGUMENT, f"'{name}' is no provider. Write one of: {every}.", "INVALID_REQUEST")


class PaywallOutcome(enum.Enum):
    """How the entitlement became active."""

    ACTIVE_ALREADY = "active already"
    PAID = "paid"


@dataclass(frozen=True)
class EntitlementSource:
    """Why an entitlement is active or not: what a provider last said about a product.

    `status` is "subscribed", "expired", "in-grace-period", "in-billing-retry" or "revoked"; "" if this version does not
    know it. `provider` is "storekit", "revenuecat" or "manual".
    """

    status: str
    provider: str
    product: str

    @classmethod
    def read(cls, message: messages.EntitlementSource) -> EntitlementSource:
        try:
            name = messages.Entitlement.Status.Name(message.status).removeprefix("STATUS_")
        except ValueError:
            name = "UNSPECIFIED"
        status = "" if name == "UNSPECIFIED" else name.lower().replace("_", "-")
        return cls(status, provider_name(message.provider), message.product)


@dataclass(frozen=True)
class Entitlement:
    """Something that can be paid for, and whether it is. `until` is when that changes, in milliseconds since 1970; None
    if it does not change by itself.

    `source`: what a provider says about it; None if there never was a claim for it.
    """

    name: str
    title: str
    is_active: bool
    until: int | None = None
    source: EntitlementSource | None = None


@dataclass(frozen=True)
class EntitlementsState:
    """What is paid for; by default nothing."""

    entitlements: tuple[Entitlement, ...] = ()
    is_subscription_active: bool = False

    @classmethod
    def read(cls, message: messages.EntitlementsState) -> EntitlementsState:
        every = tuple(
            Entitlement(
                one.name,
                one.title,
                one.is_active,
                one.source.until_unix_milliseconds if one.source.HasField("until_unix_milliseconds") else None,
                EntitlementSource.read(one.source) if one.HasField("source") else None,
            )
            for one in message.entitlements
        )
        return cls(every, message.is_subscription_active)


@dataclass(frozen=True)
class StateUpdate:
    """The state at a revision, or what has changed in it up to that revision. A part is None if it is not watched, or
    has not changed."""

    first_number: int
    revision: Revision
    mode: ModeState | None = None
    presentations: tuple[messages.PresentationSummary, ...] | None = None
    sign_in: SignInState | None = None
    entitlements: EntitlementsState | None = None
    forms: tuple[messages.FormSummary, ...] | None = None
    #: Whether this replaces everything that was known before.
    is_snapshot: bool = False
    asks: tuple[Ask, ...] | None = None
    schedules: tuple[ScheduleState, ...] | None = None

    @classmethod
    def read(cls, message: messages.WatchResponse) -> StateUpdate:
        has = message.HasField
        return cls(
            message.first_number,
            Revision(message.revision.epoch, message.revision.number),
            ModeState.read(message.mode) if has("mode") else None,
            tuple(message.presentations.presentations) if has("presentations") else None,
            SignInState.read(message.sign_in) if has("sign_in") else None,
            EntitlementsState.read(message.entitlements) if has("entitlements") else None,
            tuple(message.forms.forms) if has("forms") else None,
            message.is_snapshot,
            tuple(map(Ask.read, message.asks.asks)) if has("asks") else None,
            tuple(map(ScheduleState.read, message.schedules.schedules)) if has("schedules") else None,
        )


class Outcome(enum.Enum):
    """How an authorization would go. An outcome that this version does not know reads as denied."""

    GRANTED = "granted"
    PERSON_NEEDED = "person needed"
    DENIED = "denied"


@dataclass(frozen=True)
class Outlook:
    """How an authorization would go now, a sentence that explains it, and the first thing that has to happen."""

    outcome: Outcome
    explanation: str
    need: messages.Need | None

    @classmethod
    def read(cls, message: messages.CheckResponse) -> Outlook:
        known = {
            messages.CheckResponse.OUTCOME_GRANTED: Outcome.GRANTED,
            messages.CheckResponse.OUTCOME_PERSON_NEEDED: Outcome.PERSON_NEEDED,
        }
        need = message.need if message.HasField("need") else None
        return cls(known.get(message.outcome, Outcome.DENIED), message.explanation, need)


@dataclass(frozen=True)
class Grant:
    """An authorization for one gated action with its exact details, to be redeemed once. The proof is secret. The
    deadline is in nanoseconds of CLOCK_BOOTTIME."""

    number: int
    proof: bytes = field(repr=False)
    gated_action: str
    details: str
    deadline: int

    @classmethod
    def read(cls, message: messages.Grant) -> Grant:
        return cls(
            message.id, message.proof, message.gated_action, message.details, message.deadline_boottime_nanoseconds
        )


class Subject(NamedTuple):
    """Another process, for which a broker asks: its user, its pid, and its start time, which tells it from a later
    process with the same pid."""

    uid: int
    pid: int
    start_time_ticks: int

    @classmethod
    def of_process(cls, pid: int) -> Subject:
        """A running process, as the kernel describes it. Raises OSError if there is none."""
        uid = os.stat(f"/proc/{pid}").st_uid
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name in brackets may hold any character, so the fields are counted after the last bracket.
            return cls(uid, pid, int(file.read().rpartition(b")")[2].split()[19]))


class Requester(NamedTuple):
    """The process that had requested a grant, as the kernel attested it."""

    uid: int
    pid: int
