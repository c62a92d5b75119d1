#!/usr/bin/python3
"""Runs libgate in sandboxes as Flatpak makes them: what it connects to there, whom it believes, and what it says if nobody is there.
Tests/libgate/run runs it.

usage: sandbox.py TALK
"""

import os
import shutil
import sys
import tempfile

from programs import Sandbox, frame, impostor, received, run, step, watch_message

TALK = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp(prefix="libgate.")
PORTAL = f"{FOLDER}/gate/portal"
PARENT = r"mode=parent"
ADVICE = r"^watch refused code=14 .*runs in a sandbox.*/gate/portal: .*--filesystem=xdg-run/gate:ro.*install gate-portal"
OUTSIDE = r"^watch refused code=14 .*/run/gated/gate.sock"


def serve(peer):
    """Tells that the mode is parent, and what the first call was."""
    received(peer)
    peer.sendall(frame(1, 3, 0, watch_message(5, mode=3)))
    received(peer)


def server(uid=Sandbox.UID):
    """A server at gate-portal's socket, of this user."""
    return impostor(PORTAL, serve, uid)


def watches(sandbox, *patterns, never=None, env=None, words=()):
    with sandbox.program(f"{FOLDER}/talk", *words, env=env) as program:
        program.hears("watch", 1)
        for pattern in patterns:
            program.says(pattern)
        if never:
            program.quiet(never)
        program.ends()


def its_own_user():
    with server():
        watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate"), PARENT)
        # Without the variable the folder is the usual one.
        for unusable in ["", "run/user/1"]:
            watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate"), PARENT, env={"XDG_RUNTIME_DIR": unusable})
        watches(Sandbox(FOLDER), PARENT, env={"XDG_RUNTIME_DIR": FOLDER})
        watches(Sandbox(FOLDER), ADVICE, env={"XDG_RUNTIME_DIR": f"{FOLDER}/other"})
    step("in a sandbox libgate talks with gate-portal, which runs as the same user")


def nobody_else():
    if os.getuid() != 0:
        return step("skipped: a server of another user (only root can make one)")
    with server(uid=4713):
        watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate"), r"^watch refused code=7 reason=40 ", never=PARENT)
    # Whoever names a user believes that one and root, whatever the socket.
    with server():
        watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate"), r"^watch refused code=7 reason=10 ", never=PARENT, words=["1"])
    step("in a sandbox no other user is believed")


def not_there():
    watches(Sandbox(FOLDER), ADVICE, never=PARENT)
    watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate"), ADVICE, never=PARENT)
    step("without gate-portal the mode is child, and the error says what is missing")


def no_sandbox():
    with server():
        for info in [(), ("--symlink", f"{FOLDER}/flatpak-info"), ("--dir",)]:
            watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate", info=info), OUTSIDE, never=PARENT)
    step("a sandbox is known by a regular file /.flatpak-info, and by no link or folder")


def variable_wins():
    other = f"{FOLDER}/gate/other"
    with server():
        watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate"), rf"^watch refused code=14 .*{other}", never=PARENT, env={"GATE_SOCKET": other})
        # A socket that is named is a daemon's, so this server's user is not believed; even if it is gate-portal's socket.
        watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate"), r"^watch refused code=7 reason=10 ", never=PARENT, env={"GATE_SOCKET": PORTAL})
        watches(Sandbox(FOLDER, gate=f"{FOLDER}/gate"), PARENT, env={"GATE_SOCKET": PORTAL}, words=[str(Sandbox.UID)])
    step("GATE_SOCKET wins")


def main():
    try:
        os.chmod(FOLDER, 0o755)
        os.mkdir(f"{FOLDER}/gate")
        os.chmod(f"{FOLDER}/gate", 0o777)
        shutil.copy(TALK, f"{FOLDER}/talk")
        if not Sandbox.is_possible(FOLDER):
            return step("skipped: sandboxes (bubblewrap is not here, or may make no user namespace)")
        for part in [its_own_user, nobody_else, not_there, no_sandbox, variable_wins]:
            part()
    finally:
        shutil.rmtree(FOLDER)


if __name__ == "__main__":
    run(main)
