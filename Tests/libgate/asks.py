#!/usr/bin/python3
"""Asks for what waits for a grown-up, answers it, follows schedules, and counts time, through libgate with a real gated. Tests/libgate/run
runs it.

usage: asks.py FOLDER-OF-PROGRAMS TALK
"""

import os
import pwd
import sys
import time

from programs import Device, Failed, Program, UsersProgram, run, step

PROGRAMS, TALK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
#: A schedule that is open today, whichever zone the device is in, and one that is closed for days.
DAYS = [("mon", "tue", "wed", "thu", "fri", "sat", "sun")[(time.gmtime().tm_wday + ahead) % 7] for ahead in range(-1, 6)]
POLICY = f"""
schedules:
  now: {{{", ".join(f"{day}: 0:00-24:00" for day in DAYS[:3])}}}
  later: {{{DAYS[4]}: 12:00-13:00}}
allowances:
  games: {{mon-sun: 1h}}
gated-actions:
  link.open: {{title: {{en: Open a page, de: Seite öffnen}}, requires: {{challenge: {{kind: confirm, answered-by: grown-up, may-wait: 3d}}}}}}
  game.play: {{title: Play, requires: {{any: [{{during: now}}, {{during: later}}]}}}}
  game.race: {{title: Race, requires: {{allowance: games}}}}
  game.late: {{title: Play late, requires: {{during: later}}, more-time: [15m, 1h]}}
"""
GROWN_UP, CHILD = 1, 2
ASKS, SCHEDULES = 32, 64
WAITING, ALLOWED, REFUSED = 1, 2, 3
DAY = 24 * 60 * 60 * 1000
#: Users that every Debian has. The tests make them people.
GRANNY, LITTLE = pwd.getpwnam("games"), pwd.getpwnam("news")


def talk():
    return Program(TALK, str(os.getuid()))


def ends_in(match, days):
    """Checks that what waits ends in so many days."""
    left = int(match["until"]) - time.time() * 1000
    if not (days * DAY - 60_000 < left <= days * DAY + 1000):
        raise Failed(f"it should end in {days} days, and ends in {left} ms")


def asking(device):
    with device.gated(), talk() as admin, UsersProgram(device, LITTLE) as child, UsersProgram(device, LITTLE) as other:
        for name, kind, user in [("Ben", CHILD, LITTLE), ("Gran", GROWN_UP, GRANNY)]:
            admin.hears("set-person", name, kind, "-", user.pw_name, 0)
            admin.says(r"^set-person done")
        # Without the flag a question that nobody can show is refused at once.
        child.hears("authorize", "link.open", "https://a.example/", 0)
        child.says(r"^authorize refused code=10 reason=6 ")
        child.hears("ask", "link.open", "https://a.example/", 0)
        ends_in(child.says(r"^ask asked ask=1 until=(?P<until>\d+)$"), 3)
        # The same words find it, also from another program of that user, and from a call that waits.
        other.hears("ask-sync", "link.open", "https://a.example/")
        other.says(r"^ask-sync 9\nask-sync asked ask=1 until=\d+$")
        other.hears("ask", "link.open", "https://b.example/", 0)
        other.says(r"^ask asked ask=2 ")
        # Someone who is not on the list is refused, as without the flag.
        admin.hears("ask", "link.open", "https://a.example/", 0)
        admin.says(r"^ask refused code=10 reason=6 ")
        child.hears("asks")
        child.says(
            rf"^ask 1 state={WAITING} until=\d+ uid={LITTLE.pw_uid} person=Ben action=link.open title=Open a page titles=1 details=https://a.example/ "
            rf"choices=once,today choice=\nask 2 state={WAITING} .* details=https://b.example/ .*\nasks count=2\n"
        )
        # The one who asks can't answer.
        for choice in [[], ["today"]]:
            child.hears("answer-ask", 1, 1, *choice)
            child.says(r"^answer-ask refused code=7 reason=10 ")
        child.hears("answer-ask", 1, 2)
        child.says(r"^answer-ask EINVAL")
        child.hears("answer-ask", 1, 0, "today")
        child.says(r"^answer-ask EINVAL")
        for program in [child, other, admin]:
            program.ends()
    step("a question waits, for the program that asked and for others of its user")


