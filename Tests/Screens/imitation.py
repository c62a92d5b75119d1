"""A requester that writes anything into its details or its name changes only the two places where these are shown."""
import itertools
import json
import os
import re
import select
import unicodedata

from afresh import begin_afresh, tool
from device import NamedAsker
from kinds import opened, set_passcode
from screen import Failure, button, everything, find, is_ready, labels, press, text_of, until

with open("Tests/HostileTexts/texts.json", encoding="utf-8") as file:
    TEXTS = ["".join(piece if isinstance(piece, str) else piece[0] * piece[1] for piece in pieces) for pieces in json.load(file)]
# A question of each form: a sum, a yes, a passcode, a sign-in, a paywall, a form.
QUESTIONS = ["link.open", "confirm", "buy", "signed-in", "premium", "consented"]
PLAIN = ("firefox", "https://example.org/")


def line(words):
    """A text as details: one line of 2,048 bytes, without characters that the daemon takes for the end of a line."""
    seen = "".join(" " if unicodedata.category(mark) in ("Cc", "Zl", "Zp") else mark for mark in words)
    return seen.encode()[:2048].decode(errors="ignore") or PLAIN[1]


def own_tree():
    """Everything that a screen reader finds, without the two places for a requester's texts, and without what
    varies."""
    tree, is_program = [], False
    for node in everything():
        role, words = node.get_role_name(), text_of(node) or node.get_name() or ""
        is_foreign = role == "label" and (is_program or node.get_description() == "In the program's words:")
        if not is_foreign and words not in ("Show all", "Show less") and not re.search(r"^\d+( [+−×÷] \d+ = \?)?$|\d:\d\d|^[+−×÷]$", words):
            tree.append((role, words))
        is_program = role == "label" and words == "The program calls itself:"
    return tree


class Refused(Exception):
    """The daemon refuses these details, so there is no question."""


def has_answer(asker):
    return bool(select.select([asker.connection], [], [], 0)[0])


def trees(program, details, action, unlocks):
    """Gate's own words while this program asks: before the first step and, if `unlocks` is set and a step is needed,
    after it."""
    asker = NamedAsker(program, action, details)
    until("there is a question, or a refusal", lambda: find("Not now") or has_answer(asker))
    if has_answer(asker):
        answer = asker.connection.recv(4096)
        asker.connection.close()
        raise Refused(answer)
    until("it takes an answer", lambda: is_ready(button("Not now")))
    found = [own_tree()]
    if unlocks and button("I have read it"):
        opened()
        found.append(own_tree())
    if any("\n" in label for label in labels()):
        raise Failure(f"{details[:40]!r} takes several lines")
    press("Not now")
    asker.hangs_up()
    return found


def nameless(tree):
    """The same for a program without a visible name, which has no row for it."""
    row = tree.index(("label", "The program calls itself:"))
    return tree[:row - 1] + tree[row + 1:]


def imitation():
    """Tries each text as details and as a name on one kind of question; with GATE_ALL also on each kind, and each
    place alone on a sum."""
    set_passcode("2468")
    begin_afresh()
    is_all = bool(os.environ.get("GATE_ALL"))
    plain = {action: trees(*PLAIN, action, is_all) for action in QUESTIONS}
    for number, words in enumerate(TEXTS):
        # An unanswered question counts as a wrong answer, and all of them together would lock the user out.
        tool("lockouts", "clear")
        details = line(words)
        asked = [(action, words, details) for action in (QUESTIONS if is_all else [QUESTIONS[number % len(QUESTIONS)]])]
        apart = [("link.open", words, PLAIN[1]), ("link.open", PLAIN[0], details)] if is_all else []
        for action, program, details in asked + apart:
            try:
                shown = trees(program, details, action, is_all)
            except Refused:
                # The details may not contain invisible characters. The name is tried separately.
                shown = trees(program, PLAIN[1], action, is_all)
            if shown not in (plain[action], [nameless(tree) for tree in plain[action]]):
                changed = [pair for pair in zip(itertools.chain(*shown), itertools.chain(*plain[action])) if pair[0] != pair[1]]
                raise Failure(f"{action}: {words[:40]!r} changes Gate's own words: {changed[:3]}")
    print(f"passed: what an asker writes changes nothing but its two places: {len(TEXTS)} texts, {len(QUESTIONS)} kinds", flush=True)
