#!/usr/bin/python3
"""Changes the list of people and what stands before gated actions, and asks for age ranges, through libgate with a real gated.
Tests/libgate/run runs it.

usage: people.py FOLDER-OF-PROGRAMS TALK
"""

import datetime
import os
import pwd
import sys

from programs import Device, Failed, Program, UsersProgram, field, run, step

PROGRAMS, TALK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
POLICY = """
mode: {challenge: arithmetic-choice}
gated-actions:
  written: {title: Written, requires: {challenge: confirm}}
"""
GROWN_UP, CHILD, SHARED = 1, 2, 3
#: What a grown-up chooses for an app.
ALWAYS, NEVER = 2, 3
ITSELF = 2
PASSCODE = r"^show (?P<id>\d+) kind=7 .*action=gate.change details=(?P<details>.*) sum="
#: Users that every Debian has. The tests make them people.
GRANNY, LITTLE = pwd.getpwnam("games"), pwd.getpwnam("news")


def talk():
    return Program(TALK, str(os.getuid()))


def shows(shown, words):
    """Checks that the question shows the change in these words."""
    if shown["details"] != words:
        raise Failed(f"the question should be for '{words}', and is for '{shown['details']}'")


def listing(device):
    with device.gated(), talk() as app:
        app.hears("people")
        app.says(r"^people count=0\n")
        app.hears("register", "Anna", CHILD, "2018-05-14", "sun-hat")
        app.says(r"^register done")
        app.hears("register", "Anna", GROWN_UP, "-", "sun-hat")
        app.says(r"^register refused code=9 reason=26 ")
        app.hears("set-person", "Anna", CHILD, "2018-05-15", "-", 0)
        app.says(r"^set-person done")
        app.hears("set-person", "Ben", CHILD, "-", LITTLE.pw_name, 0)
        app.says(r"^set-person done")
        app.hears("set-person", "Gran", GROWN_UP, "-", GRANNY.pw_name, 0)
        app.says(r"^set-person done")
        app.hears("people")
        app.says(
            r"^person Anna kind=2 born=2018-05-15 user= uid=-1 password=1 unconfirmed=0 unknown=0\n"
            rf"person Ben kind=2 born= user={LITTLE.pw_name} uid={LITTLE.pw_uid} password=0 unconfirmed=0 unknown=0\n"
            rf"person Gran kind=1 born= user={GRANNY.pw_name} uid={GRANNY.pw_uid} password=0 unconfirmed=0 unknown=0\n"
            r"people count=3\n"
        )
        # A Unix user is one person's, has to exist, and a shared one is nobody's own.
        app.hears("set-person", "Kiosk", SHARED, "-", LITTLE.pw_name, 0)
        app.says(r"^set-person refused code=3 reason=1 ")
        app.hears("set-person", "Kiosk", SHARED, "-", "no-such-user", 0)
        app.says(r"^set-person refused code=3 reason=1 .*field=person.user.name")
        app.hears("remove-person", "Ben", 0)
        app.says(r"^remove-person done")
        app.hears("set-person", "Kiosk", SHARED, "-", LITTLE.pw_name, 0)
        app.says(r"^set-person done")
        app.hears("people")
        app.says(rf"^person Kiosk kind=3 born= user={LITTLE.pw_name} ")
        app.hears("remove-person", "Ben", 0)
        app.says(r"^remove-person refused code=5 reason=27 ")
        # Mistakes of the program.
        for words in [
            ("set-person", "-", CHILD, "-", "-", 0), ("set-person", "Ben", GROWN_UP, "2018-05-14", "-", 0),
            ("set-person", "Ben", 0, "-", "-", 0), ("set-person", "Ben", CHILD, "-", "-", ITSELF), ("remove-person", "-", 0),
            ("register", "Ben", CHILD, "-", "sun-hat"), ("register", "Ben", GROWN_UP, "-", "-"),
            ("register", "Ben", SHARED, "-", "sun-hat"), ("confirm", "-", GROWN_UP, "-", "sun-hat"), ("password", "Ben", "-", "-"),
        ]:
            app.hears(*words)
            app.says(rf"^{words[0]} EINVAL")
        app.hears("people")
        app.says(r"^people count=3")
        app.ends()
    step("people are registered, set, listed and removed")