def answering(device):
    with device.gated(), UsersProgram(device, GRANNY) as parent, UsersProgram(device, LITTLE) as child:
        child.hears("watch", ASKS)
        child.says(r"^watch snapshot changed=32 .* ask=1/1 ask=2/1$")
        parent.hears("watch", ASKS)
        parent.says(r"^watch snapshot changed=32 .* ask=1/1 ask=2/1$")
        parent.hears("answer-ask", 1, 1)
        parent.says(r"^watch change changed=32 .* ask=1/2 ask=2/1$")
        parent.says(r"^answer-ask done")
        child.says(r"^watch change changed=32 .* ask=1/2 ask=2/1$")
        # A yes is used once. Then the same words are another question.
        child.hears("ask", "link.open", "https://a.example/", 0)
        child.says(r"^watch change changed=32 .* ask=2/1$")
        child.says(r"^ask granted")
        child.hears("ask", "link.open", "https://a.example/", 0)
        child.says(r"^ask asked ask=3 ")
        parent.hears("answer-ask", 3, 0)
        parent.says(r"^answer-ask done")
        child.says(r"^watch change changed=32 .* ask=2/1 ask=3/3$")
        child.hears("ask", "link.open", "https://a.example/", 0)
        child.says(r"^ask refused code=9 reason=18 retry=[1-9]\d+ ")
        # A yes that is good for the day is used twice. Only what the policy offers can be chosen.
        child.hears("ask", "link.open", "https://f.example/", 0)
        child.says(r"^ask asked ask=4 ")
        for choice in ["always", "30m", "ever"]:
            parent.hears("answer-ask", 4, 1, choice)
            parent.says(r"^answer-ask refused code=3 ")
        parent.hears("answer-ask", 4, 1, "today")
        parent.says(r"^answer-ask done")
        child.says(r"^watch change changed=32 .* ask=2/1 ask=3/3 ask=4/2$")
        for _ in range(2):
            child.hears("ask", "link.open", "https://f.example/", 0)
            child.says(r"^ask granted")
        parent.hears("asks")
        parent.says(rf"^ask 4 state={ALLOWED} .* details=https://f.example/ choices= choice=today\nasks count=3\n")
        parent.hears("answer-ask", 4, 0)
        parent.says(r"^answer-ask done")
        # The person takes back what waits, and nobody else's.
        parent.hears("withdraw-ask", 2)
        parent.says(r"^withdraw-ask refused code=7 reason=10 ")
        child.hears("withdraw-ask", 2)
        child.says(r"^withdraw-ask done")
        child.hears("withdraw-ask", 2)
        child.says(r"^withdraw-ask refused code=5 reason=27 ")
        child.hears("withdraw-ask", 3)
        child.says(r"^withdraw-ask refused code=5 reason=27 ")
        parent.hears("answer-ask", 2, 1)
        parent.says(r"^answer-ask refused code=5 reason=27 ")
        parent.hears("asks")
        parent.says(rf"^ask 3 state={REFUSED} .*\nask 4 state={REFUSED} .*\nasks count=2\n")
        for program in [child, parent]:
            program.ends()
    step("a grown-up answers, and the person who asked takes back")


def answered_meanwhile(device):
    """The call is open while a grown-up's screen shows its question, and while somebody else answers it."""
    with device.gated(), UsersProgram(device, GRANNY) as screen, UsersProgram(device, GRANNY) as parent:
        with UsersProgram(device, LITTLE) as child:
            screen.hears("screen")
            screen.hears("present", 1 << 5)
            screen.says(r"^present done")
            child.hears("ask", "link.open", "https://c.example/", 0)
            shown = screen.says(r"^show (?P<id>\d+) kind=5 .*action=link.open details=https://c.example/ ")
            child.quiet("^ask")
            parent.hears("answer-ask", shown["id"], 1)
            child.says(r"^ask granted")
            screen.says(rf"^close {shown['id']}\n")
            # A person who closes the question has said neither yes nor no.
            child.hears("ask", "link.open", "https://d.example/", 0)
            shown = screen.says(r"^show (?P<id>\d+) kind=5 ")
            screen.hears("dismiss", shown["id"])
            child.says(rf"^ask asked ask={shown['id']} ")
            child.ends()
        for program in [screen, parent]:
            program.ends()
    step("what a screen shows is answered elsewhere, and dismissed")


def more_time(device):
    """A child asks for more time, the same call finds the answer, and the gate is open for so long."""
    with device.gated(), UsersProgram(device, GRANNY) as parent, UsersProgram(device, LITTLE) as child:
        child.hears("authorize", "game.late", "", 0)
        child.says(r"^authorize refused code=9 ")
        child.hears("more-time", "game.play")
        child.says(r"^more-time refused code=9 ")
        child.hears("more-time", "game.late", "1h")
        waiting = child.says(r"^ask (?P<ask>\d+) state=1 .*action=game.late title=More time: Play late titles=1 details=1h choices=1h,15m choice= more-time\n")
        child.says(r"^more-time count=1")
        parent.hears("answer-ask", waiting["ask"], 1)
        parent.says(r"^answer-ask done")
        child.hears("more-time", "game.late")
        allowed = child.says(rf"^ask {waiting['ask']} state=2 until=(?P<until>\d+) ")
        left = int(allowed["until"]) - time.time() * 1000
        if not 3_500_000 < left <= 3_601_000:
            raise Failed(f"{left} ms of an hour are left")
        child.says(r"^more-time count=1")
        child.hears("authorize", "game.late", "", 0)
        child.says(r"^authorize done")
        parent.hears("answer-ask", waiting["ask"], 0)
        parent.says(r"^answer-ask done")
        child.hears("more-time", "game.late")
        child.says(rf"^ask {waiting['ask']} state=3 ")
        child.says(r"^more-time count=1")
        child.hears("authorize", "game.late", "", 0)
        child.says(r"^authorize refused code=9 ")
        for program in [parent, child]:
            program.ends()
    step("a child asks for more time, and the gate is open as long as a grown-up has said")


