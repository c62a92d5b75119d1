"""Each kind of question with each way to end it, with the keyboard alone and with the pointer alone: right, wrong,
dismissed, withdrawn, expired; in each language, and once from right to left. `Tests/Screens/run --all` runs it."""
import base64
import hmac
import json
import re
import struct
import subprocess
import time
from urllib.parse import parse_qs, urlparse

from device import LANGUAGES, Asker, Presenter, gatectl, new_device, register, set_policy
from kinds import OPENING, corners, held, quiz_answers, stroke, typed_result, wanted_swipe
from screen import (
    Atspi, Failure, button, everything, find, has_keyboard, is_ready, keys, labels, middle_of, no_window, pointer, said, tab_to, type_text, until,
)


def by_key(name):
    until(f"'{name}' can be pressed", lambda: is_ready(button(name)))
    tab_to(name, lambda: [button(name)])
    keys("space")
    time.sleep(0.3)


def by_pointer(name):
    until(f"'{name}' can be pressed", lambda: is_ready(button(name)))
    pointer("mousemove", *middle_of(button(name)), "click", 1)
    time.sleep(0.3)


def choice(right, is_right):
    """One of the numbers on the buttons."""
    return right if is_right else until("there are other choices", lambda: next(
        (node.get_name() for node in everything()
         if node.get_role() == Atspi.Role.PUSH_BUTTON and re.fullmatch(r"\d+", node.get_name()) and node.get_name() != right), None))


def enter(press, digits):
    """Types with the keyboard, or with the keypad on the screen."""
    if press is by_key:
        until("it takes an answer", lambda: is_ready(button("1")))
        type_text(digits)
        keys("Return")
    else:
        for digit in digits:
            press(digit)
        press("OK")


def permit(press, is_right):
    if is_right:
        press("Allow…")
    press("Allow" if is_right else "Don't allow")


def wheel():
    return until("there is a wheel", lambda: find("Year", Atspi.Role.SPIN_BUTTON))


def be_born(press, is_right):
    """A date of birth decades ago, or one year ago."""
    until("it takes an answer", lambda: is_ready(button("OK")))
    before = Atspi.Value.get_current_value(wheel().get_value_iface())
    if press is by_key:
        tab_to("Year", lambda: [wheel()], presses=20)
        keys(*["Down"] * (30 if is_right else 1))
    else:
        for _ in range(3 if is_right else 1):
            press("10 years earlier")
    until("the year is another", lambda: Atspi.Value.get_current_value(wheel().get_value_iface()) < before - (20 if is_right else 0))
    press("OK")


def hold(press, is_right):
    node, seconds = held(), 1.4 if is_right else 0.3
    if press is by_key:
        until("the window has the keyboard", has_keyboard)
        pointer("keydown", "space", "sleep", seconds, "keyup", "space")
    else:
        pointer("mousemove", *middle_of(node), "mousedown", 1, "sleep", seconds, "mouseup", 1)


BACK = {"left": "right", "right": "left", "up": "down", "down": "up"}


def swipe(press, is_right):
    node, direction, count = wanted_swipe()
    stroke(node, direction if is_right else BACK[direction], count, press is by_key)
    press("OK")


def field(name):
    return until(f"the field {name}", lambda: find(name, Atspi.Role.TEXT) or find(name, Atspi.Role.PASSWORD_TEXT))


def sign_in(press, is_right):
    """A wrong password does not close the sign-in: it says so and stays."""
    until("it takes an answer", lambda: is_ready(field("Name:")))
    if press is by_key:
        type_text("anna")
        keys("Tab")
    else:
        pointer("mousemove", *middle_of(field("Name:")), "click", 1)
        type_text("anna")
        pointer("mousemove", *middle_of(field("Password:")), "click", 1)
    type_text("correct horse" if is_right else "wrong horse")
    press("Sign in")
    if not is_right:
        until("it says that it was wrong", lambda: find("Wrong name or password."))


def pay(_press, _is_right):
    subprocess.run(gatectl("entitlements", "add", "extras", "--device"), check=True, capture_output=True)


