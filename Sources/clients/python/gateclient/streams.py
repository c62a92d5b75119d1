"""Watches, presenters and raw streams. Watches and presenters reconnect as often as needed. The state machines decide;
these classes carry it out."""

from __future__ import annotations

import random
import time
from collections import deque
from typing import Any, Collection, Iterable

from .errors import Code, GateError
from .frames import Exchange
from .links import Face, Link
from .presenting import News, PresenterStateMachine
from .questions import OpenPresentation
from .values import Reading, StateUpdate
from .watching import Topic, WatchEvent, WatchStateMachine
from .wire import Request

#: Seconds after a deadline within which the daemon has to report it; then it counts as lost.
_DEADLINE_GRACE = 1.0
#: Seconds between looks at the clock while a deadline runs. Timers stand still while the device sleeps.
_LOOK = 1.0


class _Stream:
    """A stream of the daemon that the program reads, and how to end it."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._link: Link | None = None
        self._exchange: Exchange | None = None
        self._waits_until = 0.0

    def fileno(self) -> int:
        """The descriptor for the stream's messages; -1 if there is none at the moment, or an event loop owns it."""
        return self._link.fileno() if self._link is not None else -1

    def _due(self, action: str) -> float | None:
        """Seconds until `next` has something to do without a new message; 0: now; None: never."""
        if action == "end":
            return None
        if action == "wait":
            return max(0.0, self._waits_until - time.monotonic()) if self._waits_until else 0.0
        has_news = self._exchange is None or bool(self._exchange.queue) or self._exchange.has_ended
        return 0.0 if action != "receive" or has_news else None

    def let_go(self) -> None:
        """Ends the stream, on the daemon too."""
        link, exchange, self._link, self._exchange = self._link, self._exchange, None, None
        if link is not None and exchange is not None:
            link.give_up(exchange)

    def __del__(self) -> None:
        self.let_go()

    async def _open(self, name: str, request: Request) -> None:
        self._link = await self._face.connected()
        self._exchange = self._link.start(name, request)

    async def _next(self, seconds: float | None = None) -> Any:
        assert self._link is not None and self._exchange is not None
        return self._exchange.method.decoded(await self._link.receive(self._exchange, seconds))

    async def _wait(self, seconds: float) -> None:
        # If `next` was called with a limit and is called again, only the rest of the wait is waited for.
        self.let_go()
        now = time.monotonic()
        if not 0.0 < self._waits_until <= now + seconds:
            self._waits_until = now + seconds
        if self._waits_until > now:
            await self._face.sleep(self._waits_until - now)
        self._waits_until = 0.0


class WatchStream(_Stream):
    def __init__(self, face: Face, topics: Collection[Topic]) -> None:
        super().__init__(face)
        self._machine = WatchStateMachine(topics)
        self._topics = [f"TOPIC_{topic.name}" for topic in topics]
        self._grace_until = 0.0  # a time of time.monotonic(); 0: no deadline has passed

    async def next(self) -> WatchEvent | None:
        """The next event; None after `close`. Never raises because of the daemon."""
        while True:
            event = None
            action = self._machine.action
            try:
                if self._face.is_closed or action.name == "end":
                    self._machine.stopped()
                    self.let_go()
                    return None
                if action.name == "open":
                    after = action.after and {"epoch": action.after.epoch, "number": action.after.number}
                    await self._open("Watch/Watch", {"topics": self._topics, "after": after})
                    self._machine.stream_opened()
                elif action.name == "receive":
                    message = StateUpdate.read(await self._message())
                    now = Reading.now() if self._face.options.shares_clock else None
                    event = self._machine.message_received(message, now, random.random())
                else:
                    await self._wait(action.seconds)
                    self._machine.waited()
            except GateError as error:
                self.let_go()
                event = self._machine.failed(error, random.random())
            if event is not None:
                return event

    def stop(self) -> None:
        self._machine.stopped()
        self.let_go()

    def due(self) -> float | None:
        action = self._machine.action.name
        left = self._time_left() if action == "receive" else None
        if left is None:
            return self._due(action)
        if left <= 0:
            return max(0.0, self._grace_until - time.monotonic()) if self._grace_until else 0.0
        return 0.0 if self._due(action) == 0 else min(left, _LOOK)

    def _time_left(self) -> float | None:
        return self._machine.time_left(Reading.now()) if self._face.options.shares_clock else None

    async def _message(self) -> Any:
        while True:
            left = self._time_left()
            seconds = None if left is None else min(left, _LOOK)
            if left is None or left > 0:
                self._grace_until = 0.0
            else:
                # Kept between calls: otherwise a caller with short limits would begin the grace anew each time.
                self._grace_until = self._grace_until or time.monotonic() + _DEADLINE_GRACE
                seconds = max(0.0, self._grace_until - time.monotonic())
            try:
                message = await self._next(seconds)
                self._grace_until = 0.0
                return message
            except TimeoutError:
                if not self._grace_until or time.monotonic() < self._grace_until:
                    continue
                self._grace_until = 0.0
                raise GateError(
                    Code.UNAVAILABLE,
                    "A deadline has passed, but the daemon has not reported it. Does it hang (`systemctl status gated`)?",
                ) from None