def used(device):
    """A child's time is counted while the count is open. A daemon that is lost ends it; the program opens it again."""
    with UsersProgram(device, LITTLE) as child, talk() as stranger:
        with device.gated():
            child.hears("use", "game.race")
            number = child.says(r"^number (\d+)$").group(1)
            first = child.says(r"^use limited=1 left=(\d+) over=0$").group(1)
            if not 3_590_000 < int(first) <= 3_600_000:
                raise Failed(f"{first} ms of an hour are left")
            child.hears("use", "book.read")
            child.says(r"^use refused code=9 reason=17 ")
            child.hears("use", "game.late")
            child.says(r"^use refused code=9 reason=44 ")
            stranger.hears("use", "game.race")
            stranger.says(r"^use refused code=9 reason=19 ")
            runs = '"isRunning":true'
            if runs not in device.gatectl("usage", "--json").replace(" ", ""):
                raise Failed("the time of the child should run")
            child.hears("cancel", number)
            child.hears("use", "game.play")
            child.says(r"^use limited=\d left=\d+ over=0$")
        child.says(r"^use refused code=14 ")
        with device.gated():
            child.quiet("^use")
            child.hears("use", "game.race")
            if int(child.says(r"^use limited=1 left=(\d+) over=0$").group(1)) > int(first):
                raise Failed("a daemon that is started again gives no time back")
            for program in [child, stranger]:
                program.ends()
    step("time is counted for a child while the count is open, which ends with the daemon")


def page(device):
    """The program of the page says that a question waits, and is granted after a yes."""
    device.build_from_page(TALK, "gate_authorize_or_ask_sync")

    def says(words):
        with UsersProgram(device, LITTLE, "page", "https://e.example/") as program:
            match = program.says(words)
            program.ends()
            return match

    with device.gated(), UsersProgram(device, GRANNY) as parent:
        number = says(r"^question (\d+) waits for an answer$").group(1)
        parent.hears("answer-ask", number, 1)
        parent.says(r"^answer-ask done")
        says(r"^open it$")
        number = says(r"^question (\d+) waits for an answer$").group(1)
        parent.hears("answer-ask", number, 0)
        parent.says(r"^answer-ask done")
        says(r"^no: A grown-up said no\.")
        parent.ends()
    step("the program of the page tells a question that waits from yes and no")


def until_tomorrow(device):
    """A no can be for the rest of the day, and for all words."""
    with device.gated(), UsersProgram(device, GRANNY) as parent, UsersProgram(device, LITTLE) as child:
        child.hears("ask", "link.open", "https://g.example/", 0)
        asked = child.says(r"^ask asked ask=(?P<ask>\d+) ")["ask"]
        # Of a yes it is no choice, and whatever else is none of a no.
        parent.hears("answer-ask", asked, 1, "until-tomorrow")
        parent.says(r"^answer-ask refused code=3 ")
        parent.hears("answer-ask", asked, 0, "always")
        parent.says(r"^answer-ask EINVAL")
        parent.hears("answer-ask", asked, 0, "until-tomorrow")
        parent.says(r"^answer-ask done")
        child.hears("ask", "link.open", "https://h.example/", 0)
        child.says(r"^ask refused code=9 reason=18 retry=[1-9]\d+ ")
        child.hears("asks")
        child.says(rf"^(ask .*\n)*ask {asked} state={REFUSED} .* details=https://g.example/ .* choice= until-tomorrow\n(ask .*\n)*asks count=")
        for program in [parent, child]:
            program.ends()
    step("a grown-up says: not until tomorrow")


def schedules(device):
    with device.gated(), talk() as app:
        app.hears("watch", SCHEDULES)
        app.says(r"^watch snapshot changed=64 .*state current .* schedule=later/closed schedule=now/open$")
        app.hears("authorize", "game.play", "", 0)
        app.says(r"^authorize done")
        app.ends()
    with talk() as app:
        app.hears("watch", ASKS | SCHEDULES)
        app.says(r"^watch lost .*state away mode=child deadline=no session=- paid=0$")
        app.ends()
    step("schedules are told, and nothing is open without a daemon")


def main():
    # Other users have to reach the folder of the socket, and may not reach the one in which talk was built.
    os.environ.pop("XDG_RUNTIME_DIR", None)
    with Device(PROGRAMS, POLICY) as device:
        schedules(device)
        if os.getuid() != 0:
            print("skipped: asks, which take programs of other users: run it as root")
            return
        device.open_to_others(TALK)
        for part in [asking, answering, answered_meanwhile, more_time, used, page, until_tomorrow]:
            part(device)


if __name__ == "__main__":
    run(main)
