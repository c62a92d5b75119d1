"""The asyncio client. Each client belongs to one event loop and starts no thread.

Cancelling a task also cancels its call on the daemon, and takes its question off the screen. Whatever the call had
already changed stays changed.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Iterable

from . import server
from .calls import Calls
from .errors import Code, GateError, client_closed, lost, timed_out
from .forms import FormDraft
from .frames import ConnectionStateMachine, Exchange
from .links import Link
from .questions import MAXIMUM_ATTEMPTS, STATE_CLOSES, Answer, Completion, OpenPresentation
from .server import Options
from .status import DeviceStatus, StatusPage
from .streams import PresenterEvent
from .values import Mode, Subject
from .watching import Topic, WatchEvent
from .wire import Request

__all__ = ["FormDraft", "Gate", "OpenPresentation", "Present"]

#: Shows a presentation, and returns the person's answer. It is cancelled when the presentation can no longer be
#: answered; then take it off the screen.
Present = Callable[[OpenPresentation], Awaitable[Answer]]

#: Bytes that streams may hold before the socket is left unread; and bytes that may wait to be sent before the
#: connection is given up.
_QUEUE_MARK = 1 << 20
_LARGEST_BACKLOG = 8 << 20


class _Link(Link, asyncio.Protocol):
    def __init__(self, program: str) -> None:
        self.machine = ConnectionStateMachine(program)
        self._transport: asyncio.Transport | None = None
        self._is_held = False
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for exchange in self.machine.received(data):
            _wake(exchange)
        if not self.machine.is_open:
            self.close()
        self.flush()
        self._hold()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lose(lost())

    def flush(self) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        data = bytes(self.machine.outgoing)
        self.machine.outgoing.clear()
        if data:
            self._transport.write(data)
        if self._transport.get_write_buffer_size() > _LARGEST_BACKLOG:
            self._lose(GateError(Code.UNAVAILABLE, "The daemon does not take what is sent to it. Does it hang (`systemctl status gated`)?"))

    def give_up(self, exchange: Exchange) -> None:
        # A stream's `__del__` calls this too, perhaps after the loop has ended, or on another thread.
        if self._loop.is_closed():
            return
        try:
            is_here = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            is_here = False
        if is_here:
            super().give_up(exchange)
            self._hold()
        else:
            self._loop.call_soon_threadsafe(super().give_up, exchange)

    async def finish(self, exchange: Exchange, seconds: float | None) -> bytes:
        self._hold()
        try:
            async with asyncio.timeout(seconds):
                while not exchange.has_ended:
                    await self._woken(exchange)
        except TimeoutError:
            raise timed_out() from None
        return exchange.result()

    async def receive(self, exchange: Exchange, seconds: float | None) -> bytes:
        async with asyncio.timeout(seconds):
            while (message := exchange.take()) is None:
                self._hold()
                await self._woken(exchange)
            self._hold()
            return message

    def close(self) -> None:
        self._lose(lost())

    async def _woken(self, exchange: Exchange) -> None:
        exchange.waiter = self._loop.create_future()
        await exchange.waiter

    def _hold(self) -> None:
        """Leaves the socket unread while the readers of streams are behind, but never while a call waits for its
        answer."""
        if self._transport is None or self._transport.is_closing():
            return
        is_held = self.machine.queued_bytes > _QUEUE_MARK and not self.machine.calls_wait
        if is_held != self._is_held:
            self._is_held = is_held
            (self._transport.pause_reading if is_held else self._transport.resume_reading)()

    def _lose(self, error: GateError) -> None:
        for exchange in self.machine.lost(error):
            _wake(exchange)
        if self._transport is not None:
            self._transport.abort()


def _wake(exchange: Exchange) -> None:
    if exchange.waiter is not None and not exchange.waiter.done():
        exchange.waiter.set_result(None)


class Gate(Calls):
    """Asks Gate who is in charge of this device, hears when that changes, and changes it.

    All calls and streams share one connection. It is opened when it is first needed, and again after it was lost.
    """

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._page = StatusPage(self.options)
        self._link: _Link | None = None
        self._connecting: asyncio.Task[_Link] | None = None

    async def __aenter__(self) -> Gate:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends every call and every stream. The client can't be used afterwards."""
        self.is_closed = True
        self._page.close()
        if self._connecting is not None:
            self._connecting.cancel()
        if self._link is not None:
            self._link.close()

    def status(self) -> DeviceStatus:
        """The mode, and whether a subscription is active, read from the status page. It never waits or raises, so it
        can be called for every frame."""
        return self._page.status()

    # MARK: gated actions

    @contextlib.asynccontextmanager
    async def authorize(
        self,
        gated_action: str,
        details: str = "",
        *,
        subject: Subject | None = None,
        present: Present | None = None,
        presents_itself: bool = False,
        may_wait: bool = False,
    ) -> AsyncIterator[None]:
        """Runs the block only if the gated action is granted. If the policy says so, a person is asked first.
        `may_wait`: `Asked` is raised if the question is going to wait for a grown-up, as in `grant`."""
        await self._authorized(gated_action, details, subject, present, presents_itself, may_wait)
        yield

    # MARK: streams

    async def watch(self, topics: Collection[Topic] = (Topic.MODE,)) -> AsyncGenerator[WatchEvent, None]:
        """The whole state, then every change of it. Reconnects by itself, and never raises."""
        stream = self._watch(topics)
        try:
            while (event := await stream.next()) is not None:
                yield event
        finally:
            stream.stop()

    async def modes(self) -> AsyncGenerator[Mode, None]:
        """The mode, then each change of it. If the daemon is lost it is child at once, until the daemon is back."""
        last = None
        async with contextlib.aclosing(self.watch()) as events:
            async for event in events:
                if event.mode is not None and event.mode.mode is not last:
                    last = event.mode.mode
                    yield last

    async def stream(self, name: str, request: Request | None = None) -> AsyncGenerator[Any, None]:
        """The messages of any stream, given its name, for example "Watch/Audit". Raises the daemon's refusal, or that
        the daemon was lost."""
        stream = self._stream(name, request)
        try:
            while (message := await stream.next()) is not None:
                yield message
        finally:
            stream.stop()

    async def presenter(
        self, kinds: Iterable[str], styles: Iterable[str] = ("sheet",), *, has_own_screen: bool = False
    ) -> AsyncGenerator[PresenterEvent, None]:
        """The events of a presenter; `present` is simpler. Never raises."""
        stream = self._presenter(kinds, styles, has_own_screen)
        try:
            while (event := await stream.next()) is not None:
                yield event
        finally:
            stream.stop()

    async def present(
        self, show: Present, kinds: Iterable[str], styles: Iterable[str] = ("sheet",), *, has_own_screen: bool = False
    ) -> None:
        """Presents with `show` what other programs ask, for as long as this runs. Raises if the daemon refuses this
        presenter."""
        stream = self._presenter(kinds, styles, has_own_screen)
        showing: asyncio.Task[None] | None = None
        following = asyncio.ensure_future(stream.next())
        try:
            while True:
                await _first(following, showing)
                if showing is not None and showing.done():
                    # An error of `show` that is not a GateError ends this method. The question goes to the next
                    # presenter.
                    showing.result()
                    showing = None
                if not following.done():
                    continue
                event = following.result()
                if event is None:
                    return
                following = asyncio.ensure_future(stream.next())
                if event.error is not None:
                    raise event.error
                if event.kind == "close" and showing is not None:
                    await _cancelled(showing)
                    showing = None
                if event.presentation is not None:
                    showing = asyncio.ensure_future(self._shown(event.presentation, show))
        finally:
            await _cancelled(following)
            if showing is not None:
                await _cancelled(showing)
            stream.stop()

    async def _shown(self, question: OpenPresentation, show: Present) -> None:
        try:
            await question.report("shown")
            await self.answered(question, show)
        except GateError:
            pass  # the answer was wrong, or the question is gone: the stream says what comes next

    # MARK: questions

    async def answered(self, question: OpenPresentation, present: Present) -> Completion:
        waits_for_state = question.is_closed_by_state and question.origin == "requested"
        closing = asyncio.ensure_future(_closing(question, waits_for_state))
        showing: asyncio.Future[Answer] | None = None
        try:
            for attempt in range(MAXIMUM_ATTEMPTS):
                showing = asyncio.ensure_future(present(question))
                await _first(closing, showing)
                if not showing.done():
                    return closing.result()
                try:
                    answer = showing.result()
                except BaseException:
                    question.showing_failed()
                    raise
                if answer is STATE_CLOSES:
                    return await closing
                try:
                    return await question.complete(answer)
                except GateError as error:
                    is_last = attempt == MAXIMUM_ATTEMPTS - 1 and error.reason != "NOT_DISMISSIBLE"
                    if is_last or not await question.can_be_asked(error):
                        raise
                    question.refusal = error
            return await closing  # the last question can't be dismissed: only the state closes it
        except BaseException as error:
            question.leave(error)
            raise
        finally:
            await _cancelled(closing)
            if showing is not None:
                await _cancelled(showing)

    # MARK: the connection

    async def connected(self) -> Link:
        if self.is_closed:
            raise client_closed()
        if self._link is not None and self._link.machine.is_open:
            return self._link
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.ensure_future(self._connect())
        # All waiting calls share one attempt. If one of them is cancelled, the attempt goes on for the others.
        attempt = self._connecting
        try:
            return await asyncio.shield(attempt)
        except asyncio.CancelledError:
            if attempt.cancelled():
                raise client_closed() from None
            raise

    async def _connect(self) -> _Link:
        sock = await server.connect(self.options, asyncio.sleep)
        loop = asyncio.get_running_loop()
        try:
            _, link = await loop.create_unix_connection(lambda: _Link(self.options.program), sock=sock)
        except BaseException:
            sock.close()
            raise
        self._link = link
        return link

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _closing(question: OpenPresentation, waits_for_state: bool) -> Completion:
    if waits_for_state:
        return await question.finish_closing(question.begin_closing())
    raise await question.closed()


async def _first(*futures: asyncio.Future[Any] | None) -> None:
    """Waits until one of the futures has ended; skips None."""
    await asyncio.wait([one for one in futures if one is not None], return_when=asyncio.FIRST_COMPLETED)


async def _cancelled(future: asyncio.Future[Any]) -> None:
    """Cancels the future, and waits until it has ended, with whatever result."""
    future.cancel()
    await asyncio.gather(future, return_exceptions=True)
