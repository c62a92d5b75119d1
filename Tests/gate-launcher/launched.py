#!/usr/bin/python3
"""Starts guarded apps through gate-launcher, with a real gated, and with programs that take the place of systemd's. Needs root,
since it acts as several users. Tests/gate-launcher/run runs it.

usage: launched.py FOLDER-OF-PROGRAMS GATE-LAUNCHER TALK [SEED]
"""

import contextlib
import os
import pwd
import random
import subprocess
import sys
import time

from apps import (ALSO, CHILD, GRANNY, GROUP, GROWN_UP, LATER, LITTLE, NOW, PROGRAMS, STRANGER, TALK, Client, Launcher, asks, ends, plays, policy,
                  process_of, proof_of, runs, terminal_of, until)
from holding import forgotten, frozen, lingers, slow_ends, sweeps, unknown, watchdog
from programs import Device, Failed, Program, UsersProgram, run, step

SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1


def wrong_packets(device, launcher):
    launcher.guard_game("free")
    proof = "ab" * 24
    for words in [["2", "free", proof], ["1", "free"], ["1", "../free", proof], ["1", "free", "xyz"], ["1", "free", proof, "LD_PRELOAD=/tmp/x.so"], ["1"]]:
        asks(launcher, "refused bad-request", *words)
    for packet in [b"1\0free\0" + proof.encode(), b"1\0free\0" + proof.encode() + b"\0" + bytes(16 << 10), b"\0" * 10]:
        with Client(launcher) as client:
            client.socket.send(packet)
            client.hears("refused bad-request")
    with open("/dev/null", "rb") as null:
        (ours, theirs), (grannys, her_end) = terminal_of(LITTLE), terminal_of(GRANNY)
        path = os.open(os.ttyname(theirs), os.O_PATH)
        for descriptors in [[null], [null] * 3, [null] * 4, [null] * 200, [theirs] * 2, [theirs] * 4, [theirs, theirs, null],
                            [theirs, theirs, path], [her_end] * 3]:
            asks(launcher, "refused bad-request", "1", "free", proof, descriptors=[file if isinstance(file, int) else file.fileno() for file in descriptors])
        for descriptor in [ours, theirs, grannys, her_end, path]:
            os.close(descriptor)
    asks(launcher, "refused not-guarded", "1", "nothing", proof)
    asks(launcher, "refused bad-request", "1", "free", proof, user=pwd.getpwuid(0))
    step("packets that are wrong are refused, and so are root, descriptors that are no terminals of the user's own, and apps that are not guarded")


def wrong_files(device, launcher):
    for mode in [0o664, 0o646]:
        launcher.guard("broken", "/bin/true", mode=mode)
        asks(launcher, "refused failed", "1", "broken", "ab" * 24)
    launcher.guard("broken", "/bin/true", lines=["uid 0"])
    asks(launcher, "refused failed", "1", "broken", "ab" * 24)
    launcher.guard("broken", "/bin/true")
    os.chown(f"{launcher.records}/broken/start", LITTLE.pw_uid, 0)
    asks(launcher, "refused failed", "1", "broken", "ab" * 24)
    os.unlink(f"{launcher.records}/broken/start")
    os.symlink(f"{launcher.records}/free/start", f"{launcher.records}/broken/start")
    asks(launcher, "refused failed", "1", "broken", "ab" * 24)
    os.unlink(f"{launcher.records}/broken/start")
    os.mkfifo(f"{launcher.records}/broken/start")
    asks(launcher, "refused failed", "1", "broken", "ab" * 24)
    os.unlink(f"{launcher.records}/broken/start")
    step("a start file that others than root could have written, or that is wrong, starts nothing")


