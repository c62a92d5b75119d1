"""Somebody repeats, delays, forges or misdirects messages, and the broker does so, too. Nothing opens, and nothing
is reported as done that was not done."""

import json
import threading
import time
from signal import SIGCONT, SIGSTOP

from cases import case
from family import check, payload, until, words
from forging import command, encoded, result

UNANSWERED, REFUSED = 75, 1


@case("a command comes twice, late, after a restart: it opens once")
def repeated(family):
    tablet, laptop = family.tablet, family.laptop
    with family.broker.reading(tablet, family.topic(laptop, tablet, "commands")) as lines:
        check("it opens", laptop.commands("override", "parent", "tablet", "--reason", "test") == {"tablet": "done"} and tablet.mode == "parent")
        until("the command was recorded", lines.all)
        opening = words(lines.all()[0])
    check("it closes", laptop.commands("lock", "tablet") == {"tablet": "done"} and tablet.mode == "child")
    family.say(laptop, tablet, opening)
    check("the same again opens nothing", tablet.mode == "child")
    for part, restart in (("gate-household", restart_carrier), ("gated", restart_gated)):
        restart(family, tablet)
        family.say(laptop, tablet, opening)
        check(f"after a restart of {part} it opens nothing", tablet.mode == "child")


def restart_carrier(family, device):
    device.carrier.end()
    until("it is gone", lambda: not family.laptop.sees_connected(device))
    device.start_carrier()
    until("it is back", lambda: family.laptop.sees_connected(device))


def restart_gated(family, device):
    before = family.laptop.sees(device).get("challenge")
    device.gated.end()
    device.start_gated()
    until("it has a new challenge", lambda: family.laptop.sees(device).get("challenge", "") not in ("", before))


@case("two commands come in the wrong order: the lock that was said last holds")
def disordered(family):
    tablet, laptop = family.tablet, family.laptop
    challenge = family.challenge(tablet)
    opening = command(family, laptop, tablet, "override", laptop.key, challenge, mode="parent", reason="test")
    lock = command(family, laptop, tablet, "lock", laptop.key, challenge)
    tablet.set_mode("parent")
    family.say(laptop, tablet, lock)
    check("the lock is done", tablet.mode == "child")
    family.say(laptop, tablet, opening)
    check("what was said before it opens nothing", tablet.mode == "child")


@case("a command whose time is over is not done, and one that the broker has kept is not either")
def late(family):
    tablet, laptop = family.tablet, family.laptop
    opening = command(family, laptop, tablet, "override", laptop.key, family.challenge(tablet), -1, mode="parent", reason="test")
    family.say(laptop, tablet, opening)
    check("it opens nothing", tablet.mode == "child")
    tablet.set_mode("parent")
    family.say(laptop, tablet, command(family, laptop, tablet, "lock", laptop.key, lasts=-1))
    check("a lock of long ago surprises nobody", tablet.mode == "parent")
    kept = command(family, laptop, tablet, "lock", laptop.key)
    restart = tablet.carrier.end
    restart()
    topic = family.topic(laptop, tablet, "commands")
    family.broker.publish(laptop, topic, kept, "-r")
    tablet.start_carrier()
    until("it is back", lambda: laptop.sees_connected(tablet))
    time.sleep(0.5)
    check("a lock that the broker has kept is not done", tablet.mode == "parent")
    family.broker.publish(laptop, topic, "", "-r")
    check("a new one is", laptop.commands("lock", "tablet") == {"tablet": "done"})


@case("a command that another key has signed opens nothing, whoever it names")
def forged(family):
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    opens = {"mode": "parent", "reason": "test"}
    for what, guardian, key in (
        ("a key of nobody's", laptop, None),
        ("another device's key, in the guardian's name", laptop, tv.key),
        ("a device that is no guardian's", tv, tv.key),
        ("the device's own key, in the guardian's name", laptop, tablet.key),
    ):
        for sender in (laptop, tv):
            family.say(sender, tablet, command(family, guardian, tablet, "override", key, family.challenge(tablet), **opens))
            check(f"{what} opens nothing", tablet.mode == "child")
    # Checks that everything but the key is right.
    family.say(tv, tablet, command(family, laptop, tablet, "override", laptop.key, family.challenge(tablet), **opens))
    check("the guardian's own key opens, whoever carries its word", tablet.mode == "parent")
    check("it is locked", laptop.commands("lock", "tablet") == {"tablet": "done"})


