"""A child asks and a guardian answers on another device: between real devices, over a broker that works, and over
one that lies."""

import json
import os
import re
import subprocess
import time
from signal import SIGCONT, SIGKILL, SIGSTOP

from cases import case
from family import check, until, words
from forging import command, encoded


class Question:
    """A program on the tablet asks for something that a grown-up has to allow. It has no screen."""

    def __init__(self, family, details):
        self.family, self.details = family, details
        words = [f"{family.programs}/gatectl", "authorize", "share", "--details", details, "--socket", family.tablet.socket]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def number_on(self, guardian):
        """The number under which this guardian's device lists the question; `None` if it does not list it."""
        for request in guardian.gatectl("household", "requests")[0].get("requests", []):
            if request["asked"].get("details") == self.details:
                return request["number"]
        return None

    def seen_on(self, guardian):
        until(f"{guardian.name} hears of '{self.details}'", lambda: self.number_on(guardian))
        return self.number_on(guardian)

    def ends(self, is_granted):
        until(f"'{self.details}' is over", lambda: self.process.poll() is not None)
        text = self.process.stdout.read()
        check(f"'{self.details}' is {'granted' if is_granted else 'not granted'}: {text}", (self.process.returncode == 0) == is_granted)

    def is_open(self):
        return self.process.poll() is None


def last_guardian(family, kind):
    """The guardian of the newest entry of this kind in the tablet's journal."""
    words = [f"{family.programs}/gatectl", "audit", "--socket", family.tablet.socket]
    text = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    names = [re.search(r'for guardian "([^"]*)"', line) for line in text.splitlines() if f"  {kind}  " in line]
    return names[-1][1] if names and names[-1] else None


@case("a question on the tablet: the first of two guardians counts, the other one is told, and the journal names who it was")
def answered(family):
    laptop, phone = family.laptop, family.phone
    question = Question(family, "first")
    numbers = {guardian: question.seen_on(guardian) for guardian in (laptop, phone)}
    check("Tom says yes", phone.commands("approve", str(numbers[phone])) == {"tablet": "done"})
    question.ends(True)
    check("the journal names Tom", last_guardian(family, "answered right") == "Tom")
    until("it is withdrawn from the laptop", lambda: question.number_on(laptop) is None)
    late = laptop.sends("deny", str(numbers[laptop]))
    check(f"a second answer does nothing: {late}", late in ({}, {"tablet": "closed"}))
    question = Question(family, "second")
    check("Anna says no", laptop.commands("deny", str(question.seen_on(laptop))) == {"tablet": "done"})
    question.ends(False)
    check("the journal names Anna", last_guardian(family, "refused") == "Anna")
    check("the television is no guardian's", family.tv.tries("household", "requests") != 0)


@case("a question while the cable of the tablet is cut: nobody is asked, and when it is whole again a guardian answers")
def cut(family):
    tablet, laptop = family.tablet, family.laptop
    tablet.cable.cut()
    try:
        question = Question(family, "over a cut cable")
        time.sleep(1)
        check("the laptop does not hear of it", question.number_on(laptop) is None)
    finally:
        tablet.cable.mend()
    until("the laptop hears of it", lambda: question.number_on(laptop) or not question.is_open(), 90)
    if question.is_open():
        check("Anna says yes", laptop.sends("approve", str(question.number_on(laptop))) in ({"tablet": "done"}, {"tablet": "unanswered"}))
        until("it is over", lambda: not question.is_open(), 90)
    family.settle(90)


