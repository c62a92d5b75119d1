"""The events of a `gateclient.Gate` in the main loop of GLib, for programs with GTK. Each stream is one source, and no
thread is needed.

Needs PyGObject (Debian's `python3-gi`), which the rest of this package does not.
"""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from gi.repository import GLib

from .errors import GateError
from .plain import Stream

T = TypeVar("T")


class Source(GLib.Source):  # type: ignore[misc]
    """Calls `told` with each event of a stream (`watch`, `presenter` or `stream`), one event in each turn of the loop.

    The source ends with the stream, or after `close`. A raw stream may also end with a refusal, which `told` gets as a
    `GateError`. The loop keeps the source while it is attached. The callbacks may make other calls of the same `Gate`.
    """

    def __init__(self, stream: Stream[T], told: Callable[[T | GateError], object]) -> None:
        super().__init__()
        self._stream = stream
        self._told = told
        self._descriptor = -1
        self._tag: Any = None
        self.set_callback(lambda *_: True)

    def close(self) -> None:
        """Ends the source and the stream, on the daemon too."""
        self._stream.close()
        self.destroy()

    def prepare(self) -> tuple[bool, int]:
        """GLib calls this before each turn, to learn whether an event is ready and how long it may wait."""
        # Another call of the client may have read the socket, or found it lost.
        number = self._stream.fileno()
        if number != self._descriptor:
            if self._tag is not None:
                self.remove_unix_fd(self._tag)
            self._descriptor = number
            self._tag = self.add_unix_fd(number, GLib.IOCondition.IN) if number >= 0 else None
        due = self._stream.due
        # Rounded up, so that a wait of less than a millisecond does not become a busy loop.
        return (due == 0, -1 if due is None else int(due * 1000) + (due > 0))

    def check(self) -> bool:
        """GLib calls this after it has waited. It looks at the descriptor itself."""
        return self._stream.due == 0

    def dispatch(self, callback: object, args: object) -> bool:
        """Takes an event, if there is one. Returns False after the last one."""
        event: Any
        try:
            event = self._stream.next(0)
        except GateError as error:
            self._told(error)
            return False
        if event is not None:
            self._told(event)
        return not self.is_destroyed() and not self._stream.has_ended


def attach(stream: Stream[T], told: Callable[[T | GateError], object], context: Any = None) -> Source:
    """Attaches a source that calls `told` with each event of the stream. `context`: that of the main loop; None: the
    default one."""
    source = Source(stream, told)
    source.attach(context)
    return source
