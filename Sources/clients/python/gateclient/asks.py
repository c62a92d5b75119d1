"""Questions that wait for a grown-up's answer, and schedules, as values."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from . import messages


class AskState(enum.Enum):
    """The state of an ask."""

    #: Nobody has answered yet.
    WAITING = "waiting"
    #: A grown-up said yes, and it holds: it was not used yet, or can be used again.
    ALLOWED = "allowed"
    #: A grown-up said no.
    REFUSED = "refused"
    #: It is over, and only listed because another device has not taken the answer that was given on this one.
    CLOSED = "closed"


@dataclass(frozen=True)
class Ask:
    """A request for a gated action that waits for a grown-up's answer, or that was answered. It outlives the program
    that asked, and a restart of the device."""

    #: The number, as people type it.
    number: int
    #: The user who asks, and the person on the list whose user that is.
    uid: int
    person: str
    gated_action: str
    title: str
    #: The words of the program that asked, unchanged. Show them apart from your own words, on a marked line.
    details: str
    #: None: a state that this version does not know.
    state: AskState | None
    #: When the state ends by itself, in milliseconds since 1970: the question stops waiting, the yes expires, or after
    #: a no the same can be asked again. 0: the yes holds until it is taken back.
    until: int
    #: The name of the household's device on which it was asked; `uid` is 0 then. Empty: it was asked on this device.
    device: str = ""
    #: What a yes can be worth: "once", "today", "always", "this-site", or an amount of time like "30m" or "1h30m".
    #: docs/policy.md says what each of them means. Empty if the state is ALLOWED.
    choices: tuple[str, ...] = ()
    #: The choice that was made with the yes. Empty unless the state is ALLOWED.
    choice: str = ""
    #: Whether a grown-up said "not until tomorrow": until then the person can ask for nothing of this gated action.
    is_until_tomorrow: bool = False
    #: Why the other device has not taken the answer that was given on this one; empty if it has refused none.
    refusal: str = ""
    #: Whether it asks for more time. Then `details` is how much the person would like, or empty, and a yes lifts schedules
    #: and allowances of the gated action until `until`.
    is_more_time: bool = False

    @classmethod
    def read(cls, message: messages.Ask) -> Ask:
        known = {
            messages.Ask.STATE_WAITING: AskState.WAITING,
            messages.Ask.STATE_ALLOWED: AskState.ALLOWED,
            messages.Ask.STATE_REFUSED: AskState.REFUSED,
            messages.Ask.STATE_CLOSED: AskState.CLOSED,
        }
        return cls(
            message.number,
            message.uid,
            message.person,
            message.gated_action,
            message.title,
            message.details,
            known.get(message.state),
            message.ends_unix_milliseconds,
            message.device,
            tuple(message.choices),
            message.choice,
            message.is_until_tomorrow,
            message.refusal,
            message.is_more_time,
        )


@dataclass(frozen=True)
class ScheduleState:
    """Whether a schedule of the policy is open. `until` is when it closes or opens next, in milliseconds since 1970;
    None: not within two weeks."""

    name: str
    is_open: bool
    until: int | None = None

    @classmethod
    def read(cls, message: messages.ScheduleState) -> ScheduleState:
        return cls(message.name, message.is_open, message.until_unix_milliseconds or None)
