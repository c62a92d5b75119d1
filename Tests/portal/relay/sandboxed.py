#!/usr/bin/python3
"""Apps in sandboxes as Flatpak makes them use a real gated, through a real gate-portal, with libgate, Python and gatectl. Tests/portal/relay/run
runs it.

usage: sandboxed.py FOLDER-OF-PROGRAMS GATE-PORTAL TALK
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.abspath(__file__)) + "/../../.."
sys.path.insert(0, f"{ROOT}/Tests/libgate")
from programs import ME, Device, Failed, Program, Sandbox, field, run, step  # noqa: E402

PROGRAMS, PORTAL, TALK = (os.path.abspath(word) for word in sys.argv[1:])
POLICY = f"""
mode: {{challenge: arithmetic-choice}}
roles: {{presenter: {{users: [{ME}]}}}}
entitlements: {{premium: {{title: Premium}}}}
gated-actions:
  link.open: {{title: Open a web page, requires: {{challenge: confirm}}}}
  sure: {{title: Be sure, requires: {{challenge: confirm}}}}
  photos.delete: {{title: Delete photos, requires: {{mode: parent}}}}
"""
KINDS, ITSELF = (1 << 15) - 2, 2
SHOW = r"^show (?P<id>\d+) kind=5 .*program=org\.example\.Game action=sure details=pets"
IN_PYTHON = """
from gateclient import Gate, GateError
try:
    with Gate() as gate:
        print("mode", gate.mode().mode.value, next(iter(gate.modes())).value)
        with gate.authorize("sure", "pets", present=print, presents_itself=True): print("granted")
        with gate.authorize("photos.delete", "pets"): print("granted")
except GateError as error:
    print(error.code.name, error.reason, error.message)