ANSWERS = {
    "parent-given-name": "Anna", "parent-family-name": "Meier", "parent-birth-date": "1980-05-17", "parent-relation": "mother",
    "parent-email": "anna@example.org", "residence": "eea", "child-given-name": "Tim", "child-birth-date": "2016-03-02",
    "consent-collection": "consent", "confirmed": "confirmed", "signed-by": "Anna Meier", "signed-on": "2026-11-02",
}


def consent(press, is_right):
    """Another client fills in the form, and a person turns the pages and completes it, which is impossible while an
    answer is missing."""
    for path, answer in ANSWERS.items() if is_right else ():
        subprocess.run(gatectl("form", "set", "consent", path, answer), check=True, capture_output=True)
    while until("the page can be left", lambda: is_ready(button("Next")) or button("Complete")) is True:
        press("Next")
    if is_right:
        press("Complete")
        return
    until("it says what is missing", lambda: any(said("This has to be answered.") in text for text in labels()))
    time.sleep(1.5)
    if is_ready(button("Complete")):
        raise Failure("a form can be completed while something is missing")


def go_on(press, _is_right):
    # The first button below the window's title bar. The notes say what is written on it.
    press(until("there are buttons", lambda: [node.get_name() for node in everything() if node.get_role() == Atspi.Role.PUSH_BUTTON][1]))


class Authenticator:
    """Set up again for each question, since a code is valid only once."""

    newest = None

    def __init__(self):
        Authenticator.newest = self
        enrolment = subprocess.Popen(gatectl("totp", "enrol", "--stdin"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.key = base64.b32decode(parse_qs(urlparse(enrolment.stdout.readline().strip()).query)["secret"][0])
        # Setting it up uses its code, so the code of the next half minute is used, which is valid, too.
        self.step = int(time.time()) // 30
        enrolment.communicate(f"{self.code(self.step)}\n")
        if enrolment.returncode != 0:
            raise Failure("the authenticator is not set up")

    def code(self, step):
        digest = hmac.digest(self.key, struct.pack(">Q", step), "sha1")
        start = digest[-1] & 15
        return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7fffffff) % 1_000_000:06}"

    def next_code(self, is_right):
        code = self.code(self.step + 1)
        return code if is_right else f"{(int(code) + 1) % 1_000_000:06}"


def code_asked():
    Authenticator()
    return Asker("coded")


def news():
    subprocess.run(gatectl("whatsnew", "reset"), check=True, capture_output=True)
    return Asker.of("whatsnew", "show", "org.example.draw", "1.2.0")


def signed_out():
    subprocess.run(gatectl("logout"), check=False, capture_output=True)
    return Asker("signed-in")


def unpaid():
    for claim in listed("entitlements", "claims")["claims"]:
        subprocess.run(gatectl("entitlements", "revoke", "manual", claim["name"]), check=True, capture_output=True)
    return Asker("extras")


def without_consent():
    for response in listed("form", "responses", "consent")["responses"]:
        subprocess.run(gatectl("form", "withdraw", response["id"]), check=False, capture_output=True)
    subprocess.run(gatectl("form", "discard", "consent"), check=False, capture_output=True)
    return Asker("consented")


def listed(*words):
    return json.loads(subprocess.run(gatectl(*words, "--json"), capture_output=True, text=True, check=True).stdout)


class Cover:
    """The sign-in cover over the whole monitor, which the policy requires and no program asks for."""

    def __init__(self):
        subprocess.run(gatectl("logout"), check=False, capture_output=True)
        set_policy("sign-in: {required: false}", "sign-in: {required: true}")

    def ends(self, what, status):
        until(f"{what}: the cover goes", no_window)
        set_policy()
        # If somebody is signed in, nobody is asked.
        if status == 0:
            Asker("signed-in").ends(what, 0)
        else:
            print(f"passed: {what}", flush=True)


class Kind:
    """How a kind of question is asked, and how it is answered correctly and wrongly with a way to press. Also the
    exit status of the program that asks after a wrong answer (None: no answer is wrong) and after a dismissal
    (None: it can't be dismissed), and whether its time limit is a matter of seconds."""

    def __init__(self, ask, answer, wrong=1, dismissed=3, expires=True):
        self.ask, self.answer, self.wrong, self.dismissed, self.expires = ask, answer, wrong, dismissed, expires


