"""Cables, the broker and programs fail: everything ends in child mode, and nothing that was confirmed is lost."""

import json
import threading
import time
from signal import SIGKILL, SIGSTOP

from cases import case
from family import Lines, check, until

CHANGES = 200
# 45 seconds after a device's last packet, the broker considers it gone. It checks every few seconds.
GONE_SECONDS = 60
# A device tries again after at most a minute.
BACK_SECONDS = 75
UNANSWERED = 75
UNREACHABLE = 1


@case("a change of the mode is seen on another device")
def latency(family):
    tablet, laptop = family.tablet, family.laptop
    places = ["--json", "--socket"]
    watch = Lines(f"{family.programs}/gatectl", "watch", *places, tablet.socket)
    follow = Lines(f"{family.programs}/gatectl", "household", "devices", "--follow", *places, laptop.socket)
    with watch, follow:
        until("both watch", lambda: watch.all() and follow.all())
        for number in range(CHANGES):
            mode = "child" if number % 2 else "parent"
            seen = len(changes_seen(follow, tablet))
            tablet.set_mode(mode)
            until(f"the laptop sees change {number}", lambda: len(changes_seen(follow, tablet)) > seen)
    there = [moment for moment, line in watch.all() if "mode" in json.loads(line)][1:]
    elsewhere = changes_seen(follow, tablet)
    check(f"{CHANGES} changes were seen on both sides ({len(there)}, {len(elsewhere)})", len(there) == len(elsewhere) == CHANGES)
    times = sorted((second - first) * 1000 for first, second in zip(there, elsewhere))
    return f"p50 {times[CHANGES // 2]:.1f} ms, p95 {times[CHANGES * 95 // 100]:.1f} ms, at most {times[-1]:.1f} ms after its own gated has told it"


def changes_seen(follow, device):
    """The moments at which the list showed another mode of the device than before."""
    moments, before = [], None
    for moment, line in follow.all():
        for entry in json.loads(line)["devices"]:
            if entry["member"]["id"] == device.id and (mode := entry.get("report", {}).get("mode")) != before:
                if before is not None:
                    moments.append(moment)
                before = mode
    return moments


@case("a cut cable: others see that the device is gone, its parent mode ends by itself, and a lock that did not reach it is told as unanswered")
def cut(family):
    tablet, laptop = family.tablet, family.laptop
    tablet.set_mode("parent", "--for", "20s")
    until("the laptop sees parent mode", lambda: laptop.sees_mode(tablet) == "parent")
    tablet.cable.cut()
    check("a lock is told as unanswered", laptop.commands("lock", "tablet", "--wait", "2s", status=UNANSWERED) == {"tablet": "unanswered"})
    check("the tablet has not heard it", tablet.mode == "parent")
    gone = until("the laptop sees that it is gone", lambda: not laptop.sees_connected(tablet), GONE_SECONDS)
    until("the lease is over", lambda: tablet.mode == "child")
    check("a lock is told as not done at once", laptop.commands("lock", "tablet", status=UNANSWERED) == {"tablet": "offline"})
    tablet.cable.mend()
    back = until("the laptop sees that it is back", lambda: laptop.sees_connected(tablet), BACK_SECONDS)
    # By now both locks have arrived, whose five minutes are not over: the first one in the kernels' buffers of the old
    # connection, and the second one, which nobody had heard, because the laptop publishes it again every two seconds.
    time.sleep(3)
    tablet.set_mode("parent")
    until("the laptop sees parent mode", lambda: laptop.sees_mode(tablet) == "parent")
    time.sleep(1)
    check("the old locks don't come again", tablet.mode == "parent")
    check("a new one is done", laptop.commands("lock", "tablet") == {"tablet": "done"} and tablet.mode == "child")
    return f"gone after {gone:.0f} s, back after {back:.0f} s"


@case("a cable on which a device is not heard: it obeys, and is told as unanswered")
def unheard(family):
    phone, laptop = family.phone, family.laptop
    phone.set_mode("parent")
    until("the laptop sees parent mode", lambda: laptop.sees_mode(phone) == "parent")
    phone.cable.up.loss = 1
    check("a lock is told as unanswered", laptop.commands("lock", "phone", "--wait", "2s", status=UNANSWERED) == {"phone": "unanswered"})
    check("the phone has done it", phone.mode == "child")
    gone = until("the laptop sees that it is gone", lambda: not laptop.sees_connected(phone), GONE_SECONDS)
    phone.cable.mend()
    until("the laptop sees that it is back", lambda: laptop.sees_connected(phone), BACK_SECONDS)
    until("the laptop sees child mode", lambda: laptop.sees_mode(phone) == "child")
    return f"gone after {gone:.0f} s"


