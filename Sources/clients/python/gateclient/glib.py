"""Events of a `gateclient.Gate` in the main loop of GLib, for programs with GTK: one source for each stream, and no thread.

Needs PyGObject (Debian's `python3-gi`), which nothing else of this package does.
"""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from gi.repository import GLib

from .errors import GateError
from .plain import Stream

T = TypeVar("T")


class Source(GLib.Source):  # type: ignore[misc]
    """Calls `told` with each event of a stream, one in each turn of the loop: of `watch`, `presenter` or `stream`.

    Ends where the stream ends, and after `close`. A raw stream ends with a refusal, too, which `told` gets as a `GateError`. While it is
    attached, the loop keeps it; other calls of the same `Gate` may be made from its callbacks.
    """

    def __init__(self, stream: Stream[T], told: Callable[[T | GateError], object]) -> None:
        super().__init__()
        self._stream = stream
        self._told = told
        self._descriptor = -1
        self._tag: Any = None
        self.set_callback(lambda *_: True)

    def close(self) -> None:
        """Ends it and the stream, on the daemon too."""
        self._stream.close()
        self.destroy()

    def prepare(self) -> tuple[bool, int]:
        """What GLib asks before each turn."""
        # Another call of the client may have read the socket, or lost it.
        number = self._stream.fileno()
        if number != self._descriptor:
            if self._tag is not None:
                self.remove_unix_fd(self._tag)
            self._descriptor = number
            self._tag = self.add_unix_fd(number, GLib.IOCondition.IN) if number >= 0 else None
        due = self._stream.due
        # Rounded up: a wait of less than a millisecond is no busy one.
        return (due == 0, -1 if due is None else int(due * 1000) + (due > 0))

    def check(self) -> bool:
        """What GLib asks after it has waited; it looks at the descriptor by itself."""
        return self._stream.due == 0

    def dispatch(self, callback: object, args: object) -> bool:
        """Takes an event, where there is one. False: that was the last."""
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
    """Has `told` called with each event of the stream in a main loop; `context`: of that loop, None: the default one."""
    source = Source(stream, told)
    source.attach(context)
    return source