def passwords(device):
    with device.gated(), talk() as app:
        app.hears("password", "Anna", "wrong", "sesame")
        app.says(r"^password refused code=16 reason=22 ")
        app.hears("password", "Anna", "sun-hat", "sesame")
        app.says(r"^password done")
        app.hears("login", "Anna", "sesame")
        app.says(r"^login name=Anna child=1")
        app.hears("password", "Anna", "-", "sun-hat")
        app.says(r"^password done")
        app.hears("confirm", "Anna", CHILD, "2018-05-14", "sesame")
        app.says(r"^confirm refused code=10 reason=32 ")
        app.hears("confirm", "Anna", CHILD, "2018-05-15", "sesame")
        app.says(r"^confirm done")
        app.hears("confirm", "Nobody", GROWN_UP, "-", "sesame")
        app.says(r"^confirm refused code=5 reason=27 ")
        app.ends()
    step("passwords are changed, and people are confirmed")


def gates(device):
    with device.gated(), talk() as app:
        app.hears("set-gate", "link.open", "passcode", 0, "-", 1)
        app.says(r'^before nothing\nafter action=link.open title=link.open titles=0 keep=0 odds=1 guessed=\d+ program=0 .* "challenge passcode"')
        app.says(r"^set-gate done")
        app.hears("set-gate", "link.open", "{challenge: confirm}", 300000, "Open a page", 0)
        app.says(r'^before nothing\nafter action=link.open title=Open a page titles=0 keep=300000 odds=1 .*program=1 .*origin=choice of link.open "challenge confirm"')
        app.says(r"^set-gate done")
        app.hears("gates")
        app.says(
            r'^rule action=link.open title=Open a page titles=0 keep=300000 odds=0 guessed=0 .* origin=choice of link.open "challenge confirm"\n'
            r'rule action=written title=Written titles=0 keep=0 odds=0 guessed=0 .* origin=.*/policy.yaml "challenge confirm"\ngates count=2\n'
        )
        app.hears("check", "link.open")
        app.says(r"^check outcome=2 need=2 challenge=5 ")
        app.hears("set-gate", "link.open", "{challenge: riddle}", 0, "-", 0)
        app.says(r"^set-gate refused code=9 reason=21 ")
        app.says(r"^issue requires:1:13 'riddle' is no kind of challenge")
        app.hears("set-gate", "written", "passcode", 0, "-", 0)
        app.says(r"^set-gate refused code=9 reason=21 .*overruled-by=.*/policy.yaml:4")
        app.hears("set-gate", "link.open", "-", 0, "-", 0)
        app.says(r"^set-gate EINVAL")
        app.hears("unset-gate", "-", 0, 0)
        app.says(r"^unset-gate EINVAL")
        app.hears("unset-gate", "link.open", 0, 0)
        app.says(r"^before action=link.open .*\nafter nothing\nunset-gate done")
        app.hears("unset-gate", "link.open", 0, 0)
        app.says(r"^unset-gate refused code=5 reason=27 ")
        app.ends()
    step("what stands before a gated action is chosen, checked and taken back")


def with_the_passcode(device):
    """A grown-up who is no administrator changes Gate from the session of their own user."""
    with device.gated(), talk() as admin, UsersProgram(device, GRANNY) as app, UsersProgram(device, GRANNY) as screen:
        with UsersProgram(device, LITTLE) as child:
            child.hears("people")
            child.says(r"^people refused code=7 reason=10 ")
            child.hears("set-person", "Ben", GROWN_UP, "-", LITTLE.pw_name, 0)
            child.says(r"^set-person refused code=7 reason=10 .*what=administrator")
            child.hears("gates")
            child.says(r"^rule action=written .*\ngates count=1\n")
            child.hears("set-gate", "link.open", "confirm", 0, "-", 0)
            child.says(r"^set-gate refused code=7 reason=10 .*what=administrator")
            child.ends()
        app.hears("people")
        app.says(r"^people count=3")
        # Without a passcode, and without somebody who can show the question, nothing is changed.
        app.hears("set-person", "Dora", GROWN_UP, "-", "-", 0)
        app.says(r"^set-person refused code=(9|10) ")
        device.gatectl("passcode", "set", "--stdin", text="2468\n")
        app.hears("set-person", "Dora", GROWN_UP, "-", "-", 0)
        app.says(r"^set-person refused code=10 reason=6 ")

        # The program shows the question itself: dismissed, answered wrongly, cancelled, and answered correctly.
        app.hears("screen")
        words = "set Dora, child, born 2016-01-01"
        for answer, outcome in [(("dismiss",), "code=1 reason=7"), (("secret", "1357"), "code=9 reason=2")]:
            app.hears("set-person", "Dora", CHILD, "2016-01-01", "-", ITSELF)
            shown = app.says(PASSCODE)
            shows(shown, words)
            app.hears(answer[0], shown["id"], *answer[1:])
            app.says(rf"^set-person refused {outcome} ")
        app.hears("set-person", "Dora", CHILD, "2016-01-01", "-", ITSELF)
        number = app.says(r"^number (\d+)").group(1)
        shown = app.says(PASSCODE)
        app.hears("cancel", number)
        app.says(rf"^close {shown['id']}\n")
        app.quiet(r"^set-person")
        admin.hears("people")
        admin.says(r"^people count=3")
        app.hears("set-person", "Dora", CHILD, "2016-01-01", "-", ITSELF)
        app.hears("secret", app.says(PASSCODE)["id"], "2468")
        app.says(r"^set-person done")

        # A presenter of the grown-up shows it. A change that only is checked asks for nothing.
        screen.hears("screen")
        screen.hears("present", 1 << 7)
        screen.says(r"^present done")
        app.hears("set-gate", "link.open", "confirm", 60000, "-", 1)
        app.says(r"^before nothing\nafter action=link.open .*\nset-gate done")
        app.hears("set-gate", "link.open", "confirm", 60000, "-", 0)
        shown = screen.says(PASSCODE)
        shows(shown, "change link.open: challenge confirm, not asked again for 1m; before: denied")
        screen.hears("secret", shown["id"], "2468")
        app.says(r"^before nothing\nafter action=link.open .*\nset-gate done")
        app.hears("unset-gate", "link.open", 0, 0)
        screen.hears("secret", screen.says(PASSCODE)["id"], "2468")
        app.says(r"^unset-gate done")
        app.hears("remove-person", "Dora", 0)
        shown = screen.says(PASSCODE)
        shows(shown, "remove Dora, child, born 2016-01-01")
        screen.hears("secret", shown["id"], "2468")
        app.says(r"^remove-person done")
        admin.hears("people")
        admin.says(r"^people count=3")
        for program in [app, screen, admin]:
            program.ends()
    step("a grown-up changes Gate with the passcode, and a child does not")


