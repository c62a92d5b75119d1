"""The plain client's connection: a socket that blocks, and coroutines that run to their end on it. It needs no thread
and no event loop.

The coroutines never suspend here: where those of asyncio wait for the event loop, these wait for the socket.
"""

from __future__ import annotations

import os
import select
import socket
import time
from typing import Any, Callable, Coroutine, TypeVar

from . import questions, server
from .calls import Calls
from .errors import GateError, client_closed, lost, timed_out
from .frames import ConnectionStateMachine, Exchange
from .links import Link
from .questions import MAXIMUM_ATTEMPTS, STATE_CLOSES, Answer, Completion
from .server import Options

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine to its end. It must not suspend."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise RuntimeError("a call of the plain face has suspended")


class NotYet(BaseException):
    """The caller's time was over before the next event came. It derives from BaseException, so that it passes all
    handlers in between."""


class BlockingLink(Link):
    """One connection, which is read while a caller waits."""

    def __init__(self, sock: socket.socket, program: str) -> None:
        self.machine = ConnectionStateMachine(program)
        self.limit: float | None = None  # a time of time.monotonic(), until which the caller waits for a stream
        self._socket = sock
        self._poll = select.poll()

    def flush(self) -> None:
        # If the connection is lost, the next read says so.
        while self.machine.outgoing and self.machine.is_open:
            try:
                sent = self._socket.send(self.machine.outgoing)
            except BlockingIOError:
                return
            except OSError:
                self._lose(lost())
                return
            del self.machine.outgoing[:sent]

    async def finish(self, exchange: Exchange, seconds: float | None) -> bytes:
        end = None if seconds is None else time.monotonic() + seconds
        while not exchange.has_ended:
            if not self.pump(end):
                raise timed_out()
        return exchange.result()

    async def receive(self, exchange: Exchange, seconds: float | None) -> bytes:
        end = None if seconds is None else time.monotonic() + seconds
        while (message := exchange.take()) is None:
            ends = [one for one in (end, self.limit) if one is not None]
            if not self.pump(min(ends, default=None)):
                # The end of the stream's own time is an error for everybody; the caller's limit only ends this wait.
                if end is not None and time.monotonic() >= end:
                    raise TimeoutError
                raise NotYet
        return message

    def pump(self, end: float | None) -> bool:
        """Sends, and receives what has come. Waits until the time `end` of time.monotonic(). Returns False if nothing
        came."""
        wanted = select.POLLIN | (select.POLLOUT if self.machine.outgoing else 0)
        milliseconds = None if end is None else max(0.0, end - time.monotonic()) * 1000
        self._poll.register(self._socket, wanted)
        # Rounded up, so that a wait of less than a millisecond does not become a busy loop.
        if not self._poll.poll(None if milliseconds is None else int(milliseconds) + (milliseconds > 0)):
            return False
        self.flush()
        try:
            data = self._socket.recv(1 << 18)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            self._lose(lost())
            return True
        self.machine.received(data)
        if not self.machine.is_open:
            self.close()
        self.flush()
        return True

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._lose(lost())

    def _lose(self, error: GateError) -> None:
        self.machine.lost(error)
        self._socket.close()


class BlockingCalls(Calls):
    def __init__(self, options: Options) -> None:
        self.options = options
        self.limit: float | None = None
        self._link: BlockingLink | None = None
        self._process = os.getpid()

    async def connected(self) -> Link:
        if self.is_closed:
            raise client_closed()
        if self._process != os.getpid():
            # A child process opens its own connection: if two processes read from one, each would take answers of the
            # other.
            self._link, self._process = None, os.getpid()
        if self._link is not None and self._link.machine.is_open:
            self._link.pump(time.monotonic())  # a loss since the last call is not known yet
        if self._link is None or not self._link.machine.is_open:
            self._link = BlockingLink(await server.connect(self.options, self.sleep), self.options.program)
        self._link.limit = self.limit
        return self._link

    def set_limit(self, limit: float | None) -> None:
        """Sets the time of time.monotonic() until which the caller waits for a stream; None: no limit."""
        self.limit = limit
        if self._link is not None:
            self._link.limit = limit

    async def sleep(self, seconds: float) -> None:
        left = seconds if self.limit is None else min(seconds, self.limit - time.monotonic())
        time.sleep(max(0.0, left))
        if left < seconds:
            raise NotYet

    async def answered(self, question: questions.OpenPresentation, present: Callable[..., Answer]) -> Completion:
        closing = question.begin_closing() if question.is_closed_by_state else None
        try:
            for attempt in range(MAXIMUM_ATTEMPTS):
                try:
                    answer = present(question)
                except BaseException:
                    await question.left(question.showing_failed())
                    raise
                if closing is not None and (answer is STATE_CLOSES or closing.has_ended):
                    return await question.finish_closing(closing)
                try:
                    return await question.complete(answer)
                except GateError as error:
                    if attempt == MAXIMUM_ATTEMPTS - 1 or not await question.can_be_asked(error):
                        raise
                    question.refusal = error
            raise RuntimeError("an attempt has neither returned nor raised")
        except BaseException as error:
            await question.left(question.leave(error))
            raise

    def close(self) -> None:
        self.is_closed = True
        if self._link is not None and self._process == os.getpid():
            self._link.close()
