#!/usr/bin/python3
"""Tries the examples of examples/libgate with a real gated. Tests/libgate/run runs it.

usage: examples.py FOLDER-OF-PROGRAMS TALK FOLDER-OF-EXAMPLES
"""

import json
import os
import subprocess
import sys

from forms import TRIP
from programs import Device, Failed, Program, run, step
from with_gated import CONFIRM, KINDS, POLICY

PROGRAMS, TALK, EXAMPLES = (os.path.abspath(word) for word in sys.argv[1:4])
SHOP = "  shop.open: {title: Open the shop, requires: {challenge: confirm}}\n"
ENV = {"SERVER_UID": str(os.getuid()), "SDL_VIDEODRIVER": "dummy"}


def form(device):
    def fills(*answers):
        done = subprocess.run([f"{EXAMPLES}/form", "trip", *answers], env={**os.environ, **ENV}, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    for answers, status, words in [
        ([], 1, "The form is not complete"),
        (["nothing=x"], 1, "form: "),
        (["name=Pippi \"Long\\stocking\"\n"], 1, "form: "),  # a string is one line
        (['name=Pippi "Long\\stocking"', "nickname=Pip", "name=Pippi"], 0, "nickname has no answer any more\nkept as response 1"),
    ]:
        code, said = fills(*answers)
        if code != status or words not in said:
            raise Failed(f"form {answers} ends with {code}: {said}")
    kept = json.loads(device.gatectl("form", "response", "1", "--json"))
    if "Pippi" not in json.dumps(kept):
        raise Failed(f"something else was kept: {kept}")
    step("form")


def main():
    with Device(PROGRAMS, POLICY + SHOP) as device:
        os.mkdir(f"{device.folder}/config/questionnaires.d", 0o700)
        with open(f"{device.folder}/config/questionnaires.d/trip.json", "w") as file:
            json.dump(TRIP, file)
        with Program(f"{EXAMPLES}/poll", "https://example.org/", env=ENV) as poll:
            poll.says(r"^child \(no daemon\)")
            poll.says(r"^refused: The daemon can't be reached")
        with device.gated(), Program(TALK, str(os.getuid())) as screen:
            screen.hears("screen")
            screen.hears("present", KINDS)
            screen.says(r"^present done")
            with Program(f"{EXAMPLES}/poll", "https://example.org/", env=ENV) as poll:
                poll.says(r"^child\n")
                shown = screen.says(r"^show (\d+) kind=1 purpose=3 program=poll example .*sum=(\d+).(\d).(\d+)")
                left, operation, right = (int(shown.group(i)) for i in (2, 3, 4))
                value = [0, left + right, left - right, left * right, left // right if right else 0][operation]
                screen.hears("answer", shown.group(1), value)
                poll.says(r"^opening https://example.org/")
                device.gatectl("override", "parent", "--for", "1m", "--reason", "to see it")
                poll.says(r"^parent\n")
                device.gatectl("lock")
                poll.says(r"^child\n")
            step("poll")
            form(device)
            if os.path.exists(f"{EXAMPLES}/glib"):
                with Program(f"{EXAMPLES}/glib", "8", env=ENV) as glib:
                    glib.says(r"^child\n")
                    device.gatectl("override", "parent", "--for", "1m", "--reason", "to see it")
                    glib.says(r"^parent\n")
                    device.gatectl("lock")
                    glib.says(r"^child\n")
                    glib.process.wait(15)
                step("glib")
            if os.path.exists(f"{EXAMPLES}/sdl-shop"):
                with Program(f"{EXAMPLES}/sdl-shop", env=ENV) as shop:
                    shop.says(r"^the shop is grey\n")
                    device.gatectl("override", "parent", "--for", "1m", "--reason", "to see it")
                    shop.says(r"^the shop is open\n")
                    device.gatectl("lock")
                    shop.says(r"^the shop is grey\n")
                with Program(f"{EXAMPLES}/sdl-shop", "--click", env=ENV) as shop:
                    shop.says(r"^the shop is grey\n")
                    shown = screen.says(CONFIRM)
                    shop.quiet(r"^the shop is open")
                    screen.hears("answer", shown["id"], "yes")
                    shop.says(r"^the shop is open\n")
                with Program(f"{EXAMPLES}/sdl-shop", "--click", env=ENV) as shop:
                    shown = screen.says(CONFIRM)
                    screen.hears("answer", shown["id"], "no")
                    shop.says(r"the shop stays closed")
                    shop.quiet(r"^the shop is open")
                step("sdl-shop")
            screen.ends()


run(main)
