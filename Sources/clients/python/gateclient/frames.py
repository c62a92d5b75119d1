"""One connection as a state machine: it takes bytes in, and puts bytes and finished calls out. It does no input or
output itself.

The protocol is ttrpc 1.2 over a stream socket: a header of ten bytes, then the data (`docs/wire.md`).
"""

from __future__ import annotations

import struct
from collections import deque
from typing import Any, Callable

from . import wire
from .errors import Code, GateError, unreadable
from .wire import Method

_REQUEST, _RESPONSE, _DATA = 1, 2, 3
_REMOTE_CLOSED, _NO_DATA = 0x01, 0x04
_HEADER = struct.Struct(">IIBB")  # length of the data, stream id, type, flags
#: Limits in bytes: for one frame, and for the messages that the reader of one stream has not taken.
LARGEST_FRAME = 4 << 20
LARGEST_QUEUE = 8 << 20
_LARGEST_STREAM_ID = 0xFFFF_FFFF

Late = Callable[[bytes], None]


class Exchange:
    """One call or stream, from its request to its end."""

    def __init__(self, method: Method, stream_id: int) -> None:
        self.method = method
        self.stream_id = stream_id
        #: Messages of the stream that have not been taken, oldest first.
        self.queue: deque[bytes] = deque()
        self.queued_bytes = 0
        #: The answer to a call; None until it has come.
        self.payload: bytes | None = None
        self.error: GateError | None = None
        self.has_ended = False
        #: Wakes the waiting coroutine. Only the asyncio client sets it.
        self.waiter: Any = None
        #: Takes an answer that comes after the call was given up. If it is None, the daemon cancels the call, and no
        #: answer comes.
        self.late: Late | None = None
        self.is_given_up = False

    def take(self) -> bytes | None:
        """The next message of the stream; None if none has come yet. Raises if the stream has ended and all messages
        were taken."""
        if self.queue:
            message = self.queue.popleft()
            self.queued_bytes -= len(message)
            return message
        if self.has_ended:
            raise self.error or GateError(Code.UNAVAILABLE, "The daemon ended the stream.")
        return None

    def result(self) -> bytes:
        """The answer to a call that has ended; raises if it has failed."""
        if self.error is not None:
            raise self.error
        assert self.payload is not None
        return self.payload


class ConnectionStateMachine:
    """The calls and streams of one connection. `outgoing` collects the bytes to be sent."""

    def __init__(self, program: str) -> None:
        self.outgoing = bytearray()
        self._program = wire.program_name(program)
        self._incoming = bytearray()
        self._exchanges: dict[int, Exchange] = {}
        self._last_id = -1
        self._lost: GateError | None = None

    @property
    def is_open(self) -> bool:
        return self._lost is None

    @property
    def calls_wait(self) -> bool:
        return any(not one.method.is_stream and not one.is_given_up for one in self._exchanges.values())

    @property
    def queued_bytes(self) -> int:
        """The bytes of all messages that have not been taken."""
        return sum(one.queued_bytes for one in self._exchanges.values())

    def start(self, method: Method, payload: bytes, timeout: float | None) -> Exchange:
        """Queues a request. Raises if the connection was lost, or the request is longer than a frame may be."""
        if self._lost is not None:
            raise self._lost
        envelope = wire.request_envelope(method, payload, timeout, self._program)
        if len(envelope) > LARGEST_FRAME:
            raise GateError(Code.RESOURCE_EXHAUSTED, "The request is longer than 4 MiB. Send less at once.", "LIMIT")
        self._last_id = self._last_id + 2 if self._last_id + 2 <= _LARGEST_STREAM_ID else 1
        while self._last_id in self._exchanges:
            self._last_id += 2
        exchange = Exchange(method, self._last_id)
        self._exchanges[exchange.stream_id] = exchange
        flags = _REMOTE_CLOSED if method.is_stream else 0
        self.outgoing += _HEADER.pack(len(envelope), exchange.stream_id, _REQUEST, flags) + envelope
        return exchange

    def give_up(self, exchange: Exchange) -> None:
        """Ends a call or stream that is no longer wanted, on the daemon too. Harmless if it has already ended."""
        if self._exchanges.get(exchange.stream_id) is not exchange:
            return
        if exchange.late is not None:
            exchange.is_given_up = True
            return
        del self._exchanges[exchange.stream_id]
        exchange.has_ended = True
        exchange.error = exchange.error or GateError(Code.CANCELLED, "The call was cancelled.")
        if self._lost is None:
            cancel = wire.method("Control/Cancel")
            self.start(cancel, cancel.encoded({"stream_id": exchange.stream_id}), None)

    def received(self, data: bytes) -> list[Exchange]:
        """Handles bytes that have come, and returns the calls and streams that they were about. If the bytes break the
        protocol, the connection is lost."""
        self._incoming += data
        touched: list[Exchange] = []
        try:
            while (frame := self._next_frame()) is not None:
                stream_id, kind, flags, content = frame
                exchange = self._exchanges.get(stream_id)
                if exchange is None:
                    continue
                self._frame_received(exchange, kind, flags, content)
                touched.append(exchange)
                if exchange.is_given_up and exchange.late is not None and exchange.payload is not None:
                    exchange.late(exchange.payload)
        except GateError as error:
            touched += self.lost(error)
        return touched

    def _next_frame(self) -> tuple[int, int, int, bytes] | None:
        if len(self._incoming) < _HEADER.size:
            return None
        length, stream_id, kind, flags = _HEADER.unpack_from(self._incoming)
        if length > LARGEST_FRAME:
            raise unreadable(f"a frame of {length} bytes")
        end = _HEADER.size + length
        if len(self._incoming) < end:
            return None
        content = bytes(self._incoming[_HEADER.size : end])
        del self._incoming[:end]
        return stream_id, kind, flags, content

    def lost(self, error: GateError) -> list[Exchange]:
        """Ends every call and stream, since the connection has ended. Returns them."""
        self._lost = self._lost or error
        ended = list(self._exchanges.values())
        self._exchanges.clear()
        # Replaced, not cleared: another thread may be sending the bytes, and a bytearray can't change meanwhile.
        self._incoming, self.outgoing = bytearray(), bytearray()
        for exchange in ended:
            exchange.has_ended, exchange.error = True, error
        return ended

    def _frame_received(self, exchange: Exchange, kind: int, flags: int, frame: bytes) -> None:
        if kind == _RESPONSE:
            exchange.payload, exchange.error = wire.response(frame)
            if exchange.method.is_stream and exchange.error is None:
                raise unreadable("a stream that ends well in a response")
            del self._exchanges[exchange.stream_id]
            exchange.has_ended = True
        elif kind == _DATA and exchange.method.is_stream:
            if not flags & _NO_DATA:
                exchange.queue.append(frame)
                exchange.queued_bytes += len(frame)
            if flags & _REMOTE_CLOSED:
                del self._exchanges[exchange.stream_id]
                exchange.has_ended = True
            elif exchange.queued_bytes > LARGEST_QUEUE:
                exchange.error = GateError(
                    Code.RESOURCE_EXHAUSTED, "Messages come faster than this stream's reader takes them.", "LIMIT"
                )
                exchange.queue.clear()
                exchange.queued_bytes = 0
                self.give_up(exchange)
        else:
            raise unreadable(f"a frame of type {kind}")
