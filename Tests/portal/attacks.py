"""What hostile apps try."""

import contextlib
import ctypes
import json
import os
import re
import signal
import socket
import subprocess

import on_the_bus
import relayed
import unchanged
from on_the_bus import AUTHORIZE, LINK, YES
from programs import Failed, field, frame, step
from session import CHESS, CHILD, DESKTOP, GATE, PAINT, ROOT, Refused, same, until, user

#: What an app may call through the relay.
ALLOWED = {
    "Control": ["Ping", "Cancel", "GetVersion", "Describe"], "Mode": ["GetMode"], "SignIn": ["GetSignIn"], "Watch": ["Watch"],
    "Authorization": ["Check", "Authorize", "Redeem", "AskMoreTime"], "Entitlements": ["GetEntitlements", "RequirePremium"],
    "Usage": ["CountUse"], "Age": ["QueryAgeRange"],
}
#: Calls these methods, and prints those that the relay passes on and those that it does not.
EVERY = """
import json, sys
from gateclient import Gate, GateError
passed, refused = [], []
for name, is_stream in json.loads(sys.argv[1]):
    with Gate() as gate:
        try:
            gate.stream(name, {}).next(2) if is_stream else gate.raw(name, {}, 2)
            passed.append(name)
        except GateError as error:
            (refused if "An app in a sandbox may not call" in error.message else passed).append(name)
print(json.dumps([passed, refused]))
"""
#: Asks in many processes that end at once.
GONE = """
import os
from gi.repository import Gio, GLib
for number in range(40):
    if os.fork() == 0:
        bus = None
        while bus is None:
            try:
                bus = Gio.bus_get_sync(Gio.BusType.SESSION)
            except GLib.Error:
                pass  # many connect to the proxy at once
        given = GLib.Variant("(sssa{sv})", ("", "link.open", str(number), {}))
        bus.call("org.gate.Portal", "/org/gate/Portal", "org.gate.Portal", "Authorize", given, None, 0, -1, None, None)
        bus.flush_sync()
        os._exit(0)
for number in range(40):
    assert os.wait()[1] == 0
"""
#: Asks over and over in many connections, and waits for no answer.
STORM = """
import os
from gi.repository import Gio, GLib
flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
given = GLib.Variant("(sssa{sv})", ("", "link.open", "x", {}))
def ask(bus):
    bus.call("org.gate.Portal", "/org/gate/Portal", "org.gate.Portal", "Authorize", given, None, 0, -1, None, answered)
def answered(bus, result):
    try:
        bus.call_finish(result)
    except GLib.Error:
        pass
    ask(bus)
for number in range(20):
    bus = Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SESSION_BUS_ADDRESS"], flags, None, None)
    for number in range(16):
        ask(bus)
print("asking", flush=True)
GLib.MainLoop().run()
"""
BUS = {"name": "org.freedesktop.DBus", "path": "/org/freedesktop/DBus"}
DENIED, LIMIT = "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.LimitsExceeded"


def methods():
    """All methods of the wire, and whether each is a stream."""
    found = []
    for path in sorted((ROOT / "proto/gate/v1").glob("*.proto")):
        for service, body in re.findall(r"^service (\w+) \{(.*?)^\}", path.read_text(), re.MULTILINE | re.DOTALL):
            found += [[f"{service}/{name}", bool(is_stream)] for name, is_stream in re.findall(
                r"^  rpc (\w+)\(\w+\) returns \((stream )?\w+\)", body, re.MULTILINE)]
    return found


def refused(what, why, work):
    """Checks that this call is refused with this error of D-Bus."""
    try:
        raise Failed(f"{what}: {work()}")
    except Refused as error:
        same(what, why, error.name)


