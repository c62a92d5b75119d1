"""Real Flatpaks: a runtime and apps that are made here, installed for the child alone and started by `flatpak run`."""

import os
import pathlib
import re
import shutil
import subprocess

import on_the_bus
import unchanged
from programs import Failed, step
from session import CHILD, Person, Refused, same, user

RUNTIME, GUEST, STRANGER = "org.example.Platform", "org.example.Guest", "org.example.Stranger"
#: What the manifest of an app has that uses Gate: as docs/portal.md says.
LINES = ["--talk-name=org.gate.Portal", "--filesystem=xdg-run/gate:ro"]
PYTHON = "/usr/bin/python3"
#: Parts of Python that nothing here uses.
UNUSED = re.compile("/(test|tests|idlelib|lib2to3|pydoc_data|tkinter|ensurepip|distutils|turtledemo|unittest)/")


def libraries(path):
    """The shared libraries that a program needs, and its loader."""
    found = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"(/\S+) \(0x", found))


class Flatpak:
    """Flatpak as the child runs it, with folders of its own."""

    def __init__(self, session):
        self.session, self.folder = session, session.folder / "flatpak"
        self.folder.mkdir()
        os.chown(self.folder, CHILD.pw_uid, CHILD.pw_gid)
        self.environment = {
            **session.environment, "XDG_DATA_HOME": f"{session.home}/data", "XDG_CACHE_HOME": f"{session.home}/cache",
            "FLATPAK_USER_DIR": f"{self.folder}/user", "FLATPAK_SYSTEM_DIR": f"{self.folder}/system",
        }
        del self.environment["GATE_SOCKET"]
        # Flatpak wants that folder to be there, too, before it starts an app.
        self("--user", "remotes", FLATPAK_USER_DIR=f"{self.folder}/system")
        self.make_runtime()
        self.make_app(GUEST, LINES)
        self.make_app(STRANGER, [])

    def __call__(self, *words, **more):
        done = subprocess.run(
            ["flatpak", *words], env={**self.environment, **more}, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=120, check=False, **user(CHILD))
        if done.returncode != 0:
            raise Failed(f"flatpak {' '.join(words)}: {done.stdout}")
        return done.stdout

    def make_runtime(self):
        """A runtime with Python, its GLib and Gate's libraries, out of the machine's own files."""
        runtime, talk = self.folder / "runtime", self.session.folder / "bin/talk"
        wanted = {PYTHON, str(talk)}
        for pattern in (
            "lib/python3.*/lib-dynload/*.so", "lib/python3/dist-packages/gi/*.so",
            "lib/*-linux-gnu/girepository-1.0/G*-2.0.typelib", "lib/python3/dist-packages/gi/**/*.py", "lib/python3.*/**/*.py",
            "lib/python3/dist-packages/google/**/*.py",
        ):
            wanted.update(str(path) for path in pathlib.Path("/usr").glob(pattern) if not UNUSED.search(str(path)))
        for path in [path for path in wanted if path.endswith(".so") or "/bin/" in path]:
            wanted |= libraries(path)
        for path in wanted - {str(talk)}:
            # The machine's /lib and /lib64 are links into /usr, and so they are in the runtime.
            place = runtime / "usr" / path.lstrip("/").removeprefix("usr/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
        shutil.copy(talk, runtime / "usr/bin")
        shutil.copytree(self.session.folder / "library/gateclient", runtime / "usr/lib/python3/dist-packages/gateclient")
        (runtime / "files").mkdir()
        (runtime / "metadata").write_text(f"[Runtime]\nname={RUNTIME}\nruntime={RUNTIME}/x86_64/1\nsdk={RUNTIME}/x86_64/1\n")
        subprocess.run(["chown", "-R", str(CHILD.pw_uid), runtime], check=True)
        self("build-export", "--runtime", "repository", "runtime", "1")
        self("--user", "remote-add", "--no-gpg-verify", "here", f"file://{self.folder}/repository")
        self("--user", "install", "-y", "--noninteractive", "here", f"{RUNTIME}//1")

    def make_app(self, name, lines):
        self("build-init", name, name, RUNTIME, RUNTIME, "1")
        files = self.folder / name / "files"
        (files / "bin").mkdir()
        shutil.copy(self.session.folder / "bin/app.py", files / "bin")
        subprocess.run(["chown", "-R", str(CHILD.pw_uid), files], check=True)
        self("build-finish", name, "--command=talk", *lines)
        self("build-export", "repository", name)
        self("--user", "install", "-y", "--noninteractive", "here", name)

    def command(self, app, program, *arguments):
        return ["flatpak", "run", f"--command={program}", app, *arguments]

    def app(self, name=GUEST):
        app = Person(self.command(name, "python3", "/app/bin/app.py"), self.environment)
        self.session.apps.append(app)
        return app

    def runs(self, name, code):
        """Runs Python in the app. Returns what it writes."""
        return self("run", "--command=python3", name, "-c", code)


LIES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print("user namespace", libc.unshare(0x10000000), os.strerror(ctypes.get_errno()))
socket = os.environ["XDG_RUNTIME_DIR"] + "/gate/portal"
for work in (lambda: os.unlink(socket), lambda: os.rename(socket, socket + ".old"), lambda: open("/.flatpak-info", "w"),
             lambda: os.unlink("/.flatpak-info"), lambda: os.rename("/.flatpak-info", "/tmp/x")):
    try:
        work()
        print("done")
    except OSError as error:
        print("refused", error)
"""
PLAIN = """
from gateclient import Gate, GateError
with Gate() as gate:
    try:
        print("mode", gate.mode().mode.name)
    except GateError as error:
        print("error", error)
"""


def flatpak(session):
    flatpak = Flatpak(session)
    app = flatpak.app()
    app.hear(on_the_bus.CHANGED)
    same("the mode", "child", app.property("Mode"))
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    on_the_bus.hears_mode(app, "parent")
    if "mode PARENT" not in (said := flatpak.runs(GUEST, PLAIN)):
        raise Failed(f"Python's library in a Flatpak says: {said}")
    session.gatectl("lock")
    on_the_bus.hears_mode(app, "child")
    with session.screen("yes") as shown:
        same("a yes", on_the_bus.YES, app.asks(on_the_bus.AUTHORIZE, on_the_bus.LINK)[0])
        same("a picture of the screen", on_the_bus.YES, unchanged.shoots(app)[0])
        same("who asks", [GUEST] * 2, [asked["program"] for asked in shown()])
    with session.screen("no"):
        same("a no", on_the_bus.NO, app.asks(on_the_bus.AUTHORIZE, on_the_bus.LINK)[0])
    step("a real Flatpak reads the mode, asks, and is asked for")
    said = flatpak.runs(GUEST, LIES)
    if "user namespace -1" not in said or said.count("refused") != 5:
        raise Failed(f"a Flatpak can lie about its id: {said}")
    step("it can neither make a sandbox in which it has another id, nor take the place of the relay")
    stranger = flatpak.app(STRANGER)
    try:
        raise Failed(f"an app without the line reads the mode: {stranger.property('Mode')}")
    except Refused as refused:
        same("why", "org.freedesktop.DBus.Error.ServiceUnknown", refused.name)
    with session.screen("no") as shown:
        same("its picture", unchanged.OTHER, unchanged.shoots(stranger)[0])
        same("questions", 1, len(shown()))
    said = flatpak.runs(STRANGER, PLAIN)
    if not all(line in said for line in ("error", LINES[1])):
        raise Failed(f"Python's library in a Flatpak without the line says: {said}")
    step("a Flatpak without the lines can't use Gate, and is asked for all the same")
