"""A child's question waits, and a guardian answers it while the child's device is off: between real devices, over a
broker that works, over one that forgets, and over one that repeats what it has kept."""

import json
import os
import pwd
import subprocess
import time
from signal import SIGKILL

from cases import case
from family import check, payload, until, words
from forging import command, encoded

ALLOWED, REFUSED, WAITS = 0, 1, 4
# The child's user. Every Debian has it, and nothing of it runs.
CHILD = "games"


def prepare(family):
    """Makes the user a child on the tablet, unless another case has done that. Its programs have to reach the socket there."""
    if getattr(family, "has_child", False):
        return
    family.has_child = True
    os.chmod(family.folder, 0o711)
    family.tablet.gatectl("people", "set", "mia", "--child", "--user", CHILD)
    # gated compares the list with the user database at once, but not before it answers.
    until("mia is recognized", lambda: asks_again(family, "recognized?") == WAITS)
    number = next(ask["number"] for ask in asks_on(family.tablet) if ask.get("details") == "recognized?")
    family.tablet.gatectl("refuse", str(number))


def number_on_tablet(family, details):
    return next(int(ask["number"]) for ask in asks_on(family.tablet) if ask.get("details") == details)


def child(family, details):
    """A program of the child's that asks."""
    user = pwd.getpwnam(CHILD)
    text = [f"{family.programs}/gatectl", "authorize", "page.open", "--details", details, "--may-wait", "--socket", family.tablet.socket]
    return subprocess.Popen(
        text, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=user.pw_uid, group=user.pw_gid, extra_groups=[]
    )


def asks_again(family, details):
    """The exit status of a program of the child's that asks. If its question comes up on guardians' screens, the program
    is ended after a moment, and the question waits."""
    # Questions whose program is gone count as answers that are missing, and these tests ask often.
    family.tablet.gatectl("lockouts", "clear")
    process = child(family, details)
    try:
        return process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        until(f"'{details}' waits", lambda: any(ask.get("details") == details for ask in asks_on(family.tablet)))
        return WAITS


def ends_with(family, details, wanted):
    """Checks the exit status of a program of the child's that asks."""
    status = asks_again(family, details)
    check(f"'{details}' ends with {wanted}, but with {status}", status == wanted)


def asks_on(device):
    return [ask for page in device.gatectl("asks") for ask in page.get("asks", [])]


def listed(guardian, details):
    """The question as this guardian's device lists it; `None` if it does not."""
    return next((ask for ask in asks_on(guardian) if ask.get("details") == details and ask.get("device")), None)


def seen(family, guardian, details):
    until(f"'{details}' is listed on {guardian.name}", lambda: listed(guardian, details))
    ask = listed(guardian, details)
    check("it names the child and the device", (ask["person"], ask["device"]) == ("mia", family.tablet.name))
    return ask["number"]


def state(guardian, details):
    return short_state(listed(guardian, details))


def short_state(ask):
    """`waiting`, `allowed` or `refused`."""
    return ask and ask.get("state", "").removeprefix("STATE_").lower()


def kept(family, guardian):
    """What the broker keeps of this guardian's answers to the tablet: the JWS, by topic."""
    filter = f"{family.root}/devices/{guardian.id}/to/{family.tablet.id}/answers/+"
    with family.broker.reading(family.tablet, filter) as lines:
        time.sleep(0.3)
        newest = {line[1].split(" ", 1)[0]: words(line) for line in lines.all() if " " in line[1]}
    return {topic: text for topic, text in newest.items() if text}


def stop(tablet):
    tablet.carrier.end()
    tablet.gated.end()


def start(family):
    family.tablet.start_gated()
    family.tablet.start_carrier()
    family.settle(60)


