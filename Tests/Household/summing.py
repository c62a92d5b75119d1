"""One child's time is summed over the devices of the household: an hour is an hour on three real devices, over a broker
that works, over one that forgets, and over one that lies."""

import os
import pwd
import subprocess
import time
from signal import SIGKILL

from cases import case
from family import POLICY, check, payload, until, words
from forging import signed

# The child's user. Every Debian has it, and nothing of it runs.
CHILD = "games"
# How much time there is each day, in seconds.
ALLOWED = 60
# A device tells what was used at most once a minute.
TOLD_AFTER_SECONDS = 90
OVER = 124


def prepare(family):
    """Makes the user a child with an allowance on the tablet, the laptop and the television."""
    os.chmod(family.folder, 0o711)
    # No day begins while this is tried.
    start = (time.localtime().tm_hour + 12) % 24
    for device in (family.tablet, family.laptop, family.tv):
        with open(f"{device.etc}/policy.yaml", "w") as file:
            file.write(POLICY + "  game.play: {title: Play, requires: {allowance: games}}\n")
            file.write(f"allowances: {{games: {{mon-sun: {ALLOWED // 60}m, day-starts: '{start}:00'}}}}\n")
        device.gatectl("reload")
        device.gatectl("people", "set", "mia", "--child", "--user", CHILD)
        until(f"mia is recognized on {device.name}", lambda device=device: plays(device, "true") == 0)


def plays(device, *program):
    """Runs a program of the child's whose time is counted.

    Returns the exit status of `gatectl use`.
    """
    user = pwd.getpwnam(CHILD)
    text = [f"{device.family.programs}/gatectl", "use", "game.play", "--socket", device.socket, "--", *program]
    process = subprocess.run(
        text, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=user.pw_uid, group=user.pw_gid, extra_groups=[], check=False
    )
    return process.returncode


def games(device):
    """What was used of the child's games today, and what is left, as an administrator of the device sees it."""
    for page in device.gatectl("usage"):
        for used in page.get("times", []):
            if used.get("person") == "mia" and used.get("allowance") == "games":
                return used
    return {}


def used(device):
    """In whole seconds."""
    return int(games(device).get("usedMilliseconds", 0)) // 1000


def left(device):
    return int(games(device).get("leftMilliseconds", 0)) // 1000


def elsewhere(device):
    """Whole seconds by the name of the other device."""
    return {other["device"]: int(other.get("usedMilliseconds", 0)) // 1000 for other in games(device).get("elsewhere", [])}


def topic(family, device):
    return f"{family.root}/shared/usage/{device.id}"


def report(family, device, days, key=None, person="mia"):
    """What a device is made to tell."""
    said = {"version": 1, "household": family.root.removeprefix("gate/"), "device": device.id, "uses": [{"person": person, "allowance": "games", "days": days}]}
    return signed("gate-usage", said, key)


def kept(family, device):
    """What the broker keeps of a device's reports; `None` if nothing."""
    with family.broker.reading(family.laptop, topic(family, device)) as lines:
        time.sleep(0.3)
        found = [words(line) for line in lines.all() if " " in line[1]]
    return found[-1] if found and found[-1] else None


@case("what mia used on the tablet counts on the laptop, and both together end at her minute; a device that is cut off has no more than its own")
def summed(family):
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    prepare(family)
    check("nothing but the tries was used", used(laptop) < 5)
    check("a program runs as long as there is time", plays(tablet, "sleep", "20") == 0)
    check("the tablet has counted it", used(tablet) >= 20)
    for device in (laptop, tv):
        until(f"{device.name} knows of it", lambda device=device: elsewhere(device).get("tablet", 0) >= 20, TOLD_AFTER_SECONDS)
        check(f"{device.name} has less time", left(device) <= ALLOWED - 20)
    # The television is cut off from now on.
    tv.cable.cut()
    try:
        start = time.monotonic()
        check("the program on the laptop is ended", plays(laptop, "sleep", "100") == OVER)
        seconds = time.monotonic() - start
        check(f"it is ended when the time of both is over, and not after {seconds:.0f} s", seconds < ALLOWED - 15)
        until("the tablet knows that nothing is left", lambda: left(tablet) == 0, TOLD_AFTER_SECONDS)
        check("nothing starts on the tablet", plays(tablet, "true") not in (0, OVER))
        start = time.monotonic()
        check("the program on the television is ended", plays(tv, "sleep", "100") == OVER)
        seconds = time.monotonic() - start
        check(f"the television had no more than its own time, and not {seconds:.0f} s", seconds < ALLOWED - 15)
    finally:
        tv.cable.mend()
    family.settle(60)
    until("the laptop knows of the television", lambda: elsewhere(laptop).get("tv", 0) >= 20, TOLD_AFTER_SECONDS)
    until("the television knows of the laptop", lambda: elsewhere(tv).get("laptop", 0) >= 20, TOLD_AFTER_SECONDS)
    check("nothing is left anywhere", [left(device) for device in (tablet, laptop, tv)] == [0, 0, 0])
    return f"{used(laptop)} s of {ALLOWED} were used, with one device cut off"


@case("it is kept while all programs are killed and the broker forgets, and what a broker makes up, repeats or takes away gives nothing back", after=summed)
def attacked(family):
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    until("the broker has a report of the tablet", lambda: kept(family, tablet), TOLD_AFTER_SECONDS)
    true = kept(family, tablet)
    check("it says no more than the person, the allowance and the time", payload(true)["uses"][0]["person"] == "mia")
    today = max(payload(true)["uses"][0]["days"])
    before = elsewhere(laptop)
    less, more = {today: 1}, {today: 86_400_000}
    with family.broker.rules("pattern readwrite #\n"):
        for text in (
            # Signed by nobody, by another device, by the device of another household, and a lie of the tablet's own.
            report(family, tablet, more),
            report(family, tablet, more, tv.key),
            report(family, tv, more, tablet.key),
            signed("gate-usage", payload(true) | {"household": "2" * 32}, tablet.key),
            signed("gate-receipt", payload(true), tablet.key),
            report(family, tablet, less, tablet.key),
            report(family, tablet, {}, tablet.key),
            "rubbish",
            "",
        ):
            family.broker.publish(tv, topic(family, tablet), text, "-r", may_fail=True)
            time.sleep(0.3)
        check("nothing has changed on the laptop", elsewhere(laptop) == before and left(laptop) == 0)
        # The laptop itself is made to hear its own report, and one of a device that is none.
        family.broker.publish(tv, topic(family, laptop), report(family, laptop, more, laptop.key), "-r")
        family.broker.publish(tv, f"{family.root}/shared/usage/{'0' * 32}", report(family, tablet, more), "-r")
        time.sleep(0.5)
        check("the laptop counts its own use itself", elsewhere(laptop) == before)
    for device in (tablet, laptop):
        device.carrier.end(SIGKILL)
        device.gated.end(SIGKILL)
    family.broker.kill()
    family.broker.forget()
    family.broker.start()
    for device in (tablet, laptop):
        device.start_gated()
        check(f"{device.name} has kept it", left(device) == 0)
        device.start_carrier()
    family.settle(60)
    until("the broker has the tablet's report again", lambda: kept(family, tablet), TOLD_AFTER_SECONDS)
    check("nothing is left on the laptop", left(laptop) == 0 and elsewhere(laptop) == before)
    check("no other device may write the tablet's report", not family.broker.publish(tv, topic(family, tablet), true, "-r", may_fail=True))


GROUPS = [[summed], [attacked]]