@case("a cable on which a device hears nothing: it says that nobody is there, and its parent mode ends by itself")
def deaf(family):
    tv, laptop = family.tv, family.laptop
    tv.set_mode("parent", "--for", "15s")
    until("the laptop sees parent mode", lambda: laptop.sees_mode(tv) == "parent")
    tv.cable.down.loss = 1
    check("a lock is told as unanswered", laptop.commands("lock", "tv", "--wait", "2s", status=UNANSWERED) == {"tv": "unanswered"})
    until("the lease is over", lambda: tv.mode == "child")
    gone = until("the television knows of nobody", lambda: not tv.gatectl("household", "devices")[0].get("hasBroker"), BACK_SECONDS)
    until("the laptop sees that it is gone", lambda: not laptop.sees_connected(tv), GONE_SECONDS)
    tv.cable.mend()
    until("the laptop sees that it is back", lambda: laptop.sees_connected(tv), BACK_SECONDS)
    check("a lock is done", laptop.commands("lock", "tv") == {"tv": "done"})
    return f"it knows after {gone:.0f} s"


def obeys_on_a_slow_cable(family, device):
    laptop, name = family.laptop, device.name
    device.cable.slow(0.1, 0.1)
    done = 0
    for _ in range(4):
        for words, mode in ((["override", "parent", name, "--reason", "test"], "parent"), (["lock", name], "child")):
            answer = laptop.sends(*words, "--wait", "5s")[name]
            if answer == "done":
                done += 1
                check(f"a confirmed {words[0]} was obeyed", device.mode == mode)
            else:
                check(f"{words[0]} is told as what it is: {answer}", answer in ("unanswered", "challenge", "offline"))
    device.carrier.end(SIGKILL)
    device.start_carrier()
    back = until("it connects over this cable", lambda: laptop.sees_connected(device), BACK_SECONDS)
    device.cable.mend()
    until("a lock is done", lambda: laptop.sends("lock", name) == {name: "done"})
    check("it is obeyed", device.mode == "child")
    check("commands are done over this cable, too", done > 0)
    return f"{done} of 8 done, back after {back:.0f} s"


@case("100 ms and a tenth of all packets lost: the tablet's commands are done, or told as not done")
def slow_tablet(family):
    return obeys_on_a_slow_cable(family, family.tablet)


@case("100 ms and a tenth of all packets lost: the television's commands are done, or told as not done")
def slow_tv(family):
    return obeys_on_a_slow_cable(family, family.tv)


def broker_comes_back(family, forgets):
    laptop, tv = family.laptop, family.tv
    # A lock of an earlier case that nobody has heard would be published until its five minutes are over.
    laptop.carrier.end()
    laptop.start_carrier()
    family.settle()
    tv.set_mode("parent")
    tablets = laptop.commands("override", "parent", "tablet", "--reason", "test")
    check("the tablet is open", tablets == {"tablet": "done"} and family.tablet.mode == "parent")
    check("it is locked", laptop.commands("lock", "tablet") == {"tablet": "done"})
    family.broker.kill()
    until("the laptop knows of nobody", lambda: not laptop.sees_connected(tv) and not laptop.sees_connected(family.tablet))
    until("a lock is refused", lambda: not laptop.gatectl("household", "devices")[0].get("hasBroker"))
    laptop.gatectl("household", "lock", "--all", status=UNREACHABLE)
    check("the confirmed lock holds", family.tablet.mode == "child")
    if forgets:
        family.broker.forget()
    family.broker.start()
    start = time.monotonic()
    family.settle(BACK_SECONDS)
    back = time.monotonic() - start
    modes = (tv.mode, family.tablet.mode)
    check(f"nothing is done late: {modes}", modes == ("parent", "child"))
    everyone = {"phone": "done", "tablet": "done", "tv": "done"}
    check("all are locked", laptop.commands("lock", "--all") == everyone and tv.mode == "child")
    return f"all are back after {back:.0f} s"


@case("a broker that is killed and started again: what was confirmed holds, and all are locked")
def broker_killed(family):
    return broker_comes_back(family, forgets=False)


@case("a broker that has lost its memory: what was confirmed holds, and all are locked")
def broker_forgets(family):
    return broker_comes_back(family, forgets=True)


@case("a broker that has lost its memory: a device that was away hears of the newest list all the same")
def list_forgotten(family):
    tablet, laptop = family.tablet, family.laptop
    tablet.carrier.end(SIGKILL)
    laptop.household("renew")
    number = laptop.list_number
    until("the television has the new list", lambda: family.tv.list_number == number)
    family.broker.kill()
    family.broker.forget()
    family.broker.start()
    family.restart_carriers()
    until("the tablet has the new list", lambda: tablet.list_number == number)


