"""A grown-up sets up a device in the assistant of gate-settings. Tests/Screens/settings.py calls it."""
import os
import subprocess
import time

from choices import dialog_keys
from device import set_policy
from pages import Settings, button, passed, press, says, texts, tool, type_secret, write
from screen import WORK, Failure, picture, until

NEW_PASSCODE = "New passcode, six digits or more"
# Two users of every Debian. Here they are a father's and a child's.
USERS = """daemon:x:1000:1000:Thomas Weber:/home/thomas:/bin/bash
games:x:1001:1001:Mia Weber:/home/mia:/bin/bash
"""


def first_start():
    """On a device that nobody has set up, the window opens the assistant by itself. The window is killed half-way, which
    leaves everything as it was; then the assistant goes to its end."""
    if os.geteuid() != 0:
        print("left out: only root sets up a device without a question of polkit's", flush=True)
        return
    set_policy("mode: {challenge: arithmetic-choice,", "mode: {challenge: passcode,")
    users = os.path.join(WORK, "passwd")
    with open(users, "w", encoding="utf-8") as file:
        file.write(USERS)
    options = [f"--setup-option={word}" for word in ("--passwd", users, "--config-directory", os.path.join(WORK, "config"))]
    killed(options)
    settings = Settings(options=options, ready=lambda: button("Begin"))
    says("^In a few questions you say who is a grown-up")
    picture("settings-assistant")
    press("Begin")
    who_is_who()
    says("^When was games")
    write("Date of birth", "2015-03-02")
    press("Continue")
    says("^The passcode is a secret")
    type_secret(NEW_PASSCODE, "839157")
    # The way back, and forward again.
    press("Back")
    says("^When was games")
    write("Date of birth", "2014-03-02")
    press("Continue")
    says("^The passcode is a secret")
    type_secret(NEW_PASSCODE, "839157")
    type_secret("Type it again", "839157")
    picture("settings-assistant-passcode")
    press("Continue")
    says("^This will be done:$")
    for line in ("daemon is a grown-up", "games is a child, born 2014-03-02", "a new passcode is set"):
        says(f"^{line}$")
    picture("settings-assistant-plan")
    is_untouched()
    press("Do this now")
    says("^A child who wants parent mode ")
    says("^games .a child, ")
    says("^(asks |only in parent mode)")
    if any(text.startswith("FAIL") for text in texts()):
        raise Failure("something can't be answered")
    picture("settings-assistant-table")
    press("Close")
    until("the pages are there", lambda: "Padlock" in texts())
    listed = tool("people")
    if "2014-03-02" not in listed or "daemon" not in listed or "PASSCODE" not in secrets():
        raise Failure(f"not everything was done: {listed}")
    settings.end()
    for name in ("daemon", "games"):
        tool("people", "remove", name)
    tool("passcode", "remove")
    set_policy()
    passed("the assistant sets a new device up, and a window that is killed half-way has done nothing")


def killed(options):
    settings = Settings(options=options, ready=lambda: button("Begin"))
    press("Begin")
    who_is_who()
    gatectl = subprocess.run(["pgrep", "-P", str(settings.process.pid)], capture_output=True, text=True, check=True).stdout.split()
    settings.process.kill()
    settings.process.wait()
    until("gatectl ends", lambda: gatectl and not any(map(is_running, gatectl)))
    is_untouched()
    # The accessibility bus forgets the window a little later.
    time.sleep(1)


def is_running(pid):
    """A process that has ended has no command line, whether anybody has waited for it or not."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return bool(file.read())
    except FileNotFoundError:
        return False


def who_is_who():
    """The father is a grown-up: the choice above the one that stands there. Mia is a child already."""
    says("^Who is who on this device")
    says("^daemon .Thomas Weber.$")
    dialog_keys("space", "Up", "Return")
    says("^A grown-up$")
    press("Continue")
    says("^games .Mia Weber.$")
    press("Continue")


def secrets():
    return tool("call", "gate.v1.Secrets/GetSecrets", "{}")


def is_untouched():
    if tool("people").strip() or "PASSCODE" in secrets():
        raise Failure("something was done before the person agreed")
