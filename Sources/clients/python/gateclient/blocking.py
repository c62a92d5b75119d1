"""Below the plain face: a socket that blocks, and coroutines that are run to their ends over it. No thread, and no event loop.

They never suspend here: where those of asyncio wait for their loop, these wait for the socket.
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
    """Runs it to its end, which it comes to without suspending."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise RuntimeError("a call of the plain face has suspended")


class NotYet(BaseException):
    """Somebody waits for the next event no longer. Passes through everything between."""


class BlockingLink(Link):
    """One connection, which is read when somebody waits."""

    def __init__(self, sock: socket.socket, program: str) -> None:
        self.machine = ConnectionStateMachine(program)
        self.limit: float | None = None  # of time.monotonic(): nobody waits longer than that
        self._socket = sock
        self._poll = select.poll()

    def flush(self) -> None:
        # Late and harmless where the connection is lost: reading will tell.
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
                # What is over for the stream is so for everybody; that nobody waits any longer is only for now.
                if end is not None and time.monotonic() >= end:
                    raise TimeoutError
                raise NotYet
        return message

    def pump(self, end: float | None) -> bool:
        """Sends, and receives what there is; waits for it until the time of time.monotonic(). False: there was nothing."""
        wanted = select.POLLIN | (select.POLLOUT if self.machine.outgoing else 0)
        milliseconds = None if end is None else max(0.0, end - time.monotonic()) * 1000
        self._poll.register(self._socket, wanted)
        # Rounded up: a wait of less than a millisecond is no busy one.
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
        """The descriptor of the socket; -1 where the connection is lost."""
        return self._socket.fileno()

    def close(self) -> None:
        self._lose(lost())

    def _lose(self, error: GateError) -> None:
        self.machine.lost(error)
        self._socket.close()


class BlockingCalls(Calls):
    """The calls over a socket that blocks."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.limit: float | None = None
        self._link: BlockingLink | None = None
        self._process = os.getpid()

    async def connected(self) -> Link:
        if self.is_closed:
            raise client_closed()
        if self._process != os.getpid():
            # A child process has its own connection: two that read from one would take each other's answers.
            self._link, self._process = None, os.getpid()
        if self._link is not None and self._link.machine.is_open:
            self._link.pump(time.monotonic())  # nobody has looked whether it was lost meanwhile
        if self._link is None or not self._link.machine.is_open:
            self._link = BlockingLink(await server.connect(self.options, self.sleep), self.options.program)
        self._link.limit = self.limit
        return self._link

    def set_limit(self, limit: float | None) -> None:
        """Nobody waits for a stream longer than until this time of time.monotonic()."""
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
