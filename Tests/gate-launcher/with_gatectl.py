#!/usr/bin/python3
"""Starts guarded apps as menu entries do: by `gatectl apps run`, which talks with a real gated and a real gate-launcher. Needs root,
since it acts as a child. Tests/gate-launcher/run runs it.

usage: with_gatectl.py FOLDER-OF-PROGRAMS GATE-LAUNCHER TALK
"""

import os
import shutil
import subprocess

from apps import CHILD, GRANNY, GROWN_UP, LITTLE, NOW, PROGRAMS, TALK, Launcher, policy, process_of, runs, terminal_of, until
from programs import ME, Device, Failed, Program, UsersProgram, run, step


def words(launcher, name):
    return ["gatectl", "apps", "run", name, "--launcher", launcher.path, "--server-user", ME, "--timeout", "20s"]


def starts(device, launcher, name, status=0, says=""):
    """Runs the command without a terminal, and checks how it ends and what it says."""
    with UsersProgram(device, LITTLE, *words(launcher, name)) as program:
        program.process.stdin.close()
        if says:
            program.says(says)
        if (code := program.process.wait(30)) != status:
            program.reads(1)
            raise Failed(f"gatectl apps run {name} should end with {status}, and ends with {code}: {program.text}")


def windows(device, launcher):
    launcher.guard_game("free")
    starts(device, launcher, "free")
    process = process_of(launcher, "free")
    if not runs(process):
        raise Failed("the game should go on when gatectl has ended")
    with open(f"{launcher.game('free')}.env") as file:
        if "LANG=C.UTF-8\n" not in file.readlines():
            raise Failed("the game should have the language of gatectl's environment")
    os.kill(process, 9)
    until("its worker should end", lambda: not launcher.workers())
    step("an app with windows goes on when gatectl has ended")


def refusals(device, launcher):
    starts(device, launcher, "nothing", 1)
    starts(device, launcher, "not a name", 65, "is not a guarded app")
    starts(device, launcher, "other", 65, "'other' is not a guarded app")
    launcher.guard("typed", "/bin/true", lines=["terminal yes"])
    starts(device, launcher, "typed", 65, "This app needs a terminal")
    launcher.guard("broken", "/usr/games/there-is-no-such-program")
    starts(device, launcher, "broken", 69, "The app was not started")
    with UsersProgram(device, LITTLE, "gatectl", "apps", "run", "free", "--launcher", "/nowhere", "--server-user", ME) as program:
        program.says("Guarded apps can't be started")
        program.ends(69)
    step("what can't be started is told in sentences, with an exit status for each")


def questions(device, launcher):
    launcher.guard_game("asked")
    starts(device, launcher, "asked", 4, "You can start this program as soon as a grown-up says yes")
    with UsersProgram(device, GRANNY) as parent:
        parent.hears("asks")
        number = parent.says(r"^ask (\d+) state=1 .*action=app.asked .*details=asked ").group(1)
        parent.hears("answer-ask", number, 1, "30m")
        parent.says(r"^answer-ask done")
        starts(device, launcher, "asked")
        process = process_of(launcher, "asked")
        # The yes is taken back while the game runs.
        parent.hears("answer-ask", number, 0)
        parent.says(r"^answer-ask done")
        until("the game should end with the yes", lambda: not runs(process))
        parent.ends()
    starts(device, launcher, "asked", 1, "A grown-up said no")
    step("a question waits for a grown-up, whose yes starts the game, and whose no ends it")


def terminals(device, launcher):
    launcher.guard("typed", "/bin/sh", "-c", 'read word && echo "has read $word"; exit 3', lines=["terminal yes"])
    ours, theirs = terminal_of(LITTLE)
    switch = ["setpriv", "--reuid", str(LITTLE.pw_uid), "--regid", str(LITTLE.pw_gid), "--clear-groups"]
    command = [*switch, f"{device.folder}/{words(launcher, 'typed')[0]}", *words(launcher, "typed")[1:]]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as program:
        os.write(ours, b"hello\n")
        if (status := program.wait(30)) != 3:
            raise Failed(f"gatectl should end with the app's status, and ends with {status}: {os.read(ours, 1000)}")
    said = os.read(ours, 1000)
    if b"has read hello" not in said:
        raise Failed(f"the app should have gatectl's terminal: {said}")
    launcher.guard("typed", "/bin/sh", "-c", "sleep 600", lines=["terminal yes"])
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as program:
        until("the app should run", lambda: os.listdir(f"{launcher.systemd}/units"))
        program.terminate()
        until("the app should end with gatectl", lambda: not os.listdir(f"{launcher.systemd}/units"))
    os.close(ours)
    os.close(theirs)
    step("an app for terminals has gatectl's terminal and gives its status, and ends with it")


def main():
    if os.getuid() != 0:
        print("skipped: gatectl apps run, which a child calls: run it as root")
        return
    os.environ.pop("XDG_RUNTIME_DIR", None)
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "LANGUAGE", "LC_ALL"]:
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"
    with Device(PROGRAMS, policy(NOW)) as device:
        device.open_to_others(TALK)
        shutil.copy(f"{PROGRAMS}/gatectl", f"{device.folder}/gatectl")
        os.mkdir(f"{device.folder}/out")
        os.chmod(f"{device.folder}/out", 0o777)
        with Launcher(device) as launcher, device.gated():
            with Program(TALK, "0") as admin:
                for name, kind, user in [("Ben", CHILD, LITTLE), ("Gran", GROWN_UP, GRANNY)]:
                    admin.hears("set-person", name, kind, "-", user.pw_name, 0)
                    admin.says(r"^set-person done")
                admin.ends()
            for part in [windows, refusals, questions, terminals]:
                part(device, launcher)


if __name__ == "__main__":
    run(main)
