#!/usr/bin/python3
"""Uses a real gated through libgate. Tests/libgate/run runs it.

usage: with_gated.py FOLDER-OF-PROGRAMS TALK
"""

import os
import signal
import sys
import threading
import time

from programs import ME, Device, Failed, Program, run, step

PROGRAMS, TALK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
POLICY = f"""
mode: {{challenge: arithmetic-choice}}
lockout: {{after: 9}}
roles: {{presenter: {{users: [{ME}]}}, provider: {{users: [{ME}]}}}}
entitlements: {{premium: {{title: Premium}}}}
paywall: {{entitlement: premium, provider: manual}}
gated-actions:
  link.open: {{title: Open a web page, requires: {{challenge: arithmetic-choice}}}}
  sure: {{title: Be sure, requires: {{challenge: confirm}}}}
  both: {{title: Both, requires: {{all: [{{challenge: confirm}}, {{challenge: arithmetic-choice}}]}}}}
  photos.delete: {{title: Delete photos, requires: {{mode: parent}}}}
  filters: {{title: Filters, requires: {{entitlement: premium}}}}
"""
MODE, SIGN_IN, PAID, OPEN, FORMS = 1, 2, 4, 8, 16
IF_NEEDED, ITSELF = 1, 2
KINDS = (1 << 15) - 2


def talk():
    return Program(TALK, str(os.getuid()))


