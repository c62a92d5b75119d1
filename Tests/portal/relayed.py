"""Apps that use one of Gate's libraries as they would outside of a sandbox: the libraries find the relay's socket by themselves."""

import os
import re
import subprocess

from programs import Failed, Program, step
from session import CHILD, PAINT, PARENT, same, until, user

#: The bits of what talk watches: the mode, schedules, and what is asked for, which apps may not watch.
MODE, SCHEDULES, ASKS = 1, 64, 32
SWITCH = ["setpriv", "--reuid", str(CHILD.pw_uid), "--regid", str(CHILD.pw_gid), "--clear-groups"]


def talk(session, app=PAINT, **how):
    """Tests/libgate/talk.c in a sandbox of this app."""
    environment = {**{name: "" for name in os.environ}, **session.environment}
    return Program(*SWITCH, "env", "-i", *(f"{name}={value}" for name, value in environment.items() if value),
        *session.sandbox(app, "/app/bin/talk", **how))


def mode(session):
    with talk(session) as app:
        app.hears("watch", MODE)
        app.says("^watch snapshot .* mode=child ")
        session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
        app.says("^watch change .* mode=parent deadline=yes ")
        session.daemon.kill()
        app.says("^watch lost .* mode=child ")
        session.daemon.start()
        app.says("^watch (snapshot|resumed) ")
        session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
        app.says("^watch change .* mode=parent ")
        session.kill("gate-portal")
        app.says("^watch lost .* mode=child ")
        session.start_portal()
        app.says("^watch (snapshot|resumed) .* mode=parent ")
        session.gatectl("lock")
        app.says("^watch change .* mode=child ")
        app.ends()
    step("libgate in a sandbox follows the mode, also over the end of gated and of gate-portal")


def asks(session):
    with talk(session) as app:
        app.hears("authorize", "link.open", "https://example.org/", 0)
        app.says("^authorize refused ")
        with session.screen("yes") as shown:
            app.hears("authorize", "link.open", "https://example.org/", 0)
            app.says("^authorize done$")
            # talk says that its name is "talk".
            same("who asks for what", [(PAINT, "https://example.org/")], [(asked["program"], asked["details"]) for asked in shown()])
        with session.screen("no"):
            app.hears("authorize", "link.open", "https://example.org/", 0)
            app.says("^authorize refused ")
        app.hears("authorize", "game.install", "tuxkart", 4)
        app.says("^authorize refused ")
        (ask,) = session.asks()
        session.gatectl("allow", ask["number"], of=PARENT)
        app.hears("authorize", "game.install", "tuxkart", 4)
        app.says("^authorize done$")
        with session.screen("no", kinds="paywall", patience=60) as shown:
            app.hears("premium", 0, "premium")
            until("the paywall is shown", shown)
            claim = session.claim()
            app.says("^premium done$")
        session.gatectl("entitlements", "revoke", "manual", claim)
        app.ends()
    step("libgate in a sandbox asks, and people read the app's id")


PYTHON = """
from gateclient import Gate, GateError
with Gate() as gate:
    print("mode", gate.mode().mode.name, gate.mode().deadline is not None)
    for details in ("https://example.org/", "https://example.com/"):
        try:
            with gate.authorize("link.open", details):
                print("yes", details)
        except GateError as error:
            print("no", details, error.reason)
"""


def python(session):
    status, said = session.runs(PAINT, "/usr/bin/python3", "-c", PYTHON)
    same(f"the status of Python, which says {said}", 0, status)
    if "mode CHILD False" not in said or "yes" in said:
        raise Failed(f"in child mode, with nobody there: {said}")
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    with session.screen("yes") as shown:
        said = session.runs(PAINT, "/usr/bin/python3", "-c", PYTHON)[1]
        same("who asks", [PAINT] * 2, [asked["program"] for asked in shown()])
    session.gatectl("lock")
    if not re.search("mode PARENT True\nyes .*org/\nyes .*com/", said):
        raise Failed(f"in parent mode, with a yes: {said}")
    step("Python's library in a sandbox reads the mode and asks")