def answers_itself(session):
    """An app that wants to answer its own question, and to read what others have asked."""
    status, said = session.runs(PAINT, "/usr/bin/python3", "-c", EVERY, json.dumps(methods()))
    same(f"the status of Python, which says {said}", 0, status)
    passed, kept = json.loads(said.splitlines()[-1])
    known = {name for name, _ in methods()}
    same("what the relay passes on", sorted(f"{service}/{name}" for service in ALLOWED for name in ALLOWED[service]
        if f"{service}/{name}" in known), sorted(passed))
    if len(kept) < 60:
        raise Failed(f"the relay was asked for few methods: {kept}")
    with relayed.talk(session) as app:
        app.hears("screen")
        app.hears("present", 255)
        app.says("^present refused code=7 ")
        # An app that shows its own question would answer it.
        app.hears("authorize", "link.open", "https://example.org/", 2)
        app.says("^authorize refused ")
        app.hears("watch", relayed.MODE | relayed.ASKS)
        app.says("^watch lost .*\n?(.*\n)?watch refused code=7 ")
        app.quiet("^show ")
        app.ends()
    app = session.app()
    for name in ("org.freedesktop.impl.portal.desktop.gate", "org.freedesktop.impl.portal.PermissionStore"):
        refused(f"a call of {name}", "org.freedesktop.DBus.Error.ServiceUnknown", lambda name=name: app.call(
            "org.freedesktop.DBus.Peer.Ping", at={"name": name, "path": "/"}))
    step(f"an app can't answer, show, list or change anything: the relay refuses {len(kept)} methods")


def asks_for_others(session):
    """A program outside of a sandbox that asks in an app's name."""
    given = f"(objectpath '/org/freedesktop/portal/desktop/request/1_1/x', '{CHESS}', '', 'a', 'b', 'c', @a{{sv}} {{}})"
    refused("a question in the name of xdg-desktop-portal", DENIED, lambda: session.host.call(
        "org.freedesktop.impl.portal.Access.AccessDialog", given,
        {"name": "org.freedesktop.impl.portal.desktop.gate", "path": "/org/freedesktop/portal/desktop"}))
    step("only xdg-desktop-portal may ask in the name of an app")


def closes_others(session):
    app, other = session.app(), session.app(CHESS)
    with session.screen("yes", patience=3) as shown:
        token = app.request(AUTHORIZE, LINK)
        path = app.path(token)
        until("a grown-up is asked", shown)
        refused("to close another app's request", DENIED, lambda: other.call(
            "org.freedesktop.portal.Request.Close", at={**GATE, "path": path}))
        same("a yes", YES, app.response(token)[0])
        same("the response, to another app", None, other.hears(f"response {token}", 0.2))
    refused("a handle that is no part of a path", "org.freedesktop.DBus.Error.InvalidArgs", lambda: app.call(
        AUTHORIZE, "('', 'link.open', '', {'handle_token': <'../x'>})"))
    step("an app can't close another one's request, nor hear what comes of it")


def hides(session):
    """An app that would not have anybody know who it is."""
    direct = ("--ro-bind", f"{session.run}/bus", "/run/flatpak/bus")
    # Who owns a user namespace may look at all in it, so an app can't hide in its own; a program of the session can.
    hidden = session.app(more=(*direct, "--setenv", "HIDDEN", "1"))
    code = "import ctypes\nctypes.CDLL(None).prctl(4, 0)\nfrom gateclient import Gate\nwith Gate().authorize('link.open'): print('yes')"
    with session.screen("yes") as shown:
        same("an app that hides", YES, hidden.asks(AUTHORIZE, LINK)[0])
        same("one that hides from the relay", (0, "yes\n"), session.runs(PAINT, "/usr/bin/python3", "-c", code))
        same("who asks", [PAINT] * 2, [asked["program"] for asked in shown()])
    refused("a program that can't be looked at", DENIED, lambda: session.host_app(HIDDEN="1").request(AUTHORIZE, LINK))
    for what, text in (
        ("that is empty", ""), ("with no name", "[Application]\nruntime=x\n"), ("with a name that is none", "[Application]\nname=../x\n"),
        ("that is large", f"[Application]\nname={PAINT}\n" + "x=1\n" * 100_000), ("that is no text", "\xff\0"),
        ("with a long name", "[Application]\nname=org." + "x" * 300 + "\n"),
    ):
        path = session.folder / "odd.flatpak-info"
        path.write_text(text, encoding="latin-1")
        refused(f"an app with a file {what}", DENIED, lambda path=path: session.app(info=path, more=direct).request(AUTHORIZE, LINK))
    pipe = session.folder / "pipe"
    os.mkfifo(pipe)
    os.chmod(pipe, 0o666)
    refused("an app with a pipe in place of the file", DENIED, lambda: session.app(info=pipe, more=direct).request(AUTHORIZE, LINK))
    same("gate-portal, afterwards", "child", session.app().property("Mode"))
    step("an app whose id can't be read is refused, on the bus and by the relay")


