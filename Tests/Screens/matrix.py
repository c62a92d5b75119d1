"""Each kind of question by each way to end it: by keyboard alone, by pointer, dismissed, withdrawn, expired. Run by `Tests/Screens/run --all`."""
import json
import re
import subprocess
import time

from device import Asker, gatectl
from kinds import CORNERS, OPENING, named, typed_result
from screen import Atspi, button, everything, find, has_keyboard, is_ready, keys, middle_of, pointer, tab_to, type_text, until


def by_key(name):
    until(f"'{name}' can be pressed", lambda: is_ready(button(name)))
    tab_to(name, lambda: [button(name)])
    keys("space")
    time.sleep(0.3)


def by_pointer(name):
    until(f"'{name}' can be pressed", lambda: is_ready(button(name)))
    pointer("mousemove", *middle_of(button(name)), "click", 1)
    time.sleep(0.3)


def corners():
    name = named(r"(?:[a-z]+(?:, | [+−] )?)+ = \?").get_name()
    sides = [sum(CORNERS[word] for word in side.split(", ")) for side in re.split(r" [+−] ", name.removesuffix(" = ?"))]
    return str(sides[0] + (sides[1] if "+" in name else -sides[1]) if len(sides) > 1 else sides[0])


def quiz_answer():
    with open("examples/device/questions.d/general.yaml", encoding="utf-8") as file:
        right = set(re.findall(r'right: "([^"]*)"', file.read()))
    return until("there is a quiz", lambda: next(
        (node.get_name() for node in everything() if node.get_role() == Atspi.Role.PUSH_BUTTON and node.get_name() in right), None))


def sum_with(press):
    press(typed_result())


def typed_with(press):
    result = typed_result()
    if press is by_key:
        until("it takes an answer", lambda: is_ready(button("OK")))
        type_text(result)
        keys("Return")
    else:
        for digit in result:
            press(digit)
        press("OK")


def confirmed_with(press):
    press("Yes…")
    press("Yes, allow it")


def secret_with(press):
    press(OPENING)
    until("it is open", lambda: button(OPENING) is None)
    if press is by_key:
        until("it takes an answer", lambda: is_ready(button("OK")))
        type_text("2468")
        keys("Return")
    else:
        for digit in "2468":
            press(digit)
        press("OK")


def born_with(press):
    until("it takes an answer", lambda: is_ready(button("OK")))
    wheel = until("there is a wheel", lambda: find("Year", Atspi.Role.SPIN_BUTTON))
    if press is by_key:
        tab_to("Year", lambda: [find("Year", Atspi.Role.SPIN_BUTTON)], presses=20)
        keys(*["Down"] * 30)
    else:
        pointer("mousemove", *middle_of(wheel), "click", "--repeat", 40, "--delay", 30, 5)
    until("the year is another", lambda: Atspi.Value.get_current_value(find("Year", Atspi.Role.SPIN_BUTTON).get_value_iface()) < 2006)
    press("OK")


def held_with(press):
    node = named("Press, wait .*", Atspi.Role.PUSH_BUTTON)
    until("it takes an answer", lambda: is_ready(node))
    if press is by_key:
        until("the window has the keyboard", has_keyboard)
        pointer("keydown", "space", "sleep", 1.4, "keyup", "space")
    else:
        pointer("mousemove", *middle_of(node), "mousedown", 1, "sleep", 1.4, "mouseup", 1)


def swiped_with(press):
    node = named(r"Swipe (left|right|up|down) with (\d+) fingers?\. .*")
    direction, count = re.match(r"Swipe (\w+) with (\d+)", node.get_name()).groups()
    until("it takes an answer", lambda: is_ready(button("OK")))
    across = {"left": (-60, 0), "right": (60, 0), "up": (0, -60), "down": (0, 60)}[direction]
    for _ in range(int(count)):
        if press is by_key:
            keys(direction.capitalize())
        else:
            pointer("mousemove", *middle_of(node), "mousedown", 1, "sleep", 0.1, "mousemove_relative", "--", *across, "sleep", 0.1, "mouseup", 1)
    press("OK")


