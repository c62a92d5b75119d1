"""Watches of libgate, and raw ones, in the form that dialogues use."""

import queue
import time

import libgate_binding as binding
from gateclient import GateError, Mode, ModeState, Session, SignInState, StateUpdate, WatchEvent
from libgate_handle import PATIENCE


def mode_state(mode, deadline):
    return ModeState(Mode(binding.MODES[mode]), deadline or None)


def sign_in_state(session):
    if not session:
        return SignInState()
    one = session.contents
    return SignInState(Session(binding.text(one.name), one.is_child, one.deadline_boottime_ns))


class TypedWatch:
    """A watch of libgate. Its getters return the state at each event."""

    def __init__(self, calls, topic, read):
        self._calls, self._topic = calls, topic
        calls.start_watch((topic,), read)

    async def next(self):
        try:
            heard = self._calls.handle.next(self._calls.watch_events, self._calls.time_left(PATIENCE))
        except queue.Empty:
            self._calls.not_yet()
            return None
        kind, revision, state, error = heard
        if kind == "lost":
            return WatchEvent("lost", error=error)
        named = {self._topic.value.replace("-", "_"): state}
        return WatchEvent(kind, StateUpdate(revision.number, revision, is_snapshot=kind == "snapshot", **named))

    def stop(self):
        self._calls.handle.close()


class RawWatch:
    """A raw stream of changes, which is opened again whenever it ends. It has what libgate's own watch leaves out."""

    def __init__(self, calls, topics):
        self._calls, self._exchange = calls, None
        self._request = {"topics": [f"TOPIC_{topic.name}" for topic in topics]}

    async def next(self):
        link = self._calls._link
        while True:
            if self._exchange is None:
                self._exchange = link.start("Watch/Watch", self._request)
            try:
                data = await link.receive(self._exchange, None)
            except GateError:
                self._exchange = None
                time.sleep(0.02)
                continue
            update = StateUpdate.read(self._exchange.method.decoded(data))
            return WatchEvent("snapshot" if update.is_snapshot else "change", update)

    def stop(self):
        if self._exchange is not None:
            self._calls._link.give_up(self._exchange)