@case("a question waits while the tablet is off: Anna answers on her laptop, all else is restarted, the broker forgets, and the same words pass once")
def answered(family):
    tablet, laptop = family.tablet, family.laptop
    prepare(family)
    ends_with(family, "first", WAITS)
    number = seen(family, laptop, "first")
    seen(family, family.phone, "first")
    check("the television is no guardian's", listed(family.tv, "first") is None)
    stop(tablet)
    laptop.gatectl("allow", str(number))
    check("the laptop shows it as allowed", state(laptop, "first") == "allowed")
    until("the broker has the answer", lambda: len(kept(family, laptop)) == 1)
    # The laptop is restarted, and the broker has lost everything.
    laptop.carrier.end(SIGKILL)
    laptop.gated.end()
    family.broker.kill()
    family.broker.forget()
    family.broker.start()
    laptop.start_gated()
    laptop.start_carrier()
    until("the broker has the answer again", lambda: len(kept(family, laptop)) == 1)
    check("the laptop's number of before answers nothing", laptop.tries("refuse", str(number)) != 0)
    start(family)
    until("the same words pass", lambda: asks_again(family, "first") == ALLOWED)
    until("the answer is cleared", lambda: not kept(family, laptop))
    ends_with(family, "first", WAITS)
    until("it is listed anew", lambda: state(laptop, "first") == "waiting")
    laptop.gatectl("refuse", str(listed(laptop, "first")["number"]))
    until("it is refused", lambda: asks_again(family, "first") == REFUSED)
    until("it is gone from the list", lambda: listed(laptop, "first") is None)


@case("while the tablet is off, a later no replaces a yes; and a no takes back a yes that was not used")
def taken_back(family):
    prepare(family)
    tablet, laptop, phone = family.tablet, family.laptop, family.phone
    ends_with(family, "second", WAITS)
    number = seen(family, laptop, "second")
    stop(tablet)
    laptop.gatectl("allow", str(number))
    until("the broker has the yes", lambda: [payload(text)["verb"] for text in kept(family, laptop).values()] == ["approve"])
    laptop.gatectl("refuse", str(number))
    until("the broker has the no", lambda: [payload(text)["verb"] for text in kept(family, laptop).values()] == ["deny"])
    start(family)
    until("the answer is cleared", lambda: not kept(family, laptop))
    ends_with(family, "second", REFUSED)

    ends_with(family, "third", WAITS)
    laptop.gatectl("allow", str(seen(family, laptop, "third")))
    until("the phone sees the yes", lambda: state(phone, "third") == "allowed")
    phone.gatectl("refuse", str(listed(phone, "third")["number"]))
    until("the tablet has the no", lambda: [short_state(ask) for ask in asks_on(tablet) if ask.get("details") == "third"] == ["refused"])
    ends_with(family, "third", REFUSED)


@case("a broker that repeats, moves and makes up answers: a yes counts for its own question, once, and not after a no")
def repeated(family):
    prepare(family)
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    ends_with(family, "fourth", WAITS)
    number = seen(family, laptop, "fourth")
    own = next(ask["number"] for ask in asks_on(tablet) if ask.get("details") == "fourth")
    topic = family.topic(laptop, tablet, f"answers/{own}")
    with family.broker.reading(tablet, topic) as lines:
        laptop.gatectl("allow", str(number))
        until("the yes was recorded", lambda: any(" " in line[1] and words(line) for line in lines.all()))
        yes = next(words(line) for line in lines.all() if " " in line[1] and words(line))
    until("it passes", lambda: asks_again(family, "fourth") == ALLOWED)
    ends_with(family, "fourth", WAITS)
    next_own = next(int(ask["number"]) for ask in asks_on(tablet) if ask.get("details") == "fourth")
    nonce = payload(yes)["arguments"]["nonce"]
    with family.broker.rules("pattern readwrite #\n"):
        for number in (own, next_own):
            family.broker.publish(tv, family.topic(laptop, tablet, f"answers/{number}"), yes, "-r")
            for guardian, key in ((laptop, laptop.key), (laptop, tv.key), (tv, tv.key), (tablet, tablet.key)):
                for word in (nonce, encoded(os.urandom(16))):
                    made_up = command(family, guardian, tablet, "approve", key, request=next_own, nonce=word)
                    family.broker.publish(tv, family.topic(guardian, tablet, f"answers/{number}"), made_up, "-r")
        for index in range(200):
            family.broker.publish(tv, family.topic(tv, tablet, f"answers/{1000 + index}"), "rubbish", "-r")
        time.sleep(1)
        # Everything that the broker keeps now comes once more, in an order of its own.
        tablet.carrier.end(SIGKILL)
        tablet.start_carrier()
        family.settle(60)
        time.sleep(1)
        check("none of it counts", asks_again(family, "fourth") == WAITS)
        for topic in topics_of_answers(family):
            family.broker.publish(tv, topic, "", "-r", may_fail=True)
    until("it is still listed", lambda: state(laptop, "fourth") == "waiting")
    laptop.gatectl("allow", str(listed(laptop, "fourth")["number"]))
    until("the true answer counts", lambda: asks_again(family, "fourth") == ALLOWED)
    check("it counts once", asks_again(family, "fourth") == WAITS)
    laptop.gatectl("refuse", str(seen(family, laptop, "fourth")))
    until("it is refused", lambda: asks_again(family, "fourth") == REFUSED)


