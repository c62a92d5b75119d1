"""An asker that writes whatever it likes, as details or as its name, changes nothing but the two places for it (T-05)."""
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
# A question of each make: a sum, a yes, a passcode, a sign-in, a paywall, a form.
QUESTIONS = ["link.open", "confirm", "buy", "signed-in", "premium", "consented"]
PLAIN = ("firefox", "https://example.org/")


def line(words):
    """As details: one line of 2,048 bytes, without what the daemon takes for the end of one."""
    seen = "".join(" " if unicodedata.category(mark) in ("Cc", "Zl", "Zp") else mark for mark in words)
    return seen.encode()[:2048].decode(errors="ignore") or PLAIN[1]


def own_tree():
    """All that a screen reader finds, without the two places for what an asker writes, and what is another each time."""
    tree, is_program = [], False
    for node in everything():
        role, words = node.get_role_name(), text_of(node) or node.get_name() or ""
        is_foreign = role == "label" and (is_program or node.get_description() == "In the program's words:")
        if not is_foreign and words not in ("Show all", "Show less") and not re.search(r"^\d+( [+−×÷] \d+ = \?)?$|\d:\d\d|^[+−×÷]$", words):
            tree.append((role, words))
        is_program = role == "label" and words == "The program calls itself:"
    return tree


class Refused(Exception):
    """The daemon takes no such details, so there is no question."""


def has_answer(asker):
    return bool(select.select([asker.connection], [], [], 0)[0])


def trees(program, details, action, unlocks):
    """What is Gate's own while this asks: before the first act, and where `unlocks` is set and one is needed, after it."""
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
    """The same for a program without a name, or with one of which nothing is seen: the row for it is not there."""
    row = tree.index(("label", "The program calls itself:"))
    return tree[:row - 1] + tree[row + 1:]


def imitation():
    """Each text on one kind of question, as details and as a name; with GATE_ALL on each kind, and on a sum in each place by itself, too."""
    set_passcode("2468")
    begin_afresh()
    is_all = bool(os.environ.get("GATE_ALL"))
    plain = {action: trees(*PLAIN, action, is_all) for action in QUESTIONS}
    for number, words in enumerate(TEXTS):
        # A question that is left unanswered counts as a wrong answer, and all of them together are too many.
        tool("lockouts", "clear")
        details = line(words)
        asked = [(action, words, details) for action in (QUESTIONS if is_all else [QUESTIONS[number % len(QUESTIONS)]])]
        apart = [("link.open", words, PLAIN[1]), ("link.open", PLAIN[0], details)] if is_all else []
        for action, program, details in asked + apart:
            try:
                shown = trees(program, details, action, is_all)
            except Refused:
                # Details with what is not seen: its name is another matter.
                shown = trees(program, PLAIN[1], action, is_all)
            if shown not in (plain[action], [nameless(tree) for tree in plain[action]]):
                changed = [pair for pair in zip(itertools.chain(*shown), itertools.chain(*plain[action])) if pair[0] != pair[1]]
                raise Failure(f"{action}: {words[:40]!r} changes Gate's own words: {changed[:3]}")
    print(f"passed: what an asker writes changes nothing but its two places: {len(TEXTS)} texts, {len(QUESTIONS)} kinds", flush=True)