def proofs(device, launcher):
    launcher.guard_game("other")
    with proof_of(device, "free") as proof:
        process = None
        asks(launcher, "refused no-grant", "1", "free", proof[:-2] + ("00" if proof[-2:] != "00" else "11"))
        asks(launcher, "refused no-grant", "1", "free", "ab" * 24)
        asks(launcher, "refused no-grant", "1", "free", "ab")
        asks(launcher, "refused no-grant", "1", "other", proof)
        asks(launcher, "started", "1", "free", proof)
        process = process_of(launcher, "free")
        asks(launcher, "refused no-grant", "1", "free", proof)
    with open(f"{launcher.game('free')}.ids") as file:
        uid, gid, groups = file.read().splitlines()
    if (uid, gid) != (str(LITTLE.pw_uid), str(GROUP)) or set(groups.split()) != {str(GROUP), str(ALSO), str(LITTLE.pw_gid)}:
        raise Failed(f"the game has uid {uid}, gid {gid} and the groups {groups}")
    os.kill(process, 9)
    ends(launcher, process, "it was killed")
    # Another user's, one for other details, one for another redeemer, and one whose program has ended.
    with proof_of(device, "free", GRANNY) as proof:
        asks(launcher, "refused no-grant", "1", "free", proof)
        asks(launcher, "refused no-grant", "1", "free", proof, user=GRANNY)
    with proof_of(device, "free", details="something else") as proof:
        asks(launcher, "refused no-grant", "1", "free", proof)
    with proof_of(device, "free", redeemer=GRANNY.pw_uid) as proof:
        asks(launcher, "refused no-grant", "1", "free", proof)
    with proof_of(device, "free") as proof:
        pass
    asks(launcher, "refused no-grant", "1", "free", proof)
    if launcher.workers():
        until("workers should end", lambda: not launcher.workers())
    step("one grant starts one app once, for the user who asked, with the app's group")


def variables(device, launcher):
    sent = ["DISPLAY=:7", "LANG=de_DE.UTF-8", "XAUTHORITY=/run/user/9/.Xauthority", "LC_ALL=/home/x", "TZ=../zone"]
    process = plays(device, launcher, "free", variables=sent)
    with open(f"{launcher.game('free')}.env") as file:
        got = dict(line.split("=", 1) for line in file.read().splitlines())
    wanted = {"DISPLAY": ":7", "LANG": "de_DE.UTF-8", "XAUTHORITY": "/run/user/9/.Xauthority", "HOME": LITTLE.pw_dir, "USER": LITTLE.pw_name,
              "LOGNAME": LITTLE.pw_name, "SHELL": LITTLE.pw_shell, "XDG_RUNTIME_DIR": f"/run/user/{LITTLE.pw_uid}", "PYTHONNOUSERSITE": "1",
              "DBUS_SESSION_BUS_ADDRESS": f"unix:path=/run/user/{LITTLE.pw_uid}/bus",
              "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"}
    if {name: value for name, value in got.items() if name not in ["PWD", "_", "SHLVL", "OLDPWD"]} != wanted:
        raise Failed(f"the game should have {wanted}, and has {got}")
    os.kill(process, 9)
    ends(launcher, process, "it was killed")
    step("the game has the variables that the launcher makes, and of the client's those with the usual shape")


def limits(device, launcher):
    with contextlib.ExitStack() as silent:
        clients = [silent.enter_context(Client(launcher)) for _ in range(8)]
        until("eight workers wait", lambda: len(launcher.workers()) == 8)
        asks(launcher, "refused limit", "1", "free", "ab" * 24)
        asks(launcher, "refused no-grant", "1", "free", "ab" * 24, user=GRANNY)
        for client in clients:
            client.hears("")
    until("workers that hear nothing should end", lambda: not launcher.workers(), 4)
    asks(launcher, "refused no-grant", "1", "free", "ab" * 24)
    step("a client that says nothing is dropped, and nine of one user are one too many")


def kills(device, launcher):
    process = plays(device, launcher, "free")
    (worker,) = launcher.workers()
    # The worker is the child's towards gated, but only root can end it.
    killer = subprocess.run(["setpriv", "--reuid", str(LITTLE.pw_uid), "--clear-groups", "kill", "-9", str(worker)], stderr=subprocess.DEVNULL, check=False)
    if killer.returncode == 0 or not runs(worker):
        raise Failed("the child can kill the worker")
    os.kill(worker, 9)
    ends(launcher, process, "its worker was killed")
    # The same if the game itself is all that is left of what the worker has started.
    process = plays(device, launcher, "free")
    (worker,) = launcher.workers()
    with open(f"/proc/{worker}/task/{worker}/children") as file:
        for child in file.read().split():
            os.kill(int(child), 9)
    ends(launcher, process, "systemd-run was killed")
    # As programs that systemd has moved into a unit of the child's: the stop of the app's unit does not reach them.
    launcher.guard("broken", "/bin/sh", "-c", f"setsid sh -c 'echo $$ > {device.folder}/out/left; sleep 600' & sleep 600")
    with proof_of(device, "broken") as proof:
        asks(launcher, "started", "1", "broken", proof)
    until("a process should leave", lambda: os.path.exists(f"{device.folder}/out/left") and os.path.getsize(f"{device.folder}/out/left"))
    with open(f"{device.folder}/out/left") as file:
        left = int(file.read())
    (worker,) = launcher.workers()
    os.kill(worker, 9)
    ends(launcher, left, "the app was over that it belongs to")
    with Launcher(device, "other") as other:
        process = plays(device, other, "free")
        (worker,) = other.workers()
        other.process.kill()
        until("a worker should end with main", lambda: not runs(worker))
    step("whatever is killed, the unit is stopped, with what has left it; and a worker ends with the main process")


