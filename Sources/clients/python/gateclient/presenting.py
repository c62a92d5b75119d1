"""One presenter over any number of connections. Pure: no clock, no chance, no input or output."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from . import messages
from .errors import Code, GateError
from .reconnecting import LONGEST_WAIT, ReconnectStateMachine


@dataclass(frozen=True)
class Action:
    """The next thing for the caller to do, by its name; each says which event has to follow."""

    #: "open": open the stream; then `stream_opened`. "receive": take the newest message; then `message_received`. "claim":
    #: claim `number` on the stream's connection; then `claimed` or `claim_failed`. "wait": let the connection go, and wait so
    #: many seconds; then `waited`. "end".
    name: str
    number: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class News:
    """News for the program that shows presentations."""

    #: "registered", "show" (the presentation), "close" (its number), "elsewhere" (or None: nothing is), "refused" (the
    #: error), "lost".
    name: str
    presentation: messages.Presentation | None = None
    number: int = 0
    elsewhere: messages.Elsewhere | None = None
    error: GateError | None = None


class _State(enum.Enum):
    OPENING = "opening"  # Can go to: REGISTERING, AWAY, ENDED.
    REGISTERING = "registering"  # The daemon has not said yet that it takes this presenter. Can go to: IDLE, CLAIMING, AWAY, ENDED.
    IDLE = "idle"  # Nothing to show. Can go to: CLAIMING, AWAY, ENDED.
    CLAIMING = "claiming"  # A claim is under way. Can go to: SHOWING, IDLE, AWAY, ENDED.
    SHOWING = "showing"  # The presentation was handed over. Can go to: IDLE, CLAIMING, AWAY, ENDED.
    AWAY = "away"  # The next attempt comes after the wait. Can go to: OPENING.
    ENDED = "ended"  # Refused, or stopped. Can go nowhere.


class PresenterStateMachine:
    """Two promises, whatever the daemon sends. Each presentation that was handed over is closed exactly once, before the next
    one is handed over; and what was not claimed is not handed over (an offer that somebody else was quicker to take is
    dropped, silently).

    Each message of the stream replaces the one before, so the caller tells of the newest alone.
    """

    def __init__(self) -> None:
        self._state = _State.OPENING
        self._number = 0  # of what is claimed or shown
        self._wait = 0.0
        self._reconnect = ReconnectStateMachine()
        self._has_told_loss = False
        self._elsewhere: messages.Elsewhere | None = None

    @property
    def action(self) -> Action:
        """The next thing to do."""
        if self._state is _State.OPENING:
            return Action("open")
        if self._state is _State.CLAIMING:
            return Action("claim", number=self._number)
        if self._state is _State.AWAY:
            return Action("wait", seconds=self._wait)
        return Action("end" if self._state is _State.ENDED else "receive")

    def stream_opened(self) -> None:
        """The connection is there, and the request to register was sent."""
        if self._expects(_State.OPENING):
            self._state = _State.REGISTERING

    def message_received(
        self, now: messages.PresentationSummary | None, elsewhere: messages.Elsewhere | None = None
    ) -> list[News]:
        """The daemon said what may be shown now, and what is on another screen; None: nothing."""
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
            # Another one, or the same again: a sign-in cover gives way and comes back, and its cookie is a new one then.
            news = [News("close", number=self._number)]
            self._offered(now)
        return news + self._elsewhere_heard(elsewhere)

    def claimed(self, presentation: messages.Presentation, jitter: float) -> list[News]:
        """The claim was granted: this is what to show."""
        if not self._expects(_State.CLAIMING):
            return []
        if presentation.summary.id != self._number:
            wrong = GateError(Code.INTERNAL, "The daemon sent another presentation than was claimed.")
            return self.failed(wrong, jitter)
        self._state = _State.SHOWING
        return [News("show", presentation=presentation, number=self._number)]

    def claim_failed(self, error: GateError, jitter: float) -> list[News]:
        """The claim was refused, or its answer is missing."""
        if not self._expects(_State.CLAIMING):
            return []
        if error.reason not in ("CLOSED", "NOT_PERMITTED"):
            # Whether it was claimed is not known. Letting the stream go hands it back.
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
        """The wait is over."""
        if self._expects(_State.AWAY):
            self._reconnect.waited()
            self._state = _State.OPENING

    def stopped(self) -> None:
        """Nobody presents any more."""
        self._state = _State.ENDED

    def _expects(self, *states: _State) -> bool:
        if self._state is _State.ENDED:
            return False
        if self._state not in states:
            raise RuntimeError(f"an event that nobody asked for, while {self._state.value}")
        return True

    def _offered(self, now: messages.PresentationSummary | None) -> None:
        # What is not on offer yet, or held without its content, can't be handed over.
        is_offered = now is not None and now.stage == messages.Stage.STAGE_OFFERED
        self._state = _State.CLAIMING if is_offered else _State.IDLE
        self._number = now.id if now is not None else 0

    def _elsewhere_heard(self, now: messages.Elsewhere | None) -> list[News]:
        """How far it has come there is nobody's concern here."""
        if _place(now) == _place(self._elsewhere):
            return []
        self._elsewhere = now
        return [News("elsewhere", elsewhere=now)]


def _is_held(summary: messages.PresentationSummary) -> bool:
    return summary.stage in (messages.Stage.STAGE_CLAIMED, messages.Stage.STAGE_SHOWN)


def _place(elsewhere: messages.Elsewhere | None) -> tuple[int, int] | None:
    return (elsewhere.presentation.id, elsewhere.place) if elsewhere is not None else None