@case("gate-household killed: the device is gone at once, goes on by itself, and obeys when it is back")
def carrier_killed(family):
    tablet, laptop = family.tablet, family.laptop
    tablet.carrier.end(SIGKILL)
    gone = until("the laptop sees that it is gone", lambda: not laptop.sees_connected(tablet), 5)
    check("a lock is told as not done", laptop.commands("lock", "tablet", status=UNANSWERED) == {"tablet": "offline"})
    tablet.set_mode("parent")
    check("its gated goes on", tablet.mode == "parent")
    tablet.start_carrier()
    until("the laptop sees that it is back", lambda: laptop.sees_connected(tablet))
    until("the lock, whose five minutes are not over, reaches it", lambda: tablet.mode == "child")
    tablet.set_mode("parent")
    until("the laptop sees parent mode", lambda: laptop.sees_mode(tablet) == "parent")
    check("a lock is done", laptop.commands("lock", "tablet") == {"tablet": "done"} and tablet.mode == "child")
    return f"gone after {gone * 1000:.0f} ms"


@case("killed behind a cut cable and started again before the broker has missed it: the device is there, and stays there")
def back_before_missed(family):
    tablet, laptop = family.tablet, family.laptop
    tablet.cable.up.loss = 1
    tablet.carrier.end(SIGKILL)
    # The kernel repeats the end of the old connection after 1.4, 3 and 6 seconds, as unheard as that of a device
    # without power. The new connection is made in between.
    time.sleep(3.2)
    tablet.cable.mend()
    tablet.start_carrier()
    until("the tablet is connected", lambda: tablet.gatectl("household", "devices")[0].get("hasBroker"))
    until("the laptop sees that it is back", lambda: laptop.sees_connected(tablet))
    gone = until("the broker has missed the old connection", lambda: family.broker.connections(tablet) == 1, GONE_SECONDS)
    # Waits for the will of the old connection, if it has one.
    time.sleep(0.5)
    until("the tablet counts as connected", lambda: laptop.sees_connected(tablet))
    check("a lock is done", laptop.commands("lock", "tablet") == {"tablet": "done"})
    return f"the old connection ended after {gone:.1f} s"


@case("the guardian's gate-household killed: nothing is sent, and nothing is kept for later")
def guardians_carrier_killed(family):
    laptop, tv = family.laptop, family.tv
    tv.set_mode("parent")
    laptop.carrier.end(SIGKILL)
    until("the laptop knows of nobody", lambda: not laptop.gatectl("household", "devices")[0].get("hasBroker"))
    laptop.gatectl("household", "lock", "tv", status=UNREACHABLE)
    laptop.start_carrier()
    family.settle()
    check("the refused lock was not kept", tv.mode == "parent")
    check("a new one is done", laptop.commands("lock", "tv") == {"tv": "done"} and tv.mode == "child")


def killed_under_way(family, *words):
    """Kills the television's gated while a command waits for it.

    Returns what the guardian's gatectl printed.
    """
    laptop, tv = family.laptop, family.tv
    answers = {}
    tv.gated.signal(SIGSTOP)
    sending = threading.Thread(target=lambda: answers.update(laptop.sends(*words, "--wait", "15s")))
    sending.start()
    time.sleep(0.5)
    tv.gated.end(SIGKILL)
    tv.start_gated()
    sending.join()
    until("the laptop sees it again", lambda: laptop.sees_connected(tv) and laptop.sees_mode(tv) == tv.mode)
    return answers["tv"]


@case("gated killed while a lock is on its way: it is locked; while it is to be opened: it stays closed")
def gated_killed(family):
    tv = family.tv
    tv.set_mode("parent")
    check("the lock is done", killed_under_way(family, "lock", "tv") == "done" and tv.mode == "child")
    answer = killed_under_way(family, "override", "parent", "tv", "--reason", "test")
    check(f"the opening is told as not done: {answer}", answer == "challenge" and tv.mode == "child")
    check("what is sent then is done", family.laptop.commands("override", "parent", "tv", "--reason", "test") == {"tv": "done"})
    check("a lock is confirmed", family.laptop.commands("lock", "tv") == {"tv": "done"})
    tv.gated.end(SIGKILL)
    tv.start_gated()
    check("a confirmed lock holds", tv.mode == "child")
    until("the laptop sees it", lambda: family.laptop.sees(tv).get("challenge"))


GROUPS = [
    [latency], [cut, unheard, deaf], [slow_tablet, slow_tv], [broker_killed], [broker_forgets], [list_forgotten], [carrier_killed],
    [back_before_missed], [guardians_carrier_killed], [gated_killed],
]
