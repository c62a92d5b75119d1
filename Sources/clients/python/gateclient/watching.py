"""A watch over any number of connections, as a state machine. It is pure: no clock, no chance, no input or output."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import Any, Collection

from . import messages
from .asks import Ask, ScheduleState
from .errors import Code, GateError
from .reconnecting import LONGEST_WAIT, ReconnectStateMachine
from .values import NEVER, EntitlementsState, ModeState, Reading, Revision, SignInState, StateUpdate


class Topic(enum.Enum):
    """A part of the state that can be watched."""

    MODE = "mode"
    PRESENTATIONS = "presentations"
    SIGN_IN = "sign-in"
    ENTITLEMENTS = "entitlements"
    FORMS = "forms"
    ASKS = "asks"
    SCHEDULES = "schedules"


@dataclass(frozen=True)
class WatchEvent:
    """An event for a watcher. The properties say what is true after it; None if the event says nothing about it."""

    #: "snapshot": the whole state. "change": what has changed. "resumed": the whole state, after a loss that needed no
    #: snapshot to catch up. "lost": the daemon was lost, told once each time; attempts to reach it continue.
    kind: str
    update: StateUpdate | None = None
    error: GateError | None = None

    @property
    def mode(self) -> ModeState | None:
        """The mode; child while the daemon is lost."""
        if self.update is None:
            return ModeState()
        return self.update.mode or (None if self.kind == "change" else ModeState())

    @property
    def presentations(self) -> tuple[messages.PresentationSummary, ...] | None:
        """The open presentations; none while the daemon is lost."""
        if self.update is None:
            return ()
        return self.update.presentations if self.kind == "change" else self.update.presentations or ()

    @property
    def sign_in(self) -> SignInState | None:
        """Who is signed in; nobody while the daemon is lost."""
        if self.update is None:
            return SignInState()
        return self.update.sign_in or (None if self.kind == "change" else SignInState())

    @property
    def entitlements(self) -> EntitlementsState | None:
        """What is paid for; nothing while the daemon is lost."""
        if self.update is None:
            return EntitlementsState()
        return self.update.entitlements or (None if self.kind == "change" else EntitlementsState())

    @property
    def forms(self) -> tuple[messages.FormSummary, ...] | None:
        """The forms that are being filled in; none while the daemon is lost."""
        if self.update is None:
            return ()
        return self.update.forms if self.kind == "change" else self.update.forms or ()

    @property
    def asks(self) -> tuple[Ask, ...] | None:
        """The questions that wait or were answered, as far as this user may see them; none while the daemon is lost."""
        if self.update is None:
            return ()
        return self.update.asks if self.kind == "change" else self.update.asks or ()

    @property
    def schedules(self) -> tuple[ScheduleState, ...] | None:
        """The schedules that gated actions name; none, so nothing is open, while the daemon is lost."""
        if self.update is None:
            return ()
        return self.update.schedules if self.kind == "change" else self.update.schedules or ()


@dataclass(frozen=True)
class Action:
    """What the caller does next, by its name; each name says which event has to follow."""

    #: "open": open the stream after the revision; then `stream_opened`. "receive": take the next message off the
    #: stream; then `message_received`. "wait": wait `seconds`; then `waited`. "end": nothing more is to be done.
    name: str
    after: Revision | None = None
    seconds: float = 0.0


class _State(enum.Enum):
    OPENING = "opening"  # A connection and the stream are being opened. Can go to: CATCHING_UP, AWAY.
    CATCHING_UP = "catching up"  # The first message is on its way. Can go to: LIVE, OVERDUE, AWAY.
    LIVE = "live"  # The known state is true. Can go to: OVERDUE, AWAY.
    OVERDUE = "overdue"  # The known state was past a deadline when it came, and was not told. Can go to: LIVE, AWAY.
    AWAY = "away"  # The daemon was lost; the next attempt comes after the wait. Can go to: OPENING.
    ENDED = "ended"  # The program no longer watches. Every state can go here; this one can go nowhere.


class WatchStateMachine:
    """Keeps the promises of watching, whatever the daemon sends.

    A message that was told before is dropped silently. A change before the first snapshot, or of another epoch, counts
    as a loss; the watch then begins anew with a snapshot. While the daemon is lost the mode is child, nobody is signed
    in and nothing is paid for, until the watch has caught up. The state is true until the deadlines that come with it
    (`time_left`). If a message is taken so late that one of them has passed, it is not told.
    """

    def __init__(self, topics: Collection[Topic] = (Topic.MODE,)) -> None:
        self._state = _State.OPENING
        self._known: StateUpdate | None = None
        self._wait = 0.0
        self._reconnect = ReconnectStateMachine()
        self._has_told_loss = False
        # Watchers of presentations or forms see those of their own connection, and watchers of asks those that its user
        # may see. On the next connection these may differ, without a new revision.
        self._is_resumable = not {Topic.PRESENTATIONS, Topic.FORMS, Topic.ASKS} & set(topics)

    @property
    def action(self) -> Action:
        if self._state is _State.OPENING:
            return Action("open", after=self._known.revision if self._known else None)
        if self._state is _State.AWAY:
            return Action("wait", seconds=self._wait)
        return Action("end" if self._state is _State.ENDED else "receive")

    def time_left(self, now: Reading) -> float | None:
        """Seconds for which the known state stays true if the daemon says nothing; 0 or less if it is over, None if it
        does not end by itself."""
        if self._state not in (_State.LIVE, _State.OVERDUE) or self._known is None:
            return None
        return _time_left(self._known, now)

    def stream_opened(self) -> None:
        """The connection is open, and the request to watch was sent."""
        if self._state is _State.ENDED:
            return
        self._expect(_State.OPENING, "a stream was opened that nobody asked for")
        self._state = _State.CATCHING_UP

    def message_received(self, message: StateUpdate, now: Reading | None, jitter: float) -> WatchEvent | None:
        """The daemon sent a message. `now`: when it was taken; None if the daemon's deadlines are on another clock."""
        known = self._known
        if self._state is _State.ENDED:
            return None
        if self._state is _State.CATCHING_UP:
            if message.is_snapshot:
                return self._go_live(message, "snapshot", message, now)
            if known is None:
                return self._violated("a change before the first snapshot", jitter)
            if message.revision.epoch != known.revision.epoch:
                return self._violated("a change of another epoch", jitter)
            if message.revision.number < known.revision.number:
                return self._violated("that an older revision is current", jitter)
            # If the daemon only says that the known state is current, anything else in the message is ignored.
            is_current = message.revision == known.revision
            whole = _applied(known, StateUpdate(message.first_number, message.revision) if is_current else message)
            return self._go_live(whole, "resumed", whole, now)
        if self._state not in (_State.LIVE, _State.OVERDUE) or known is None:
            raise RuntimeError("a message was taken that nobody asked for")
        is_old = message.revision.epoch == known.revision.epoch and message.revision.number <= known.revision.number
        if is_old:
            return None
        if message.is_snapshot:
            return self._go_live(message, "snapshot", message, now)
        if message.revision.epoch != known.revision.epoch:
            return self._violated("a change of another epoch", jitter)
        whole = _applied(known, message)
        # The overdue state was not told, so watchers need the whole state and not a change of it.
        if self._state is _State.OVERDUE:
            return self._go_live(whole, "snapshot", whole, now)
        return self._go_live(whole, "change", message, now)

    def failed(self, error: GateError, jitter: float) -> WatchEvent | None:
        """The attempt failed, or the connection or the stream has ended."""
        if self._state in (_State.AWAY, _State.ENDED):
            return None
        return self._go_away(self._known, error, jitter)

    def waited(self) -> None:
        if self._state is _State.ENDED:
            return
        self._expect(_State.AWAY, "a wait ended that was never begun")
        self._reconnect.waited()
        self._state = _State.OPENING

    def stopped(self) -> None:
        self._state = _State.ENDED

    def _expect(self, state: _State, otherwise: str) -> None:
        if self._state is not state:
            raise RuntimeError(otherwise)

    def _go_live(self, known: StateUpdate, kind: str, told: StateUpdate, now: Reading | None) -> WatchEvent | None:
        self._known = known
        left = _time_left(known, now) if now else None
        if left is not None and left <= 0:
            self._state = _State.OVERDUE
            return None
        self._state = _State.LIVE
        self._reconnect.caught_up()
        self._has_told_loss = False
        return WatchEvent(kind, told)

    def _violated(self, what: str, jitter: float) -> WatchEvent | None:
        # What was known before may be wrong, too, so the watch begins anew.
        return self._go_away(None, GateError(Code.INTERNAL, f"The daemon sent {what}."), jitter)

    def _go_away(self, known: StateUpdate | None, error: GateError, jitter: float) -> WatchEvent | None:
        self._known = known if self._is_resumable else None
        wait = self._reconnect.failed(jitter)
        self._wait = LONGEST_WAIT if wait is None else wait
        self._state = _State.AWAY
        if self._has_told_loss:
            return None
        self._has_told_loss = True
        return WatchEvent("lost", error=error)


