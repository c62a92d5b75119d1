"""A person in front of gate-settings. Run by Tests/Screens/run --settings."""
import os
import subprocess
import sys
import time

import screen
from device import BIN, USER, Asker, gatectl
from screen import Atspi, Failure, everything, find, labels, picture, press, tree_text, until, window, WORK


class Settings:
    """The program, which all of screen.py is about from now on."""

    def __init__(self, locale="C.UTF-8", title="^Gate's settings$", **variables):
        screen.look_at("gate-settings", title)
        self.log = open(os.path.join(WORK, "settings.log"), "ab")
        self.process = subprocess.Popen(
            [os.path.join(BIN, "gate-settings"), "--server-user", USER], stderr=self.log, env={**os.environ, "LC_ALL": locale, **variables})
        until("the window is there", window)

    def end(self):
        self.process.terminate()
        if self.process.wait() != 0:
            raise Failure(f"gate-settings ends with {self.process.returncode}")


def the_list():
    return next(node for node in everything() if node.get_role() == Atspi.Role.LIST)


def pages():
    """The names of the pages in the sidebar: the last list of the window."""
    return [node.get_name() for node in entries()]


def entries():
    lists = [node for node in everything() if node.get_role() == Atspi.Role.LIST]
    return [node for node in everything(lists[-1]) if node.get_role() == Atspi.Role.LIST_ITEM]


def go_to(index):
    """Chooses a page, as a screen reader does."""
    entry = entries()[index]
    Atspi.Selection.select_child(entry.get_parent().get_selection_iface(), entry.get_index_in_parent())
    time.sleep(0.3)


if __name__ == "__main__":
    run = lambda *w, **k: subprocess.run(gatectl(*w), check=True, capture_output=True, text=True, **k)
    run("register", "anna", "--child", "2015-03-02", "--password-file", "/dev/stdin", input="secret1\n")
    run("mode", "override") if False else None
    a = Asker("link.open"); time.sleep(0.3)
    a.process.kill()
    run("override", "parent", "--for", "10m", "--reason", "trial")
    s = Settings(os.environ.get("GATE_LOCALE", "C.UTF-8"), ".*")
    time.sleep(1)
    size = os.environ.get("GATE_SIZE")
    if size:
        ids = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "settings"], capture_output=True, text=True).stdout.split()
        subprocess.run(["xdotool", "windowsize", ids[-1], *size.split("x")])
        time.sleep(0.5)
    names = pages()
    print(names)
    for i, n in enumerate(names):
        go_to(i)
        time.sleep(0.5)
        print("--", n, [l for l in labels()])
        picture(f"{i}")
    for node in everything():
        if node.get_role() == Atspi.Role.LIST_ITEM:
            print(node.get_name(), "|", node.get_description())
    s.end()