@case("the tablet is off while both parents allow a minute: the minute begins when it is back, comes once, and one of them hears that the other was first")
def amount(family):
    prepare(family)
    tablet, laptop, phone = family.tablet, family.laptop, family.phone
    ends_with(family, "fifth", WAITS)
    numbers = {guardian: str(seen(family, guardian, "fifth")) for guardian in (laptop, phone)}
    check("it says what can be chosen", listed(laptop, "fifth")["choices"] == ["once", "today", "always", "1m"])
    check("nothing else can be", laptop.tries("allow", numbers[laptop], "2m") != 0 and state(laptop, "fifth") == "waiting")
    stop(tablet)
    for guardian in (laptop, phone):
        guardian.gatectl("allow", numbers[guardian], "1m")
        until(f"the broker has the answer of {guardian.name}", lambda: len(kept(family, guardian)) == 1)
        check("the choice is signed", [payload(text)["arguments"]["choice"] for text in kept(family, guardian).values()] == ["1m"])
    start(family)
    until("the same words pass", lambda: asks_again(family, "fifth") == ALLOWED)
    began = time.monotonic()
    check("they pass again", asks_again(family, "fifth") == ALLOWED)
    until("one of them hears that it was too late", lambda: [bool((listed(guardian, "fifth") or {}).get("refusal")) for guardian in (laptop, phone)].count(True) == 1)
    until("both answers are cleared", lambda: not kept(family, laptop) and not kept(family, phone))
    until("the minute is over", lambda: asks_again(family, "fifth") == WAITS, 90)
    check("it was one minute", time.monotonic() - began < 80)


@case("a broker that changes how much a yes allows: the device takes no such answer, and then the true one")
def changed(family):
    prepare(family)
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    ends_with(family, "sixth", WAITS)
    number = seen(family, laptop, "sixth")
    topic = family.topic(laptop, tablet, f"answers/{number_on_tablet(family, 'sixth')}")
    stop(tablet)
    laptop.gatectl("allow", str(number), "1m")
    until("the broker has the answer", lambda: len(kept(family, laptop)) == 1)
    head, _, signature = next(iter(kept(family, laptop).values())).split(".")
    with family.broker.rules("pattern readwrite #\n"):
        for choice in ("always", "today", None):
            told = payload(next(iter(kept(family, laptop).values())))
            told["arguments"].pop("choice", None)
            if choice:
                told["arguments"]["choice"] = choice
            family.broker.publish(tv, topic, f"{head}.{encoded(json.dumps(told, separators=(',', ':')).encode())}.{signature}", "-r")
        tablet.start_gated()
        tablet.start_carrier()
        until("the tablet is connected", lambda: tablet.gatectl("household", "devices")[0].get("hasBroker"))
        time.sleep(1)
        check("a changed choice allows nothing", asks_again(family, "sixth") == WAITS)
    # Connected anew, the guardian's device has the broker keep its answer again.
    laptop.carrier.end(SIGKILL)
    laptop.start_carrier()
    family.settle(60)
    until("the true answer counts", lambda: asks_again(family, "sixth") == ALLOWED)
    asked = next(ask for ask in asks_on(tablet) if ask.get("details") == "sixth")
    check("it counts for what was chosen", asked["choice"] == "1m")