#: The parts of a `StateUpdate`, one for each topic.
_PARTS = tuple(topic.value.replace("-", "_") for topic in Topic)


def _applied(known: StateUpdate, change: StateUpdate) -> StateUpdate:
    """The whole state after a change."""

    def newest(name: str) -> Any:
        value = getattr(change, name)
        return getattr(known, name) if value is None else value

    parts = {name: newest(name) for name in _PARTS}
    number = change.revision.number
    return replace(known, first_number=number, revision=change.revision, is_snapshot=False, **parts)


def _time_left(known: StateUpdate, now: Reading) -> float | None:
    """Seconds until the first deadline of the mode, the session, an active entitlement or an open schedule; None if
    there is none."""
    lefts: list[float] = []
    deadlines = [known.mode.deadline if known.mode else None]
    if known.sign_in and known.sign_in.session:
        deadlines.append(known.sign_in.session.deadline)
    for deadline in deadlines:
        if deadline is not None and deadline != NEVER:
            lefts.append((deadline - now.boot_nanoseconds) / 1e9)
    ends = [one.until for one in known.entitlements.entitlements if one.is_active] if known.entitlements else []
    ends += [one.until for one in known.schedules or () if one.is_open]
    lefts += [(end - now.wall_milliseconds) / 1e3 for end in ends if end is not None]
    return min(lefts, default=None)
