"""What a screen reader finds in the windows of gate-settings, and what it presses there."""
import os
import re
import subprocess
import time

import screen
from device import BIN, USER, gatectl
from screen import Atspi, Failure, is_ready, middle_of, pointer, text_of, until, window

# The daemon runs as the user who began the test.
SERVER = os.environ.setdefault("GATE_SERVER_USER", USER)
PAGES = ["Padlock", "Questions", "Time", "Apps", "Age ranges", "Devices", "Gates", "People", "Purchases", "Forms", "Wrong answers", "Journal", "Passcode", "Rules"]


class Settings:
    """The program gate-settings, to which all of screen.py refers from now on."""

    newest = None

    def __init__(self, locale="C.UTF-8", options=(), ready=None, **variables):
        look_here()
        Settings.newest = self
        self.log = open(os.path.join(os.environ["HOME"], "settings.log"), "ab")
        self.process = subprocess.Popen(
            [os.path.join(BIN, "gate-settings"), "--server-user", SERVER, *options], stderr=self.log, env={**os.environ, "LC_ALL": locale, **variables})
        until("the window is there", ready or (lambda: window() and entries()))

    def end(self):
        self.process.terminate()
        if self.process.wait() != 0:
            raise Failure(f"gate-settings ends with {self.process.returncode}")


def look_here():
    screen.look_at("gate-settings", "^(Gate's settings|Gate-Einstellungen|Настройки Gate|Gate 设置|Set the passcode|Add a person with a password)$")


def tool(*words, text=None):
    return subprocess.run(gatectl(*words), input=text, text=True, check=True, capture_output=True).stdout


def shown(node=None):
    """All texts of the newest window."""
    if node is None:
        found = screen.application()
        if found is None or found.get_child_count() == 0:
            return
        node = found.get_child_at_index(found.get_child_count() - 1)
    # The window may have gone since it was counted.
    if node is None:
        return
    if not node.get_state_set().contains(Atspi.StateType.VISIBLE):
        return
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield from shown(child)


def texts():
    return [text_of(node) or node.get_name() for node in shown() if node.get_role() in (Atspi.Role.LABEL, Atspi.Role.ALERT)]


def heading():
    """The name of the page that is shown. While another page takes its place, the window has no texts."""
    return next(iter(texts()), None)


def entries():
    """The list of pages: the last list of the window."""
    lists = [node for node in shown() if node.get_role() == Atspi.Role.LIST]
    return [node for node in shown(lists[-1]) if node.get_role() == Atspi.Role.LIST_ITEM] if lists else []


def pages():
    return [node.get_name() for node in entries()]


def go_to(name):
    """Chooses a page, as a screen reader does."""
    entry = until(f"there is the page {name}", lambda: next((node for node in entries() if node.get_name() == name), None))
    Atspi.Selection.select_child(entry.get_parent(), entry.get_index_in_parent())
    until(f"the page {name} is shown", lambda: name == heading())


def button(name):
    # In a message dialog, GTK reports the name of a button twice.
    return next((node for node in shown() if node.get_role() == Atspi.Role.PUSH_BUTTON and node.get_name() in (name, f"{name} {name}")), None)


def press(name):
    node = until(f"'{name}' can be pressed", lambda: (lambda found: found if is_ready(found) else None)(button(name)))
    Atspi.Action.do_action(node.get_action_iface(), 0)
    # GTK shows a pressed button as pressed for a quarter of a second, and only then acts.
    time.sleep(0.3)


def says(pattern):
    """Waits until a label has this text."""
    return until(f"a label says '{pattern}'", lambda: next((text for text in texts() if re.search(pattern, text, re.MULTILINE)), None))


def unfold(label):
    """With the pointer."""
    node = until(f"'{label}' is there", lambda: next((node for node in shown() if text_of(node) == label), None))
    pointer("mousemove", *middle_of(node), "click", 1)


def write(name, text):
    """Writes into a field of the dialog, as a screen reader does."""
    field = until(f"there is the field {name}", lambda: next(
        (node for node in shown() if node.get_name().startswith(name) and node.get_editable_text_iface() is not None), None))
    Atspi.EditableText.set_text_contents(field.get_editable_text_iface(), text)


def type_secret(name, text):
    """Replaces the text of a field for a secret, which accepts only keys."""
    def has_keyboard():
        field = next((node for node in shown() if node.get_name() == name and node.get_role() == Atspi.Role.TEXT), None)
        if field is not None and field.get_state_set().contains(Atspi.StateType.FOCUSED):
            return True
        subprocess.run(["xdotool", "key", "Tab"], check=True)
        time.sleep(0.1)
        return False
    # The window manager gives a new window the keyboard a little later.
    until("the dialog has the keyboard", lambda: screen.focused_title() == dialog_title())
    until(f"the field {name} has the keyboard", has_keyboard)
    subprocess.run(["xdotool", "key", "ctrl+u"], check=True)
    subprocess.run(["xdotool", "type", "--delay", "60", text], check=True)


def dialog_title():
    return next(shown()).get_name()


def passed(what):
    print(f"passed: {what}", flush=True)
