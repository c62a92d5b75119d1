"""gate-presenter as an ordinary client of a Wayland compositor. Tests/Screens/run --wayland runs it, with weston on
no monitor, a session bus and a daemon. There is no keyboard and no pointer; a screen reader presses."""
import os
import re
import subprocess
import sys
import tempfile
import time

from device import Asker, Presenter, Toggle, gatectl, play, register, set_policy
from hidden import RED, Game
from kinds import opened
from screen import Atspi, Failure, button, everything, find, is_ready, press, until, window


# The colour of the windows that hide the desktop.
COVER = "srgb(250,250,250)"


def the_sum():
    name = until("there is a sum", lambda: next(
        (node.get_name() for node in everything() if re.fullmatch(r"\d+ [+−×÷] \d+ = \?", node.get_name() or "")), None))
    left, sign, right, *_ = name.split()
    left, right = int(left), int(right)
    return str({"+": left + right, "−": left - right, "×": left * right, "÷": left // right}[sign])


def size():
    node = window()
    extents = Atspi.Component.get_extents(node.get_component_iface(), Atspi.CoordType.WINDOW)
    return extents.width, extents.height


def sheet():
    asker = Asker("link.open", "--details", "https://example.org/")
    right = the_sum()
    if size() == (1024, 768):
        raise Failure("a sheet covers the monitor")
    press(right)
    asker.ends("Wayland: the right answer on a sheet", 0)
    asker = Asker("link.open")
    the_sum()
    press("Not now")
    asker.ends("Wayland: a sheet that is dismissed", 3)


def cover():
    asker = Asker("covered")
    right = the_sum()
    until("the cover has the whole monitor", lambda: size() == (1024, 768))
    press(right)
    asker.ends("Wayland: the right answer on a cover", 0)
    asker = Toggle()
    press(the_sum())
    asker.ends("Wayland: parent mode", 0)
    subprocess.run(gatectl("lock"), check=True, capture_output=True)


def secret():
    subprocess.run(gatectl("passcode", "set", "--stdin"), input="2468\n", text=True, check=True, capture_output=True)
    asker = Asker("buy")
    opened()
    until("the keypad is there", lambda: is_ready(button("2")))
    if find("Letters…") is not None:
        raise Failure("a keyboard on the screen, though there is no touch screen")
    for key in ("2", "4", "6", "8", "OK"):
        press(key)
    asker.ends("Wayland: a passcode by its keypad", 0)


def two_in_a_row():
    """The second question has a window of its own, and the first window is closed."""
    first = Asker("link.open")
    right = the_sum()
    second = Asker("confirm")
    press(right)
    until("the second is there", lambda: button("Allow…"))
    time.sleep(0.2)
    press("Don't allow")
    first.ends("Wayland: the first of two questions", 0)
    second.ends("Wayland: the second one", 1)


def colour(x, y):
    """The colour of this pixel, once the monitor was drawn."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["weston-screenshooter"], cwd=folder, check=True, capture_output=True)
        shown = subprocess.run(
            ["convert", *(os.path.join(folder, name) for name in os.listdir(folder)), "-crop", f"1x1+{x}+{y}", "-depth", "8", "txt:-"],
            capture_output=True, text=True, check=True)
    return shown.stdout.split()[-1]


def hidden():
    """While somebody has to sign in, the desktop is hidden, and a question is in front of what hides it."""
    corners = (20, 740), (1000, 740)

    def is_red():
        return any(colour(*corner) in (RED, "red") for corner in corners)

    # Its window takes the whole monitor, as a child's program would like it.
    game = Game("again", "whole")
    until("the game is seen", is_red)
    register("anna", "blue-kite")
    set_policy("sign-in: {required: false}", "sign-in: {required: true}")
    until("the sign-in is asked", window)
    until("the desktop is hidden", lambda: not is_red())
    bar = colour(100, 12)
    asker = Toggle()
    until("a question is asked", lambda: find("Not now"))
    until("the question stands in front, as large as the monitor", lambda: size() == (1024, 768) and colour(100, 12) not in (bar, COVER))
    if is_red():
        raise Failure("a question uncovers the desktop")
    opened()
    press(the_sum())
    asker.ends("Wayland: a question in front of what hides the desktop", 0)
    subprocess.run(gatectl("lock"), check=True, capture_output=True)
    # The question was open before the desktop was hidden.
    set_policy()
    until("nothing is hidden any more", lambda: is_red())
    asker = Asker("confirm")
    until("a question is asked", lambda: find("Don't allow"))
    set_policy("sign-in: {required: false}", "sign-in: {required: true}")
    until("the desktop is hidden behind it", lambda: not is_red() and size() == (1024, 768) and colour(100, 12) not in (bar, COVER))
    press("Don't allow")
    asker.ends("Wayland: a question that was there before the desktop was hidden", 1)
    until("the sign-in is asked again", lambda: colour(100, 12) == bar)
    Presenter.newest.process.kill()
    Presenter.newest.process.wait()
    Presenter()
    until("it is asked after a kill", lambda: colour(100, 12) == bar and not is_red())
    print("passed: Wayland: the desktop is hidden again after a kill", flush=True)
    set_policy()
    until("the desktop is back", is_red)
    game.end()


if __name__ == "__main__":
    sys.exit(play([sheet, cover, secret, two_in_a_row, hidden]))
