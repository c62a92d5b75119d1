#!/usr/bin/python3
"""Adds to timekpr's balance the time that grown-ups have allowed to a child who asked for it.

timekpr-nExT counts the time of a child's session, and ends the session when the time of the day is used up. The child can
ask for more through Gate: a grown-up's answer to `session.time` is an amount, like "30m". This bridge takes that answer
from gated and has timekpr add it. It decides nothing.

Adding the same time twice would be wrong, and gated, timekpr, this program and the device can all stop at any moment. So
each answer goes through these steps, and each step is on the disk before the next one begins:

| what is on the disk                       | what happens next, also after a restart                                     |
|-------------------------------------------|-----------------------------------------------------------------------------|
| the answer holds in gated                 | wait until timekpr counts the child's time, then write it down              |
| written down (`Addition`)                 | take the answer from gated, so that it can't be taken back any more         |
| written down and taken                    | have timekpr add the time, unless its counters show that it did so already  |
| the counters show it                      | forget the answer                                                           |

timekpr counts two things for each day: the time that a child was there, and the same less what grown-ups added. Only
adding and subtracting changes their difference (`Standing.extra`), so the difference tells whether an addition was made.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import os
import pwd
import re
import socket
import sys
from dataclasses import asdict, dataclass, replace
from typing import Any, Callable, Protocol

from gateclient import Ask, AskState, Code, GateError, Options, Topic, aio

#: The gated action whose answers are session time (packaging/timekpr/gate-timekpr.yaml).
GATED_ACTION = "session.time"
#: How often timekpr is looked at while an answer waits for it, in seconds. A child whose time is used up is logged out
#: 15 seconds after logging in, so it has to be shorter than that.
LOOK_AGAIN = 5.0


def seconds_of(choice: str) -> int | None:
    """The seconds of an amount of time as gated writes it, like "1h30m"; None for every other choice."""
    found = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", choice)
    if not choice or not found:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds


@dataclass(frozen=True)
class Standing:
    """timekpr's counters of a user for today, in seconds."""

    #: Whether timekpr counts the user's time now. If not, it would forget at the next log-in what is added, if the user
    #: was not there today.
    is_counted: bool
    #: How much has been added today, less what was subtracted.
    extra: int


class TimekprError(Exception):
    """timekpr does not answer, or refuses. The message says which."""


class Timekpr(Protocol):
    def standing(self, user: str) -> Standing: ...

    def add(self, user: str, seconds: int) -> None: ...


class SystemTimekpr:
    """timekpr's daemon on the system bus. Members of the group `timekpr` may call it."""

    def __init__(self) -> None:
        # Only here, because tests need no bus.
        import dbus  # type: ignore

        self._dbus = dbus
        self._bus: Any = None

    def standing(self, user: str) -> Standing:
        information = self._call("getUserInformation", user, "F")[2]
        if "ACTUAL_TIME_SPENT_BALANCE" in information:
            return Standing(
                True, int(information["ACTUAL_TIME_SPENT_DAY"]) - int(information["ACTUAL_TIME_SPENT_BALANCE"])
            )
        return Standing(False, int(information["TIME_SPENT_DAY"]) - int(information["TIME_SPENT_BALANCE"]))

    def add(self, user: str, seconds: int) -> None:
        self._call("setTimeLeft", user, "+", self._dbus.Int32(seconds))

    def _call(self, method: str, *arguments: Any) -> Any:
        try:
            if self._bus is None:
                self._bus = self._dbus.SystemBus(private=True)
                # Otherwise a bus that is restarted would end this program.
                self._bus.set_exit_on_disconnect(False)
            timekpr = self._bus.get_object("com.timekpr.server", "/com/timekpr/server", introspect=False)
            answer = timekpr.get_dbus_method(method, "com.timekpr.server.user.admin")(*arguments)
        except self._dbus.DBusException as error:
            # The bus itself may have been restarted.
            self._bus = None
            raise TimekprError(f"timekpr does not answer: {error.get_dbus_message()}") from error
        if int(answer[0]) != 0:
            raise TimekprError(f"timekpr refuses: {answer[1]}")
        return answer