def register_request(kinds: Iterable[str], styles: Iterable[str], has_own_screen: bool) -> Request:
    """The request of a presenter, with what it can show. Kinds have their names in policies, for example
    "arithmetic-choice"; there are also "sign-in", "paywall", "form" and "whats-new". Styles are "sheet" and
    "full-screen-cover"."""

    def names(prefix: str, words: Iterable[str]) -> list[str]:
        return [prefix + word.upper().replace("-", "_") for word in words]

    return {
        "kinds": names("PRESENTATION_KIND_", kinds),
        "styles": names("STYLE_", styles),
        "has_screen_of_its_own": has_own_screen,
    }


class PresenterEvent:
    """An event for a presenter."""

    def __init__(self, news: News, presentation: OpenPresentation | None) -> None:
        #: "registered": the daemon has accepted the presenter; again after each loss. "show": show `presentation`,
        #: which only this program may answer. "close": take `number` off the screen; comes once for each "show", before
        #: the next. "elsewhere": a secret, or a question for grown-ups, is on another screen, or (None) no longer.
        #: "refused": the last event; `error` will not go away by itself. "lost": the daemon was lost; told once for
        #: each loss.
        self.kind = news.name
        self.number = news.number
        self.presentation = presentation
        self.elsewhere = news.elsewhere
        self.error = news.error


class PresenterStream(_Stream):
    """One presenter. A client can only be one presenter. Nothing is claimed until the next event is asked for."""

    def __init__(self, face: Face, request: Request) -> None:
        super().__init__(face)
        self._machine = PresenterStateMachine()
        self._request = request
        self._untold: deque[News] = deque()

    async def next(self) -> PresenterEvent | None:
        """The next event; None after "refused", and after `close`. Never raises because of the daemon."""
        while True:
            if self._face.is_closed:
                self.stop()
            if self._untold:
                news = self._untold.popleft()
                return PresenterEvent(news, self._open_presentation(news))
            action = self._machine.action
            try:
                if action.name == "end":
                    self.let_go()
                    return None
                if action.name == "open":
                    await self._open("Presentations/RegisterPresenter", self._request)
                    self._machine.stream_opened()
                elif action.name == "receive":
                    message = await self._newest()
                    now = message.presentation if message.HasField("presentation") else None
                    elsewhere = message.elsewhere if message.HasField("elsewhere") else None
                    self._untold += self._machine.message_received(now, elsewhere)
                elif action.name == "claim":
                    await self._claim(action.number)
                else:
                    await self._wait(action.seconds)
                    self._machine.waited()
            except GateError as error:
                self._untold += self._machine.failed(error, random.random())
                self.let_go()

    def stop(self) -> None:
        """Stops presenting. The presentation on the screen goes to the next presenter."""
        self._untold.clear()
        self._machine.stopped()
        self.let_go()

    def due(self) -> float | None:
        return 0.0 if self._untold else self._due(self._machine.action.name)

    async def _newest(self) -> Any:
        """The newest message, since each message replaces those before it."""
        message = await self._next()
        while self._exchange is not None and self._exchange.queue:
            message = await self._next()
        return message

    async def _claim(self, number: int) -> None:
        assert self._link is not None
        try:
            response = await self._link.call("Presentations/Claim", {"id": number}, self._face.timeout)
        except GateError as error:
            self._untold += self._machine.claim_failed(error, random.random())
        else:
            self._untold += self._machine.claimed(response.presentation, random.random())

    def _open_presentation(self, news: News) -> OpenPresentation | None:
        if news.presentation is None or self._link is None:
            return None
        return OpenPresentation(news.presentation, "claimed", self._link, self._face)


class RawStream(_Stream):
    """The messages of any stream, over one connection."""

    def __init__(self, face: Face, name: str, request: Request) -> None:
        super().__init__(face)
        self._name = name
        self._request = request
        self._has_begun = False

    async def next(self) -> Any:
        """The next message; None if the daemon has ended the stream, or `stop` was called. Raises the daemon's
        refusal."""
        if not self._has_begun:
            self._has_begun = True
            await self._open(self._name, self._request)
        if self._exchange is None:
            return None
        exchange = self._exchange
        try:
            return await self._next()
        except GateError:
            self.let_go()
            if exchange.has_ended and exchange.error is None:
                return None
            raise

    def due(self) -> float | None:
        return self._due("receive" if self._exchange is not None else "end" if self._has_begun else "open")

    def stop(self) -> None:
        self.let_go()