def takes_a_number(session):
    """A process connects to the relay and ends before the relay has looked at it; then a process of another app gets its number."""
    relay = f"{session.run}/gate/portal"
    root = session.folder / "root"
    root.mkdir()
    (root / ".flatpak-info").write_text(session.info(CHESS).read_text())
    portal = session.processes["gate-portal"]
    with socket.socket(socket.AF_UNIX) as ours, contextlib.ExitStack() as stack:
        with stopped(portal):
            # A process with such a root is taken for that app.
            stack.enter_context(process_in(root, lambda: ours.connect(relay)))
        same("the answer to an app", True, is_served(ours))
    with socket.socket(socket.AF_UNIX) as ours, contextlib.ExitStack() as stack:
        with stopped(portal):
            with process_in(root, lambda: ours.connect(relay)) as first:
                pass
            for _ in range(200):
                with open("/proc/sys/kernel/ns_last_pid", "w") as last:
                    last.write(str(first - 1))
                if stack.enter_context(process_in(root, lambda: None)) == first:
                    break
            else:
                raise Failed("no process came to have the number")
        same("the answer to an app that is gone", False, is_served(ours))
    step("a number that another app's process has now gives no rights")


def leaves_before(session):
    """An app that is gone before gate-portal has read what xdg-desktop-portal asks for it."""
    handled = len(re.findall("Handle Screenshot", session.log_of("xdg-desktop-portal")))
    app, other = session.app(), session.app(CHESS)
    name = app.name()
    with session.screen("yes") as shown:
        with stopped(session.processes["gate-portal"]):
            app.tell(do="request", method=unchanged.SHOT, arguments="('', @a{sv} {})", token="t", **DESKTOP)
            until("xdg-desktop-portal has the request", lambda: len(
                re.findall("Handle Screenshot", session.log_of("xdg-desktop-portal"))) > handled)
            app.kill()
            until("the app is gone", lambda: session.host.call(
                "org.freedesktop.DBus.NameHasOwner", f"('{name}',)", BUS) == [False])
        same("a yes for another app", YES, other.asks(AUTHORIZE, LINK)[0])
        same("who has asked", [CHESS], [asked["program"] for asked in shown()])
    step("a question for an app that is gone already is not shown")


@contextlib.contextmanager
def stopped(process):
    os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)


@contextlib.contextmanager
def process_in(root, work):
    """A process of the child's that has this root, and has done this. Gives its number; at the end of the block it is gone."""
    reading, writing = os.pipe()
    number = os.fork()
    if number == 0:
        with contextlib.suppress(BaseException):
            os.setgroups([])
            os.seteuid(CHILD.pw_uid)
            work()
            os.seteuid(0)
            os.chroot(root)
            os.setresgid(CHILD.pw_gid, CHILD.pw_gid, CHILD.pw_gid)
            os.setresuid(CHILD.pw_uid, CHILD.pw_uid, CHILD.pw_uid)
            ctypes.CDLL(None).prctl(4, 1)
            os.write(writing, b"x")
            signal.pause()
        os._exit(1)
    os.close(writing)
    try:
        same("a process in a root of its own", b"x", os.read(reading, 1))
        yield number
    finally:
        os.close(reading)
        os.kill(number, signal.SIGKILL)
        os.waitpid(number, 0)


