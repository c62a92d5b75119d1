"""Takes a picture of each screen in each language, light and dark. Tests/Screens/run --pictures runs it, for
docs/screens."""
import os
import subprocess
import sys
import time

import ages
import asks
import screen
import pages
from apps_device import AppsDevice
from device import LANGUAGES, OFFERS, Asker, Presenter, gatectl, report_offers
from household import Household
from screen import Atspi, everything, is_ready, no_window, until

FOLDER = os.environ["GATE_PICTURES"]
# The words under each picture on the page that shows them all, in its order.
CAPTIONS = {
    "sum": "A sum", "typed-sum": "A sum whose result is typed", "shapes": "Shapes", "quiz": "A quiz", "confirm": "A permission",
    "birthdate": "A date of birth", "passcode": "A passcode", "hold": "A button that is held", "swipe": "A swipe",
    "cover": "A question over the whole monitor", "own-screen": "A passcode on Gate's own screen", "own-keyboard": "A sign-in on Gate's own screen",
    "sign-in": "A sign-in", "paywall": "A paywall", "form": "A form", "form-fields": "A form: fields", "form-overview": "A form: the overview",
    "whats-new": "What's new", "mark": "Parent mode, on a desktop without status icons", "settings-padlock": "Settings: the padlock",
    "settings-questions": "Settings: questions that wait", "settings-time": "Settings: the time that was used", "settings-apps": "Settings: apps",
    "settings-age": "Settings: age ranges", "settings-devices": "Settings: devices", "settings-gates": "Settings: gates",
    "settings-people": "Settings: people", "settings-purchases": "Settings: purchases",
    "settings-forms": "Settings: forms", "settings-wrong-answers": "Settings: wrong answers", "settings-journal": "Settings: the journal",
    "settings-passcode": "Settings: the passcode", "settings-rules": "Settings: rules",
    "settings-assistant": "Settings: the assistant that sets the device up",
}
NAMES = {"en": "English", "de": "Deutsch", "ru": "Русский", "zh_CN": "中文"}
SCREENS = {
    "sum": ("link.open", "--details", "https://example.org/"), "typed-sum": ("typed",), "shapes": ("shapes",), "quiz": ("quiz",),
    "confirm": ("confirm",), "birthdate": ("birthdate",), "passcode": ("buy", "--details", "12.99"), "hold": ("hold",),
    "swipe": ("swipe",), "sign-in": ("signed-in",), "paywall": ("premium",), "cover": ("covered",), "form": ("consented",),
    "form-fields": ("consented",), "form-overview": ("consented",),
}
# What is asked with another verb.
OTHERS = {"whats-new": ("whatsnew", "show", "org.example.draw", "1.2.0")}
# On a screen of its own: Gate has the whole monitor.
OWN_SCREEN = {"own-screen": SCREENS["passcode"], "own-keyboard": SCREENS["sign-in"]}
WORDS = {"en": "blue hedgehog", "de": "blauer Igel", "ru": "синий ёжик", "zh_CN": "蓝色刺猬"}
# How often the last button, which leads on, is pressed before the picture is taken.
PAGES = {"form": 1, "form-fields": 4, "form-overview": 7}


def picture(how, window, path):
    """Takes the newest such window, and makes the picture small enough for a page."""
    ids = subprocess.run(
        ["xdotool", "search", "--onlyvisible", how, window], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["import", "-window", ids[-1], "-resize", "75%", "+dither", "-colors", "64", "-strip", f"png8:{path}"], check=True)


def take(name, path, asker):
    until("there is a window", lambda: not no_window())
    time.sleep(1.3)
    buttons = [node for node in everything() if node.get_role() == Atspi.Role.PUSH_BUTTON and is_ready(node)]
    if name in ("passcode", "sign-in", *OWN_SCREEN):
        # The first of two steps.
        Atspi.Action.do_action(buttons[-2].get_action_iface(), 0)
        time.sleep(1.6)
    for _ in range(PAGES.get(name, 0)):
        # The button before the last one, which is "Not now".
        ready = [node for node in everything() if node.get_role() == Atspi.Role.PUSH_BUTTON and is_ready(node)]
        Atspi.Action.do_action(ready[-2].get_action_iface(), 0)
        time.sleep(0.6)
    picture("--name", "^Gate$", path)
    asker.process.kill()
    asker.process.wait()
    until("the window goes", no_window)


SETTINGS = {
    "padlock": 0, "questions": 1, "time": 2, "apps": 3, "age": 4, "devices": 5, "gates": 6, "people": 7, "purchases": 8, "forms": 9,
    "wrong-answers": 10, "journal": 11, "passcode": 12, "rules": 13,
}
APPS = os.path.join(screen.WORK, "copy")


