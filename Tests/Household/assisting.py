"""Home Assistant at the real broker, with its own certificate: what it reads of a child's question, and what its
answers do."""

import contextlib
import json
import os
import shutil
import subprocess
import time
from signal import SIGKILL

from asking import Question
from cases import case
from family import OBEYED_AFTER_SECONDS, POLICY, check, until, words
from waiting import ALLOWED, CHILD, REFUSED, WAITS, as_child, asks_again, ends_with, number_on_tablet, prepare


class Assistant:
    """Home Assistant. For the broker it is a program with a certificate, like a device."""

    def __init__(self, family):
        self.family, self.etc = family, f"{family.folder}/home-assistant-{os.urandom(4).hex()}"
        made = f"{self.etc}/made"
        os.makedirs(f"{self.etc}/household")
        family.laptop.household("home-assistant", "--folder", made)
        for name, place in (("ca.pem", "ca.pem"), ("home-assistant.pem", "device.pem"), ("home-assistant.key", "device.key")):
            shutil.copy(f"{made}/{name}", f"{self.etc}/household/{place}")

    def topic(self, device, kind):
        return f"{self.family.root}/devices/{device.id}/home-assistant/{kind}"

    def says(self, device, text, *more):
        """Asks a device for something, and waits until it is done. Of several requests in a second only the newest
        counts."""
        self.family.broker.publish(self, self.topic(device, "set"), text, *more)
        time.sleep(1 + OBEYED_AFTER_SECONDS)


def newest(lines):
    """The newest question as an object; `None` if there was none, or it was removed."""
    told = lines.all()
    return json.loads(words(told[-1])) if told and words(told[-1]) else None


def restarted(family):
    tablet = family.tablet
    tablet.gatectl("reload")
    tablet.carrier.end()
    until("the laptop sees that it is gone", lambda: not family.laptop.sees_connected(tablet))
    tablet.start_carrier()
    until("it is back", lambda: family.laptop.sees_connected(tablet))


@contextlib.contextmanager
def settings(family, section):
    """The tablet's household.yaml with a section for Home Assistant."""
    path = f"{family.tablet.etc}/household.yaml"
    with open(path) as file:
        plain = file.read()

    def write(section):
        with open(path, "w") as file:
            file.write(f"{plain}home-assistant: {section}\n" if section else plain)
        restarted(family)

    write(section)
    try:
        yield write
    finally:
        write("{discovery: false}")
        write(None)


def journal(family, kind):
    """The newest entry of this kind in the tablet's journal."""
    call = [f"{family.programs}/gatectl", "audit", "--socket", family.tablet.socket]
    text = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    return ([line for line in text.splitlines() if f"  {kind}  " in line] or [""])[-1]


def told(lines, details):
    """The number of the question, as Home Assistant reads it."""
    until(f"Home Assistant hears of '{details}'", lambda: (newest(lines) or {}).get("request"))
    return newest(lines)["request"]


@case("Home Assistant may not answer: it hears that the tablet asks something, not what, and its yes and no do nothing")
def forbidden(family):
    tablet, assistant = family.tablet, Assistant(family)
    for section in ("{discovery: true}", "{may: [extend]}"):
        with settings(family, section), family.broker.reading(assistant, assistant.topic(tablet, "request")) as lines:
            question = Question(family, "a secret wish")
            number = told(lines, "a secret wish")
            check("its words are not told", newest(lines)["words"] is None and all("secret wish" not in line for _, line in lines.all()))
            for text in (f"approve {number}", f"deny {number}"):
                assistant.says(tablet, text)
                check(f"'{text}' does nothing", question.is_open())
            check("Anna says no", family.laptop.commands("deny", str(question.seen_on(family.laptop))) == {"tablet": "done"})
            question.ends(False)
            until("Home Assistant hears that it is over", lambda: newest(lines)["request"] is None)
            # Clears what the refusals cost, which would prevent the next question.
            tablet.gatectl("lockouts", "clear")


