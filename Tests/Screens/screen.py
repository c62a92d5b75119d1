"""What a screen reader finds on the presenter's screen, and the keys and buttons that a person presses."""
import gettext
import os
import re
import subprocess
import time

import gi

# Windows come and go here, and libatspi's cache of them is not safe for that: the one of Debian 12 sometimes crashes
# when it is cleared.
os.environ["ATSPI_NO_CACHE"] = "1"
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

WORK = os.environ["GATE_WORK"]


QUESTIONS = {"names": ("gate-presenter", "Gate"), "title": "^Gate$", "asks": True}
# The windows that everything below refers to: the names of the program on the accessibility bus, and the title of its
# window.
looked_at = {**QUESTIONS}


def look_at(name, title):
    """From now on everything below refers to the windows of this program, which shows no questions."""
    looked_at.update(names=(name,), title=title, asks=False)


def look_at_questions():
    looked_at.update(QUESTIONS)


# Gate's texts in the language of the windows.
spoken = {"words": gettext.NullTranslations()}


def speak(locale):
    """From now on the windows are in this language. The functions below get Gate's texts in English and look for the
    translations."""
    catalogs = os.path.join(os.environ["GATE_BIN"], "../share/locale")
    spoken["words"] = gettext.translation("gate", catalogs, [locale], fallback=locale.startswith("C."))


def said(words):
    """The translation of this text of Gate's."""
    return spoken["words"].gettext(words)


def said_as(words, context):
    """The translation of a text that has several meanings; the context says which one."""
    return spoken["words"].pgettext(context, words)


def said_of(one, many, count):
    """The translation of a text that differs for one thing and for several."""
    return spoken["words"].ngettext(one, many, count)


def pattern(words):
    """A pattern for the translation of this text, with anything in place of {a value}."""
    return re.sub(r"\\{\w+\\}", ".+", re.escape(said(words)))


class Failure(Exception):
    pass


def until(what, condition, seconds=60.0):
    """Waits until the condition returns something that is true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = condition()
        except GLib.Error:
            found = None  # the widget has just been removed
        if found:
            return found
        if time.monotonic() > end:
            raise Failure(f"it never happens that {what}\n{tree_text()}")
        time.sleep(0.02)


def application():
    """The presenter; if there are several, the one that has a window."""
    desktop = Atspi.get_desktop(0)
    found = None
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child is not None and child.get_name() in looked_at["names"]:
            if child.get_child_count() > 0:
                return child
            found = child
    return found


def windows():
    found = application()
    if found is None:
        return []
    return [child for child in map(found.get_child_at_index, range(found.get_child_count())) if child is not None]


def window():
    """The window with a question; None if there is none."""
    return next((child for child in windows() if child.get_role() == Atspi.Role.DIALOG or not looked_at["asks"]), None)


def mark_window():
    """The small window that is shown during parent mode; None if there is none."""
    return next((child for child in windows() if child.get_role() != Atspi.Role.DIALOG), None)


def question():
    """The window of a question, and no other window."""
    return window()


def everything(node=None):
    """All visible widgets in reading order: those of the question or, if there is none, of another window."""
    node = node or window() or next(iter(windows()), None)
    if node is None:
        return
    if not node.get_state_set().contains(Atspi.StateType.VISIBLE):
        return
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield from everything(child)


def tree_text():
    try:
        return "\n".join(f"  {node.get_role_name()}: {node.get_name()!r} {text_of(node)!r}" for node in everything())
    except GLib.Error as error:
        return str(error)


def text_of(node):
    text = node.get_text_iface()
    # GTK 4.8 returns nothing for -1, where others return everything.
    return Atspi.Text.get_text(text, 0, Atspi.Text.get_character_count(text)) if text is not None else ""


def labels():
    return [text_of(node) or node.get_name() for node in everything() if node.get_role() == Atspi.Role.LABEL]


def find(name, role=None):
    name = said(name)
    for node in everything():
        if (node.get_name() == name or text_of(node) == name) and role in (None, node.get_role()):
            return node
    return None


def button(name):
    return find(name, Atspi.Role.PUSH_BUTTON)


def is_ready(node):
    return node is not None and node.get_state_set().contains(Atspi.StateType.SENSITIVE)


def press(name):
    """Presses the button as a screen reader does, once it can be pressed."""
    node = until(f"'{name}' can be pressed", lambda: (lambda found: found if is_ready(found) else None)(button(name)))
    Atspi.Action.do_action(node.get_action_iface(), 0)
    # GTK shows a pressed button as pressed for a quarter of a second, and only then acts.
    time.sleep(0.3)


def type_text(text):
    until("the window has the keyboard", has_keyboard)
    subprocess.run(["xdotool", "type", "--delay", "60", text], check=True)


def middle_of(node):
    """The middle of a widget, as arguments of xdotool."""
    extents = Atspi.Component.get_extents(node.get_component_iface(), Atspi.CoordType.WINDOW)
    ids = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", looked_at["title"]], capture_output=True, text=True, check=True).stdout.split()
    return "--window", ids[0], extents.x + extents.width // 2, extents.y + extents.height // 2


def pointer(*words):
    subprocess.run(["xdotool", *(str(word) for word in words)], check=True)


def no_window():
    return window() is None


def has_keyboard():
    ids = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", looked_at["title"]], capture_output=True, text=True, check=False
    ).stdout.split()
    focused = subprocess.run(["xdotool", "getwindowfocus"], capture_output=True, text=True, check=False).stdout.split()
    return bool(ids) and ids == focused


def focused_title():
    """The title of the window that has the keyboard."""
    return subprocess.run(
        ["xdotool", "getwindowfocus", "getwindowname"], capture_output=True, text=True, check=False).stdout.rstrip("\n")


def keys(*names):
    until("the window has the keyboard", has_keyboard)
    subprocess.run(["xdotool", "key", "--delay", "60", *names], check=True)


def has_focus(node):
    return node.get_state_set().contains(Atspi.StateType.FOCUSED)


def tab_to(what, found, presses=40):
    """Presses Tab until one of the nodes that `found` returns has the keyboard."""
    for _ in range(presses):
        if any(has_focus(node) for node in until(f"'{what}' is there", found)):
            return
        keys("Tab")
        time.sleep(0.05)
    raise Failure(f"Tab does not lead to '{what}'")


def picture(name):
    """Takes a picture of the whole monitor, if GATE_PICTURES is set."""
    folder = os.environ.get("GATE_PICTURES")
    if not folder:
        return
    time.sleep(0.3)
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["import", "-window", "root", os.path.join(folder, f"{name}.png")], check=True)
