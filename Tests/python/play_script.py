#!/usr/bin/env python3
"""Plays the dialogues of Tests/Scripts with a real daemon through a client, and compares the output with what is
written.

usage: PYTHONPATH=Sources/clients/python Tests/python/play_script.py [--client gateclient|libgate] FOLDER-OF-PROGRAMS
[SCRIPT...]

The daemon is gated-scripted, whose clock can be set and whose random numbers repeat. Each command is a program of its
person, with a connection of its own. For libgate, GATE_LIBRARY names the library, and the clock of
Tests/libgate/scripted-clock.c is preloaded (Tests/libgate/run does both). Exit status: 1 if a dialogue differs or was
not played.
"""

import argparse
import concurrent.futures
import pathlib
import sys
import time
import traceback

from dialogue_clients import PythonClients
from dialogue_forms import Forms
from dialogue_modes import Modes
from dialogue_news import News
from dialogue_people import People
from dialogue_purchases import Purchases
from dialogue_screens import Screens
from dialogue_text import Script, Unknown
from dialogue_usage import Usage
from dialogue_watching import Watching
from support import ROOT

#: Dialogues that can't be played through a client, with the reason.
NOT_PLAYED = {"72-an-hour-on-two-devices.txt": "no other device of a household tells these of use"}


class Dialogue(Watching, Usage, Screens, Purchases, People, Forms, News, Modes):
    """All commands."""

    def __init__(self, programs, script, clients):
        #: The files that are used from the next reload on.
        self.later_files = {}
        super().__init__(programs, script, clients)

    def perform(self, line):
        """Carries out a line. Returns its output."""
        words = line.split()
        command = getattr(self, f"do_{words[0].replace('-', '_')}", None)
        if command is None:
            raise Unknown(words[0])
        return command(line, words[1:])


def played(programs, path, clients):
    """Plays a dialogue. Returns the difference; None if there is none."""
    dialogue = Dialogue(programs, Script(path), clients)
    try:
        for exchange in dialogue.script.exchanges:
            dialogue.later_files |= exchange.files
            said = []
            for command in exchange.commands:
                try:
                    said += dialogue.perform(command).split("\n")
                    dialogue.settle()
                except Exception as error:
                    error.add_note(f"after {said}, at: {command}")
                    raise
            if said != exchange.expected:
                return f"  {exchange.commands}\n  written: {exchange.expected}\n  said:    {said}"
        return None
    finally:
        dialogue.end()


def play(programs, path, client):
    """Plays a dialogue in a process of its own. Returns its name, how long it took, and the difference."""
    start = time.monotonic()
    try:
        difference = played(programs, path, clients_named(client))
    except Unknown as error:
        difference = "\n".join([f"  This is not played: {error}", *error.__notes__])
    except Exception:
        difference = traceback.format_exc()
    return path.name, time.monotonic() - start, difference


def clients_named(name):
    if name == "gateclient":
        return PythonClients()
    # Imported only here, since libgate is not needed for gateclient.
    from dialogue_libgate import LibgateClients

    return LibgateClients()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--client", choices=["gateclient", "libgate"], default="gateclient")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--times", action="store_true", help="say how long each took")
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("scripts", type=pathlib.Path, nargs="*")
    wishes = parser.parse_args()
    paths = wishes.scripts or [
        path for path in sorted((ROOT / "Tests/Scripts").glob("*.txt")) if path.name not in NOT_PLAYED
    ]
    went = 0
    with concurrent.futures.ProcessPoolExecutor(wishes.jobs) as processes:
        results = [processes.submit(play, wishes.programs, path, wishes.client) for path in paths]
        for result in results:
            name, seconds, difference = result.result()
            went += difference is None
            if difference is not None:
                print(f"{name} went otherwise:\n{difference}", flush=True)
            elif wishes.times:
                print(f"{name}: {seconds:.1f} s", flush=True)
    print(f"{went} of {len(paths)} dialogues went as written, through {wishes.client}")
    for name, why in NOT_PLAYED.items():
        print(f"{name} is not played: {why}")
    return 0 if went == len(paths) else 1


if __name__ == "__main__":
    sys.exit(main())