def gatectl(session):
    """GateClient, as gatectl has it."""
    # gatectl and Swift's libraries are anywhere on the machine.
    linked = subprocess.run(["ldd", session.gatectl_path], capture_output=True, text=True, check=True).stdout
    places = {os.path.dirname(path) for path in re.findall(r"=> (/\S+) ", linked)}
    more = [word for path in places if not path.startswith(("/lib", "/usr")) for word in ("--ro-bind", path, path)]
    for mode in ("child", "parent"):
        session.gatectl("override", mode, "--reason", "test")
        status, said = session.runs(PAINT, "/app/bin/gatectl", "status", more=more)
        if status != 0 or f" {mode}" not in said:
            raise Failed(f"in {mode} mode gatectl ends with {status} and says: {said}")
    with session.screen("yes") as shown:
        same("a yes", 0, session.runs(PAINT, "/app/bin/gatectl", "authorize", "link.open", "--details", "https://example.org/", more=more)[0])
        same("who asks", [PAINT], [asked["program"] for asked in shown()])
    status, said = session.runs(PAINT, "/app/bin/gatectl", "status", more=more, relay=False)
    if status != 69 or "--filesystem=xdg-run/gate:ro" not in said:
        raise Failed(f"without the line in the manifest gatectl ends with {status} and says: {said}")
    session.gatectl("lock")
    step("GateClient in a sandbox reads the mode, asks, and says what is missing")


def missing(session):
    """Without the line in its manifest, or without gate-portal, an app is in child mode and says what is missing."""
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    with talk(session, relay=False) as app:
        app.hears("mode")
        app.says("^mode refused .*--filesystem=xdg-run/gate:ro")
        app.hears("state")
        app.says("^state away mode=child ")
        app.ends()
    status, said = session.runs(PAINT, "/usr/bin/python3", "-c", "from gateclient import Gate; Gate().mode()", relay=False)
    if status == 0 or "--filesystem=xdg-run/gate:ro" not in said:
        raise Failed(f"Python says: {said}")
    session.kill("gate-portal")
    with talk(session) as app:
        app.hears("mode")
        app.says("^mode refused .*gate-portal")
        app.hears("watch", MODE)
        app.hears("state")
        app.says("^state away mode=child ")
        session.start_portal()
        app.says("^watch snapshot .* mode=parent ")
        app.ends()
    session.gatectl("lock")
    step("an app without the line in its manifest is in child mode and says so; one without gate-portal waits for it")


def two(session):
    """Another bus of the same person's, as `dbus-run-session` makes one, with a gate-portal of its own."""
    with talk(session) as app:
        app.hears("watch", MODE)
        app.says("^watch snapshot .* mode=child ")
        other = {**session.environment, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={session.run}/other"}
        config = session.folder / "other.conf"
        config.write_text((session.folder / "bus.conf").read_text().replace(f"{session.run}/bus", f"{session.run}/other"))
        session.start("other-bus", "dbus-daemon", f"--config-file={config}", "--nofork")
        until("the other bus is there", (session.run / "other").exists)
        options = [f"--gate-socket={session.daemon.socket}", f"--server-uid={os.getuid()}"]
        portal = session.start("other-portal", f"{session.folder}/bin/gate-portal", *options, environment=other)
        ping = ["gdbus", "call", "--session", "--dest", "org.gate.Portal", "--object-path", "/org/gate/Portal", "--method"]
        ping += ["org.freedesktop.DBus.Properties.Get", "org.gate.Portal", "Mode"]
        until("it answers", lambda: subprocess.run(ping, env=other, capture_output=True, check=False, **user(CHILD)).returncode == 0)
        until("it says that it has no socket", lambda: "no socket for sandboxed apps" in session.log_of("other-portal"))
        session.kill("other-bus")
        same("the status of the other one", 0, portal.wait(30))
        app.ends()
    with talk(session) as app:
        app.hears("mode")
        app.says("^mode mode=0 ")
        app.ends()
    step("a gate-portal on another bus of the same person's leaves the socket alone")
