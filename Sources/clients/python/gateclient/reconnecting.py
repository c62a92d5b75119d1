"""When to try again after the daemon was lost. A pure state machine: no clock, no chance, no input or output."""

from __future__ import annotations

import enum

#: Seconds: the longest first wait, and the longest wait of all.
SHORTEST_WAIT = 0.010
LONGEST_WAIT = 1.0


class _State(enum.Enum):
    ATTEMPTING = "attempting"  # Can go to: ATTACHED, WAITING.
    ATTACHED = "attached"  # Caught up with the daemon. Can go to: WAITING.
    WAITING = "waiting"  # The next attempt comes after a wait. Can go to: ATTEMPTING.


class ReconnectStateMachine:
    """Waits a few milliseconds after the first failure, then longer each time. Chance spreads the waits, so that a
    thousand watchers do not connect at the same moment.

    Only catching up counts as success. If a daemon accepts a connection and drops it again, the wait keeps growing.
    """

    def __init__(self) -> None:
        self._state = _State.ATTEMPTING
        self._failures = 0  # in a row

    def failed(self, jitter: float) -> float | None:
        """The attempt failed, or the daemon was lost. Returns the seconds to wait; None if the wait has already begun.

        `jitter` is chance, from 0 up to 1. It spreads the wait over the upper half of its length.
        """
        if self._state is _State.WAITING:
            return None
        if self._state is _State.ATTACHED:
            self._failures = 0
        # 2^7 × 10 ms is longer than the longest wait.
        full = min(SHORTEST_WAIT * (1 << min(self._failures, 7)), LONGEST_WAIT)
        self._failures += 1
        self._state = _State.WAITING
        return full * (0.5 + min(max(jitter, 0.0), 1.0) / 2)

    def waited(self) -> None:
        """The wait is over. In other states this comes late, and is ignored."""
        if self._state is _State.WAITING:
            self._state = _State.ATTEMPTING

    def caught_up(self) -> None:
        """The client knows what the daemon knows, so the next failure counts as the first. During a wait this comes
        late, and is ignored."""
        if self._state is _State.ATTEMPTING:
            self._state = _State.ATTACHED
