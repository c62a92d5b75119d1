"""Every kind of question except sums with three choices: answered correctly and wrongly, with pointer, keyboard and
screen reader."""
import json
import os
import re
import subprocess
import time

import pages
from device import USER, Asker, gatectl, register, report_offers, set_passcode
from eavesdropper import Eavesdropper
from screen import (
    Atspi, WORK, Failure, button, everything, find, has_keyboard, is_ready, keys, labels, look_at_questions, middle_of, no_window, pattern, picture,
    pointer, press, said, said_of, tab_to, text_of, tree_text, type_text, until,
)

OPENING = "I have read it"
PASSCODE = "Enter the passcode"
# The colour that a sign-in's title bar has in common with the theme's most important buttons.
ACCENT = "#3584E4"
CORNERS = {"circle": 0, "triangle": 3, "square": 4, "pentagon": 5, "hexagon": 6}


def named(pattern, role=None):
    return until(f"'{pattern}' is there", lambda: next(
        (node for node in everything() if re.fullmatch(pattern, node.get_name() or "") and role in (None, node.get_role())), None))


def show(name, *words):
    """Shows the tree and the picture of the screen, once it accepts answers, and checks that a screen reader says
    who asks, for what, and then these words."""
    time.sleep(1.1)
    print(f"-- {name}\n{tree_text()}")
    hears(*words)
    picture(name)


def hears(*words):
    """Checks that the title, the requester, the question and each choice are in the tree once, in this order, and
    can be read aloud."""
    heard = [text_of(node) or node.get_name() or "" for node in everything()]
    askers = [place for place, text in enumerate(heard) if re.fullmatch(rf"Asked by (root|{re.escape(USER)})\.", text)]
    titles = [place for place, text in enumerate(heard) if text in TITLES]
    if len(askers) != 1 or not titles or titles[0] > askers[0]:
        raise Failure(f"a screen reader does not hear for what and who asks, once: {heard}")
    rest = heard[askers[0] + 1:]
    for word in [*words, "Not now"]:
        place = next((index for index, text in enumerate(rest) if re.fullmatch(word, text)), None)
        if place is None:
            raise Failure(f"a screen reader does not hear '{word}', or too early: {heard}")
        # The label inside a button has the same words.
        rest = rest[place:]


with open("Tests/Screens/policy.yaml", encoding="utf-8") as policy:
    TITLES = set(re.findall(r"title: ([^,}]+)", policy.read())) | {"Gate"}


def opened():
    """Checks that a question of two steps shows no field before the first step, and takes it."""
    until("it can be opened", lambda: is_ready(button(OPENING)))
    press(OPENING)
    until("it is open", lambda: button(OPENING) is None)
    until("it takes an answer", lambda: is_ready(button("Not now")))


