"""A child's session: a bus of its own, the real xdg-desktop-portal with the real permission store, gate-portal, and a stand-in for the
desktop; with a private gated, and apps in sandboxes as Flatpak makes them. All of it is in namespaces of its own, and ends with them."""

import contextlib
import json
import os
import pathlib
import pwd
import queue
import shutil
import subprocess
import tempfile
import threading
import time

from programs import Failed
from support import DYING_WITH_PARENT, Daemon

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: Users that every Debian has: whose session it is, who is asked, and another child.
CHILD, PARENT, SIBLING = pwd.getpwnam("news"), pwd.getpwnam("games"), pwd.getpwnam("mail")
GATE = {"name": "org.gate.Portal", "path": "/org/gate/Portal"}
DESKTOP = {"name": "org.freedesktop.portal.Desktop", "path": "/org/freedesktop/portal/desktop"}
STORE = {"name": "org.freedesktop.impl.portal.PermissionStore", "path": "/org/freedesktop/impl/portal/PermissionStore"}
PAINT, CHESS, RADIO = "org.example.Paint", "org.example.Chess", "org.example.Radio"
#: What a Flatpak's manifest allows by itself, and what one needs for Gate: as docs/portal.md says.
FILTER = [
    "--filter", "--call=org.freedesktop.portal.*=*", "--broadcast=org.freedesktop.portal.*=@/org/freedesktop/portal/*",
    "--talk=org.gate.Portal",
]
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type><listen>unix:path={run}/bus</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
"""


def until(what, found, seconds=30):
    """Waits until `found` returns something true, and returns that."""
    end = time.monotonic() + seconds
    while not (value := found()):
        if time.monotonic() > end:
            raise Failed(f"waited {seconds} s in vain until {what}")
        time.sleep(0.02)
    return value


def same(what, expected, found):
    if expected != found:
        raise Failed(f"{what}: {found!r}, and not {expected!r}")


def user(of):
    return {"user": of.pw_uid, "group": of.pw_gid, "extra_groups": []}


class Person:
    """What a person's program says: see app.py."""

    def __init__(self, command, environment, of=CHILD):
        self.process = subprocess.Popen(
            DYING_WITH_PARENT + command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **user(of))
        self.lines, self.heard, self.number = queue.Queue(), [], 0
        threading.Thread(target=self._read, daemon=True).start()
        self.pid = self._next("ready")["ready"]

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put({"ended": True})

    def _next(self, *kinds, seconds=30):
        """The next line of one of these kinds. What is heard meanwhile is kept."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Failed(f"waited {seconds} s in vain for {kinds}; heard {self.heard}") from None
            if any(kind in line for kind in kinds):
                return line
            if "ended" in line:
                raise Failed(f"the app has ended with {self.process.wait()}")
            self.heard.append(line)

    def tell(self, **line):
        self.process.stdin.write(json.dumps(line) + "\n")

    def does(self, seconds=30, **line):
        self.tell(**line)
        return self._next("returned", "error", seconds=seconds)

    def call(self, method, arguments="()", at=GATE, **more):
        """What the call returns; raises Refused."""
        answer = self.does(do="call", method=method, arguments=arguments, **at, **more)
        if "error" in answer:
            raise Refused(answer["error"], answer["message"])
        return answer["returned"]

    def property(self, name, interface="org.gate.Portal", at=GATE):
        return self.call("org.freedesktop.DBus.Properties.Get", f"('{interface}', '{name}')", at)[0]

    def hear(self, signal, at=GATE):
        self.does(do="hear", signal=signal, name=at["name"], path=at["path"])

    def request(self, method, arguments, at=GATE, token=None):
        """Makes a request, and returns its token."""
        self.number += 1
        token = token or f"t{self.number}"
        answer = self.does(do="request", method=method, arguments=arguments, token=token, **at)
        if "error" in answer:
            raise Refused(answer["error"], answer["message"])
        return token

    def path(self, token, at=GATE):
        return f"{at['path']}/request/{self.name()[1:].replace('.', '_')}/{token}"

    def name(self):
        return self.does(do="name")["returned"]

    def hears(self, what, seconds=30):
        """The values of the next signal of this kind; None if it does not come."""
        end = time.monotonic() + seconds
        while True:
            for index, line in enumerate(self.heard):
                if line.get("heard") == what:
                    del self.heard[index]
                    return line["values"]
            try:
                self.heard.append(self._next("heard", seconds=max(0.0, end - time.monotonic())))
            except Failed:
                return None

    def response(self, token, seconds=30):
        """The code and the results of a request."""
        values = self.hears(f"response {token}", seconds)
        if values is None:
            raise Failed(f"no response to {token} in {seconds} s")
        return values

    def asks(self, method, arguments, at=GATE, seconds=30):
        return self.response(self.request(method, arguments, at), seconds)

    def read(self, path):
        """The content of a file, as the app sees it."""
        answer = self.does(do="read", file=path)
        if "error" in answer:
            raise Refused(answer["error"], answer["message"])
        return bytes.fromhex(answer["returned"])

    def kill(self):
        self.process.kill()
        self.process.wait()


class Refused(Failed):
    """The answer to a call is an error of D-Bus."""

    def __init__(self, name, message):
        super().__init__(f"{name}: {message}")
        self.name, self.message = name, message


def folders(of_proxy):
    """The arguments of bwrap for a root like the one in which Flatpak runs the proxy, or the app."""
    for name in os.listdir("/"):
        if os.path.islink(f"/{name}"):
            yield from ("--symlink", os.readlink(f"/{name}"), f"/{name}")
        elif os.path.isdir(f"/{name}") and (of_proxy or name in ("usr", "etc")):
            yield from ("--bind" if of_proxy else "--ro-bind", f"/{name}", f"/{name}")


class Session:
    def __init__(self, stack, programs, built, policy):
        """built: the folder with gate-portal and talk."""
        os.umask(0o022)
        self.stack, self.processes, self.apps, self.host = stack, {}, [], None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gate."))
        stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.home, self.log, self.run = self.folder / "home", self.folder / "log", pathlib.Path(f"/run/user/{CHILD.pw_uid}")
        for path in (self.run, self.home, self.log, self.folder / "portals", self.folder / "share/applications", self.folder / "bin"):
            path.mkdir(parents=True)
        os.chown(self.run, CHILD.pw_uid, CHILD.pw_gid)
        os.chown(self.home, CHILD.pw_uid, CHILD.pw_gid)
        self.run.chmod(0o700)
        shipped = (ROOT / "packaging/portal/gate-portal.yaml").read_text()
        self.daemon = stack.enter_context(Daemon(policy, {"policy.d/gate-portal.yaml": shipped}))
        self.programs, self.gatectl_path = programs, f"{self.folder}/bin/gatectl"
        self.environment = {
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.run),
            "XDG_CURRENT_DESKTOP": "GNOME", "XDG_DATA_DIRS": f"{self.folder}/share:/usr/share",
            "XDG_DESKTOP_PORTAL_DIR": f"{self.folder}/portals", "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.run}/bus",
            # There is none: xdg-desktop-portal and Flatpak only have to find a bus.
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.run}/bus",
            # gate-portal finds the private gated by its options. Apps that look for it find nothing.
            "GATE_SOCKET": "/nonexistent/gate.sock", "SWIFT_BACKTRACE": "enable=no",
        }
        # The repository may be in a folder that only its owner may enter.
        shutil.copy(f"{programs}/gatectl", self.folder / "bin")
        for name in ("app.py", "desktop.py"):
            shutil.copy(HERE / name, self.folder / "bin")
        for program in ("gate-portal", "talk"):
            shutil.copy(built / program, self.folder / "bin")
        shutil.copytree(f"{ROOT}/Sources/clients/python/gateclient", self.folder / "library/gateclient")
        command = ["/usr/bin/python3", f"{ROOT}/Sources/clients/python/generate.py", f"{self.folder}/library/gateclient"]
        subprocess.run(command, check=True)
        for app in (PAINT, CHESS, RADIO):
            name = app.rsplit(".", 1)[-1]
            (self.folder / f"share/applications/{app}.desktop").write_text(f"[Desktop Entry]\nType=Application\nName={name}\nExec=true\n")
        shutil.copy(ROOT / "packaging/portal/gate.portal", self.folder / "portals")
        # The desktop has a backend for the same, as xdg-desktop-portal-gtk has, and does not have Gate asked less.
        shutil.copy(HERE / "gtk.portal", self.folder / "portals")
        (self.folder / "bus.conf").write_text(BUS.format(run=self.run))
        self.start("bus", "dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork")
        until("the bus is there", (self.run / "bus").exists)
        self.start("store", "/usr/libexec/xdg-permission-store")
        self.start("documents", "/usr/libexec/xdg-document-portal")
        self.start("desktop", "/usr/bin/python3", f"{self.folder}/bin/desktop.py", str(self.home))
        self.start_portal()
        names = ("impl.portal.PermissionStore", "portal.Documents", "impl.portal.desktop.test")
        for name in names:
            self.is_on_bus(f"org.freedesktop.{name}")
        self.start("xdg-desktop-portal", "/usr/libexec/xdg-desktop-portal", "--verbose")
        self.is_on_bus("org.freedesktop.portal.Desktop")
        self.host = self.host_app()

    # MARK: processes

    def start(self, name, *command, of=CHILD, environment=None):
        with open(self.log / name, "ab") as log:
            self.processes[name] = subprocess.Popen(
                DYING_WITH_PARENT + list(command), env=environment or self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                **user(of))
        return self.processes[name]

    def start_portal(self, gated=None):
        """gated: the socket of the daemon, if it is another one."""
        options = [f"--gate-socket={gated or self.daemon.socket}", f"--server-uid={os.getuid()}"]
        self.start("gate-portal", f"{self.folder}/bin/gate-portal", *options)
        self.is_on_bus("org.gate.Portal")
        self.is_on_bus("org.freedesktop.impl.portal.desktop.gate")

    def end_portal(self):
        """Ends gate-portal as systemd does. The address sanitizer tells if it has kept memory."""
        self.processes["gate-portal"].terminate()
        same(f"the status of gate-portal: {self.log_of('gate-portal')}", 0, self.processes["gate-portal"].wait(30))

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()

    def log_of(self, name):
        return (self.log / name).read_text(errors="replace")

    def is_on_bus(self, name):
        found = subprocess.run(
            ["gdbus", "wait", "--session", "--timeout=20", name], env=self.environment, capture_output=True, check=False, **user(CHILD))
        if found.returncode != 0:
            raise Failed(f"{name} is not on the bus: {found.stderr.decode()}")

    def host_app(self, **environment):
        """A program of the session that is in no sandbox."""
        return self._ended(Person(["/usr/bin/python3", f"{self.folder}/bin/app.py"], {**self.environment, **environment}))

    def _ended(self, app):
        self.apps.append(app)
        return app

    def end_apps(self):
        """Ends all apps but the one that looks things up for the tests."""
        for app in self.apps:
            if app is not self.host:
                app.kill()

    # MARK: sandboxes

    def info(self, app, more=""):
        """The file that Flatpak puts into the root of a sandbox of this app."""
        path = self.folder / f"{app}.flatpak-info"
        path.write_text(f"[Application]\nname={app}\nruntime=runtime/org.example.Platform/x86_64/1\n\n[Instance]\ninstance-id=1\n{more}")
        return path

    def proxy(self, app, info, words=FILTER):
        """A proxy of the bus for this app, in the root in which Flatpak starts it. Returns the path of its socket."""
        number = sum(name.startswith("proxy") for name in self.processes)
        path = self.run / f"proxy-{number}"
        reading, writing = os.pipe()
        command = ["bwrap", *folders(of_proxy=True), "--ro-bind", str(info), "/.flatpak-info", "--die-with-parent", "--"]
        command += ["xdg-dbus-proxy", f"--fd={writing}", f"unix:path={self.run}/bus", str(path), *words]
        with open(self.log / f"proxy-{number}", "ab") as log:
            self.processes[f"proxy-{number}"] = subprocess.Popen(
                DYING_WITH_PARENT + command, env=self.environment, pass_fds=[writing], stdout=log, stderr=log, **user(CHILD))
        os.close(writing)
        # It writes a byte when it listens. The end of the pipe stays open, since the proxy ends when that is closed.
        if os.read(reading, 1) != b"x":
            raise Failed(f"no proxy: {self.log_of(f'proxy-{number}')}")
        return path

    def sandbox(self, app, *command, info=None, words=FILTER, relay=True, more=()):
        """The command that runs this one in a sandbox of the app."""
        info = info or self.info(app)
        bwrap = ["bwrap", *folders(of_proxy=False), "--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent"]
        bwrap += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--dir", str(self.run), "--ro-bind", str(info), "/.flatpak-info"]
        bwrap += ["--bind", str(self.proxy(app, info, words)), "/run/flatpak/bus", "--ro-bind", str(self.folder / "bin"), "/app/bin"]
        bwrap += ["--ro-bind", str(self.folder / "library"), "/app/library", "--setenv", "PYTHONPATH", "/app/library"]
        bwrap += ["--setenv", "DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/flatpak/bus", "--setenv", "XDG_RUNTIME_DIR", str(self.run)]
        bwrap += ["--unsetenv", "GATE_SOCKET", "--setenv", "HOME", "/tmp"]
        # An app sees its own documents where others see everybody's.
        bwrap += ["--bind", f"{self.run}/doc/by-app/{app}", f"{self.run}/doc"]
        if relay:
            bwrap += ["--ro-bind", f"{self.run}/gate", f"{self.run}/gate"]
        return [*bwrap, *more, "--", *command]

    def app(self, app=PAINT, **how):
        """An app in a sandbox."""
        return self._ended(Person(self.sandbox(app, "/usr/bin/python3", "/app/bin/app.py", **how), self.environment))

    def runs(self, app, *command, **how):
        """Runs a command in a sandbox to its end. Returns its status and what it wrote."""
        ended = subprocess.run(
            self.sandbox(app, *command, **how), env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=60, check=False, **user(CHILD))
        return ended.returncode, ended.stdout

    # MARK: the household

    def gatectl(self, *words, of=None, status=0):
        """Runs gatectl as root, or as this user, and returns what it has written."""
        ended = subprocess.run(
            [self.gatectl_path, *words, "--socket", self.daemon.socket, "--server-user", str(os.getuid())], text=True, check=False,
            env={**self.environment, "PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=60, **(user(of) if of else {}))
        if status is not None:
            same(f"the status of gatectl {' '.join(words)}, which says {ended.stdout}", status, ended.returncode)
        return ended.stdout

    @contextlib.contextmanager
    def screen(self, answer, patience=1.2, kinds="confirm"):
        """A grown-up's screen that answers each question with this after so many seconds, as long as the block lasts. Gives who asked
        for what. gated takes no answers in the first second, in which no person can have read the question."""
        shown, script = self.folder / "shown", self.folder / "answers"
        script.write_text(f"#!/bin/sh\ncat >> {shown}; echo >> {shown}; sleep {patience}; echo '{answer}'\n")
        script.chmod(0o755)
        shown.write_text("")
        shown.chmod(0o666)
        daemon = ["--socket", self.daemon.socket, "--server-user", str(os.getuid())]
        process = self.start("screen", self.gatectl_path, "present", "--exec", str(script), "--kinds", kinds, *daemon, of=PARENT)
        try:
            until("the grown-up's screen is there", lambda: '"presenters":1' in self.gatectl("statistics", "--json"))
            yield lambda: [
                json.loads(line)["presentation"]["summary"]["asked"] for line in shown.read_text().splitlines() if line]
        finally:
            process.terminate()
            process.wait()
            until("the grown-up's screen is gone", lambda: '"presenters":0' in self.gatectl("statistics", "--json"))

    def claim(self):
        """Pays for Premium, and returns the name of the claim, by which it can be taken back."""
        return json.loads(self.gatectl("entitlements", "add", "premium", "--device", "--json"))["name"]

    def presentations(self):
        """What is on a screen, or waits for one."""
        return json.loads(self.gatectl("call", "gate.v1.Presentations/ListPresentations")).get("presentations", [])

    def asks(self):
        """The questions that wait for a grown-up."""
        return [ask for ask in json.loads(self.gatectl("asks", "--json"))["asks"] if ask["state"] == "STATE_WAITING"]