def right(shown, offset=0):
    """The answer to the sum that is shown; with an offset, another one of its choices."""
    left, operation, right = (int(part) for part in shown.group("sum").split("."))
    value = [0, left + right, left - right, left * right, left // right if right else 0][operation]
    choices = [int(choice) for choice in shown.group("choices").split(",")]
    return choices[(choices.index(value) + offset) % len(choices)]


SHOW = r"^show (?P<id>\d+) kind={} .*sum=(?P<sum>\S+) choices=(?P<choices>\S*)"
SUM, CONFIRM, PAYWALL, SIGN = SHOW.format(1), SHOW.format(5), SHOW.format(12), SHOW.format(11)


def watching(device):
    with talk() as watcher, talk() as other:
        watcher.hears("watch", MODE | SIGN_IN | PAID)
        watcher.says(r"^watch lost .*state away mode=child")
        watcher.says(r"^watch refused code=14 .*can't be reached")
        other.hears("mode")
        other.says(r"^mode refused code=14 reason=0")
        with device.gated():
            watcher.says(r"^watch snapshot changed=7 .*state current mode=child deadline=no session=- paid=0 premium=0$")
            other.hears("override", 2, 60000)
            other.says(r"^override mode=2 deadline=yes")
            watcher.says(r"^watch change changed=1 .*mode=parent deadline=yes")
            other.hears("mode")
            other.says(r"^mode mode=2 deadline=yes")
            other.hears("extend", 120000, 0)
            other.says(r"^extend mode=2")
            other.hears("lock")
            other.says(r"^lock mode=0 deadline=no")
            watcher.says(r"^watch change .*mode=child")
            other.hears("unverify")
            other.says(r"^unverify mode=0")
            # The lease ends by itself. If the daemon's disk takes more than a second to record that, the daemon counts
            # as lost meanwhile.
            other.hears("override", 2, 1000)
            watcher.says(r"^watch change .*mode=parent")
            watcher.says(r"^watch (change|lost) .*mode=child")
            other.hears("override", 2, 600000)
            watcher.says(r"^watch change .*mode=parent")
        watcher.says(r"^watch lost changed=7 .*state away mode=child deadline=no")
        watcher.hears("state")
        watcher.says(r"^state away mode=child")
        with device.gated():
            watcher.says(r"^watch (snapshot|resumed) .*state current mode=child", 15)  # the lease has ended with the daemon
            other.hears("watch", MODE | OPEN | FORMS)
            other.says(r"^watch snapshot .*mode=child")
            other.hears("override", 2, 600000)
            watcher.says(r"^watch change .*mode=parent")
            watcher.hears("watch", MODE)
            watcher.says(r"^watch EBUSY")
            other.ends()
            watcher.ends()
    step("the mode is watched, over restarts of the daemon and the end of a lease")


def losing(device):
    with device.gated() as daemon, talk() as watcher, talk() as other:
        watcher.hears("watch", MODE)
        watcher.says(r"^watch snapshot")
        other.hears("override", 2, 600000)
        watcher.says(r"^watch change .*mode=parent")
        daemon.kill()
        daemon.wait()
        watcher.says(r"^watch lost .*mode=child")
        with device.gated() as daemon:
            watcher.says(r"^watch (snapshot|resumed) .*state current mode=child")
            other.hears("override", 2, 600000)
            watcher.says(r"^watch change .*mode=parent")
            # A daemon that hangs does not prolong parent mode: the lease ends at its time.
            other.hears("override", 2, 1500)
            watcher.says(r"^watch change .*mode=parent")
            daemon.send_signal(signal.SIGSTOP)
            started = time.monotonic()
            watcher.says(r"^watch lost .*mode=child", 6)
            if not 1 < time.monotonic() - started < 5:
                raise Failed("the end of a lease is told after a second of grace")
            daemon.send_signal(signal.SIGCONT)
            watcher.says(r"^watch (snapshot|resumed) .*mode=child")
            watcher.ends()
            other.ends()
    step("a watch comes back after a loss, and a daemon that hangs is one")


def asking(device):
    with device.gated(), talk() as app, talk() as screen:
        app.hears("check", "link.open")
        app.says(r"^check outcome=2 need=2 challenge=1 ")
        app.hears("check", "photos.delete")
        app.says(r"^check outcome=2 need=1 ")
        app.says(r"^outlook refused code=10 reason=5 ")
        app.hears("check", "nothing.such")
        app.says(r"^check outcome=0 ")
        app.hears("check-sync", "link.open")
        app.says(r"^check-sync 0 outcome=2")
        app.hears("authorize", "photos.delete", "beach.jpg", 0)
        app.says(r"^authorize refused code=10 reason=5 ")
        app.hears("authorize", "link.open", "https://example.org/", 0)
        app.says(r"^authorize refused code=10 reason=6 ")
        app.hears("authorize-sync", "link.open", "https://example.org/")
        app.says(r"^authorize-sync 10\n.*reason=6 ")
        app.hears("authorize", "link.open", "two\x01lines", 0)
        app.says(r"^authorize refused code=3 reason=1 .*field=details")
        app.hears("authorize", "link.open", "https://example.org/", ITSELF)
        app.says(r"^authorize EINVAL")
        app.hears("screen")

        # The program shows the question itself: answered wrongly and correctly, dismissed, and cancelled.
        app.hears("authorize", "link.open", "https://example.org/", ITSELF)
        shown = app.says(SUM)
        if "program=talk action=link.open details=https://example.org/" not in shown.group(0):
            raise Failed(f"it should say who asks: {shown.group(0)}")
        app.hears("answer", shown["id"], "many")
        app.says(SUM)
        app.says(r"^show refused code=3 reason=1")
        app.hears("answer", shown["id"], right(shown, 1))
        app.says(rf"^close {shown['id']}\n")
        app.says(r"^authorize refused code=9 reason=2 ")
        app.hears("answer", shown["id"], right(shown))
        app.says(r"^answer ENOENT")
        app.hears("authorize", "link.open", "https://example.org/", IF_NEEDED)
        shown = app.says(SUM)
        app.hears("answer", shown["id"], right(shown))
        app.says(r"^close")
        app.says(r"^authorize done")
        app.hears("authorize", "sure", "https://example.org/", ITSELF)
        shown = app.says(CONFIRM)
        app.hears("report", shown["id"], 1)
        app.says(r"^report done")
        app.hears("dismiss", shown["id"])
        app.says(r"^close")
        app.says(r"^authorize refused code=1 reason=7 ")
        app.hears("authorize", "sure", "https://example.org/", ITSELF)
        number = app.says(r"^number (\d+)").group(1)
        shown = app.says(CONFIRM)
        app.hears("cancel", number)
        app.says(rf"^close {shown['id']}\n")
        app.quiet(r"^authorize")
        app.hears("cancel", number)
        app.says(r"^cancel ENOENT")
        # A request with two questions, one after the other.
        app.hears("authorize", "both", "for two", ITSELF)
        shown = app.says(CONFIRM)
        app.hears("answer", shown["id"], "yes")
        app.says(rf"^close {shown['id']}\n")
        shown = app.says(SUM)
        app.hears("answer", shown["id"], right(shown))
        app.says(rf"^close {shown['id']}\nauthorize done")
        # An administrator closes the question.
        app.hears("toggle", ITSELF)
        shown = app.says(SUM)
        device.gatectl("override", "parent", "--for", "1m", "--reason", "to withdraw a question")
        app.says(rf"^close {shown['id']}\n")
        app.says(r"^toggle refused code=10 reason=9 ")
        app.hears("toggle", 0)
        app.says(r"^toggle mode=0")
        app.hears("toggle", ITSELF)
        shown = app.says(SUM)
        app.hears("answer", shown["id"], right(shown))
        app.says(r"^close")
        app.says(r"^toggle mode=2 deadline=yes")
        app.hears("toggle", ITSELF)
        app.says(r"^toggle mode=0")
        app.ends()
        screen.ends()
    step("gated actions are checked, authorized and redeemed, by questions of one's own")


def presenting(device):
    with device.gated() as daemon, talk() as app, talk() as screen, talk() as other:
        screen.hears("present", KINDS)
        screen.says(r"^present EINVAL")
        screen.hears("screen")
        screen.hears("present", KINDS)
        screen.says(r"^present done")
        for offset, outcome in [(0, "authorize done"), (1, "authorize refused code=9 reason=2")]:
            app.hears("authorize", "link.open", "https://example.org/", 0)
            shown = screen.says(SUM)
            screen.hears("report", shown["id"], 1)
            screen.hears("answer", shown["id"], right(shown, offset))
            screen.says(rf"^close {shown['id']}\n")
            app.says(f"^{outcome}")
        # Two programs ask, and their questions are shown one after the other. The first one cancels its request.
        app.hears("authorize", "sure", "first", 0)
        number = app.says(r"^number (\d+)").group(1)
        first = screen.says(CONFIRM)
        other.hears("authorize", "sure", "second", 0)
        app.hears("cancel", number)
        screen.says(rf"^close {first['id']}\n")
        second = screen.says(CONFIRM)
        screen.hears("answer", second["id"], "yes")
        screen.says(rf"^close {second['id']}\n")
        other.says(r"^authorize done")
        # Presenters say that the app itself wrote the news.
        with open(f"{device.folder}/notes.yaml", "w") as file:
            file.write("{app: org.example.plan, versions: {1.0.0: {title: New, features: [{title: Weeks}]}}}\n")
        news = ["whatsnew", "show", "org.example.plan", "1.0", "--notes", file.name]
        telling = threading.Thread(target=device.gatectl, args=news)
        telling.start()
        shown = screen.says(SHOW.format(14) + ".* name=org.example.plan title=New own=1$")
        screen.hears("dismiss", shown["id"])
        screen.says(rf"^close {shown['id']}\n")
        telling.join()
        # When a presenter stops, another one gets its presentation.
        app.hears("authorize", "sure", "third", 0)
        third = screen.says(CONFIRM)
        other.hears("screen")
        other.hears("present", KINDS)
        other.says(r"^present done")
        screen.hears("unpresent")
        screen.says(rf"^close {third['id']}\n")
        other.says(CONFIRM)
        other.hears("answer", third["id"], "no")
        app.says(r"^authorize refused code=9 reason=18 ")
        # The daemon dies while a question is open: it is closed once on the screen, and the requester gets no yes.
        app.hears("authorize", "sure", "fourth", 0)
        fourth = other.says(CONFIRM)
        daemon.kill()
        daemon.wait()
        other.says(rf"^close {fourth['id']}\n")
        other.says(r"^present refused code=14")
        app.says(r"^authorize refused code=14")
        with device.gated():
            other.says(r"^present done")
            app.hears("authorize", "sure", "fifth", 0)
            fifth = other.says(CONFIRM)
            other.hears("answer", fifth["id"], "yes")
            app.says(r"^authorize done")
        for program in [app, screen, other]:
            program.ends()
    step("a presenter shows what others ask, and comes back after the daemon")


def handing_over(device):
    with device.gated(), talk() as app, talk() as owner:
        app.hears("screen")
        app.hears("grant", "sure", "photo 7", os.getuid(), ITSELF)
        shown = app.says(CONFIRM)
        app.hears("answer", shown["id"], "yes")
        proof = app.says(r"^grant proof=([0-9a-f]+)").group(1)
        owner.hears("redeem", proof, "sure", "photo 8")
        owner.says(r"^redeem refused code=9 reason=20 ")
        owner.hears("redeem", proof, "sure", "photo 7")
        owner.says(rf"^redeem uid={os.getuid()} pid={app.process.pid}\n")
        owner.hears("redeem", proof, "sure", "photo 7")
        owner.says(r"^redeem refused code=9 reason=20 ")
        # A grant ends with the connection that asked for it.
        app.hears("grant", "sure", "photo 9", os.getuid(), ITSELF)
        shown = app.says(CONFIRM)
        app.hears("answer", shown["id"], "yes")
        proof = app.says(r"^grant proof=([0-9a-f]+)").group(1)
        app.ends()
        owner.hears("redeem", proof, "sure", "photo 9")
        owner.says(r"^redeem refused code=9 reason=20 ")
        owner.ends()
    step("a grant is handed over, taken once, and dies with its connection")


def people(device):
    with device.gated(), talk() as app, talk() as screen:
        app.hears("watch", SIGN_IN | PAID)
        app.says(r"^watch snapshot .*session=- paid=0 premium=0")
        app.hears("logout")
        app.says(r"^logout done")
        device.gatectl("register", "Anna", "--password-file", "-", text="sesame\n")
        app.hears("login", "Anna", "1234")
        app.says(r"^login refused code=16 reason=22 ")
        app.hears("login", "Anna", "sesame")
        app.says(r"^login name=Anna child=0")
        app.hears("state")
        app.says(r"^state current .*session=Anna")
        app.hears("logout")
        app.says(r"^logout done")
        app.text = ""
        app.hears("state")
        app.says(r"^state current .*session=-")

        app.hears("premium", 0)
        app.says(r"^premium refused code=10 reason=6")
        app.hears("screen")
        app.hears("premium", ITSELF)
        shown = app.says(PAYWALL)
        if "name=premium title=Premium" not in shown.string:
            raise Failed(f"it should say what is sold: {shown.group(0)}")
        app.hears("dismiss", shown["id"])
        app.says(rf"^close {shown['id']}\npremium refused code=1 reason=7")
        app.hears("premium", ITSELF)
        shown = app.says(PAYWALL)
        device.gatectl("entitlements", "add", "premium")
        app.says(rf"^close {shown['id']}\n")
        app.says(r"^premium done")
        app.hears("state")
        app.says(r"^state current .*paid=1 premium=1")
        app.hears("premium", 0)
        app.says(r"^premium done")
        app.hears("authorize", "filters", "a filter", 0)
        app.says(r"^authorize done")
        app.ends()
        screen.ends()
    step("people sign in, a paywall opens, and closes when it is paid for")


def raw(device):
    with device.gated(), talk() as app:
        app.hears("call", "gate.v1.Control", "GetVersion")
        app.says(r"^call bytes=\d\d")
        app.hears("call-sync", "gate.v1.Mode", "GetMode", "-", 0)
        app.says(r"^call-sync 0 bytes=\d")
        app.hears("call", "gate.v1.Control", "Nothing")
        app.says(r"^call refused code=12 ")
        app.hears("call", "gate.v1.Mode", "GetMode", "ff")
        app.says(r"^call refused code=3 ")
        app.hears("stream", "gate.v1.Watch", "Watch", "0a0101")
        number = app.says(r"^number (\d+)").group(1)
        app.says(r"^stream bytes=\d")
        app.hears("override", 2, 60000)
        app.says(r"^stream bytes=\d")
        app.hears("cancel", number)
        app.hears("lock")
        app.says(r"^lock mode=0")
        app.quiet(r"^stream")
        app.hears("stream", "gate.v1.Watch", "Audit", "-")
        app.says(r"^stream bytes=\d")
        app.says(r"^stream refused code=1 ")
        # More than the daemon accepts from one connection.
        for _ in range(300):
            app.hears("call", "gate.v1.Control", "Ping")
        for _ in range(300):
            app.says(r"^call (EAGAIN|bytes=\d+)")
        app.ends()
    step("raw calls and streams")


def main():
    for part in [watching, losing, asking, presenting, handing_over, people, raw]:
        with Device(PROGRAMS, POLICY) as device:
            part(device)


if __name__ == "__main__":
    run(main)