def signed_in_with(press):
    press(OPENING)
    until("it is open", lambda: button(OPENING) is None and is_ready(button("Not now")))
    if press is by_key:
        type_text("anna")
        keys("Tab")
    else:
        pointer("mousemove", *middle_of(field("Name:")), "click", 1)
        type_text("anna")
        pointer("mousemove", *middle_of(field("Password:")), "click", 1)
    type_text("correct horse")
    press("Log in")


def field(name):
    return until(f"the field {name}", lambda: next(
        (node for node in everything() if node.get_name() == name and node.get_role() in (Atspi.Role.TEXT, Atspi.Role.PASSWORD_TEXT)), None))


def news():
    subprocess.run(gatectl("whatsnew", "reset"), check=True, capture_output=True)
    return Asker.of("whatsnew", "show", "org.example.draw", "1.2.0")


def signed_out():
    subprocess.run(gatectl("logout"), check=False, capture_output=True)
    return Asker("signed-in")


class Kind:
    """How it is asked, how it is answered right by some way to press (None: the state alone does), and whether its time is over soon."""

    def __init__(self, ask, answer=None, expires=True):
        self.ask, self.answer, self.expires = ask, answer, expires


ASKED = {
    "a sum": Kind(lambda: Asker("link.open"), sum_with),
    "a typed sum": Kind(lambda: Asker("typed"), typed_with),
    "shapes": Kind(lambda: Asker("shapes"), lambda press: press(corners())),
    "a quiz": Kind(lambda: Asker("quiz"), lambda press: press(quiz_answer())),
    "a permission": Kind(lambda: Asker("confirm"), confirmed_with),
    "a date of birth": Kind(lambda: Asker("birthdate"), born_with),
    "a passcode": Kind(lambda: Asker("buy"), secret_with),
    "a hold": Kind(lambda: Asker("hold"), held_with),
    "a swipe": Kind(lambda: Asker("swipe"), swiped_with),
    # The time of these is minutes.
    "a paywall": Kind(lambda: Asker("extras"), expires=False),
    "a sign-in": Kind(signed_out, signed_in_with, expires=False),
    "what's new": Kind(news, lambda press: press("Continue"), expires=False),
}


def is_shown():
    return until("a person can see it", lambda: button("Not now") or button(OPENING))


def ready_again():
    """A question after one that went by itself has to be opened: the next of the matrix begins as if there was none."""
    asker = Asker("link.open")
    is_shown()
    if button(OPENING) is not None:
        by_pointer(OPENING)
        until("it is open", lambda: button(OPENING) is None)
    by_pointer("Not now")
    asker.ends("a question in between", 3)


def each(way):
    def scenario():
        for name, kind in ASKED.items():
            way(name, kind)
    scenario.__name__ = way.__name__
    return scenario


def answered(name, kind):
    if kind.answer is None:
        return
    for press, words in [(by_key, "by keyboard alone"), (by_pointer, "by pointer alone")]:
        asker = kind.ask()
        kind.answer(press)
        asker.ends(f"{name}, {words}", 0)


def dismissed(name, kind):
    asker = kind.ask()
    by_key("Not now")
    asker.ends(f"{name}, dismissed by keyboard", 0 if name == "what's new" else 3)
    asker = kind.ask()
    by_pointer("Not now")
    asker.ends(f"{name}, dismissed by pointer", 0 if name == "what's new" else 3)


def withdrawn(name, kind):
    asker = kind.ask()
    is_shown()
    listed = json.loads(subprocess.run(
        gatectl("call", "gate.v1.Presentations/ListPresentations"), capture_output=True, text=True, check=True).stdout)
    number = listed["presentations"][0]["id"]
    subprocess.run(gatectl("call", "gate.v1.Presentations/Withdraw", json.dumps({"id": number})), check=True, capture_output=True)
    asker.ends(f"{name}, withdrawn", 75)
    ready_again()


def expired(name, kind):
    if not kind.expires:
        return
    asker = kind.ask()
    is_shown()
    asker.ends(f"{name}, whose time is over", 124)
    ready_again()


MATRIX = [each(answered), each(dismissed), each(withdrawn), each(expired)]
