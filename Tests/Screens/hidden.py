"""While somebody has to sign in, the desktop is hidden: on every monitor, behind other presentations, and after the
presenter was killed. Meanwhile a program of the child tries to get through. Tests/Screens/run runs it."""
import os
import subprocess
import time

from device import Asker, Presenter, Toggle, new_device, register, set_policy
from screen import WORK, Failure, button, find, is_ready, no_window, picture, until, window

# Divides Xvfb's one monitor into two, side by side.
LEFT, RIGHT = (256, 600), (768, 600)
RED = "srgb(255,0,0)"
# A window that is red everywhere, comes to the front again and again, and records each press.
PROGRAM = """
import sys, gi
gi.require_version("Gtk", "4.0")
from gi.repository import Gtk, GLib
Gtk.init()
css = Gtk.CssProvider()
css.load_from_data(b"window, label { background: #ff0000; color: #ff0000; }")
window = Gtk.Window(title="game", default_width=900, default_height=700)
Gtk.StyleContext.add_provider_for_display(window.get_display(), css, 800)
window.set_child(Gtk.Label(label="game"))
press = Gtk.GestureClick()
press.connect("pressed", lambda *_: (print("pressed", flush=True)))
window.add_controller(press)
window.present()
if "whole" in sys.argv: window.fullscreen()
if "again" in sys.argv: GLib.timeout_add(400, lambda: window.present() or True)
GLib.timeout_add(100, lambda: print("there", flush=True))
GLib.MainLoop().run()
"""


class Game:
    def __init__(self, *words):
        self.log = open(os.path.join(WORK, "game.log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-c", PROGRAM, *words], stdout=self.log, env={**os.environ, "GTK_A11Y": "none", "LC_ALL": "C.UTF-8"})
        until("the game is there", lambda: "there" in self.said())

    def said(self):
        with open(self.log.name, encoding="utf-8") as file:
            return file.read()

    def was_pressed(self):
        return "pressed" in self.said()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


def colour(place):
    """The colour of this pixel of the screen."""
    shown = subprocess.run(
        ["import", "-window", "root", "-crop", f"1x1+{place[0]}+{place[1]}", "-depth", "8", "txt:-"], capture_output=True, text=True, check=True)
    return shown.stdout.split()[-1]


def is_hidden():
    return colour(LEFT) not in (RED, "red") and colour(RIGHT) not in (RED, "red")


def hidden(what):
    """Checks that the desktop is hidden within two seconds and stays hidden, and that presses reach no program
    behind."""
    until(f"{what}: the desktop is hidden", is_hidden, 2.0)
    for place in (LEFT, RIGHT):
        subprocess.run(["xdotool", "mousemove", str(place[0]), str(place[1]), "click", "1"], check=True)
    print(f"passed: {what}", flush=True)


def question():
    until("a question stands there", lambda: find("Not now"))


def hidden_desktop():
    # An earlier scenario may have registered anna and signed her in.
    new_device("2468")
    subprocess.run(["xrandr", "--setmonitor", "left", "512/135x768/203+0+0", "screen"], check=True)
    subprocess.run(["xrandr", "--setmonitor", "right", "512/135x768/203+512+0", "none"], check=True)
    # Xvfb does not tell programs about a new monitor.
    Presenter.newest.end()
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)
    game = Game()
    found = subprocess.run(["xdotool", "search", "--sync", "--name", "^game$"], capture_output=True, text=True, check=True).stdout.split()[-1]
    subprocess.run(["xdotool", "windowmove", found, "60", "20", "windowsize", found, "900", "700"], check=True)
    until("the game is seen on both monitors", lambda: colour(LEFT) in (RED, "red") and colour(RIGHT) in (RED, "red"))
    register("anna", "blue-kite")
    try:
        set_policy("sign-in: {required: false}", "sign-in: {required: true}")
        until("the sign-in is asked", window)
        hidden("somebody has to sign in, on two monitors")
        if button("Add a person"):
            raise Failure("a window that the covers would hide can be opened (K-14)")
        picture("hidden-sign-in")

        asker = Toggle()
        question()
        picture("hidden-question")
        until("it can be dismissed", lambda: is_ready(button("Not now")))
        hidden("parent mode is asked for, and the desktop stays hidden")
        # The sign-in is shown again in this window afterwards, so the window is not closed.
        status = asker.process.wait(60)
        if status != 3:
            raise Failure(f"a press on the hidden desktop should dismiss the question, which ended with {status}")
        print("passed: a press on the hidden desktop, beside a question, dismisses it (K-03)", flush=True)
        until("the sign-in is asked again", window)
        hidden("after the question")

        second = Game("again")
        hidden("a program comes to the front again and again")
        time.sleep(1)
        hidden("and again")
        second.end()

        # Restarts it as systemd does. The open question comes first, and the desktop is hidden all the same.
        asker = Asker("link.open")
        question()
        Presenter.newest.process.kill()
        Presenter.newest.process.wait()
        Presenter()
        until("it is asked on the new screen, or nowhere", lambda: window() or asker.process.poll() is not None)
        hidden("the presenter was killed in the middle of a question")
        if asker.process.poll() is None:
            asker.process.terminate()
        asker.process.wait()
        until("the sign-in is asked again", window)
        hidden("after a kill")
        if game.was_pressed():
            raise Failure("a press reached a program beneath the cover")
    finally:
        set_policy()
    until("nothing hides the desktop any more", lambda: no_window() and not is_hidden())
    print("passed: nobody has to sign in any more, and the desktop is back", flush=True)
    game.end()
    for name in ("left", "right"):
        subprocess.run(["xrandr", "--delmonitor", name], check=False)
    # Xvfb does not tell programs about a removed monitor. And the next question would take two steps, since the sign-in
    # was withdrawn.
    Presenter.newest.end()
    Presenter()
    until("the presenter is there again", Presenter.newest.is_registered)