@case("a broker that lies about questions: what is changed, moved or made up is shown to nobody; what is repeated opens nothing")
def lying(family):
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    # Without access rules, any device can do what the broker could do.
    with family.broker.rules("pattern readwrite #\n"):
        with family.broker.reading(tv, f"{family.root}/devices/{tablet.id}/requests/+") as lines:
            question = Question(family, "true words")
            number = question.seen_on(laptop)
            until("it was recorded", lines.all)
            recorded = [line for line in lines.all() if " " in line[1]][0]
        topic, true = recorded[1].split(" ", 1)
        check("the words are not in it", "true words" not in true and "gatectl" not in true)
        lies = [changed(json.loads(true), laptop, place) for place in (0, 40, 200)]
        for index, lie in enumerate(lies, 1):
            lie["request"] += index
            publish(family, tv, topic, lie)
        moved = {**json.loads(true), "device": tv.id}
        family.broker.publish(tv, f"{family.root}/devices/{tv.id}/requests/{moved['request']}", json.dumps(moved), "-r")
        time.sleep(0.5)
        shown = laptop.gatectl("household", "requests")[0].get("requests", [])
        check(f"nothing but the truth is shown: {shown}", [request["number"] for request in shown] == [number])

        answers_forged(family, json.loads(true)["request"])
        check("it is open still", question.is_open())
        check("Anna says no", laptop.commands("deny", str(number)) == {"tablet": "done"})
        question.ends(False)
        # The same question again: the tablet removes the old one from the broker, unless the broker prevents that.
        family.broker.publish(tv, topic, true, "-r")
        until("the tablet has taken it away", lambda: question.number_on(laptop) is None)
        tablet.carrier.signal(SIGSTOP)
        try:
            family.broker.publish(tv, topic, true, "-r")
            again = question.seen_on(laptop)
        finally:
            tablet.carrier.signal(SIGCONT)
        answer = laptop.sends("approve", str(again))
        check(f"a yes to what is over opens nothing: {answer}", answer in ({}, {"tablet": "closed"}))
        for where in (topic, *(f"{family.root}/devices/{tablet.id}/requests/{lie['request']}" for lie in lies)):
            family.broker.publish(tv, where, "", "-r", may_fail=True)
        family.broker.publish(tv, f"{family.root}/devices/{tv.id}/requests/{moved['request']}", "", "-r")
    family.restart_carriers()


def changed(message, guardian, place):
    """The same message, with one character of the sealed part changed."""
    sealed = message["sealed"][guardian.id]
    other = "A" if sealed[place] != "A" else "B"
    message["sealed"] = {guardian.id: sealed[:place] + other + sealed[place + 1:]}
    return message


def publish(family, device, topic, message):
    root = topic.rsplit("/", 1)[0]
    family.broker.publish(device, f"{root}/{message['request']}", json.dumps(message), "-r")


def answers_forged(family, request):
    """A yes with the guardian's own key, but for other words; and one from the television."""
    tablet, laptop, tv = family.tablet, family.laptop, family.tv
    for guardian, key in ((laptop, laptop.key), (laptop, tv.key), (tv, tv.key)):
        for challenge in (family.challenge(tablet), encoded(os.urandom(32))):
            shown = {"request": request, "shown": encoded(bytes(32))}
            family.say(tv, tablet, command(family, guardian, tablet, "approve", key, challenge, **shown))


@case("a yes that was recorded counts once: not for the next question, and not for the same words")
def recorded(family):
    tablet, laptop = family.tablet, family.laptop
    with family.broker.reading(tablet, family.topic(laptop, tablet, "commands")) as lines:
        question = Question(family, "the same words")
        check("Anna says yes", laptop.commands("approve", str(question.seen_on(laptop))) == {"tablet": "done"})
        question.ends(True)
        until("her yes was recorded", lines.all)
        yes = words(lines.all()[-1])
    question = Question(family, "the same words")
    number = question.seen_on(laptop)
    family.say(laptop, tablet, yes)
    check("her yes of before does not count", question.is_open())
    check("Anna says no", laptop.commands("deny", str(number)) == {"tablet": "done"})
    question.ends(False)


@case("a question is open while gate-household and the broker are killed: it stays, and the guardian's yes counts")
def killed(family):
    tablet, laptop = family.tablet, family.laptop
    question = Question(family, "through a storm")
    question.seen_on(laptop)
    tablet.carrier.end(SIGKILL)
    until("the laptop sees that it is gone", lambda: not laptop.sees_connected(tablet))
    tablet.start_carrier()
    until("it is back", lambda: laptop.sees_connected(tablet))
    check("the question stays", question.is_open())
    question.seen_on(laptop)
    family.broker.kill()
    family.broker.forget()
    family.broker.start()
    family.restart_carriers()
    check("it stays still", question.is_open())
    check("Anna says yes", laptop.commands("approve", str(question.seen_on(laptop))) == {"tablet": "done"})
    question.ends(True)


GROUPS = [[answered], [recorded], [lying], [cut], [killed]]
