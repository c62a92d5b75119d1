"""Parts of the test of gate-launcher: what could hold it up, and what could outlive an app."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import time

from apps import GRANNY, LAUNCHER, LITTLE, Client, Launcher, asks, ends, plays, process_of, proof_of, runs, until
from programs import Failed, step


def lingering():
    """A TCP socket whose last close waits for hours: nobody reads what was sent over it. Returns both ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sender = socket.create_connection(listener.getsockname())
        receiver, _ = listener.accept()
    sender.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            sender.send(bytes(65536))
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 30_000))
    return sender, receiver


def lingers(device, launcher):
    with Launcher(device, "other", packet=60_000) as other, contextlib.ExitStack() as silent:
        for _ in range(8):
            silent.enter_context(Client(other))
        until("eight workers wait", lambda: len(other.workers()) == 8)
        # Nine, ten and eleven are refused, with a descriptor that nobody has taken from the message.
        os.kill(other.process.pid, signal.SIGSTOP)
        for _ in range(3):
            sender, receiver = lingering()
            silent.enter_context(receiver)
            silent.enter_context(Client(other)).sends("1", descriptors=[sender.fileno()])
            sender.close()
        os.kill(other.process.pid, signal.SIGCONT)
        with Client(other, GRANNY) as client:
            client.sends("1", "free", "ab" * 24)
            client.hears("refused no-grant", seconds=10)
        until("only the eight should stay", lambda: len(other.workers()) == 8)
    step("a descriptor that takes hours to close holds nobody up but its own client")


def unknown(device, launcher):
    """A uid without an entry, as those of a container."""
    asks(launcher, "refused bad-request", "1", "free", "ab" * 24, user=pwd.struct_passwd(("none", "x", 3_000_000, 3_000_000, "", "/", "")))
    step("a user who is nobody is refused")


def watchdog(device, launcher):
    for path in [f"{device.folder}/notify", "@gate-launcher-test"]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(path.replace("@", "\0"))
            notified.settimeout(15)
            with Launcher(device, "other", notify=path) as other:
                # Once at the beginning, and again without any work.
                for _ in range(2 if path[0] == "@" else 1):
                    if notified.recv(100) != b"WATCHDOG=1":
                        raise Failed("the watchdog should be fed")
                os.kill(other.process.pid, signal.SIGSTOP)
                asks_for_nothing = [Client(other) for _ in range(2)]
                time.sleep(0.1)
                with contextlib.suppress(BlockingIOError):
                    notified.setblocking(False)
                    raise Failed(f"a main process that stands still should not feed it: {notified.recv(100)}")
                for client in asks_for_nothing:
                    client.socket.close()
    step("systemd's watchdog is fed by the main process")


def slow_ends(device, launcher):
    """As long as the unit of an earlier start has not ended, no grant is used up."""
    with Launcher(device, "other", stop=300) as other:
        process = plays(device, other, "free")
        open(f"{other.systemd}/slow", "w").close()
        players = other.workers()
        os.kill(process, 9)
        # What is left then is the process that stops the unit.
        until("the worker should end with its game, and its unit be stopped", lambda: len(other.workers()) == 1 and other.workers() != players)
        with proof_of(device, "free") as kept:
            asks(other, "refused failed", "1", "free", kept)
            os.unlink(f"{other.systemd}/slow")
            until("the unit should end", lambda: not other.workers())
            asks(other, "started", "1", "free", kept)
        process = process_of(other, "free")
        os.kill(process, 9)
        ends(other, process, "it was killed")
    step("a start that has to wait for too long does not use up its grant")


def forgotten(device, launcher):
    """A gated that has lost its list of people is started under a game whose time was counted."""
    with device.gated() as gated:
        process = plays(device, launcher, "free")
        gated.kill()
        gated.wait()
    os.rename(f"{device.folder}/state", f"{device.folder}/kept")
    shutil.copytree(f"{device.folder}/kept", f"{device.folder}/state", ignore=lambda folder, names: names)
    shutil.copystat(f"{device.folder}/kept", f"{device.folder}/state")
    with device.gated():
        ends(launcher, process, "gated does not count its time any more")
    shutil.rmtree(f"{device.folder}/state")
    os.rename(f"{device.folder}/kept", f"{device.folder}/state")
    step("a game whose time was counted does not become nobody's")


def frozen(device, launcher):
    """A process that has left the unit can't escape by forking, since its user's processes stand still while they are killed."""
    for is_able in [True, False]:
        with Launcher(device, "other") as other:
            if not is_able:
                open(f"{other.systemd}/no-freezer", "w").close()
            left_path = f"{device.folder}/out/left"
            with contextlib.suppress(FileNotFoundError):
                os.unlink(left_path)
            launcher.guard("broken", "/bin/sh", "-c", f"setsid sh -c 'echo $$ > {left_path}; exec sleep 600' & sleep 600")
            with proof_of(device, "broken") as proof:
                asks(other, "started", "1", "broken", proof)
            until("a process should leave", lambda: os.path.exists(left_path) and os.path.getsize(left_path))
            with open(left_path) as file:
                left = int(file.read())
            (worker,) = other.workers()
            os.kill(worker, 9)
            ends(other, left, "the app was over that it belongs to")
            with open(f"{other.systemd}/frozen") as file:
                said = [line.split() for line in file]
            verbs, had_left = [line[:2] for line in said], [str(left) in line[2:] for line in said]
            if verbs != [[verb, f"user-{LITTLE.pw_uid}.slice"] for verb in ["freeze", "thaw"]] or had_left != [True, False]:
                raise Failed(f"the user's processes should be frozen while the rest is killed, and thawed after that: {said}")
    step("while the rest of an app is killed, its user's processes are frozen, and thawed after that in any case")


def sweeps(device, launcher):
    """What has an app's group when there is no launcher is killed, whosever it is, and nothing else."""
    with Launcher(device, "other") as other:
        other.records = f"{device.folder}/swept"
        other.guard("broken", "/bin/true")
        with open(f"{other.records}/broken/start") as file:
            group = file.read().split("group ")[1].split()[0]
        os.makedirs(f"{other.records}/none")

        def sweep(**environment):
            subprocess.run([LAUNCHER, "--sweep", f"--records={other.records}", f"--systemctl={other.systemd}/systemctl"], check=True,
                           env={"ASAN_OPTIONS": "detect_leaks=0", **environment})
            with contextlib.suppress(FileNotFoundError), open(f"{other.systemd}/frozen") as file:
                return [line.split()[:2] for line in file]
            return []

        def asleep(user, gid, *groups):
            return subprocess.Popen(["sleep", "600"], user=user.pw_uid, group=int(gid), extra_groups=[int(word) for word in groups])

        others = asleep(LITTLE, LITTLE.pw_gid, group)
        if sweep(EXIT_CODE="exited", EXIT_STATUS="0"):
            raise Failed("nobody should be frozen when there is nothing")
        left = [asleep(user, group) for user in [LITTLE, GRANNY]]
        frozen_once = [["freeze", "user-*.slice"], ["thaw", "user-*.slice"]]
        if sweep() != frozen_once or [process.wait(5) for process in left] != [-9, -9] or others.poll() is not None:
            raise Failed("the two processes with the app's group should be killed, while everybody is frozen")
        if sweep(EXIT_CODE="killed", EXIT_STATUS="KILL") != frozen_once * 2:
            raise Failed("what hides from a search should be frozen if the launcher has ended out of order")
        others.kill()
        others.wait()
    step("what has an app's group, and no launcher, is killed")