@case("one parent allows it for always, the other says no later: the no wins, in whatever order they come, and not until tomorrow reaches all words")
def no_wins(family):
    prepare(family)
    tablet, laptop, phone = family.tablet, family.laptop, family.phone
    ends_with(family, "seventh", WAITS)
    numbers = {guardian: str(seen(family, guardian, "seventh")) for guardian in (laptop, phone)}
    stop(tablet)
    laptop.gatectl("allow", numbers[laptop], "always")
    phone.gatectl("refuse", numbers[phone])
    until("the broker has both answers", lambda: len(kept(family, laptop)) == len(kept(family, phone)) == 1)
    start(family)
    until("both answers are cleared", lambda: not kept(family, laptop) and not kept(family, phone))
    ends_with(family, "seventh", REFUSED)

    ends_with(family, "eighth", WAITS)
    stop(tablet)
    laptop.gatectl("refuse", str(seen(family, laptop, "eighth")), "--until-tomorrow")
    until("the broker has it", lambda: [payload(text)["arguments"].get("choice") for text in kept(family, laptop).values()] == ["until-tomorrow"])
    start(family)
    until("it is refused", lambda: asks_again(family, "eighth") == REFUSED)
    ends_with(family, "other words", REFUSED)
    tablet.gatectl("refuse", str(number_on_tablet(family, "eighth")))
    ends_with(family, "other words", WAITS)


def as_child(family, *words):
    """The exit status of gatectl, as the child runs it on the tablet."""
    user = pwd.getpwnam(CHILD)
    text = [f"{family.programs}/gatectl", *words, "--socket", family.tablet.socket]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.run(text, check=False, user=user.pw_uid, group=user.pw_gid, extra_groups=[], **quiet).returncode


@case("more time: Mia asks, the tablet is switched off, Anna allows an amount on her laptop, and the game is open when the tablet is back, until her no")
def more_time(family):
    prepare(family)
    tablet, laptop = family.tablet, family.laptop
    check("the game is closed", as_child(family, "check", "game.never") == REFUSED)
    check("nobody has answered", as_child(family, "more-time", "game.never", "--amount", "15m") == WAITS)
    number = str(seen(family, laptop, "15m"))
    asked = listed(laptop, "15m")
    check("it says that it is about time", asked["title"] == "More time: Play")
    check("amounts are offered", asked["choices"] == ["15m", "30m"])
    check("once is not offered", laptop.tries("allow", number, "once") != 0)
    stop(tablet)
    laptop.gatectl("allow", number, "30m")
    until("the broker has the answer", lambda: len(kept(family, laptop)) == 1)
    start(family)
    until("the game is open", lambda: as_child(family, "check", "game.never") == ALLOWED)
    check("the child sees it", as_child(family, "more-time", "game.never") == ALLOWED)
    until("the answer is cleared", lambda: not kept(family, laptop))
    laptop.gatectl("refuse", str(listed(laptop, "15m")["number"]))
    until("a later no closes it", lambda: as_child(family, "check", "game.never") == REFUSED)
    check("the child sees that, too", as_child(family, "more-time", "game.never") == REFUSED)


def topics_of_answers(family):
    filter = f"{family.root}/devices/+/to/{family.tablet.id}/answers/+"
    with family.broker.reading(family.tv, filter) as lines:
        time.sleep(0.5)
        return {line[1].split(" ", 1)[0] for line in lines.all()}


GROUPS = [[answered], [taken_back], [repeated], [amount], [changed], [no_wins], [more_time]]
