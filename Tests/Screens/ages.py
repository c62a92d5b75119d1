"""Age ranges: a grown-up turns them on and answers apps on a page of gate-settings, and a notification tells of an app that waits.
Tests/Screens/asks.py calls it, with a child who has a user of her own."""
import re
import subprocess

import screen
from desktop import Part
from device import Presenter, gatectl
from pages import Settings, entries, heading, passed, press, says, tool, unfold, write
from screen import Failure, picture, until

CHAT, DRAW, GAME = "org.example.chat", "org.example.draw", "org.example.game"
RANGE = r"^(\d+ or younger|\d+ to \d+|\d+ or older)$"


def asks_age(as_child, app):
    """An app of Mia's asks how old she is. Returns what it is told; empty if that is nothing."""
    ended = subprocess.run(as_child(*gatectl("age", "--app", app)), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    told = ended.stdout.strip()
    if (ended.returncode, re.search(RANGE, told) is not None) not in ((0, True), (1, False)):
        raise Failure(f"status {ended.returncode}: {told} {ended.stderr}")
    return told if ended.returncode == 0 else ""


def something_to_show(as_child):
    """An app that is told, one that is not, and one that waits."""
    tool("age", "settings", "--on")
    tool("age", "set", "Mia", DRAW, "always")
    tool("age", "set", "Mia", GAME, "not-now")
    tool("age", "set", "Mia", CHAT, "ask")
    asks_age(as_child, CHAT)
    until("it waits", lambda: CHAT in tool("age", "apps"))


def waiting():
    """What a screen reader adds to the page's name in the list."""
    return next((node.get_description() for node in entries() if node.get_name() == "Age ranges"), None)


def page(as_child):
    """The page follows what apps ask meanwhile, and each choice on it counts."""
    settings = Settings(options=("--page", "ages"))
    until("it begins with the page", lambda: heading() == "Age ranges")
    says("^Apps are told no ages$")
    says("^Apps may ask how old your child is. They hear only “13 to 15”, never the birthday.$")
    press("Turn age ranges on")
    says("^Apps can be told an age range$")
    says("^No app has asked for an age range.$")
    if asks_age(as_child, CHAT):
        raise Failure("a new app is told something")
    says(f"^“{CHAT}”$")
    until("the list says that one waits", lambda: waiting() == "1 question waits")
    if any(name.startswith(("Always", "Now only")) for name in ready_buttons()):
        raise Failure("a yes takes one act")
    unfold(says("^Asks how old Mia is.$"))
    press(f"Always: “{CHAT}”, Mia")
    says("^is always told$")
    until("the list says that nothing waits", lambda: waiting() == "")
    if not asks_age(as_child, CHAT):
        raise Failure("the app is told nothing after a yes")
    asks_age(as_child, DRAW)
    press(f"Not now: “{DRAW}”, Mia")
    says("^is not told until the half-year ends$")
    if asks_age(as_child, DRAW):
        raise Failure("the app is told something after a no")
    asks_age(as_child, GAME)
    says("^Asks how old Mia is.$")
    picture("settings-age")
    tool("age", "set", "Mia", GAME, "ask")
    passed("age ranges are turned on, and apps are answered: a no in one act, a yes in two")
    press("Change the age ranges")
    write("Ages", "12, 13")
    press("Change")
    says("at least two years apart")
    picture("settings-age-dialog")
    write("Ages", "10, 14")
    press("Change")
    says("^9 or younger, 10 to 13, 14 or older$")
    tool("age", "settings", "--gates", "13,16,18")
    says("^12 or younger, 13 to 15, 16 to 17, 18 or older$")
    press("Turn age ranges off")
    says("^Apps are told no ages$")
    if asks_age(as_child, CHAT):
        raise Failure("an app is told something though age ranges are off")
    settings.end()
    passed("the ages are changed, and age ranges turned off")


def ready_buttons():
    """The names of the buttons that are on the screen."""
    shown = screen.Atspi.StateType.SHOWING
    return [node.get_name() for node in screen.everything() if node.get_role() == screen.Atspi.Role.PUSH_BUTTON and node.get_state_set().contains(shown)]


def languages(as_child):
    something_to_show(as_child)
    for language, name, expected in [("de_DE.UTF-8", "Altersspannen", "^Fragt, wie alt Mia ist.$"), ("ru_RU.UTF-8", "Возраст", "^Спрашивает возраст: Mia.$"),
                                     ("zh_CN.UTF-8", "年龄范围", "^想知道 Mia 的年龄。$")]:
        settings = Settings(language, options=("--page", "ages"))
        until("it begins with the page", lambda name=name: heading() == name)
        says(expected)
        picture(f"settings-age-{language[:2]}")
        settings.end()
    settings = Settings(options=("--page", "ages"), ADW_DEBUG_COLOR_SCHEME="prefer-dark")
    says("^Asks how old Mia is.$")
    picture("settings-age-dark")
    settings.end()
    passed("the page is in German, Russian and Chinese")


def told(wait_for_notification, opens_page):
    """A notification tells of an app that waits, and its button opens the page."""
    screen.look_at_questions()
    server = Part("notifications")
    presenter = Presenter()
    until("the presenter is there", presenter.is_registered)
    one = wait_for_notification("An app asks how old Mia is")
    if (one["text"], set(one["actions"])) != (f"“{CHAT}”", {"Open"}):
        raise Failure(f"it says {one}")
    manager = Part("systemd")
    opens_page(one, "^Asks how old Mia is.$", manager.process.pid, page=("Age ranges", "ages"))
    manager.end()
    screen.look_at_questions()
    presenter.end()
    server.end()
    tool("age", "settings", "--off")
    passed("a notification tells of an app that asks how old a child is, and opens the page")
