"""What both faces share below the calls: a connection to the daemon, and how one waits for it."""

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
#: Seconds that the daemon may take to check a password: it gives an attempt 30, and says so when they are over.
HASHING = 35.0


class Link(abc.ABC):
    """One connection. Its coroutines suspend in the asyncio face, and block in the plain one."""

    machine: ConnectionStateMachine

    @abc.abstractmethod
    def flush(self) -> None:
        """Sends what the machine has gathered, or begins to."""

    @abc.abstractmethod
    async def finish(self, exchange: Exchange, seconds: float | None) -> bytes:
        """Waits for the answer to a call. Raises DEADLINE_EXCEEDED after so many seconds."""

    @abc.abstractmethod
    async def receive(self, exchange: Exchange, seconds: float | None) -> bytes:
        """Waits for the next message of a stream. Raises TimeoutError after so many seconds."""

    @abc.abstractmethod
    def close(self) -> None:
        """Hangs up."""

    def fileno(self) -> int:
        """The descriptor of the socket; -1 where it is lost, or belongs to a loop."""
        return -1

    def start(self, name: str, request: Request, timeout: float | None = None) -> Exchange:
        """Sends a request, and does not wait."""
        method = wire.method(name)
        exchange = self.machine.start(method, method.encoded(request), timeout)
        self.flush()
        return exchange

    def give_up(self, exchange: Exchange) -> None:
        """Ends a call or stream that nobody wants any more."""
        self.machine.give_up(exchange)
        self.flush()

    async def call(self, name: str, request: Request, timeout: float | None, late: Late | None = None) -> Any:
        """Calls a unary method. One that nobody waits for any more is taken back on the daemon, too; where it can't be, `late`
        takes the answer."""
        exchange = self.start(name, request, timeout)
        exchange.late = late
        if exchange.method.is_stream:
            self.give_up(exchange)
            raise GateError(Code.INVALID_ARGUMENT, f"{name} answers with a stream: use `stream`.", "INVALID_REQUEST")
        try:
            payload = await self.finish(exchange, None if timeout is None else timeout + GRACE)
        except BaseException:
            if late is not None and exchange.payload is not None and exchange.error is None:
                late(exchange.payload)  # it had come, and the one who waited was cancelled before they saw it
            self.give_up(exchange)
            raise
        return exchange.method.decoded(payload)


class Face(abc.ABC):
    """A client's one connection, opened when somebody first needs it, and anew after it was lost."""

    options: Options
    is_closed = False

    @abc.abstractmethod
    async def connected(self) -> Link:
        """The connection. One attempt is made. Raises UNAVAILABLE, PERMISSION_DENIED."""

    @abc.abstractmethod
    async def sleep(self, seconds: float) -> None:
        """Waits."""

    @abc.abstractmethod
    async def answered(self, question: Any, present: Callable[..., Any]) -> Any:
        """Has a presentation shown and answered, as often as it takes to get an answer that is one."""

    async def call(self, name: str, request: Request, timeout: float | None) -> Any:
        """Calls a unary method."""
        return await (await self.connected()).call(name, request, timeout)

    @property
    def timeout(self) -> float | None:
        """How long a call may take."""
        return self.options.call_timeout

    @property
    def hashing_timeout(self) -> float | None:
        """How long a call may take that has a password checked."""
        return None if self.timeout is None else max(self.timeout, HASHING)
