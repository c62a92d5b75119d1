"""A presenter over any number of connections, as a state machine. It is pure: no clock, no chance, no input or
output."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from . import messages
from .errors import Code, GateError
from .reconnecting import LONGEST_WAIT, ReconnectStateMachine


@dataclass(frozen=True)
class Action:
    """What the caller does next, by its name; each name says which event has to follow."""

    #: "open": open the stream; then `stream_opened`. "receive": take the newest message; then `message_received`.
    #: "claim": claim `number` on the stream's connection; then `claimed` or `claim_failed`. "wait": give the connection
    #: up, and wait `seconds`; then `waited`. "end": nothing more is to be done.
    name: str
    number: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class News:
    """News for the program that shows presentations."""

    #: "registered", "show" (with the presentation), "close" (with its number), "elsewhere" (None: nothing is elsewhere
    #: any more), "refused" (with the error), "lost".
    name: str
    presentation: messages.Presentation | None = None
    number: int = 0
    elsewhere: messages.Elsewhere | None = None
    error: GateError | None = None


class _State(enum.Enum):
    OPENING = "opening"  # Can go to: REGISTERING, AWAY, ENDED.
    REGISTERING = "registering"  # Not accepted by the daemon yet. Can go to: IDLE, CLAIMING, AWAY, ENDED.
    IDLE = "idle"  # Nothing to show. Can go to: CLAIMING, AWAY, ENDED.
    CLAIMING = "claiming"  # A claim is under way. Can go to: SHOWING, IDLE, AWAY, ENDED.
    SHOWING = "showing"  # The presentation was handed over. Can go to: IDLE, CLAIMING, AWAY, ENDED.
    AWAY = "away"  # The next attempt comes after the wait. Can go to: OPENING.
    ENDED = "ended"  # Refused, or stopped. Every state can go here; this one can go nowhere.


class PresenterStateMachine:
    """Keeps two promises, whatever the daemon sends. Each presentation that was handed over is closed exactly once,
    before the next one is handed over. And only claimed presentations are handed over: an offer that another presenter
    took first is dropped silently.

    Each message of the stream replaces the one before, so the caller needs to pass only the newest.
    """

    def __init__(self) -> None:
        self._state = _State.OPENING
        self._number = 0  # of the claimed or shown presentation
        self._wait = 0.0
        self._reconnect = ReconnectStateMachine()
        self._has_told_loss = False
        self._elsewhere: messages.Elsewhere | None = None

    @property
    def action(self) -> Action:
        if self._state is _State.OPENING:
            return Action("open")
        if self._state is _State.CLAIMING:
            return Action("claim", number=self._number)
        if self._state is _State.AWAY:
            return Action("wait", seconds=self._wait)
        return Action("end" if self._state is _State.ENDED else "receive")

    def stream_opened(self) -> None:
        """The connection is open, and the request to register was sent."""
        if self._expects(_State.OPENING):
            self._state = _State.REGISTERING

    def message_received(
        self, now: messages.PresentationSummary | None, elsewhere: messages.Elsewhere | None = None
    ) -> list[News]:
        """The daemon has said which presentation may be shown now, and which one is on another screen; None: none."""
        if not self._expects(_State.REGISTERING, _State.IDLE, _State.SHOWING):
            return []
        news: list[News] = []
        if self._state is _State.REGISTERING:
            self._reconnect.caught_up()
            self._has_told_loss = False
            self._offered(now)
            news = [News("registered")]
        elif self._state is _State.IDLE:
            self._offered(now)
        elif now is None or now.id != self._number or not _is_held(now):
            # Another presentation, or the same one again: a sign-in cover gives way and comes back, and then has a new
            # cookie.
            news = [News("close", number=self._number)]
            self._offered(now)
        return news + self._elsewhere_heard(elsewhere)

    def claimed(self, presentation: messages.Presentation, jitter: float) -> list[News]:
        if not self._expects(_State.CLAIMING):
            return []
        if presentation.summary.id != self._number:
            wrong = GateError(Code.INTERNAL, "The daemon sent another presentation than the one that was claimed.")
            return self.failed(wrong, jitter)
        self._state = _State.SHOWING
        return [News("show", presentation=presentation, number=self._number)]

    def claim_failed(self, error: GateError, jitter: float) -> list[News]:
        """The claim was refused, or its answer did not come."""
        if not self._expects(_State.CLAIMING):
            return []
        if error.reason not in ("CLOSED", "NOT_PERMITTED"):
            # Whether the claim succeeded is not known. Giving up the stream hands the presentation back.
            return self.failed(error, jitter)
        self._state = _State.IDLE
        return []

    def failed(self, error: GateError, jitter: float) -> list[News]:
        """The attempt failed, or the connection or the stream has ended."""
        if self._state in (_State.AWAY, _State.ENDED):
            return []
        news = [News("close", number=self._number)] if self._state is _State.SHOWING else []
        news += self._elsewhere_heard(None)
        if error.is_lasting:
            self._state = _State.ENDED
            return news + [News("refused", error=error)]
        wait = self._reconnect.failed(jitter)
        self._wait = LONGEST_WAIT if wait is None else wait
        self._state = _State.AWAY
        if not self._has_told_loss:
            self._has_told_loss = True
            news.append(News("lost"))
        return news

    def waited(self) -> None:
        if self._expects(_State.AWAY):
            self._reconnect.waited()
            self._state = _State.OPENING

    def stopped(self) -> None:
        self._state = _State.ENDED

    def _expects(self, *states: _State) -> bool:
        if self._state is _State.ENDED:
            return False
        if self._state not in states:
            raise RuntimeError(f"an event that nobody asked for, while {self._state.value}")
        return True

    def _offered(self, now: messages.PresentationSummary | None) -> None:
        # A presentation that is not on offer yet, or that is held but came without its content, can't be handed over.
        is_offered = now is not None and now.stage == messages.Stage.STAGE_OFFERED
        self._state = _State.CLAIMING if is_offered else _State.IDLE
        self._number = now.id if now is not None else 0

    def _elsewhere_heard(self, now: messages.Elsewhere | None) -> list[News]:
        """Tells of a presentation on another screen once for each place; its stages there do not matter here."""
        if _place(now) == _place(self._elsewhere):
            return []
        self._elsewhere = now
        return [News("elsewhere", elsewhere=now)]


def _is_held(summary: messages.PresentationSummary) -> bool:
    return summary.stage in (messages.Stage.STAGE_CLAIMED, messages.Stage.STAGE_SHOWN)


def _place(elsewhere: messages.Elsewhere | None) -> tuple[int, int] | None:
    return (elsewhere.presentation.id, elsewhere.place) if elsewhere is not None else None