"""


@contextlib.contextmanager
def gate_portal(device):
    """Runs gate-portal as the user of the sandboxes, on a session bus of its own."""
    runtime = f"{device.folder}/run"
    with contextlib.suppress(FileExistsError):
        os.mkdir(runtime, 0o700)
    os.chown(runtime, Sandbox.UID, Sandbox.UID)
    switch = ["setpriv", "--reuid", str(Sandbox.UID), "--regid", str(Sandbox.UID), "--clear-groups"] if os.getuid() == 0 else []
    command = [*switch, "dbus-run-session", "--", f"{device.folder}/gate-portal", f"--gate-socket={device.path}", f"--server-uid={os.getuid()}"]
    environment = {**os.environ, "XDG_RUNTIME_DIR": runtime, "HOME": runtime, "ASAN_OPTIONS": "detect_leaks=0"}
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        try:
            for _ in range(400):
                with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(f"{runtime}/gate/portal")
                    break
                time.sleep(0.05)
            else:
                raise Failed("gate-portal does not listen")
            yield f"{runtime}/gate"
        finally:
            # The bus ends with it.
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
                for child in children.read().split():
                    if os.readlink(f"/proc/{child}/exe").endswith("/gate-portal"):
                        os.kill(int(child), signal.SIGTERM)
            if process.wait(30) != 0:
                raise Failed(f"gate-portal ends with {process.returncode}")


def with_libgate(device, gate):
    sandbox = Sandbox(device.folder, gate=gate)
    with sandbox.program(f"{device.folder}/talk") as app, Program(TALK, str(os.getuid())) as grown_up:
        app.hears("watch", 1 | 2 | 4 | 64)
        app.says(r"^watch snapshot .*state current mode=child")
        app.hears("mode")
        app.says(r"^mode mode=0")
        grown_up.hears("override", 2, 60000)
        app.says(r"^watch change .*mode=parent")
        app.hears("authorize", "photos.delete", "pets", 0)
        app.says(r"^authorize done")
        grown_up.hears("lock")
        app.says(r"^watch change .*mode=child")
        app.hears("authorize", "photos.delete", "pets", 0)
        app.says(r"^authorize refused code=10 reason=5")
        # Only a presenter shows its questions, whatever it asks for.
        grown_up.hears("screen")
        grown_up.hears("present", KINDS)
        grown_up.says(r"^present done")
        app.hears("screen")
        for flags in [0, ITSELF]:
            app.hears("authorize", "sure", "pets", flags)
            shown = grown_up.says(SHOW)
            grown_up.hears("answer", shown.group("id"), "yes")
            app.says(r"^authorize done")
        app.quiet(r"^show ")
        # What only others may do is refused before gated hears of it.
        for words in [("toggle", 0), ("lock",), ("override", 2, 60000)]:
            app.hears(*words)
            app.says(rf"^{words[0]} refused code=7 reason=0 .*An app in a sandbox may not call gate\.v1\.Mode/")
        app.hears("call", "gate.v1.Presentations", "Claim", field(1, int(shown.group("id"))).hex())
        app.says(r"^call refused code=7 .*gate\.v1\.Presentations/Claim")
        app.hears("premium", ITSELF, "premium")
        shown = grown_up.says(r"^show (?P<id>\d+) kind=12 .*program=org\.example\.Game")
        grown_up.hears("dismiss", shown.group("id"))
        app.says(r"^premium refused code=1 reason=7 ")
        app.quiet(r"^show ")
        # An app that goes takes its question along.
        app.hears("authorize", "sure", "pets", 0)
        shown = grown_up.says(SHOW)
        app.process.kill()
        grown_up.says(rf"^close {shown.group('id')}\b")
        grown_up.ends()
    for topics in [8, 1 | 16, 32]:
        with sandbox.program(f"{device.folder}/talk") as app:
            app.hears("watch", topics)
            app.says(r"^watch refused code=7 .*may only watch the topics mode")
            app.ends()
    step("libgate in a sandbox watches, asks, and may do nothing else")


def with_python(device, gate):
    sandbox = Sandbox(device.folder, gate=gate)
    with Program(TALK, str(os.getuid())) as grown_up, sandbox.program("/usr/bin/python3", "-uc", IN_PYTHON, env={"PYTHONPATH": f"{device.folder}/python"}) as app:
        grown_up.hears("screen")
        grown_up.hears("present", KINDS)
        app.says(r"^mode child child$")
        shown = grown_up.says(SHOW)
        grown_up.hears("answer", shown.group("id"), "yes")
        app.says(r"^granted$")
        app.says(r"^ABORTED NOT_PARENT")
    step("the Python client in a sandbox")


def with_pages(device, gate):
    """The first programs on the pages of libgate and of Python do what the sections "In a sandbox" say."""
    device.build_from_page(TALK, "int main(void)")
    with open(f"{ROOT}/docs/python.md", encoding="utf-8") as page:
        section = page.read().split("\n## A first program\n")[1].split("\n## ")[0]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL).group(1)
    with open(f"{ROOT}/docs/libgate.md", encoding="utf-8") as page:
        refusal = re.search(r"^no: This app runs in a sandbox.*", page.read(), re.MULTILINE).group().replace("/1000/", f"/{Sandbox.UID}/")
    environment = {"PYTHONPATH": f"{device.folder}/python", "LC_ALL": "C"}
    with Program(TALK, str(os.getuid())) as grown_up:
        grown_up.hears("screen")
        grown_up.hears("present", KINDS)
        for words in [(f"{device.folder}/page",), ("/usr/bin/python3", "-uc", code)]:
            with Sandbox(device.folder, gate=gate).program(*words, env=environment) as app:
                shown = grown_up.says(r"^show (?P<id>\d+) .*program=org\.example\.Game action=link\.open details=https://example\.org/")
                grown_up.hears("answer", shown.group("id"), "yes")
                app.says(r"^open it$")
            with Sandbox(device.folder).program(*words, env=environment) as app:
                app.says("^" + re.escape(refusal) + "$")
    step("what the pages print works")


def with_gatectl(device, gate):
    """gatectl, and a program that is no sandboxed app."""
    loaded = subprocess.run(["ldd", f"{device.folder}/gatectl"], stdout=subprocess.PIPE, text=True, check=True).stdout
    libraries = {os.path.dirname(path) for path in re.findall(r"=> (/(?!usr/|lib)\S+)", loaded)}   # Swift's
    sandbox = Sandbox(device.folder, gate=gate, also=libraries)
    for words, said in {("status",): r"child", ("toggle",): r"may not call gate\.v1\.Mode/Toggle", ("doctor",): r"gate-portal stands in"}.items():
        with sandbox.program(f"{device.folder}/gatectl", *words) as tool:
            tool.says(said)
    with Sandbox(device.folder, also=libraries).program(f"{device.folder}/gatectl", "toggle") as tool:
        tool.says(r"runs in a sandbox.*--filesystem=xdg-run/gate:ro")
    # A program of the same user, outside of a sandbox, is turned away.
    code = f"import socket; s = socket.socket(1); s.connect('{gate}/portal'); print(s.recv(1))"
    switch = ["setpriv", "--reuid", str(Sandbox.UID), "--regid", str(Sandbox.UID), "--clear-groups"] if os.getuid() == 0 else []
    said = subprocess.run([*switch, "/usr/bin/python3", "-c", code], stdout=subprocess.PIPE, timeout=30, check=True).stdout
    if said != b"b''\n":
        raise Failed(f"gate-portal should turn away a program outside of a sandbox: {said}")
    step("gatectl in a sandbox, and a program outside of one")


def with_ends(device, gate):
    sandbox = Sandbox(device.folder, gate=gate)
    with sandbox.program(f"{device.folder}/talk") as app:
        with device.gated() as daemon:
            app.hears("watch", 1)
            app.says(r"^watch snapshot .*mode=child")
            daemon.kill()
            app.says(r"^watch lost .*mode=child")
        with device.gated():
            app.says(r"^watch (snapshot|resumed) .*state current mode=child")
        app.ends()
    step("gated is killed and comes back, and the app goes on")


def main():
    with Device(PROGRAMS, POLICY) as device:
        device.open_to_others(TALK)
        shutil.copy(PORTAL, f"{device.folder}/gate-portal")
        shutil.copy(f"{PROGRAMS}/gatectl", f"{device.folder}/gatectl")
        shutil.copytree(f"{ROOT}/Sources/clients/python", f"{device.folder}/python", ignore=shutil.ignore_patterns("__pycache__"))
        if not Sandbox.is_possible(device.folder):
            return step("skipped: sandboxes (bubblewrap is not here, or may make no user namespace)")
        with gate_portal(device) as gate:
            with device.gated():
                with_libgate(device, gate)
                with_python(device, gate)
                with_pages(device, gate)
                with_gatectl(device, gate)
            with_ends(device, gate)


run(main)