@case("Home Assistant may answer: by the number of what it was told, once, and not by what the broker has kept; the journal says for whom")
def allowed(family):
    tablet, tv, assistant = family.tablet, family.tv, Assistant(family)
    request, told_to = assistant.topic(tablet, "request"), assistant.topic(tablet, "set")
    with settings(family, "{may: [answer], words: true}") as write, family.broker.reading(assistant, request) as lines:
        question = Question(family, "first")
        number = told(lines, "first")
        check(f"it reads the words: {newest(lines)}", newest(lines)["words"] == "Share a photo: first" and newest(lines)["kind"] == "confirm")
        for text in (f"approve {number + 1}", f"approve {number - 1}", f"approve 0{number}", f"approve {number} ", "approve", "approve null", "lock up"):
            assistant.says(tablet, text)
            check(f"'{text}' does nothing", question.is_open())
        # With another device's certificate one can neither answer, nor report questions, nor read them.
        check("the television can't answer", not family.broker.publish(tv, told_to, f"approve {number}", may_fail=True))
        check("nor ask", not family.broker.publish(tv, request, json.dumps({"request": number, "words": "something else"}), "-r", may_fail=True))
        check("nor Home Assistant", not family.broker.publish(assistant, request, "{}", "-r", may_fail=True))
        with family.broker.reading(tv, f"{family.root}/devices/{tablet.id}/#") as heard:
            until("the television hears of the tablet", heard.all)
            time.sleep(0.5)
            check("but not what it asks", all("/home-assistant/" not in line and "first" not in line for _, line in heard.all()))
        check("it is open still", question.is_open() and newest(lines)["request"] == number)
        assistant.says(tablet, f"approve {number}")
        question.ends(True)
        line = journal(family, "answered right")
        check(f"the journal says for whom: {line}", line.endswith("for Home Assistant") and "for guardian" not in line)
        until("Home Assistant hears that it is over", lambda: newest(lines)["request"] is None)

        # The broker keeps back a yes with the right number, which nobody can know before the question is asked.
        restarted(family)
        question = Question(family, "first")
        until("it has another number", lambda: (newest(lines) or {}).get("request") not in (None, number))
        second = newest(lines)["request"]
        tablet.carrier.end(SIGKILL)
        family.broker.publish(assistant, told_to, f"approve {second}", "-r")
        until("the laptop sees that it is gone", lambda: not family.laptop.sees_connected(tablet))
        tablet.start_carrier()
        until("it is back", lambda: family.laptop.sees_connected(tablet))
        time.sleep(1)
        check("what was kept answers nothing", question.is_open())
        assistant.says(tablet, f"approve {number}")
        check("nor does the yes of before", question.is_open())
        family.broker.publish(assistant, told_to, "", "-r")
        assistant.says(tablet, f"deny {second}")
        question.ends(False)
        check("the journal says for whom", journal(family, "refused").endswith("for Home Assistant"))
        tablet.gatectl("lockouts", "clear")
        write("{discovery: false, may: [answer], words: true}")
        until("nothing of it stays", lambda: not words(lines.all()[-1]))


@case("Home Assistant's answer while broker, gate-household or gated are killed: what was asked is told again, and its number is no other's")
def killed(family):
    tablet, assistant = family.tablet, Assistant(family)
    request = assistant.topic(tablet, "request")
    with settings(family, "{may: [answer]}"):
        question = Question(family, "through a storm")
        with family.broker.reading(assistant, request) as lines:
            number = told(lines, "through a storm")
        tablet.carrier.end(SIGKILL)
        family.broker.kill()
        family.broker.forget()
        family.broker.start()
        family.restart_carriers()
        with family.broker.reading(assistant, request) as lines:
            check("it is the same question", told(lines, "through a storm") == number and question.is_open())
            assistant.says(tablet, f"approve {number}")
            question.ends(True)
            question = Question(family, "before the fall")
            until("it has another number", lambda: (newest(lines) or {}).get("request") not in (None, number))
            second = newest(lines)["request"]
            tablet.gated.end(SIGKILL)
            until("the question is over, for gated is gone", lambda: not question.is_open())
            until("Home Assistant hears that nobody can answer", lambda: newest(lines)["request"] is None)
            tablet.start_gated()
            family.settle()
            question = Question(family, "after the fall")
            until("its number was never another's", lambda: (newest(lines) or {}).get("request") not in (None, number, second))
            after = newest(lines)["request"]
            assistant.says(tablet, f"approve {second}")
            check("the yes to what was asked before does nothing", question.is_open())
            assistant.says(tablet, f"approve {after}")
            question.ends(True)


def told_anew(lines, number):
    """The number of the next question that Home Assistant reads."""
    until("it hears of another question", lambda: (newest(lines) or {}).get("request") not in (None, number))
    return newest(lines)["request"]