def statuses(device, launcher):
    launcher.guard("broken", "/bin/sh", "-c", "sleep 0.5; exit 7")
    with proof_of(device, "broken") as proof, Client(launcher) as client:
        client.sends("1", "broken", proof)
        client.hears("started", "ended 7", "")
    launcher.guard("broken", "/usr/games/there-is-no-such-program")
    with proof_of(device, "broken") as proof:
        asks(launcher, "refused failed", "1", "broken", proof)
    with Launcher(device, "other", systemctl="/bin/false") as other:
        launcher.guard("broken", "/bin/true")
        with proof_of(device, "broken") as proof:
            asks(other, "started", "1", "broken", proof)
        until("a launcher that can't stop a unit should end", lambda: other.process.poll() == 1)
    with open(f"{device.folder}/said", "w+") as said, Launcher(device, "other", idle=300, stderr=said) as other:
        with proof_of(device, "broken") as proof:
            asks(other, "started", "1", "broken", proof)
        until("a launcher without work should end", lambda: other.process.poll() == 0, 5)
        said.seek(0)
        if "not loaded" in (words := said.read()):
            raise Failed(f"an app that has ended by itself is no news for the journal: {words}")
    step("the client hears how the app has ended; a launcher that can't stop units ends, and one without work too")


def terminals(device, launcher):
    launcher.guard("typed", "/bin/sh", "-c", 'test -t 0 && test -t 1 && read word && echo "has read $word" && read more; exit 3', lines=["terminal yes"])
    with proof_of(device, "typed") as proof:
        asks(launcher, "refused no-terminal", "1", "typed", proof)
        ours, theirs = terminal_of(LITTLE)
        with Client(launcher) as client:
            client.sends("1", "typed", proof, descriptors=[theirs] * 3)
            client.hears("started terminal")
            os.write(ours, b"hello\n")
            said = b""
            while b"has read hello" not in said:
                said += os.read(ours, 100)
            os.write(ours, b"\n")
            client.hears("ended 3", "")
    with proof_of(device, "typed") as proof:
        with Client(launcher) as client:
            client.sends("1", "typed", proof, descriptors=[theirs] * 3)
            client.hears("started terminal")
            until("the unit should run", lambda: os.listdir(f"{launcher.systemd}/units"))
        until("the unit should be stopped when its client has gone", lambda: not os.listdir(f"{launcher.systemd}/units") and not launcher.workers())
    os.close(ours)
    os.close(theirs)
    step("an app for terminals has its client's terminal, and ends with its client")


def schedules(device, launcher):
    launcher.guard_game("hours")
    process = plays(device, launcher, "hours")
    with proof_of(device, "hours") as kept, Client(launcher) as client:
        with proof_of(device, "hours") as proof:
            client.sends("1", "hours", proof)
            client.hears("started")
        second = process_of(launcher, "hours")
        write_policy(device, LATER)
        client.hears("stopped out-of-hours")
        until("both games should end when the schedule closes", lambda: not runs(process) and not runs(second))
        # The grant of the last minute holds, but there is no time any more.
        asks(launcher, "refused out-of-hours", "1", "hours", kept)
    until("workers should end", lambda: not launcher.workers())
    write_policy(device, NOW)
    step("when a schedule closes, the game is gone, and none begins")


def write_policy(device, schedule):
    with open(f"{device.folder}/config/policy.yaml", "w") as file:
        file.write(policy(schedule))
    device.gatectl("reload", "--quiet")


def strangers(device, launcher):
    process = plays(device, launcher, "other", STRANGER)
    if "app.other" in device.gatectl("usage", "--json"):
        raise Failed("nobody's time should run")
    os.kill(process, 9)
    ends(launcher, process, "it was killed")
    step("a user whom nobody on the list of people has plays uncounted")


def short_and_long(device, launcher):
    """Both games need the same minute. The child asks for more time for one of them, and gets it."""
    for name in ["short", "long"]:
        launcher.guard_game(name)
    processes = [plays(device, launcher, name) for name in ["short", "long"]]
    with UsersProgram(device, LITTLE) as child, UsersProgram(device, GRANNY) as parent:
        child.hears("more-time", "app.long", "15m")
        number = child.says(r"^ask (\d+) state=1 ").group(1)
        parent.hears("answer-ask", number, 1)
        parent.says(r"^answer-ask done")
        for program in [child, parent]:
            program.ends()
    return processes