def take_settings(language, locale, scheme):
    """The pages of gate-settings that have most to show."""
    window = pages.Settings(locale, (f"--apps-root={APPS}",), ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}")
    until("an administrator has all pages", lambda: len(pages.pages()) == len(pages.PAGES))
    for name, index in SETTINGS.items():
        pages.go_to(pages.pages()[index])
        time.sleep(0.6)
        picture("--class", "gate-settings", os.path.join(FOLDER, f"settings-{name}.{language}.{scheme}.png"))
        if name == "passcode":
            screen.speak(locale)
            pages.press(screen.said("Set up this device"))
            until("the assistant is there", lambda: pages.button(screen.said("Begin")))
            time.sleep(0.6)
            picture("--class", "gate-settings", os.path.join(FOLDER, f"settings-assistant.{language}.{scheme}.png"))
            pages.press(screen.said("Not now"))
    window.end()
    screen.look_at_questions()


def take_mark(language, locale, scheme):
    """The small window that is shown during parent mode."""
    Presenter(locale, ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}")
    until("the presenter is there", Presenter.newest.is_registered)
    subprocess.run(gatectl("override", "parent", "--for", "25m", "--reason", "homework is done"), check=True, capture_output=True)
    until("parent mode is seen", screen.mark_window)
    time.sleep(0.5)
    picture("--class", "gate-presenter", os.path.join(FOLDER, f"mark.{language}.{scheme}.png"))
    subprocess.run(gatectl("lock"), check=True, capture_output=True)
    until("the small window goes", lambda: screen.mark_window() is None)
    Presenter.newest.end()


def something_to_show():
    """Plays a day of a family, for the journal and its plot."""
    subprocess.run(gatectl("register", "anna", "--child", "2015-03-02", "--password-file", "/dev/stdin"), input="kitten42\n", text=True, check=True)
    for answer in ("7777", "7778"):
        subprocess.run(gatectl("authorize", "typed", "--stdin"), input=f"{answer}\n", text=True, capture_output=True, check=False)
    subprocess.run(gatectl("override", "parent", "--for", "1h", "--reason", "homework is done"), check=True, capture_output=True)
    time.sleep(1)
    subprocess.run(gatectl("lock"), check=True, capture_output=True)
    report_offers(OFFERS)
    # It takes a second user.
    if os.geteuid() == 0:
        asks.begin()
        asks.ask(asks.TUX)
        ages.something_to_show(asks.as_child)
    AppsDevice(APPS).add_package()
    household = Household()
    household.tablet.tool("override", "parent", "--for", "2h", "--reason", "homework is done")
    return household


def own_screen(language):
    """Options of a presenter that has the whole monitor, with its word."""
    path = os.path.join(screen.WORK, "word")
    with open(path, "w", encoding="utf-8") as file:
        file.write(WORDS[language] + "\n")
    os.chmod(path, 0o600)
    return "--screen-of-its-own", "--all-questions", "--word-file", path


def show():
    """Writes a page with all pictures, side by side."""
    lines = ["# Every screen, in every language", "",
             "For everybody who wants to see a question or a setting before it is on their screen. [screens.md](../screens.md) explains them.",
             "A game that asks first, warns and ends is on the page [Guarded apps](../guarded-apps.md#what-a-child-sees).",
             "`make screens` takes these pictures, and writes this page."]
    for name, caption in CAPTIONS.items():
        lines += ["", f"## {caption}", "", f"| | {' | '.join(NAMES.values())} |", f"|---|{'---|' * len(NAMES)}"]
        for scheme in ("light", "dark"):
            row = " | ".join(f"![{language}, {scheme}]({name}.{code}.{scheme}.png)" for code, language in NAMES.items())
            lines.append(f"| {scheme} | {row} |")
    with open(os.path.join(FOLDER, "README.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    subprocess.run(gatectl("passcode", "set", "--stdin"), input="2468\n", text=True, check=True, capture_output=True)
    household = something_to_show()
    # GATE_ONLY="en de": only these languages.
    only = os.environ.get("GATE_ONLY", " ".join(LANGUAGES)).split()
    for language, locale in ((language, locale) for language, locale in LANGUAGES.items() if language in only):
        for scheme in ("light", "dark"):
            take_settings(language, locale, scheme)
            take_mark(language, locale, scheme)
            for name, words in {**{name: ("authorize", *gate) for name, gate in {**SCREENS, **OWN_SCREEN}.items()}, **OTHERS}.items():
                # Each picture has a new presenter: after a question that was closed by itself, the next one would take
                # two steps.
                Presenter(locale, own_screen(language) if name in OWN_SCREEN else (), ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}")
                until("the presenter is there", Presenter.newest.is_registered)
                take(name, os.path.join(FOLDER, f"{name}.{language}.{scheme}.png"), Asker.of(*words))
                Presenter.newest.end()
            print(f"pictures: {language}, {scheme}", flush=True)
    household.end()
    show()


if __name__ == "__main__":
    sys.exit(main())
