"""A grown-up in front of gate-settings changes what stands before a gated action. Tests/Screens/settings.py calls it."""
import subprocess
import time

import screen
from pages import button, dialog_title, go_to, passed, press, says, texts, tool, unfold, write
from screen import Failure, picture, until


def dialog_keys(*names):
    """Keys for the dialog, once it has the keyboard."""
    until("the dialog has the keyboard", lambda: screen.focused_title() == dialog_title())
    subprocess.run(["xdotool", "key", "--delay", "150", *names], check=True)


def gate_changes():
    """A choice is changed, with the odds before and after in words, and taken back. What a file in /etc/gate says can't
    be changed here."""
    tool("gates", "set", "calls.video", "--requires", "parent", "--title", "Call by video")
    go_to("Gates")
    unfold(says("^Call by video$"))
    says("^chosen on this device$")
    says("^calls.video$")
    press("Change what “Call by video” asks")
    says("^This replaces everything")
    picture("settings-gate")
    # The first list has the keyboard: the next choice in it is a sum with three answers.
    dialog_keys("space", "Down", "Return")
    says("^A sum with three answers$")
    # A question for an age is there only while an age is written.
    if "Question from that age" in texts():
        raise Failure("there is a question for an age before any age is written")
    write("Another question from age", "9")
    says("^Question from that age$")
    picture("settings-gate-ages")
    write("Another question from age", "")
    until("the question for that age is gone", lambda: "Question from that age" not in texts())
    press("Continue")
    says("^Now: only in parent mode. Somebody who only guesses always gets through within an hour; so does a program. The passcode is safer.$")
    says("^Then: a sum with three answers. Asked every time. Somebody who only guesses .*a program")
    picture("settings-gate-odds")
    press("Cancel")
    until("the question goes", lambda: button("Lock now") or "Not asked again" in texts())
    if "parent mode" not in line_of("calls.video"):
        raise Failure("the gate was changed without a yes")
    press("Change what “Call by video” asks")
    dialog_keys("space", "Down", "Return")
    says("^A sum with three answers$")
    press("Continue")
    says("^Then: a sum with three answers. ")
    press("Change")
    until("the gate is changed", lambda: "arithmetic-choice" in line_of("calls.video"))
    says("^Somebody who only guesses ")
    press("Reset “Call by video”")
    says("^Then: nobody is let through.$")
    press("Change")
    until("the choice is taken back", lambda: not line_of("calls.video"))
    until("the gate is gone", lambda: "Call by video" not in texts())
    time.sleep(0.3)
    unfold(says("^Watch a film$"))
    says("^A file in /etc/gate takes precedence. Change this gate there.$")
    if button("Change what “Watch a film” asks"):
        raise Failure("what a file in /etc/gate says is changed here")
    passed("a gate is changed and as shipped again, with its odds before and after, and /etc/gate counts more")


def line_of(gate):
    return next((line for line in tool("gates").splitlines() if line.startswith(f"{gate} ")), "")