@case("Home Assistant answers what waits: with an amount of time that is offered, or once, and never for always; the journal says for whom")
def amounts(family):
    prepare(family)
    tablet, assistant = family.tablet, Assistant(family)
    with settings(family, "{may: [answer], words: true}"), family.broker.reading(assistant, assistant.topic(tablet, "request")) as lines:
        check("Mia asks for time", as_child(family, "more-time", "puzzle.never", "--amount", "30m") == WAITS)
        number = told(lines, "30m")
        check(f"it reads the words: {newest(lines)}", newest(lines)["words"] == "More time: Puzzle: 30m" and newest(lines)["kind"] == "ask")
        for answer in ("always", "today", "once", "45m", "15m ", "-15m"):
            assistant.says(tablet, f"approve {number} {answer}")
            check(f"'{answer}' allows nothing", as_child(family, "check", "puzzle.never") == REFUSED)
        assistant.says(tablet, f"approve {number} 15m")
        until("the puzzle is open", lambda: as_child(family, "check", "puzzle.never") == ALLOWED)
        line = journal(family, "answered right")
        check(f"the journal says for whom, and how much: {line}", line.endswith("for Home Assistant") and "15m" in line)
        until("it hears that it is over", lambda: newest(lines)["request"] is None)
        assistant.says(tablet, f"deny {number}")
        check("a no that comes later closes nothing, since nothing is asked any more", as_child(family, "check", "puzzle.never") == ALLOWED)
        tablet.gatectl("refuse", str(number_on_tablet(family, "30m")))
        check("a grown-up on the tablet closes it", as_child(family, "check", "puzzle.never") == REFUSED)

        ends_with(family, "for once", WAITS)
        number = told_anew(lines, number)
        assistant.says(tablet, f"approve {number} always")
        ends_with(family, "for once", WAITS)
        assistant.says(tablet, f"approve {number} once")
        ends_with(family, "for once", ALLOWED)
        ends_with(family, "for once", WAITS)
        number = told_anew(lines, number)
        assistant.says(tablet, f"approve {number} 1m")
        for _ in range(2):
            ends_with(family, "for once", ALLOWED)
        tablet.gatectl("refuse", str(number_on_tablet(family, "for once")))
        ends_with(family, "for once", REFUSED)
        tablet.gatectl("lockouts", "clear")


def sensors(family, assistant):
    """The names of the sensors of people that Home Assistant finds on the tablet."""
    with family.broker.reading(assistant, f"homeassistant/sensor/{family.tablet.id}/+/config") as lines:
        time.sleep(0.5)
        found = {line[1].split(" ", 1)[0]: words(line) for line in lines.all()}
    return {json.loads(text)["name"] for topic, text in found.items() if "/used_" in topic and text}


@case("Home Assistant has a sensor for each person whose time is told, and none for somebody who is gone, also after a restart, or where it is told no more")
def people(family):
    prepare(family)
    tablet, assistant = family.tablet, Assistant(family)
    with open(f"{tablet.etc}/policy.yaml", "w") as file:
        file.write(POLICY + "  game.play: {title: Play, requires: {allowance: games}}\nallowances: {games: {mon-sun: 1h}}\n")
    of_mia = {"Time used today: mia"}
    with settings(family, "{words: true}") as write:
        until("Mia has one", lambda: sensors(family, assistant) == of_mia)
        with family.broker.reading(assistant, assistant.topic(tablet, "used")) as lines:
            until("its value is told", lambda: newest(lines) and newest(lines)["people"] == {"mia": {"games": 0}})
        tablet.gatectl("people", "remove", "mia")
        until("she has none any more", lambda: not sensors(family, assistant))
        tablet.gatectl("people", "set", "mia", "--child", "--user", CHILD)
        until("she has one again", lambda: sensors(family, assistant) == of_mia)
        tablet.carrier.end(SIGKILL)
        tablet.gatectl("people", "remove", "mia")
        check("the broker has kept it", sensors(family, assistant) == of_mia)
        tablet.start_carrier()
        until("it is removed after the start", lambda: not sensors(family, assistant))
        tablet.gatectl("people", "set", "mia", "--child", "--user", CHILD)
        until("she has one still", lambda: sensors(family, assistant) == of_mia)
        write("{words: false}")
        until("nobody has one where it is told no more", lambda: not sensors(family, assistant))
    with open(f"{tablet.etc}/policy.yaml", "w") as file:
        file.write(POLICY)
    tablet.gatectl("reload")
    family.settle()


GROUPS = [[forbidden], [allowed], [killed], [amounts], [people]]
