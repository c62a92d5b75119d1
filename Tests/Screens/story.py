"""The whole story on the example device, in windows: in a family's language no word of any screen is English.

Tests/Screens/run --story runs it in Russian; with GATE_ALL in German and Chinese, too. The English texts are collected
first, since German uses the same letters.
"""
import os
import re
import subprocess
import sys
import time
from functools import partial

import pages
from device import LANGUAGES, OFFERS, Asker, Toggle, gatectl, new_device, play, register, report_offers
from kinds import OPENING, a_provider, opened
from refusals import close_refusal, refusal_nodes
from screen import (
    Atspi, button, everything, find, is_ready, keys, look_at_questions, mark_window, picture, press, text_of, type_text, until,
)

LOCALES = list(LANGUAGES.values()) if os.environ.get("GATE_ALL") else [LANGUAGES["ru"]]
# Names, and words that are never translated: users, groups, gates, commands, laws, file formats.
NAMES = {
    "Gate", "root", "anna", "Draw", "RevenueCat", "Premium", "Example", "Drawing", "drawing",
    "privacy", "children", "Ltd", "Street", "London", "COPPA", "CFR", "PDF", "PNG", "JPEG", "MB", "EUR", "sudo", "gatectl", "register", "form",
    "household", "create", "docs", "md",
    "apt", "install", "apps",
    "withdraw", "gate", "admin", "presenter", "purchase", "share", "subscribe",
}


class Texts:
    """All texts on the screens of the story, by the step in which they were shown."""

    def __init__(self, locale):
        self.locale, self.seen = locale, {}

    def gather(self, step, nodes=everything):
        """Collects what is on the screen once it accepts an answer, and what only a screen reader reads."""
        texts = self.seen.setdefault(step, set())
        for node in nodes():
            # In GTK 4.8, a widget without a name has the name of its class.
            texts |= {text for text in (node.get_name(), text_of(node), node.get_description()) if text and not text.startswith(("Gtk", "Adw"))}
        picture(f"story-{step}.{self.locale}")


# Words that are the same in German.
GERMAN = {"OK", "Name", "Passcode", "Apps"}


def latin_words(text, names):
    # Addresses, files, and the names of gates contain a sign.
    return [word for word in re.findall(r"[A-Za-z]{2,}", re.sub(r"\S*\w[./@]\w\S*", "", text)) if word not in names]


def shown(name):
    until(f"'{name}' can be pressed", lambda: is_ready(button(name)))


def secret(texts, step, passcode):
    shown(OPENING)
    texts.gather(f"{step}-closed")
    opened()
    shown("1")
    texts.gather(step)
    type_text(passcode)
    keys("Return")


def link(texts):
    for passcode, status in (("13579", 1), ("135790", 0)):
        asker = Asker.of("open", "https://example.org/", "--browser", "/bin/true")
        secret(texts, f"link-{status}", passcode)
        asker.ends(f"a link, {passcode}", status)
        if status != 0:
            until("the refusal is seen", refusal_nodes)
            texts.gather("link-refused", refusal_nodes)
            close_refusal()


def parent_mode(texts):
    asker = Toggle()
    secret(texts, "parent-mode", "135790")
    asker.ends("parent mode", 0)
    until("parent mode is seen", mark_window)
    texts.gather("mark")
    subprocess.run(gatectl("lock"), check=True, capture_output=True)
    until("the mark goes", lambda: mark_window() is None)


def sign_in_and_paywall(texts):
    register("anna", "green-door")
    asker = Asker("premium.filters")
    shown(OPENING)
    texts.gather("sign-in-closed")
    opened()
    texts.gather("sign-in")
    type_text("anna")
    keys("Tab")
    type_text("green-dorr")
    keys("Return")
    until("it says that it was wrong", lambda: find("Wrong name or password."))
    texts.gather("sign-in-wrong")
    type_text("green-door")
    keys("Return")
    until("there is a paywall without a store", lambda: find(
        "This can't be bought on this device, because no store is set up. A grown-up can unlock it by hand."))
    texts.gather("paywall")
    report_offers(OFFERS)
    shown("Open the page")
    texts.gather("paywall-offers")
    provider = a_provider()
    press("Restore purchase")
    until("the payment is looked for", lambda: find("Looking for your purchase… This closes by itself when it is found."))
    texts.gather("paywall-restored")
    subprocess.run(gatectl("entitlements", "add", "premium", "--account", "anna"), check=True, capture_output=True)
    asker.ends("a sign-in and a paywall", 0)
    provider.kill()
    provider.wait()


ANSWERS = [
    ("parent-given-name", "Мария"), ("parent-family-name", "Иванова"), ("parent-birth-date", "1980-05-17"), ("parent-relation", "mother"),
    ("parent-email", "m@example.org"), ("residence", "eea"), ("child-given-name", "Лина"), ("child-birth-date", "2016-03-02"),
    ("consent-collection", "consent"), ("confirmed", "confirmed"), ("signed-by", "Мария Иванова"), ("signed-on", "2026-11-02"),
]


def consent(texts):
    asker = Asker("photos.upload")
    secret(texts, "consent-passcode", "135790")
    page = 0
    while True:
        until("the page can be left", lambda: is_ready(button("Next")) or button("Complete"))
        texts.gather(f"consent-{page}")
        if button("Complete") is not None:
            break
        press("Next")
        page += 1
        time.sleep(0.3)
    for path, answer in ANSWERS:
        subprocess.run(gatectl("form", "set", "consent", path, answer), check=True, capture_output=True)
    shown("Complete")
    texts.gather("consent-answered")
    press("Complete")
    asker.ends("a consent", 0)


def news(texts):
    asker = Asker.of("whatsnew", "show", "org.example.draw", "1.2.0")
    shown("Not now")
    texts.gather("news")
    # The first button below the window's title bar. The notes say what is written on it.
    press([node.get_name() for node in everything() if node.get_role() == Atspi.Role.PUSH_BUTTON][1])
    asker.ends("what's new", 0)


def grown_up(texts):
    """What the story has left in gate-settings."""
    window = pages.Settings(texts.locale)
    until("there are all pages", lambda: len(pages.pages()) == len(pages.PAGES))
    for place, name in enumerate(pages.pages()):
        pages.go_to(name)
        time.sleep(0.5)
        # The entries of the journal are the same in all languages.
        if pages.PAGES[place] != "Journal":
            texts.gather(f"settings-{pages.PAGES[place]}")
    window.end()
    look_at_questions()


STORY = [link, parent_mode, sign_in_and_paywall, consent, news, grown_up]


def english(texts, plain):
    """The English texts, by step. For German they are those that the same step also shows in English."""
    for step, seen in texts.seen.items():
        suspects, names = (seen & plain.seen[step], NAMES | GERMAN) if texts.locale == LANGUAGES["de"] else (seen, NAMES)
        for text in sorted(suspects):
            if latin_words(text, names):
                yield f"{texts.locale}, {step}: {text!r}"


def main():
    found, plain = [], None
    for locale in LOCALES:
        new_device("135790")
        texts = Texts(locale)
        if play([partial(step, texts) for step in STORY], locale) != 0:
            return 1
        if locale == LANGUAGES["en"]:
            plain = texts
        else:
            found += english(texts, plain)
        print(f"passed: the story in {locale}, {sum(map(len, texts.seen.values()))} texts on {len(texts.seen)} screens", flush=True)
    if found:
        print("FAILED: English words stand there:\n" + "\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
