"""Each look that a desktop may have: nothing is cut off, and every control is as large as a finger."""
import os
import re
import subprocess
import time

from afresh import begin_afresh
from device import LANGUAGES, Asker, Presenter
from kinds import PASSCODE, opened, set_passcode
from screen import WORK, Atspi, Failure, button, everything, find, is_ready, keys, labels, middle_of, picture, pointer, press, text_of, type_text, until, window
from sums import choices, the_sum
from targets import FINGER, bring, controls, is_large_enough, place

LOOKS = {
    "right-to-left": {"LANGUAGE": "ar"},
    "200-percent": {},
    "high-contrast": {"ADW_DEBUG_HIGH_CONTRAST": "1"},
    "dark": {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"},
}
# The margin at the bottom of a window: 24, or 12 if there is little room.
MARGIN = 12
LONG = "https://example.org/" + "long/" * 30


def fits(look, count):
    """Checks that everything is within the window or can be scrolled into it, and that at least `count` controls are
    large enough."""
    whole, found = place(window()), controls()
    if whole.width > 1024 or whole.height > 768:
        raise Failure(f"{look}: the window is {whole.width} by {whole.height}")
    if len(found) < count:
        raise Failure(f"{look}: {len(found)} controls are there, not {count}")
    for node in [*(node for node in everything() if node.get_role() == Atspi.Role.LABEL), *found]:
        there = place(node)
        if (there.x < 0 or there.x + there.width > whole.width):
            raise Failure(f"{look}: '{node.get_name() or text_of(node)}' is cut off, at {there.x}, {there.width} wide, in {whole.width}")
    for node in found:
        bring(node)
        if not is_large_enough(node):
            there = place(node)
            raise Failure(f"{look}: '{node.get_name()}' is smaller than a finger: inside {there.width} by {there.height}, at {there.x}, {there.y}")
    dismissal = place(button("Not now"))
    if (dismissal.x > whole.width / 2) != look.startswith("right-to-left"):
        raise Failure(f"{look}: 'Not now' is at {dismissal.x} of {whole.width}")


def looks():
    """A screen of each form, in each look. A sum is read from left to right in every language."""
    set_passcode("2468")
    begin_afresh()
    for look in LOOKS:
        wear(look)
        # The dark look differs only in its colours.
        for screen in SCREENS[:2] if look == "dark" else SCREENS:
            screen(look)
    wear("plain")
    for length in range(1, 6):
        in_one_piece(f"lines.{length}")
    # No question needs more than a monitor of 768 lines, even in the language with the longest words.
    Presenter.newest.end()
    Presenter("ru_RU.UTF-8")
    until("the presenter is there", Presenter.newest.is_registered)
    for action in ("link.open", "typed", "shapes", "quiz", "confirm", "birthdate", "hold", "swipe", "premium"):
        in_one_piece(action)
    for language, locale in LANGUAGES.items():
        above_the_keyboard(language, locale)
    Presenter.newest.end()
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)


def above_the_keyboard(language, locale):
    """On Gate's own screen, a sign-in and its help end above the keyboard, in a language with long words or tall lines, too."""
    word = os.path.join(WORK, "word")
    with open(word, "w", encoding="utf-8") as file:
        file.write("blue hedgehog\n")
    os.chmod(word, 0o600)
    Presenter.newest.end()
    Presenter(locale, ("--screen-of-its-own", "--all-questions", "--word-file", word))
    until("the presenter is there", Presenter.newest.is_registered)
    asker = Asker("signed-in")
    # Nothing else is on this screen, so there is no first act.
    ready()
    picture(f"sign-in-above-keyboard-{language}")
    end, keyboard = place(button("Not now")), place(button("1"))
    if end.y + end.height > keyboard.y:
        raise Failure(f"{language}: 'Not now' ends at {end.y + end.height}, and the keyboard begins at {keyboard.y}")
    dismissed(asker, f"a sign-in above the keyboard, {language}")


def wear(look):
    """Replaces the presenter by one with this look."""
    dots = 192 if look == "200-percent" else 96
    subprocess.run(
        ["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", f"Xft.dpi: {dots}\n"], check=True)
    Presenter.newest.end()
    Presenter(**LOOKS.get(look, {}))
    until("the presenter is there", Presenter.newest.is_registered)


def ready():
    until("it takes an answer", lambda: is_ready(button("Not now")))


def dismissed(asker, what):
    press("Not now")
    asker.ends(what, 3)