def yeses(device, launcher):
    """A yes for half an hour is to the details with which the app was authorized, and so the count has them, too."""
    launcher.guard_game("asked")
    with UsersProgram(device, LITTLE) as child, UsersProgram(device, GRANNY) as parent:
        child.hears("ask", "app.asked", "asked", 0)
        number = child.says(r"^ask asked ask=(\d+) ").group(1)
        parent.hears("answer-ask", number, 1, "30m")
        parent.says(r"^answer-ask done")
        processes = [plays(device, launcher, "asked") for _ in range(2)]
        parent.hears("answer-ask", number, 0)
        parent.says(r"^answer-ask done")
        until("both games should end with the yes", lambda: not any(runs(process) for process in processes))
        for program in [child, parent]:
            program.ends()
    until("workers should end", lambda: not launcher.workers())
    step("a grown-up's yes for a while starts a game as often as the child likes, and its end ends them")


def hostile(device, launcher):
    chance = random.Random(SEED)
    base = b"1\0free\0" + b"ab" * 24 + b"\0DISPLAY=:0\0LANG=de_DE.UTF-8\0"
    for _ in range(300):
        packet = bytearray(base)
        for _ in range(chance.randrange(4)):
            packet[chance.randrange(len(packet))] = chance.randrange(256)
        with Client(launcher, chance.choice([LITTLE, GRANNY, STRANGER])) as client, contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.socket.send(bytes(packet[: chance.randrange(len(packet) + 1)]))
            if chance.random() < 0.5:
                said = client.socket.recv(100).decode()
                if said and not said.startswith("refused "):
                    raise Failed(f"a packet that chance has made is answered by '{said}'")
    until("workers should end", lambda: not launcher.workers())
    if launcher.process.poll() is not None:
        raise Failed("the launcher has ended")
    step(f"300 packets that chance has made start nothing and break nothing (seed {SEED})")


def without_gated(device, launcher):
    """gated is killed under a game, and comes back soon enough, or too late."""
    with device.gated():
        pass
    asks(launcher, "refused no-gate", "1", "free", "ab" * 24)
    with device.gated() as gated:
        process = plays(device, launcher, "free")
        gated.kill()
        gated.wait()
    with device.gated() as gated:
        until("the game is counted again", lambda: '"isRunning":true' in device.gatectl("usage", "--json").replace(" ", ""))
        time.sleep(2)
        if not runs(process):
            raise Failed("a daemon that comes back in time should keep the game")
        gated.kill()
        gated.wait()
        begin = time.monotonic()
        ends(launcher, process, "gated was gone for longer than it may")
        if time.monotonic() - begin < 1:
            raise Failed("the game should have gone on for a while")
    step("a game outlives a gated that is started again, and is ended without one")


def main():
    if os.getuid() != 0:
        print("skipped: gate-launcher, which acts as several users: run it as root")
        return
    os.environ.pop("XDG_RUNTIME_DIR", None)
    with Device(PROGRAMS, policy(NOW)) as device:
        device.open_to_others(TALK)
        os.mkdir(f"{device.folder}/out")
        os.chmod(f"{device.folder}/out", 0o777)
        with Launcher(device) as launcher, Launcher(device, "played") as played:
            with device.gated():
                with Program(TALK, "0") as admin:
                    for name, kind, user in [("Ben", CHILD, LITTLE), ("Gran", GROWN_UP, GRANNY)]:
                        admin.hears("set-person", name, kind, "-", user.pw_name, 0)
                        admin.says(r"^set-person done")
                    admin.ends()
                begin = time.monotonic()
                short, long = short_and_long(device, played)
                for part in [wrong_packets, wrong_files, proofs, variables, limits, lingers, unknown, watchdog, kills, frozen, sweeps, slow_ends,
                             statuses, terminals, strangers, yeses, hostile]:
                    part(device, launcher)
                until("the game without more time should end with its minute", lambda: not runs(short), 75)
                if time.monotonic() - begin < 55:
                    raise Failed("the game should have its whole minute")
                time.sleep(1)
                if not runs(long):
                    raise Failed("the game with more time should go on")
                step("when its minute is over a game is gone, and more time keeps the same process")
                os.kill(long, 9)
                ends(played, long, "it was killed")
                schedules(device, launcher)
            without_gated(device, launcher)
            forgotten(device, launcher)


if __name__ == "__main__":
    run(main)
