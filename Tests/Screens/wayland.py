"""gate-presenter as an ordinary client of a Wayland compositor. Run by Tests/Screens/run --wayland, which has weston without a monitor,
a session bus and a daemon. There is no keyboard and no pointer there: a screen reader presses."""
import re
import subprocess
import sys
import time

from device import Asker, Toggle, gatectl, play
from kinds import opened
from screen import Atspi, Failure, button, everything, find, is_ready, press, until, window


def the_sum():
    name = until("there is a sum", lambda: next(
        (node.get_name() for node in everything() if re.fullmatch(r"\d+ [+−×÷] \d+ = \?", node.get_name() or "")), None))
    left, sign, right, *_ = name.split()
    left, right = int(left), int(right)
    return str({"+": left + right, "−": left - right, "×": left * right, "÷": left // right}[sign])


def size():
    node = window()
    node.clear_cache()
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
    """The second is another window, and the first one has gone."""
    first = Asker("link.open")
    right = the_sum()
    second = Asker("confirm")
    press(right)
    until("the second is there", lambda: button("Yes…"))
    time.sleep(0.2)
    press("No")
    first.ends("Wayland: the first of two questions", 0)
    second.ends("Wayland: the second one", 1)


if __name__ == "__main__":
    sys.exit(play([sheet, cover, secret, two_in_a_row]))