ASKED = {
    "a sum": Kind(lambda: Asker("link.open"), lambda press, is_right: press(choice(typed_result(), is_right))),
    "a sum over the whole monitor": Kind(lambda: Asker("covered"), lambda press, is_right: press(choice(typed_result(), is_right))),
    "a typed sum": Kind(lambda: Asker("typed"), lambda press, is_right: enter(press, str(int(typed_result()) + (not is_right)))),
    "shapes": Kind(lambda: Asker("shapes"), lambda press, is_right: press(choice(corners()[1], is_right))),
    "a quiz": Kind(lambda: Asker("quiz"), lambda press, is_right: press(quiz_answers()[0 if is_right else 1])),
    "a permission": Kind(lambda: Asker("confirm"), permit),
    "a date of birth": Kind(lambda: Asker("birthdate"), be_born),
    "a passcode": Kind(lambda: Asker("buy"), lambda press, is_right: enter(press, "2468" if is_right else "1357")),
    "a code": Kind(code_asked, lambda press, is_right: enter(press, Authenticator.newest.next_code(is_right))),
    "a hold": Kind(lambda: Asker("hold"), hold),
    "a swipe": Kind(lambda: Asker("swipe"), swipe),
    # The time limit of these is a matter of minutes.
    "a sign-in": Kind(signed_out, sign_in, wrong=3, expires=False),
    "a sign-in over the whole monitor": Kind(Cover, sign_in, wrong=None, dismissed=None, expires=False),
    "a paywall": Kind(unpaid, pay, wrong=None, expires=False),
    "a form": Kind(without_consent, consent, wrong=3, expires=False),
    "what's new": Kind(news, go_on, wrong=None, dismissed=0, expires=False),
}
WAYS_TO_PRESS = {"by keyboard alone": by_key, "by pointer alone": by_pointer}


def asked(kind, press=by_pointer):
    """Checks that the question is shown and accepts answers. Takes the first step of a secret, and after a question
    that was closed by itself."""
    asker = kind.ask()
    until("a person can see it", lambda: is_ready(button("Not now")) or is_ready(button(OPENING)))
    if button(OPENING) is not None:
        press(OPENING)
        until("it is open", lambda: button(OPENING) is None)
    return asker


def answered(name, kind):
    # A question that is paid for closes without a press.
    for words, press in WAYS_TO_PRESS.items() if kind.answer is not pay else [("paid for", by_pointer)]:
        asker = asked(kind, press)
        kind.answer(press, True)
        asker.ends(f"{name}, right, {words}", 0)


def answered_wrong(name, kind):
    for words, press in WAYS_TO_PRESS.items() if kind.wrong is not None else ():
        asker = asked(kind, press)
        kind.answer(press, False)
        # A question that stays open is dismissed.
        if kind.wrong == kind.dismissed:
            press("Not now")
        asker.ends(f"{name}, wrong, {words}", kind.wrong)


def dismissed(name, kind):
    for words, press in WAYS_TO_PRESS.items() if kind.dismissed is not None else ():
        asker = kind.ask()
        press("Not now")
        asker.ends(f"{name}, dismissed, {words}", kind.dismissed)


def withdrawn(name, kind):
    asker = asked(kind)
    number = listed("call", "gate.v1.Presentations/ListPresentations")["presentations"][0]["id"]
    subprocess.run(gatectl("call", "gate.v1.Presentations/Withdraw", json.dumps({"id": number})), check=True, capture_output=True)
    asker.ends(f"{name}, withdrawn", 75)


def expired(name, kind):
    if kind.expires:
        asked(kind).ends(f"{name}, whose time is over", 124)


def played(name, **presenter):
    """Plays everything in one language, on a device of its own."""
    def scenario():
        print(f"-- each kind in each way: {name}", flush=True)
        Presenter.newest.end()
        new_device("2468")
        register("anna", "correct horse")
        Presenter(**presenter)
        until("the presenter is there", Presenter.newest.is_registered)
        for way in (answered, answered_wrong, dismissed, withdrawn, expired):
            if way is expired:
                set_policy("answer-time: 20s", "answer-time: 6s")
            for kind in ASKED:
                way(kind, ASKED[kind])
        set_policy()
    scenario.__name__ = name
    return scenario


# GATE_ONLY=de: only in German.
MATRIX = [*(played(language, locale=locale) for language, locale in LANGUAGES.items()), played("right-to-left", LANGUAGE="ar")]
