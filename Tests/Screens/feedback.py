"""The haptic feedback of the buttons of what's new: what gate-presenter asks feedbackd for, and when it beeps instead."""
import ctypes
import json
import os
import subprocess

from desktop import FEEDBACK, FEEDBACK_PATH, Part, call
from device import Asker, gatectl
from screen import WORK, Failure, press, until

APP = "org.example.feedback"
# What feedbackd is asked for at each haptic of a policy; None: nothing.
EVENTS = {
    "none": None, "selection": "button-pressed", "light": "button-pressed", "medium": "button-pressed", "heavy": "button-pressed",
    "success": "complete", "warning": "dialog-warning", "error": "dialog-error",
}
BEEPS = ["success", "warning", "error"]


class Bells:
    """Hears each bell of the display."""
    KEYBOARD, BELL = 0x100, 1 << 8

    def __init__(self):
        self.x11 = ctypes.CDLL("libX11.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(None))
        if not self.display or not self.x11.XkbQueryExtension(self.display, None, None, None, None, None):
            raise Failure("the display tells nobody of its bells")
        self.x11.XkbSelectEvents(self.display, self.KEYBOARD, ctypes.c_ulong(self.BELL), ctypes.c_ulong(self.BELL))
        self.x11.XSync(self.display, 0)

    def heard(self):
        """How many bells there were since the last call."""
        count, event = self.x11.XPending(self.display), ctypes.create_string_buffer(24 * ctypes.sizeof(ctypes.c_long))
        for _ in range(count):
            self.x11.XNextEvent(self.display, event)
        return count

    def end(self):
        self.x11.XCloseDisplay(self.display)


def put_away(haptic, title="Felt"):
    """Shows news whose first button has this haptic and whose second one has none, and presses the button."""
    notes = os.path.join(WORK, "feedback.yaml")
    with open(notes, "w", encoding="utf-8") as file:
        json.dump({"app": APP, "versions": {"1.0.0": {
            "title": "What's new", "features": [{"title": "Buttons", "subtitle": "They can be felt.", "image": "edit-undo"}],
            "primary": {"title": "Felt", "haptic": haptic}, "secondary": {"title": "Not felt", "haptic": "none"}}}}, file)
    subprocess.run(gatectl("whatsnew", "reset"), check=True, capture_output=True)
    asker = Asker.of("whatsnew", "show", APP, "1.0.0", "--notes", notes)
    press(title)
    asker.ends(f"the button '{title}' of notes with the haptic {haptic}", 0)


def feedback():
    bells = Bells()
    for answer in ("ready", "failing"):
        feedbackd = Part("feedback", answer)
        for haptic in EVENTS:
            put_away(haptic)
        put_away("error", title="Not felt")
        put_away("success")
        wanted = [["gate-presenter", event] for event in [*EVENTS.values(), "complete"] if event]
        until("feedbackd is asked for the last one", lambda: len(triggered()) >= len(wanted))
        if triggered() != wanted:
            raise Failure(f"feedbackd is asked for {triggered()}")
        if answer == "failing":
            beeps(bells, len(BEEPS) + 1)
        elif bells.heard():
            raise Failure("it beeps although feedbackd has answered")
        feedbackd.end()
    print("passed: feedbackd is asked for the haptic of the button that is pressed, and a beep replaces it if it fails", flush=True)

    for haptic in EVENTS:
        put_away(haptic)
    beeps(bells, len(BEEPS))
    bells.end()
    print("passed: without feedbackd success, warnings and errors beep, and nothing else does", flush=True)


def triggered():
    """The name of the program, and the event, of each call."""
    return json.loads(call(FEEDBACK, FEEDBACK_PATH, "org.gate.Test", "Triggered", None, "(s)")[0])


def beeps(bells, wanted):
    heard = []

    def enough():
        heard.append(bells.heard())
        return sum(heard) >= wanted
    until(f"there are {wanted} beeps", enough)
    if sum(heard) != wanted:
        raise Failure(f"it beeps {sum(heard)} times instead of {wanted}")
