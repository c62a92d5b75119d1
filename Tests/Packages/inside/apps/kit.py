"""What the attacks on guarded apps share. They run as mia, a child, and the games are those that 05-apps guards."""

import ctypes
import errno
import json
import os
import pathlib
import socket
import subprocess
import time

HOME = pathlib.Path("/home/mia")
FOLDER = HOME / "apps"
ROOM = HOME / "tries"
STARTS = HOME / "starts"
#: Touched again and again by a process that forks and ends, and hides thereby from those who look for it.
BEAT = ROOM / "beat"
SOCKET = str(ROOM / "inside")
LOADER = "/lib64/ld-linux-x86-64.so.2"
LIBC = ctypes.CDLL(None, use_errno=True)
REFUSED = {errno.EACCES, errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EXDEV}


class Refused(Exception):
    """The try has gained nothing."""


class Game:
    """A guarded app: what its code is, where its program lies, and a path that has its group."""

    def __init__(self, name, kind, program, held, *, inner=None, words=()):
        self.name, self.kind, self.program, self.held = name, kind, program, held
        self.inner = inner or program
        self.words = list(words)

    @property
    def group(self):
        return os.stat(self.held).st_gid

    def processes(self):
        """The processes that have its group now. The kernel shows that to everybody."""
        return processes_of(self.group)


GAMES = [
    Game("hatch", "program", "/usr/games/hatch", "/usr/games/hatch", words=["--once"]),
    Game("greed", "program", "/usr/games/greed", "/usr/games/greed"),
    Game("piu-piu", "script", "/usr/games/piu-piu", "/usr/games/piu-piu"),
    Game(
        "colossal-cave-adventure",
        "modules",
        "/usr/games/colossal-cave-adventure",
        "/usr/share/colossal-cave-adventure",
        inner="/usr/share/colossal-cave-adventure/adventure/game.py",
    ),
]
HATCH = GAMES[0]

# Each attack: its function, the states in which it is tried, the kinds of games, and the words of docs/security.md that
# name it, if it works.
ATTACKS = []


def attack(*states, on=("program", "script", "modules"), works=""):
    """Takes a function into the list. Its name is what is tried; it gains nothing if it raises `Refused` or is not permitted."""

    def take(function):
        ATTACKS.append((function, states, on, works))
        return function

    return take


def is_beating():
    if not BEAT.exists():
        return False
    before = BEAT.stat().st_mtime_ns
    time.sleep(0.5)
    return BEAT.stat().st_mtime_ns != before


def processes_of(group):
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if str(group) in lines["Gid"].split():
            found.append(int(status.parent.name))
    return found


def tried(argv, **options):
    """Runs a command, and raises `Refused` if it says that it was not permitted. Otherwise it has gained something."""
    # Not where the child's own modules lie.
    options.setdefault("cwd", "/")
    ran = subprocess.run(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20, check=False, **options
    )
    said = ran.stdout.decode(errors="replace")
    words = ["denied", "ermitted", "cannot open", "No module named", "not allowed", "cannot execute", "cannot mount", "bind ", "nvalid", "uthentication"]
    if ran.returncode != 0 and any(word in said for word in words):
        raise Refused(said.strip())
    return f"status {ran.returncode}: {said.strip()[:200]}"


def reads(path):
    """Reads a file that somebody must not read."""
    with open(path, "rb") as file:
        return f"{len(file.read(100))} bytes of {path}"


def system_call(number, *arguments):
    """A system call that Python has no function for, by its number on x86-64."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in (number, *arguments)]
    result = LIBC.syscall(*words)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def starts():
    return STARTS.read_text().splitlines() if STARTS.exists() else []


def started_outside(before):
    """The lines of hatch that ran since then with its group, although nobody asked Gate."""
    return [line for line in starts()[before:] if line.split()[1] == str(HATCH.group)]


def ask_inside(call, *arguments, descriptors=()):
    """Has the child's code inside hatch do something. Returns what it says, and descriptors that it passes out."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as inside:
        inside.settimeout(30)
        inside.connect(SOCKET)
        socket.send_fds(inside, [json.dumps([call, *arguments]).encode()], list(descriptors))
        answer, passed, _, _ = socket.recv_fds(inside, 1 << 16, 16)
    said, gained = json.loads(answer)
    if not gained:
        for descriptor in passed:
            os.close(descriptor)
        raise Refused(said)
    return said, passed


def copy_of(source, name, mode=0o755):
    """A copy of a program of the system in the child's room."""
    target = ROOM / name
    target.unlink(missing_ok=True)
    target.write_bytes(pathlib.Path(source).read_bytes())
    target.chmod(mode)
    return target


def gives_the_group(program):
    """Whether a program of the child's now runs with hatch's group."""
    said = subprocess.run([program], stdout=subprocess.PIPE, check=False).stdout.decode()
    if f"egid={HATCH.group}(" not in said and f" gid={HATCH.group}(" not in said:
        raise Refused(said.strip())
    return said.strip()
