"""A refusal to a program without a terminal is seen on the desktop, in a small window that says why."""
import os
import subprocess
import time

from device import BIN, USER, Presenter
from screen import (
    WORK, Atspi, Failure, everything, find, is_ready, labels, no_window, picture, press, said, speak, text_of, until,
)
from sums import choices, the_sum

LINK = "https://example.org/"
PAGE, PROGRAM = "The page was not opened.", "The program was not started."


def refusal_window():
    """The window of a refusal; None if there is none. It belongs to a process of its own."""
    desktop = Atspi.get_desktop(0)
    for program in filter(None, map(desktop.get_child_at_index, range(desktop.get_child_count()))):
        for window in filter(None, map(program.get_child_at_index, range(program.get_child_count()))):
            if window.get_role() == Atspi.Role.DIALOG and window.get_name() in (said(PAGE), said(PROGRAM)):
                return window
    return None


def refusal_nodes():
    """Everything in the window; nothing if there is none."""
    window = refusal_window()
    return everything(window) if window else []


def refusal_words():
    """All words of the window, as a screen reader finds them."""
    return [text_of(node) or node.get_name() for node in refusal_nodes() if node.get_role() == Atspi.Role.LABEL]


def is_button(node):
    return node.get_role() == Atspi.Role.PUSH_BUTTON and is_ready(node)


def is_newer_than(process):
    """Whether the window belongs to another process than this one. Between two windows there is none."""
    window = refusal_window()
    return window is not None and window.get_process_id() != process


def close_refusal():
    close = until("the window can be closed", lambda: next(filter(is_button, refusal_nodes()), None))
    Atspi.Action.do_action(close.get_action_iface(), 0)
    until("the window of the refusal goes", lambda: refusal_window() is None)


class Clicked:
    """A program that the desktop starts, as by a click: it has no terminal, and nobody reads what it prints."""

    def __init__(self, *words, **variables):
        # The words after a -- belong to the command.
        options = ["--server-user", USER]
        words = [words[0], *options, *words[1:]]
        environment = {name: value for name, value in {**os.environ, **variables}.items() if value is not None}
        self.errors = os.path.join(WORK, "clicked.log")
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [os.path.join(BIN, "gatectl"), *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=environment)

    def ends(self, status):
        code = self.process.wait(30)
        with open(self.errors, encoding="utf-8") as file:
            printed = file.read()
        if code != status:
            raise Failure(f"it ends with {code}, wanted {status}, and prints: {printed}")
        return printed

    def is_told(self, what, status, heading, details, sentence):
        """Checks what is printed and shown, and closes the window."""
        if not self.ends(status):
            raise Failure(f"{what}: nothing is printed")
        wanted = [said(heading), details, said(sentence)]
        until(f"{what}: the window says {wanted}", lambda: [words for words in refusal_words() if words in wanted] == wanted)
        picture("refusal-" + what.replace(" ", "-").replace("'", ""))
        close_refusal()
        print(f"passed: {what} is seen on the desktop (U-09)", flush=True)

    def is_not_told(self, what, status):
        self.ends(status)
        time.sleep(2)
        if refusal_window() is not None:
            raise Failure(f"{what}: there is a window: {refusal_words()}")
        print(f"passed: {what}, so no window comes", flush=True)


NOBODY = "A grown-up has to allow this, but no screen is on where they can be asked. Tell a grown-up: `gatectl doctor` says what is missing."


def refused():
    """Each refusal has the sentence that fits its cause. What is printed, and the exit status, are the same as on a
    terminal."""
    clicked = Clicked("open", "--gate", "confirm", LINK)
    until("a grown-up is asked", lambda: find("Call grandma"))
    press("Don't allow")
    clicked.is_told("a grown-up's no", 1, PAGE, LINK, "A grown-up said no.")

    clicked = Clicked("open", LINK)
    right = str(the_sum())
    press(next(choice for choice in choices() if choice != right))
    clicked.is_told("a wrong answer", 1, PAGE, LINK, "Wrong answer.")

    clicked = Clicked("open", LINK)
    the_sum()
    press("Not now")
    clicked.is_not_told("the person has closed the question", 3)

    denied = "The rules of this device do not allow this. A grown-up can change them."
    Clicked("open", "--gate", "nothing", LINK).is_told("a page that the rules forbid", 1, PAGE, LINK, denied)
    Clicked("run", "--gate", "nothing", "--", "/bin/echo", "a b").is_told(
        "a program that the rules forbid", 1, PROGRAM, "/bin/echo 'a b'", denied)
    Clicked("open", LINK, PATH="/nowhere").is_told(
        "a device without a browser", 65, PAGE, LINK, "There is no browser to open it with. Tell a grown-up: `browser:` in Gate's policy names one.")
    Clicked("open", LINK, GATE_SOCKET="/nowhere/gate.sock").is_told(
        "a daemon that is not there", 69, PAGE, LINK,
        "Gate does not answer, so nobody can be asked. Tell a grown-up: `gatectl doctor` says why.")

    Presenter.newest.end()
    Clicked("open", LINK).is_told("a question that no screen shows", 2, PAGE, LINK, NOBODY)
    speak("de_DE.UTF-8")
    Clicked("open", LINK, LC_ALL="de_DE.UTF-8").is_told("a refusal in German", 2, PAGE, LINK, NOBODY)
    speak("C.UTF-8")

    Clicked("open", LINK).ends(2)
    first = until("the first refusal is shown", refusal_window).get_process_id()
    Clicked("open", "--gate", "nothing", LINK).ends(1)
    until("the second one takes its place", lambda: is_newer_than(first) and denied in refusal_words())
    # The window may still be that of the refusal before, which goes. The key is sent to no window by name, because the window goes when it is
    # pressed, before it is released.
    focus = ["xdotool", "search", "--sync", "--onlyvisible", "--name", f"^{PAGE}$", "windowfocus", "--sync"]
    until("the window has the keyboard", lambda: subprocess.run(focus, check=False).returncode == 0)
    subprocess.run(["xdotool", "key", "Escape"], check=True)
    until("Escape closes it", lambda: refusal_window() is None)
    print("passed: there is one window at a time, for the newest refusal, and Escape closes it", flush=True)

    Clicked("open", LINK, DISPLAY=None).is_not_told("there is no display, as under cron", 2)
    Clicked("open", "--json", LINK).is_not_told("another program reads the refusal as JSON", 2)
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)
    if not no_window():
        raise Failure(f"a window is left: {labels()}")
