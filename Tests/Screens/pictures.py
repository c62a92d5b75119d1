"""A picture of each screen in each language, light and dark. Run by Tests/Screens/run --pictures, for docs/screens."""
import os
import subprocess
import sys
import time

import screen
import pages
from device import LANGUAGES, OFFERS, Asker, Presenter, gatectl, report_offers
from screen import Atspi, everything, is_ready, no_window, until

FOLDER = os.environ["GATE_PICTURES"]
SCREENS = {
    "sum": ("link.open", "--details", "https://example.org/"), "typed-sum": ("typed",), "shapes": ("shapes",), "quiz": ("quiz",),
    "confirm": ("confirm",), "birthdate": ("birthdate",), "passcode": ("buy", "--details", "12.99"), "hold": ("hold",),
    "swipe": ("swipe",), "sign-in": ("signed-in",), "paywall": ("premium",), "cover": ("covered",), "form": ("consented",),
    "form-fields": ("consented",), "form-overview": ("consented",),
}
# What is asked with another verb.
OTHERS = {"whats-new": ("whatsnew", "show", "org.example.draw", "1.2.0")}
# So many times the button that leads on, the last one, is pressed before the picture is taken.
PAGES = {"form": 1, "form-fields": 4, "form-overview": 7}


def picture(how, window, path):
    """The newest such window, small enough for a page."""
    ids = subprocess.run(
        ["xdotool", "search", "--onlyvisible", how, window], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["import", "-window", ids[-1], "-resize", "75%", "+dither", "-colors", "64", "-strip", f"png8:{path}"], check=True)


def take(name, path, asker):
    until("there is a window", lambda: not no_window())
    time.sleep(1.3)
    buttons = [node for node in everything() if node.get_role() == Atspi.Role.PUSH_BUTTON and is_ready(node)]
    if name in ("passcode", "sign-in"):
        # The first of two acts.
        Atspi.Action.do_action(buttons[-2].get_action_iface(), 0)
        time.sleep(1.6)
    for _ in range(PAGES.get(name, 0)):
        # The last but one: the last one is "Not now".
        ready = [node for node in everything() if node.get_role() == Atspi.Role.PUSH_BUTTON and is_ready(node)]
        Atspi.Action.do_action(ready[-2].get_action_iface(), 0)
        time.sleep(0.6)
    picture("--name", "^Gate$", path)
    asker.process.kill()
    asker.process.wait()
    until("the window goes", no_window)


SETTINGS = {"padlock": 0, "gates": 1, "people": 2, "purchases": 3, "forms": 4, "journal": 6, "passcode": 7, "rules": 8}


def take_settings(language, locale, scheme):
    """The pages of the grown-up's window that have most to show."""
    window = pages.Settings(locale, ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}")
    until("an administrator has all pages", lambda: len(pages.pages()) == len(pages.PAGES))
    for name, index in SETTINGS.items():
        pages.go_to(pages.pages()[index])
        time.sleep(0.6)
        picture("--class", "gate-settings", os.path.join(FOLDER, f"settings-{name}.{language}.{scheme}.png"))
    window.end()
    screen.look_at_questions()


def take_mark(language, locale, scheme):
    """The small window that stands while parent mode runs."""
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
    """A day of a family, for the journal and its plot."""
    subprocess.run(gatectl("register", "anna", "--child", "2015-03-02", "--password-file", "/dev/stdin"), input="kitten42\n", text=True, check=True)
    for answer in ("7777", "7778"):
        subprocess.run(gatectl("authorize", "typed", "--stdin"), input=f"{answer}\n", text=True, capture_output=True, check=False)
    subprocess.run(gatectl("override", "parent", "--for", "1h", "--reason", "homework is done"), check=True, capture_output=True)
    time.sleep(1)
    subprocess.run(gatectl("lock"), check=True, capture_output=True)
    report_offers(OFFERS)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    subprocess.run(gatectl("passcode", "set", "--stdin"), input="2468\n", text=True, check=True, capture_output=True)
    something_to_show()
    # GATE_ONLY="en de": only these languages.
    only = os.environ.get("GATE_ONLY", " ".join(LANGUAGES)).split()
    for language, locale in ((language, locale) for language, locale in LANGUAGES.items() if language in only):
        for scheme in ("light", "dark"):
            take_settings(language, locale, scheme)
            take_mark(language, locale, scheme)
            for name, words in {**{name: ("authorize", *gate) for name, gate in SCREENS.items()}, **OTHERS}.items():
                # A new one for each: after a question that went by itself it would want a first act.
                Presenter(locale, ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}")
                until("the presenter is there", Presenter.newest.is_registered)
                take(name, os.path.join(FOLDER, f"{name}.{language}.{scheme}.png"), Asker.of(*words))
                Presenter.newest.end()
            print(f"pictures: {language}, {scheme}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
