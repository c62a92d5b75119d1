"""What both clients share below the calls: a connection to the daemon, and how to wait for it."""

from __future__ import annotations

import abc
from typing import Any, Callable

from . import wire
from .errors import Code, GateError
from .frames import ConnectionStateMachine, Exchange, Late
from .server import Options
from .wire import Request

#: Seconds that a client waits longer than the daemon, so that the daemon's own refusal comes first.
GRACE = 0.2
#: Seconds that the daemon may take to check a password. It gives an attempt 30 seconds, and says so when they are over.
HASHING = 35.0


class Link(abc.ABC):
    """One connection. Its coroutines suspend in the asyncio client, and block in the plain one."""

    machine: ConnectionStateMachine

    @abc.abstractmethod
    def flush(self) -> None:
        """Sends what the machine has collected, or begins to send it."""

    @abc.abstractmethod
    async def finish(self, exchange: Exchange, seconds: float | None) -> bytes:
        """Waits for the answer to a call. Raises DEADLINE_EXCEEDED after `seconds`."""

    @abc.abstractmethod
    async def receive(self, exchange: Exchange, seconds: float | None) -> bytes:
        """Waits for the next message of a stream. Raises TimeoutError after `seconds`."""

    @abc.abstractmethod
    def close(self) -> None:
        """Closes the connection."""

    def fileno(self) -> int:
        """The descriptor of the socket; -1 if the connection is lost, or an event loop owns the socket."""
        return -1

    def start(self, name: str, request: Request, timeout: float | None = None) -> Exchange:
        """Sends a request without waiting for the answer."""
        method = wire.method(name)
        exchange = self.machine.start(method, method.encoded(request), timeout)
        self.flush()
        return exchange

    def give_up(self, exchange: Exchange) -> None:
        self.machine.give_up(exchange)
        self.flush()

    async def call(self, name: str, request: Request, timeout: float | None, late: Late | None = None) -> Any:
        """Calls a unary method. A call whose caller stops waiting is cancelled on the daemon, too; if `late` is set, it
        is not, and `late` takes the answer."""
        exchange = self.start(name, request, timeout)
        exchange.late = late
        if exchange.method.is_stream:
            self.give_up(exchange)
            raise GateError(Code.INVALID_ARGUMENT, f"{name} answers with a stream: use `stream`.", "INVALID_REQUEST")
        try:
            payload = await self.finish(exchange, None if timeout is None else timeout + GRACE)
        except BaseException:
            if late is not None and exchange.payload is not None and exchange.error is None:
                late(exchange.payload)  # the answer had come, but the caller was cancelled before it saw it
            self.give_up(exchange)
            raise
        return exchange.method.decoded(payload)


class Face(abc.ABC):
    """A client's one connection, which is opened when it is first needed, and again after it was lost."""

    options: Options
    is_closed = False

    @abc.abstractmethod
    async def connected(self) -> Link:
        """The connection, opened in one attempt if need be. Raises UNAVAILABLE or PERMISSION_DENIED."""

    @abc.abstractmethod
    async def sleep(self, seconds: float) -> None:
        """Waits for `seconds`."""

    @abc.abstractmethod
    async def answered(self, question: Any, present: Callable[..., Any]) -> Any:
        """Shows a presentation with `present` until the person gives an answer that can be read."""

    async def call(self, name: str, request: Request, timeout: float | None) -> Any:
        return await (await self.connected()).call(name, request, timeout)

    @property
    def timeout(self) -> float | None:
        """The seconds that a call may take; None: no limit."""
        return self.options.call_timeout

    @property
    def hashing_timeout(self) -> float | None:
        """The seconds that a call may take in which a password is checked; None: no limit."""
        return None if self.timeout is None else max(self.timeout, HASHING)