def a_sum(look):
    asker = Asker("link.open", "--details", LONG)
    right = the_sum()
    ready()
    picture(f"sum-{look}")
    fits(f"{look}, a sum", 5)
    numbers = [place(node).x for node in everything() if node.get_role() == Atspi.Role.LABEL and is_part_of_sum(node)]
    if numbers != sorted(numbers):
        raise Failure(f"{look}: the sum is not read from the left: {numbers}")
    order = [place(button(choice)).x for choice in choices()]
    if (order != sorted(order)) != (look == "right-to-left"):
        raise Failure(f"{look}: the choices stand at {order}")
    press(str(right))
    asker.ends(f"a sum, {look}", 0)


def is_part_of_sum(node):
    return re.fullmatch(r"\d+ [+−×÷] \d+ = \?", node.get_parent().get_name() or "") is not None


def a_passcode(look):
    asker = Asker("buy")
    opened()
    type_text("2468")
    picture(f"passcode-{look}")
    # The field, twelve keys, and "Not now".
    fits(f"{look}, a passcode", 14)
    if place(find(PASSCODE, Atspi.Role.TEXT)).height < FINGER:
        raise Failure(f"{look}: the field of a secret is too low")
    keys("Return")
    asker.ends(f"a passcode, {look}", 0)


def a_quiz(look):
    asker = Asker("quiz", "--details", LONG)
    ready()
    picture(f"quiz-{look}")
    fits(f"{look}, a quiz", 5)
    dismissed(asker, f"a quiz, {look}")


def a_birthdate(look):
    asker = Asker("birthdate", "--details", LONG)
    ready()
    picture(f"birthdate-{look}")
    fits(f"{look}, a date of birth", 7)
    dismissed(asker, f"a date of birth, {look}")


def a_sign_in(look):
    asker = Asker("signed-in")
    opened()
    # The button is enabled only when both fields are filled in.
    type_text("anna")
    keys("Tab")
    type_text("kitten")
    until("it can be sent", lambda: is_ready(button("Sign in")))
    picture(f"sign-in-{look}")
    fits(f"{look}, a sign-in", 4)
    dismissed(asker, f"a sign-in, {look}")


def a_paywall(look):
    asker = Asker("premium", "--details", LONG)
    ready()
    picture(f"paywall-{look}")
    fits(f"{look}, a paywall", 4)
    dismissed(asker, f"a paywall, {look}")


def a_form(look):
    asker = Asker("consented")
    until("it can be filled in", lambda: is_ready(button("Next")))
    press("Next")
    until("the page with fields is there", lambda: "1 Who you are" in labels())
    picture(f"form-{look}")
    # A line, a date with its calendar, eight choices, two fields, and the buttons to other pages.
    fits(f"{look}, a form", 16)
    unfolds(look)
    dismissed(asker, f"a form, {look}")


def unfolds(look):
    """A date can be chosen in a few presses, within its limits, and all buttons for it are as large as a finger."""
    field = until("there is a date", lambda: find("Date of birth (required)", Atspi.Role.TEXT))
    calendar = button("Calendar Date of birth")
    bring(calendar)
    pointer("mousemove", *middle_of(calendar), "click", 1)
    for step, name in [("year", "1984"), ("month", "May"), ("day", "15")]:
        if step == "year":
            # In the first look nothing is answered yet. Afterwards the draft has the date, so its years are shown at
            # once.
            until("the calendar unfolds", lambda: button("2008") or button("1984"))
            if not button("1984"):
                if not is_ready(button("2008")) or is_ready(button("2010")):
                    raise Failure("the calendar offers a year outside of the limits, or not the last one within")
                press("Earlier")
        choice = until(f"the {step}s are there", lambda: (node := button(name)) and place(node).width > 0 and node)
        time.sleep(0.5)
        picture(f"calendar-{step}-{look}")
        if min(place(choice).width, place(choice).height) < FINGER:
            raise Failure(f"{look}: a {step} of the calendar is {place(choice).width} by {place(choice).height}")
        press(name)
    until("the date is chosen", lambda: text_of(field) == "1984-05-15")


SCREENS = [a_sum, a_passcode, a_quiz, a_birthdate, a_sign_in, a_paywall, a_form]


def in_one_piece(action):
    """Checks that the whole question is visible at once, with "Not now" at the end and the margin below it."""
    asker = Asker(action, "--details", LONG)
    ready()
    picture(f"fits-{action}")
    end, whole = place(button("Not now")), place(window())
    if whole.height > 768 or end.y + end.height + MARGIN > whole.height:
        raise Failure(f"{action} has 'Not now' at {end.y}, in a window of {whole.height}")
    dismissed(asker, f"{action} fits on a monitor of 768 lines")
