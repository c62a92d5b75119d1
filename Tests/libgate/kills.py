#!/usr/bin/python3
"""Kills gated at random points of a conversation with three programs on libgate. No program believes parent without a
daemon. None leaves a request without an end or a question on its screen, hangs, or leaks. Tests/libgate/run runs it.

usage: kills.py FOLDER-OF-PROGRAMS TALK [KILLS [SEED]]
"""

import json
import os
import random
import re
import sys
import time

from forms import TRIP, string
from programs import Device, Failed, Program, run, step
from with_gated import CONFIRM, IF_NEEDED, ITSELF, KINDS, POLICY, SUM, right

PROGRAMS, TALK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 25
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
ENDS = r"^(authorize|toggle|grant|override|check|login|forms|begin|set|complete|discard) (refused|done|mode=|proof=|outcome=|name=|form=|response=|count=)"
AWAY = "state away mode=child deadline=no session=- paid=0"
dice = random.Random(SEED)


class Talker(Program):
    """One of the programs: its requests that have not ended, and what is on its screen."""

    def __init__(self):
        super().__init__(TALK, str(os.getuid()))
        self.waiting, self.screen, self.lost, self.heard, self.is_away = 0, {}, True, [], False
        self.forms = set()
        self.hears("screen")

    def asks(self, *words):
        self.waiting += 1
        self.heard.append(f"> {words}")
        self.hears(*words)

    def take(self):
        """Reads the complete lines, and answers what is shown."""
        *lines, self.text = self.text.split("\n")
        for line in lines:
            self.heard.append(line)
            if re.match(ENDS, line):
                self.waiting -= 1
            if match := re.match(r"watch (\w+)", line):
                if match[1] in ("snapshot", "resumed"):
                    self.lost = False
                if match[1] == "lost":
                    self.lost = True
            if self.lost and ("mode=parent" in line or "paid=1" in line) and line.startswith(("watch", "state")):
                raise Failed(f"without a daemon it says {line}")
            if line.startswith("state away"):
                self.is_away = True
                if line != AWAY:
                    raise Failed(f"without a daemon it says {line}")
            if line.startswith("state current"):
                self.hears("state")  # it does not know yet that the daemon is gone
            if match := re.match(r"close (\d+)", line):
                if match[1] not in self.screen:
                    raise Failed(f"it closes {match[1]}, which is not on its screen")
                del self.screen[match[1]]
            # An open form is filled in, completed, discarded or left, whatever happens to the daemon.
            if match := re.match(r"(?:begin|set) form=(\d+)", line):
                way = dice.randrange(5)
                self.forms.add(match[1])
                if way < 3:
                    self.asks("set", match[1], "name", string(str(way)))
                elif way == 3:
                    self.asks("complete", match[1])
                else:
                    self.hears("close-form", match[1])
            shown = re.match(SUM, line) or re.match(CONFIRM, line)
            if shown:
                self.screen[shown["id"]] = True
                way = dice.randrange(6)
                if way == 0:
                    self.hears("dismiss", shown["id"])
                elif way < 5:
                    answer = right(shown, way == 1) if shown["choices"] else ["yes", "no"][way == 1]
                    self.hears("answer", shown["id"], answer)


def converse(talkers, seconds, asks):
    """Lets the programs talk for this long, and makes them ask from time to time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        talker = dice.choice(talkers)
        if asks and talker.waiting < 20:
            way = dice.randrange(9)
            if way < 2:
                talker.asks("authorize", dice.choice(["sure", "link.open", "both"]), "x", dice.choice([0, IF_NEEDED, ITSELF]))
            elif way == 2:
                talker.asks("toggle", dice.choice([0, ITSELF]))
            elif way == 3:
                talker.asks("override", dice.choice([0, 2]), 0)
            elif way == 4:
                talker.asks("grant", "sure", "x", os.getuid(), ITSELF)
            elif way == 5:
                talker.asks("check", "link.open")
            elif way == 6:
                talker.asks("login", "Anna", "wrong")
            elif way == 7:
                talker.asks("forms")
            else:
                talker.asks("begin", "trip", "-", "-", dice.choice([0, 1]))
        for one in talkers:
            while one.reads(0.001):
                one.take()


def settle(talkers, is_done, what):
    end = time.monotonic() + 15
    while not all(is_done(talker) for talker in talkers):
        if time.monotonic() > end:
            raise Failed(f"{what}: " + "; ".join(f"waiting {one.waiting} screen {one.screen} lost {one.lost} " + "\n".join(one.heard[-40:]) for one in talkers))
        converse(talkers, 0.02, False)


def main():
    with Device(PROGRAMS, POLICY) as device, Talker() as first, Talker() as second, Talker() as presenter:
        talkers = [first, second, presenter]
        os.mkdir(f"{device.folder}/config/questionnaires.d", 0o700)
        with open(f"{device.folder}/config/questionnaires.d/trip.json", "w") as file:
            json.dump(TRIP, file)
        for talker in talkers:
            talker.hears("watch", 7)
        presenter.hears("present", KINDS)
        for kill in range(KILLS):
            with device.gated() as daemon:
                if dice.randrange(4):
                    settle(talkers, lambda talker: not talker.lost, "they should have caught up")
                converse(talkers, dice.random() ** 2 * 0.8, True)
                daemon.kill()
                daemon.wait()
                for talker in talkers:
                    talker.is_away = False
                    talker.hears("state")
                settle(talkers, lambda talker: talker.is_away and talker.lost and not talker.waiting and not talker.screen, f"after kill {kill}")
                for talker in talkers:
                    for form in talker.forms:
                        talker.hears("close-form", form)
                    talker.forms.clear()
            os.unlink(device.path)
        for talker in talkers:
            talker.ends()
    step(f"{KILLS} kills of gated (seed {SEED})")


try:
    run(main)
except BaseException:
    print(f"kills.py: the seed was {SEED}", file=sys.stderr)
    raise