def typed_result():
    left, operator, right, *_ = named(r"\d+ [+−×÷] \d+ = \?").get_name().split()
    left, right = int(left), int(right)
    return str({"+": left + right, "−": left - right, "×": left * right, "÷": left // right}[operator])


def typed():
    asker = Asker("typed")
    result = typed_result()
    show("typed-sum", r"\d+ [+−×÷] \d+ = \?", "1", "9", "0", "OK")
    type_text(result)
    keys("Return")
    asker.ends("a typed sum, by keyboard", 0)
    asker = Asker("typed")
    result = typed_result()
    for digit in result:
        press(digit)
    press("OK")
    asker.ends("a typed sum, by its keypad", 0)
    asker = Asker("typed")
    result = typed_result()
    until("it takes an answer", lambda: is_ready(button("1")))
    if is_ready(button("OK")) or is_ready(button("Erase")):
        raise Failure("OK or Erase can be pressed though nothing was typed")
    keys("Return")
    until("it says that it was empty", lambda: "That was empty." in labels())
    type_text(result + "1")
    keys("BackSpace", "Return")
    asker.ends("an empty result is none, and a digit can be erased", 0)
    asker = Asker("typed")
    wrong = str(int(typed_result()) + 1)
    until("it takes an answer", lambda: is_ready(button("1")))
    type_text(wrong)
    keys("Return")
    asker.ends("a wrong typed sum", 1)


def corners():
    """The shapes as a screen reader reads them, and how many corners they have."""
    corners_of = {said(word): count for word, count in CORNERS.items()}
    word = f"(?:{'|'.join(map(re.escape, corners_of))})"
    name = named(rf"{word}(?:(?:, | [+−] ){word})* = \?").get_name()
    sides = [sum(corners_of[word] for word in side.split(", ")) for side in re.split(r" [+−] ", name.removesuffix(" = ?"))]
    return name, str(sides[0] + (sides[1] if "+" in name else -sides[1]) if len(sides) > 1 else sides[0])


def shapes():
    asker = Asker("shapes")
    name, right = corners()
    show("shapes", re.escape(name), *([r"\d+"] * 3))
    press(right)
    asker.ends("the right number of corners", 0)


def quiz_answers():
    """The right answer of the quiz on the screen, and a wrong one."""
    with open("examples/device/questions.d/general.yaml", encoding="utf-8") as file:
        answers = {question: choices for question, *choices in re.findall(
            r'question: "([^"]*)", right: "([^"]*)", wrong: \["([^"]*)"', file.read())}
    return until("there is a quiz", lambda: next((answers[text] for text in labels() if text in answers), None))


def quiz():
    asker = Asker("quiz")
    answer, _ = quiz_answers()
    show("quiz", r".+\?", r".+", r".+", r".+")
    press(answer)
    asker.ends("the right answer of a quiz", 0)


def confirm():
    asker = Asker("confirm")
    until("there are buttons", lambda: button("Allow…"))
    show("confirm", r"Allow this\?", "Don't allow", "Allow…")
    press("Allow…")
    until("it asks again", lambda: button("Allow"))
    if is_ready(button("Allow")):
        raise Failure("the second act of a yes can be done at once")
    show("confirm-sure", r"Really allow this\?", "Don't allow", "Allow")
    press("Allow")
    asker.ends("a yes in two acts", 0)
    asker = Asker("confirm")
    press("Don't allow")
    asker.ends("a no in one act", 1)


def set_wheel(name, number):
    node = until(f"the wheel {name}", lambda: find(name, Atspi.Role.SPIN_BUTTON))
    Atspi.Value.set_current_value(node.get_value_iface(), number)


def birthdate():
    for action, year in [("birthdate", 1980), ("birthdate.minguo", 69)]:
        asker = Asker(action)
        until("it takes an answer", lambda: is_ready(button("OK")))
        show(action, r"When were you born.*\?", "OK")
        for wheel in ["Year", "Month", "Day"]:
            until(f"a screen reader finds {wheel}", lambda: find(wheel, Atspi.Role.SPIN_BUTTON))
        for name, number in [("Year", year), ("Month", 5), ("Day", 1)]:
            set_wheel(name, number)
        press("OK")
        asker.ends(f"{action} of a grown-up", 0)
    asker = Asker("birthdate")
    until("it takes an answer", lambda: is_ready(button("10 years earlier")))
    for _ in range(4):
        press("10 years earlier")
    press("OK")
    asker.ends("a date of birth of a grown-up, in five presses", 0)
    asker = Asker("birthdate")
    press("OK")
    asker.ends("a date of birth of this year", 1)


def passcode():
    secret = "83917264"
    set_passcode(secret)
    asker = Asker("buy")
    until("it can be opened", lambda: button(OPENING))
    show("passcode-closed", OPENING)
    if any(find(PASSCODE, role) is not None for role in (Atspi.Role.TEXT, Atspi.Role.PASSWORD_TEXT)):
        raise Failure("a passcode can be typed before the first act")
    opened()
    show("passcode", re.escape(PASSCODE), "1", "9", "0", "OK")
    eavesdropper = Eavesdropper()
    type_text(secret[:4])
    eavesdropper.learns_nothing(secret[:4], PASSCODE)
    picture("passcode-half")
    for digit in secret[4:6]:
        press(digit)
    for digit in secret[6:]:
        pointer("mousemove", *middle_of(button(digit)), "click", 1)
    eavesdropper.learns_nothing(secret, PASSCODE)
    # The keyboard focus never moves to a digit, since everybody could see the focus.
    keys(*["Tab"] * 20)
    eavesdropper.learns_nothing(secret, PASSCODE)
    tab_to(PASSCODE, lambda: [find(PASSCODE, Atspi.Role.TEXT)], presses=20)
    keys("ctrl+a", "ctrl+c", "ctrl+x", "ctrl+v")
    eavesdropper.learns_nothing(secret, PASSCODE)
    eavesdropper.ends()
    keys("End", "Return")
    asker.ends("the right passcode, by keys and keypad, which no other program reads and nothing copies", 0)
    set_passcode("2468")
    asker = Asker("buy")
    opened()
    type_text("9" * 40)
    until("a long one stands in the field", lambda: find(PASSCODE, Atspi.Role.TEXT).get_description() == "40 characters typed")
    picture("passcode-long")
    keys("Caps_Lock")
    until("it says that Caps Lock is on", lambda: find("Caps Lock is on"))
    picture("passcode-caps-lock")
    keys("Caps_Lock")
    until("it says so no longer", lambda: find("Caps Lock is on") is None)
    keys("ctrl+u")
    type_text("2467")
    keys("BackSpace", "8", "KP_Enter")
    asker.ends("a passcode whose mistakes were erased", 0)
    asker = Asker("buy")
    opened()
    type_text("1357")
    press("OK")
    asker.ends("a wrong passcode", 1)
    set_passcode("Зоё é4!")
    asker = Asker("buy")
    opened()
    type_text("Зоё ")
    keys("dead_acute", "e")
    type_text("4!")
    keys("Return")
    asker.ends("a passcode of any letters, with an accent of two keys", 0)
    set_passcode("2468")


def held():
    """The button to hold, once it can be held."""
    node = named(pattern("Press and hold for {duration}, then release."), Atspi.Role.PUSH_BUTTON)
    until("it takes an answer", lambda: is_ready(node))
    return node


def hold():
    asker = Asker("hold")
    node = held()
    show("hold", r"Press and hold .*")
    pointer("mousemove", *middle_of(node), "mousedown", 1)
    time.sleep(0.6)
    picture("hold-pressed")
    time.sleep(0.8)
    pointer("mouseup", 1)
    asker.ends("a hold with the pointer", 0)
    asker = Asker("hold")
    node = held()
    until("the window has the keyboard", has_keyboard)
    pointer("keydown", "space", "sleep", 1.4, "keyup", "space")
    asker.ends("a hold with the space bar", 0)
    asker = Asker("hold")
    node = held()
    for _ in range(2):
        Atspi.Action.do_action(node.get_action_iface(), 0)
        time.sleep(1.3)
    asker.ends("a hold of a screen reader, with a press at each end", 0)
    asker = Asker("hold")
    node = held()
    pointer("mousemove", *middle_of(node), "mousedown", 1, "sleep", 0.3, "mouseup", 1)
    asker.ends("a hold that is too short", 1)


ACROSS = {"left": (-60, 0), "right": (60, 0), "up": (0, -60), "down": (0, 60)}


def wanted_swipe():
    """Where to swipe, in which direction, and with how many fingers, once the question accepts answers."""
    gestures = {said_of(f"Swipe {direction} with {{count}} finger.", f"Swipe {direction} with {{count}} fingers.", count).format(count=count): (
        direction, count) for direction in ACROSS for count in range(1, 10)}
    found = until("there is a swipe", lambda: next(((node, *gestures[words]) for node in everything() for words in gestures if (
        node.get_name() or "").startswith(f"{words} ")), None))
    until("it takes an answer", lambda: is_ready(found[0]))
    if is_ready(button("OK")):
        raise Failure("a swipe can be finished before it has begun")
    return found


def stroke(node, direction, count, by_key):
    for _ in range(count):
        if by_key:
            keys(direction.capitalize())
        else:
            pointer(
                "mousemove", *middle_of(node), "mousedown", 1, "sleep", 0.1, "mousemove_relative", "--", *ACROSS[direction], "sleep", 0.1,
                "mouseup", 1)


def swipe():
    for way in ["keys", "mouse"]:
        asker = Asker("swipe")
        node, direction, count = wanted_swipe()
        show(f"swipe-{way}", re.escape(node.get_name()), "OK")
        stroke(node, direction, count, way == "keys")
        press("OK")
        asker.ends(f"a swipe with the {way}", 0)


def header_colour():
    """The colour of the window's title bar, left of its title."""
    def told(*words):
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    number = told("xdotool", "search", "--onlyvisible", "--name", "^Gate$")[0]
    return told("import", "-window", number, "-crop", "1x1+40+20", "-depth", "8", "txt:-")[-2]


def sign_in():
    register("anna", "correct horse")
    asker = Asker("confirm")
    until("it can be dismissed", lambda: is_ready(button("Not now")))
    other = header_colour()
    press("Not now")
    asker.ends("a question whose title bar has the theme's colour", 3)
    asker = Asker("signed-in")
    opened()
    if (colour := header_colour()) != ACCENT or other == ACCENT:
        raise Failure(f"the title bar of a sign-in is {colour}, and of another question {other}")
    press("Add a person")
    pages.look_here()
    until("the page of people opens beside it", lambda: pages.heading() == "People")
    keys("alt+F4")
    until("the page goes", no_window)
    look_at_questions()
    press("Not now")
    asker.ends("a sign-in whose title bar has a colour of its own, and whose button opens the page of people (K-14)", 3)
    asker = Asker("signed-in")
    opened()
    show("sign-in", r"Who are you\?", "Name:", "Password:", "Sign in", "Add a person")
    if is_ready(button("Sign in")):
        raise Failure("the button of a sign-in can be pressed while the fields are empty")
    type_text("anna")
    keys("Tab")
    type_text("wrong horse")
    keys("Return")
    until("it says that it was wrong", lambda: "Wrong name or password." in labels())
    show("sign-in-wrong", r"Who are you\?", "Name:", "Password:", "Sign in", "Add a person")
    eavesdropper = Eavesdropper()
    type_text("correct h")
    eavesdropper.learns_nothing("correct h", "Password:")
    type_text("orse")
    eavesdropper.learns_nothing("correct horse", "Password:")
    eavesdropper.ends()
    press("Sign in")
    asker.ends("a sign-in whose second password is right", 0)


OFFERS = """{"offers": [
    {"product": "monthly", "titles": [{"language": "en", "text": "Every month"}], "period": "P1M", "price": "3.99 €",
     "url": "https://example.org/pay?product=monthly"},
    {"product": "forever", "priceMicros": "49000000", "currency": "EUR"}]}"""


def restores():
    """How often a person has asked to look for a payment on each paywall."""
    answer = subprocess.run(gatectl("call", "gate.v1.Presentations/ListPresentations"), capture_output=True, text=True, check=True).stdout
    return [summary["restoreCount"] for summary in json.loads(answer)["presentations"]]


def a_provider():
    """A program that stands for a provider: it watches paywalls."""
    provider = subprocess.Popen(gatectl("watch", "--topic", "presentations", "--json"), stdout=subprocess.PIPE, text=True)
    provider.stdout.readline()
    return provider


def paywall():
    asker = Asker("premium")
    until("there is a paywall without offers", lambda: "This closes by itself after the purchase." in labels())
    report_offers(OFFERS)
    until("the offers come while it is open", lambda: "Every month" in labels())
    if not {"3.99 € for 1 month", "https://example.org/pay?product=monthly", "forever", "49.00 EUR, once"} <= set(labels()):
        raise Failure(f"the offers are not there: {labels()}")
    until("there is a paywall", lambda: "This closes by itself after the purchase." in labels())
    show("paywall", "Premium", "Every month", "Open the page", "forever", "Restore purchase")
    press("Restore purchase")
    until("it says that nobody can look for it", lambda: any(label.startswith("No program on this device can ask a store") for label in labels()))
    provider = a_provider()
    press("Restore purchase")
    until("the payment is looked for", lambda: "Looking for your purchase… This closes by itself when it is found." in labels())
    if restores() != [1]:
        raise Failure(f"providers hear of a purchase to restore {restores()} times")
    press("Restore purchase")
    until("it is not looked for every second", lambda: "Looking for your purchase… This closes by itself when it is found." not in labels())
    if restores() != [1]:
        raise Failure("a purchase is restored twice in ten seconds")
    provider.kill()
    provider.wait()

    page = "https://example.org/pay?product=monthly"
    press("Open the page")
    until("the gate of links asks, for exactly this page", lambda: "Open a web page" in labels() and page in labels())
    if os.path.exists(os.path.join(WORK, "opened")):
        raise Failure("the page is open before its gate was passed")
    press(typed_result())
    asker.ends("a paywall goes when its page is opened", 3)
    opened_pages = until("the page is open", lambda: os.path.exists(os.path.join(WORK, "opened")) and open(
        os.path.join(WORK, "opened"), encoding="utf-8").read().split())
    if opened_pages != [page]:
        raise Failure(f"these pages are open: {opened_pages}")
    print("passed: the page to pay on, past the gate of links", flush=True)

    asker = Asker("premium")
    until("there is a paywall again", lambda: "This closes by itself after the purchase." in labels())
    subprocess.run(gatectl("entitlements", "add", "premium", "--device"), check=True, capture_output=True)
    asker.ends("a paywall goes when it is paid for", 0)


def notes():
    asker = Asker.of("whatsnew", "show", "org.example.draw", "1.2.0")
    until("there are notes", lambda: button("Continue"))
    show("whats-new", "Continue")
    press("Continue")
    asker.ends("what's new is put away", 0)


KINDS = [typed, shapes, quiz, confirm, birthdate, passcode, hold, swipe, sign_in, paywall, notes]