@case("below another device's id the broker takes nothing, and no list but from the device that has the household's key")
def elsewhere(family):
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    number = tablet.list_number
    opening = command(family, laptop, tablet, "override", laptop.key, family.challenge(tablet), mode="parent", reason="test")
    taken = family.say(tv, tablet, opening)
    check("what is the guardian's own word opens from anywhere", taken and tablet.mode == "parent")
    check("it is locked", laptop.commands("lock", "tablet") == {"tablet": "done"})
    state = {**family.state(tablet), "mode": "parent"}
    for topic, text in (
        (family.topic(laptop, tablet, "commands"), command(family, laptop, tablet, "lock", laptop.key)),
        (f"{family.root}/devices/{tablet.id}/state", json.dumps(state)),
        (f"{family.root}/devices/{tablet.id}/availability", "offline"),
        (f"{family.root}/shared/guardians", "nobody"),
    ):
        check(f"the broker refuses {topic}", not family.broker.publish(tv, topic, text, may_fail=True))
    check("the tablet is seen as it is", laptop.sees_mode(tablet) == "child" and laptop.sees_connected(tablet))
    check("the list is the same", tablet.list_number == number)
    with family.broker.reading(tv, f"{family.root}/devices/+/to/#") as lines:
        check("a lock is done", laptop.commands("lock", "tablet") == {"tablet": "done"})
        time.sleep(0.3)
        check("what is for others is not read", not lines.all())


@case("a broker that lies: a made-up challenge, state and list open nothing, and a made-up answer is not believed")
def lying_broker(family):
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    # Without access rules, any device can do what the broker could do.
    with family.broker.rules("pattern readwrite #\n"):
        lies_of_state(family, tablet, laptop, tv)
        lies_of_answers(family, tablet, laptop, tv)
    family.restart_carriers()
    check("a lock is done", laptop.commands("lock", "--all") == {"phone": "done", "tablet": "done", "tv": "done"})


def lies_of_state(family, tablet, laptop, tv):
    lie = {**family.state(tablet), "challenge": encoded(bytes(32)), "mode": "parent"}
    family.broker.publish(tv, f"{family.root}/devices/{tablet.id}/state", json.dumps(lie), "-r")
    until("the laptop sees the lie", lambda: laptop.sees_mode(tablet) == "parent")
    opening = laptop.commands("override", "parent", "tablet", "--reason", "test", status=REFUSED)
    check(f"a made-up challenge opens nothing: {opening}", opening == {"tablet": "challenge"} and tablet.mode == "child")
    number = tablet.list_number
    for text in ("nobody", command(family, laptop, tablet, "lock", laptop.key), ""):
        family.broker.publish(tv, f"{family.root}/shared/guardians", text)
    check("a made-up list is not taken", tablet.list_number == number)


def lies_of_answers(family, tablet, laptop, tv):
    with family.broker.reading(tablet, family.topic(tablet, laptop, "results")) as lines:
        check("it is locked", laptop.commands("lock", "tablet") == {"tablet": "done"})
        until("the answer was recorded", lines.all)
        old = words(lines.all()[0])
    tablet.set_mode("parent")
    tablet.carrier.signal(SIGSTOP)
    with family.broker.reading(tablet, family.topic(laptop, tablet, "commands")) as lines:
        sending = Sending(laptop, "lock", "tablet", "--wait", "4s")
        until("the command was recorded", lines.all)
        name = payload(words(lines.all()[0]))["id"]
        topic = family.topic(tablet, laptop, "results")
        for lie in (result(family, tablet, name), result(family, tablet, name, tv.key), old, "done"):
            family.broker.publish(tv, topic, lie)
        told = sending.answers()
    check(f"a made-up answer is none: {told}", told == {"tablet": "unanswered"})
    tablet.carrier.signal(SIGCONT)
    until("it is locked when it goes on", lambda: tablet.mode == "child")


class Sending:
    """A command that is under way."""

    def __init__(self, device, *words):
        self.told = None
        self.thread = threading.Thread(target=lambda: self.send(device, words))
        self.thread.start()

    def send(self, device, words):
        self.told = device.commands(*words, status=UNANSWERED)

    def answers(self):
        self.thread.join()
        return self.told


@case("anyone at the port for joining who takes a device's name at the broker disconnects nobody")
def impersonated(family):
    tablet, laptop = family.tablet, family.laptop
    with family.broker.reading(laptop, f"{family.root}/devices/{tablet.id}/availability") as lines:
        until("it is known to be online", lines.all)
        before = len(lines.all())
        with family.broker.joining():
            for name in (f"gate-{tablet.id}", f"gate-{tablet.id}-", tablet.id):
                check(f"the stranger came in as {name}", family.broker.stranger(laptop, name))
        time.sleep(1)
        check(f"the tablet has lost no connection: {lines.all()}", len(lines.all()) == before)
    check("it obeys", laptop.commands("lock", "tablet") == {"tablet": "done"})


GROUPS = [[impersonated], [repeated], [disordered], [late], [forged], [elsewhere], [lying_broker]]