def is_served(link):
    """Whether the relay answers a ping on this connection."""
    link.settimeout(20)
    try:
        link.sendall(frame(1, 1, 0, field(1, "gate.v1.Control") + field(2, "Ping")))
        return bool(link.recv(1))
    except (BrokenPipeError, ConnectionResetError):
        return False


def floods(session):
    app, other = session.app(), session.app(CHESS)
    with session.screen("yes", patience=60) as shown:
        for number in range(200):
            with_refusals(lambda number=number: app.request(AUTHORIZE, f"('', 'link.open', 'https://example.org/{number}', @a{{sv}} {{}})"))
        until("a grown-up is asked", shown)
        if not 1 <= len(asked := session.presentations()) <= 16:
            raise Failed(f"{len(asked)} questions of one app are open")
        same("another app's mode meanwhile", "child", other.property("Mode"))
        app.kill()
        until("all are withdrawn", lambda: not session.presentations())
    # The same in many connections.
    many = [session.app() for _ in range(4)]
    for one in many:
        with_refusals(lambda one=one: [one.request(AUTHORIZE, LINK) for _ in range(20)])
    with session.screen("yes"):
        same("another app, meanwhile", YES, asks_in_turn(other))
    for one in many:
        one.kill()
    # Apps that ask and are gone before anybody has looked who they are.
    same("apps that ask and end", (0, ""), session.runs(PAINT, "/usr/bin/python3", "-c", GONE))
    until("their questions are gone", lambda: not session.presentations())
    app = session.app()
    refused_or_answered = on_the_bus.refused_or(lambda: app.asks(AUTHORIZE, f"('', 'link.open', '{'x' * 1_000_000}', @a{{sv}} {{}})")[0])
    if refused_or_answered == YES:
        raise Failed("a megabyte of words is allowed")
    same("the mode, afterwards", "child", app.property("Mode"))
    links = """
import os, socket, time
path = os.environ["XDG_RUNTIME_DIR"] + "/gate/portal"
links = []
for _ in range(300):
    link = socket.socket(socket.AF_UNIX)
    link.connect(path)
    links.append(link)
print("connected", flush=True)
time.sleep(60)
"""
    flood = subprocess.Popen(
        session.sandbox(PAINT, "/usr/bin/python3", "-c", links), env=session.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, text=True, **user(CHILD))
    same("a flood of connections", "connected\n", flood.stdout.readline())
    with relayed.talk(session, CHESS) as talk:
        talk.hears("mode")
        talk.says("^mode mode=0 ")
        talk.ends()
    flood.kill()
    flood.wait()
    flood.stdout.close()
    step("an app that floods gate-portal with requests, words and connections does not keep another one waiting")


def storms(session):
    storm = subprocess.Popen(
        session.sandbox(PAINT, "/usr/bin/python3", "-c", STORM), env=session.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        text=True, **user(CHILD))
    same("a storm", "asking\n", storm.stdout.readline())
    app = session.app(CHESS)
    for number in range(20):
        same(f"request {number} of another app", 0, app.asks("org.gate.Portal.QueryAgeRange", "('', @a{sv} {})")[0])
    storm.kill()
    storm.wait()
    storm.stdout.close()
    until("its questions are gone", lambda: not session.presentations())
    step("while an app storms gate-portal in many connections, another one is answered")


def with_refusals(work):
    try:
        work()
    except Refused as error:
        same("a request too many", LIMIT, error.name)


def asks_in_turn(app):
    return app.asks(AUTHORIZE, LINK, seconds=60)[0]