def ages(device):
    """A program is told the age range of its own user after a grown-up has allowed it, and nobody else's."""
    nothing = r"^age told=0 low=0 high=0 source=0$"
    born = f"{datetime.date.today().year - 8}-05-14"
    device.build_from_page(TALK, "gate_query_age_range_sync")

    def page_says(words):
        with UsersProgram(device, LITTLE, "page") as program:
            program.says(words)
            program.ends()

    with device.gated(), talk() as admin, UsersProgram(device, LITTLE) as app, UsersProgram(device, GRANNY) as other:

        def change(method, payload):
            admin.hears("call", "gate.v1.Age", method, payload.hex())
            admin.says(r"^call bytes=[1-9]")

        admin.hears("remove-person", "Kiosk", 0)
        admin.says(r"^remove-person done")
        admin.hears("set-person", "Mia", CHILD, born, LITTLE.pw_name, 0)
        admin.says(r"^set-person done")
        app.hears("age")
        app.says(nothing)
        change("SetAgeSettings", field(1, 1))
        app.hears("age")
        app.says(nothing)
        page_says(r"^The age is unknown\.$")
        for name in ["talk", "org.example.chat"]:
            change("SetAgeChoice", field(1, "Mia") + field(2, name) + field(3, ALWAYS))
        app.hears("age")
        app.says(r"^age told=1 low=0 high=12 source=1$")
        app.hears("age-sync")
        app.says(r"^age-sync 0\nage-sync told=1 low=0 high=12 source=1$")
        page_says(r"^0 to 12$")
        # What is allowed for one person is not allowed for another.
        other.hears("age")
        other.says(nothing)
        change("SetAgeChoice", field(1, "Gran") + field(2, "talk") + field(3, ALWAYS))
        other.hears("age")
        other.says(r"^age told=1 low=18 high=0 source=2$")
        change("SetAgeChoice", field(1, "Mia") + field(2, "talk") + field(3, NEVER))
        app.hears("age-sync")
        app.says(r"^age-sync 0\nage-sync told=0 low=0 high=0 source=0$")
        # A child decides nothing.
        app.hears("call", "gate.v1.Age", "SetAgeSettings", field(1, 1).hex())
        app.says(r"^call refused code=7 reason=10 ")
        for program in [app, other, admin]:
            program.ends()
    step("a program is told an age range after a grown-up has allowed it")


def main():
    # Other users have to reach the folder of the socket, and may not reach the one in which talk was built.
    os.environ.pop("XDG_RUNTIME_DIR", None)
    with Device(PROGRAMS, POLICY) as device:
        for part in [listing, passwords, gates]:
            part(device)
        if os.getuid() == 0:
            device.open_to_others(TALK)
            with_the_passcode(device)
            ages(device)
        else:
            print("skipped: a grown-up with the passcode, and age ranges, which take programs of other users: run it as root")


if __name__ == "__main__":
    run(main)