@dataclass(frozen=True)
class Addition:
    """An answer that is on its way to timekpr."""

    #: The number of the ask.
    number: int
    user: str
    seconds: int
    #: The day to which it is added, as YYYY-MM-DD, since timekpr begins anew with each day.
    day: str
    #: `Standing.extra` before the addition.
    before: int
    #: Whether the answer was taken from gated.
    is_taken: bool = False

    @property
    def text(self) -> str:
        return f"ask {self.number}: {self.seconds // 60} min for {self.user}"


class Ledger:
    """The additions that are not done yet, in a file. Every change is on the disk when the method returns."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._additions: dict[int, Addition] = {}
        with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
            self._additions = {one["number"]: Addition(**one) for one in json.load(file)}

    def __contains__(self, number: int) -> bool:
        return number in self._additions

    def all(self) -> list[Addition]:
        return list(self._additions.values())

    def keep(self, addition: Addition) -> None:
        self._write({**self._additions, addition.number: addition})

    def forget(self, number: int) -> None:
        self._write({other: one for other, one in self._additions.items() if other != number})

    def _write(self, additions: dict[int, Addition]) -> None:
        with open(f"{self._path}.new", "w", encoding="utf-8") as file:
            json.dump([asdict(one) for one in additions.values()], file)
            file.flush()
            os.fsync(file.fileno())
        os.rename(f"{self._path}.new", self._path)
        folder = os.open(os.path.dirname(self._path), os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        self._additions = additions


class Answers(Protocol):
    """The part of gated that the bridge calls."""

    async def asks(self) -> list[Ask]: ...

    async def withdraw_ask(self, number: int) -> Any: ...


class Bridge:
    """Carries answers from gated to timekpr, step by step."""

    def __init__(
        self,
        gate: Answers,
        timekpr: Timekpr,
        ledger: Ledger,
        log: Callable[[str], None],
        *,
        today: Callable[[], str] = lambda: datetime.date.today().isoformat(),
        user_name: Callable[[int], str] = lambda uid: pwd.getpwuid(uid).pw_name,
        sync: Callable[[], None] = os.sync,
    ) -> None:
        self._gate, self._timekpr, self._ledger, self._log = gate, timekpr, ledger, log
        self._today, self._user_name, self._sync = today, user_name, sync
        self._wrong: list[str] = []
        self._lost: list[str] = []
        self._said: set[str] = set()

    @property
    def troubles(self) -> list[str]:
        """Sentences for grown-ups: the problems now, and the additions that were lost since one last succeeded."""
        return self._lost + self._wrong

    async def carry(self) -> bool:
        """Performs the steps of each answer that are possible now.

        Returns whether an answer is left that has to wait for timekpr. Raises GateError if gated can't be reached.
        """
        self._wrong = []
        waits = False
        for addition in self._ledger.all():
            waits = not await self._finish(addition, is_new=False) or waits
        # The list is read only now, because an earlier one could still contain an answer that was just added.
        for ask in await self._gate.asks():
            seconds = seconds_of(ask.choice) if self._is_allowed(ask) else None
            if seconds and ask.number not in self._ledger:
                waits = not await self._begin(ask, seconds) or waits
        return waits

    @staticmethod
    def _is_allowed(ask: Ask) -> bool:
        return ask.gated_action == GATED_ACTION and ask.state is AskState.ALLOWED and not ask.device

    async def _begin(self, ask: Ask, seconds: int) -> bool:
        """Writes an answer's amount to the ledger, and performs the steps that timekpr allows now.

        Returns whether nothing is left to do for this answer."""
        name = f"ask {ask.number}"
        try:
            user = self._user_name(ask.uid)
            standing = self._timekpr.standing(user)
        except KeyError:
            self._warn(f"{name}: this device has no user {ask.uid}")
            return True
        except TimekprError as error:
            self._warn(f"{name}: {error}")
            return False
        if not standing.is_counted:
            self._say(f"{name}: waits until {user} logs in, since timekpr does not keep what is added before")
            return False
        addition = Addition(ask.number, user, seconds, self._today(), standing.extra)
        self._ledger.keep(addition)
        return await self._finish(addition, is_new=True)

    async def _finish(self, addition: Addition, *, is_new: bool) -> bool:
        """Performs the remaining steps of an addition that timekpr allows now. Returns whether none is left."""
        if addition.day != self._today():
            # timekpr has new counters for the new day, which do not say whether it has added the time.
            self._lost.append(f"{addition.text}: the day ended before it was sure that timekpr had added it")
            self._say(self._lost[-1])
            return self._over(addition)
        if not addition.is_taken:
            if not await self._take(addition.number, is_new):
                self._log(f"{addition.text}: taken back by a grown-up")
                return self._over(addition)
            addition = replace(addition, is_taken=True)
            self._ledger.keep(addition)
        try:
            return self._add(addition)
        except TimekprError as error:
            self._warn(f"{addition.text}: {error}")
            return False

    async def _take(self, number: int, is_new: bool) -> bool:
        """Takes an answer from gated. Returns False if it was taken back or taken by another program before."""
        try:
            await self._gate.withdraw_ask(number)
            return True
        except GateError as error:
            if error.code is not Code.NOT_FOUND:
                raise
        # If the answer was in the ledger before, this bridge has probably taken it, but was stopped before it could write that.
        return not is_new and not any(
            ask.number == number and ask.state is AskState.REFUSED for ask in await self._gate.asks()
        )

    def _add(self, addition: Addition) -> bool:
        standing = self._timekpr.standing(addition.user)
        if standing.extra - addition.before >= addition.seconds:
            return self._added(addition)
        if not standing.is_counted:
            self._say(f"{addition.text}: waits until {addition.user} logs in")
            return False
        # Somebody may have added or subtracted time by hand meanwhile.
        addition = replace(addition, before=standing.extra)
        self._ledger.keep(addition)
        self._timekpr.add(addition.user, addition.seconds)
        if self._timekpr.standing(addition.user).extra > addition.before:
            return self._added(addition)
        # In the first half minute of a child's day, timekpr replaces what was added by what it has counted itself.
        self._say(f"{addition.text}: timekpr has not kept it, so it is added again")
        return False

    def _added(self, addition: Addition) -> bool:
        # timekpr does not wait for the disk when it writes its counters. Without this, a power cut could take back time
        # that is not added again.
        self._sync()
        self._lost = []
        self._log(f"{addition.text}: added")
        return self._over(addition)

    def _over(self, addition: Addition) -> bool:
        self._ledger.forget(addition.number)
        return True

    def _warn(self, text: str) -> None:
        self._wrong.append(text)
        self._say(text)

    def _say(self, text: str) -> None:
        """Logs a sentence once, however often it comes up again."""
        if text not in self._said:
            self._said.add(text)
            self._log(text)


def notify(state: str) -> None:
    """Tells systemd how the service is."""
    if path := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.sendto(state.encode(), "\0" + path[1:] if path[0] == "@" else path)


def publish(troubles: list[str], path: str) -> None:
    """Writes what a grown-up has to know where `gatectl doctor` reads it."""
    if not troubles:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        return
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in troubles)
    os.rename(f"{path}.new", path)


async def serve(state_directory: str, runtime_directory: str) -> None:
    changed = asyncio.Event()

    def log(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def said() -> None:
        publish(bridge.troubles, os.path.join(runtime_directory, "trouble"))
        notify("STATUS=" + ("; ".join(bridge.troubles) or "waits for answers"))

    async def follow() -> None:
        async with contextlib.aclosing(gate.watch([Topic.ASKS])) as events:
            async for _ in events:
                changed.set()

    async with aio.Gate(Options(program="gate-timekpr")) as gate:
        bridge = Bridge(gate, SystemTimekpr(), Ledger(os.path.join(state_directory, "additions")), log)
        following = asyncio.create_task(follow())
        said()
        notify("READY=1")
        while not following.done():
            changed.clear()
            try:
                waits = await bridge.carry()
            except GateError as error:
                # The watch tells when gated is back. An answer that was taken is written down.
                log(f"gated: {error.message}")
                waits = True
            said()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN if waits else None):
                    await changed.wait()
        following.result()


if __name__ == "__main__":
    if sys.argv[1:] in (["--help"], ["-h"]):
        print("usage: gate-timekpr\n\nThe service that adds to timekpr's balance what grown-ups allow. See gate-timekpr.service.")
        sys.exit(0)
    asyncio.run(
        serve(
            os.environ.get("STATE_DIRECTORY", "/var/lib/gate-timekpr"),
            os.environ.get("RUNTIME_DIRECTORY", "/run/gate-timekpr"),
        )
    )
