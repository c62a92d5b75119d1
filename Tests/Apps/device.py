"""A copy of a device for Tests/Apps/run: a folder with a database of packages of its own, tiny packages, and what is asked of it."""

import grp
import hashlib
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

GATECTL = str(pathlib.Path(sys.argv[1]).resolve())
os.umask(0o022)
os.environ["LC_ALL"] = "C"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="gate-apps-"))
ROOT = WORK / "root"
GAMES = 60

ENTRY = """[Desktop Entry]
Type=Application
Name={title}
Name[de]={title} auf Deutsch
Exec={exec}
Icon={name}
TryExec={first}

[Desktop Action new]
Name=New game
Exec={exec} --new %U
"""

PYTHON_GAME = "#!/usr/bin/python3\nimport snake\n"


def step(what):
    print(f"ok: {what}", flush=True)


def difference(before, after):
    files = [f"{path}: {before[0].get(path, ('-',))[0]} -> {after[0].get(path, ('-',))[0]}"
             for path in sorted(before[0].keys() | after[0].keys()) if before[0].get(path) != after[0].get(path)]
    return files, [(left, right) for left, right in zip(before[1:], after[1:]) if left != right]


def same(what, expected, found):
    if expected != found and isinstance(expected, tuple) and len(expected) == 4:
        sys.exit(f"FAILED: {what}: {difference(expected, found)}")
    if expected != found:
        sys.exit(f"FAILED: {what}\n  expected: {expected}\n  found:    {found}")
    step(what)


class Package:
    """A package as a list of files: path, contents, mode, group."""

    def __init__(self, name, version="1", source=None, depends="", files=(), priority="optional"):
        self.name, self.version, self.source, self.depends = name, version, source or name, depends
        self.files, self.priority = list(files), priority

    def build(self):
        tree = WORK / f"{self.name}-{self.version}"
        for path, contents, mode, group in self.files:
            place = tree / path.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(contents, str) and contents.startswith("-> "):
                place.symlink_to(contents[3:])
                continue
            place.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
            os.chown(place, 0, group)
            place.chmod(mode)
        control = tree / "DEBIAN" / "control"
        control.parent.mkdir(parents=True)
        control.write_text(
            f"Package: {self.name}\nVersion: {self.version}\nSource: {self.source}\nArchitecture: all\nPriority: {self.priority}\n"
            f"Maintainer: Nobody <nobody@example.org>\nDescription: a test\n"
            + (f"Depends: {self.depends}\n" if self.depends else "")
        )
        deb = WORK / f"{self.name}_{self.version}.deb"
        subprocess.run(["dpkg-deb", "-Znone", "--build", str(tree), str(deb)], check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(tree)
        return deb


def dpkg(*words):
    done = subprocess.run(
        ["dpkg", f"--root={ROOT}", "--force-bad-path,depends,not-root,script-chrootless", "--log=/dev/null", *words],
        capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: dpkg {words}: {done.stdout}{done.stderr}")


def install(*packages):
    dpkg("--install", *(str(package.build()) for package in packages))


def overrides():
    done = subprocess.run(
        ["dpkg-statoverride", f"--admindir={ROOT}/var/lib/dpkg", "--list"], capture_output=True, text=True)
    # dpkg writes names for numbers that this machine's groups have.
    return sorted(" ".join((user, by_number(group), *rest)) for user, group, *rest in map(str.split, done.stdout.splitlines()))


def by_number(group):
    return group if group.startswith("#") else f"#{grp.getgrnam(group).gr_gid}"


def apply(listed=None, *options, status=0):
    if listed is not None:
        path = ROOT / "run/gated/apps"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{name}\n" for name in sorted(listed)))
    done = subprocess.run([GATECTL, "apps", "apply", "--root", str(ROOT), *options], capture_output=True, text=True)
    if done.returncode != status:
        sys.exit(f"FAILED: apply {listed} {options} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stderr


def listing():
    done = subprocess.run(
        [GATECTL, "apps", "list", "--json", "--root", str(ROOT)], capture_output=True, text=True, check=True)
    return {app["name"]: app for app in map(json.loads, done.stdout.splitlines())}


def mode(path):
    found = os.lstat(ROOT / path.lstrip("/"))
    return f"{stat.S_IMODE(found.st_mode):o} {found.st_uid}:{found.st_gid}"


def state():
    """Everything that a release has to leave as it was."""
    found = {}
    for folder in ("usr", "opt", "etc", "srv"):
        for parent, folders, files in os.walk(ROOT / folder):
            for name in folders + files:
                path = pathlib.Path(parent, name)
                relative = "/" + str(path.relative_to(ROOT))
                text = "" if path.is_dir() or path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest()
                # groupadd leaves files of its own if it is killed.
                if not relative.startswith(("/etc/group", "/etc/gshadow")):
                    found[relative] = (mode(relative), text)
    groups = {line.split(":")[0] for line in (ROOT / "etc/group").read_text().splitlines()}
    records = sorted(path.name for path in (ROOT / "var/lib/gate-apps").glob("*") if path.name != ".lock")
    return found, overrides(), groups, records


def gid(name):
    for line in (ROOT / "etc/group").read_text().splitlines():
        if line.startswith(f"gate-app-{name}:"):
            return int(line.split(":")[2])
    return None


def record(name, file):
    return (ROOT / "var/lib/gate-apps" / name / file).read_text()


ELF = pathlib.Path("/bin/true").read_bytes()
LIBRARY = next(pathlib.Path("/usr/lib").glob("*-linux-gnu/libz.so.1*"), None) or next(
    pathlib.Path("/usr/lib").glob("*-linux-gnu/libc.so.6"))
LIBRARY = LIBRARY.resolve().read_bytes()


def entry(name, program, title=None):
    return (f"/usr/share/applications/{name}.desktop",
            ENTRY.format(name=name, exec=program, first=program.split()[0], title=title or name), 0o644, 0)


TUX = [
    ("/usr/games/tux", ELF, 0o2755, GAMES),
    ("/usr/share/games/tux/level", "data", 0o644, 0),
    ("/usr/share/doc/tux/copyright", "free", 0o644, 0),
    entry("Tux_Racer", "tux"),
]
SNAKE = [
    ("/usr/lib/snake/snake", PYTHON_GAME, 0o755, 0),
    ("/usr/lib/snake/engine.so", LIBRARY, 0o644, 0),
    ("/usr/games/snake", "-> ../lib/snake/snake", 0, 0),
    ("/usr/lib/python3/dist-packages/snake.py", "print('snake')\n", 0o644, 0),
    ("/usr/lib/python3/dist-packages/snakelib/__init__.py", "", 0o644, 0),
    ("/usr/share/icons/hicolor/snake.png", "png", 0o644, 0),
    entry("snake", "python3 /usr/lib/snake/snake %F"),
]
SHELL = [("/usr/games/hangman", "#!/bin/sh\necho hangman\n", 0o755, 0)]
CHESS = [
    ("/usr/bin/chess", ELF, 0o755, 0),
    ("/usr/share/dbus-1/services/org.example.Chess.service",
     "[D-BUS Service]\nName=org.example.Chess\nExec=/usr/bin/chess --gapplication-service\nSystemdService=chess.service\n", 0o644, 0),
]
CHESS_DATA = [
    (entry("org.example.Chess", "/usr/bin/chess")[0],
     ENTRY.format(name="chess", exec="/usr/bin/chess", first="/usr/bin/chess", title="Chess").replace("Icon", "DBusActivatable=true\nIcon"), 0o644, 0),
]
