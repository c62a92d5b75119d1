"""What the test of gate-launcher consists of: a launcher with files about apps, a client of it, and games."""

import contextlib
import os
import pty
import pwd
import shutil
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../libgate")

from programs import Failed, UsersProgram  # noqa: E402

PROGRAMS, LAUNCHER, TALK = (os.path.abspath(word) for word in sys.argv[1:4])
#: Users that every Debian has. The first one becomes a grown-up and the second one a child; nobody knows the third.
GRANNY, LITTLE, STRANGER = (pwd.getpwnam(name) for name in ["games", "news", "mail"])
GROWN_UP, CHILD = 1, 2
GROUP, ALSO = 54321, 54322
DAYS = [("mon", "tue", "wed", "thu", "fri", "sat", "sun")[(time.gmtime().tm_wday + ahead) % 7] for ahead in range(-1, 6)]
NOW = ", ".join(f"{day}: 0:00-24:00" for day in DAYS[:3])
LATER = f"{DAYS[4]}: 12:00-13:00"
#: A game leaves its ids, its variables and its number in files, and then waits for its end.
PLAYS = 'id -u > "$2.ids"; id -g >> "$2.ids"; id -G >> "$2.ids"; env > "$2.env"; echo $$ > "$2.new"; mv "$2.new" "$2"; exec sleep "$1"'


def policy(schedule):
    return f"""
schedules:
  school: {{{schedule}}}
  always: {{mon-sun: 0:00-24:00}}
allowances:
  games: {{mon-sun: 1m}}
gated-actions:
  app.free: {{title: Free, requires: {{during: always}}}}
  app.other: {{title: Other, requires: {{during: always}}}}
  app.typed: {{title: Typed, requires: {{during: always}}}}
  app.broken: {{title: Broken, requires: {{during: always}}}}
  app.asked: {{title: Asked, requires: {{challenge: {{kind: confirm, answered-by: grown-up, may-wait: 1d, choices: [once, 30m]}}}}}}
  app.hours: {{title: Hours, requires: {{during: school}}}}
  app.short: {{title: Short, requires: {{allowance: games}}}}
  app.long: {{title: Long, requires: {{allowance: games}}, more-time: [15m]}}
"""


class Launcher:
    """A gate-launcher with files about apps, as long as the block lasts."""

    def __init__(self, device, name="launch", systemctl=None, stderr=None, notify=None, **options):
        self.device, self.path, self.records = device, f"{device.folder}/{name}.sock", f"{device.folder}/records"
        # Each has a "systemd" of its own, since their units have the same names.
        self.systemd = f"{device.folder}/{name}"
        shutil.rmtree(self.systemd, ignore_errors=True)
        os.makedirs(f"{self.systemd}/units")
        os.makedirs(self.records, exist_ok=True)
        for program in ["systemd-run", "systemctl"]:
            shutil.copy(f"{HERE}/{program}", f"{self.systemd}/{program}")
        words = {"grace": 1500, "packet": 1500, "idle": 600_000, **options}
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(self.path)
            listener.listen(64)
            os.chmod(self.path, 0o666)
            self.process = subprocess.Popen(
                [LAUNCHER, f"--records={self.records}", f"--gate-socket={device.path}", f"--systemd-run={self.systemd}/systemd-run",
                 f"--systemctl={systemctl or self.systemd + '/systemctl'}", *(f"--{name}={value}" for name, value in words.items())],
                stdin=listener, stderr=stderr,
                env={"GATE_SOCKET": "/nowhere", "ASAN_OPTIONS": "detect_leaks=0", **({"NOTIFY_SOCKET": notify} if notify else {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for unit in os.listdir(f"{self.systemd}/units"):
            subprocess.run([f"{self.systemd}/systemctl", "stop", "--", f"{unit}.service"], check=False)
        os.unlink(self.path)

    def workers(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return [int(word) for word in file.read().split()]

    def guard(self, name, *arguments, lines=(), mode=0o644):
        os.makedirs(f"{self.records}/{name}", exist_ok=True)
        with open(f"{self.records}/{name}/start", "w") as file:
            # Each app has a group of its own, and "free" has GROUP.
            group = GROUP + sum(name.encode()) - sum(b"free")
            words = ["gate-app 1", f"action app.{name}", f"group {group}", f"also {ALSO}", *lines]
            file.write("\n".join([*words, *(f"argument {word}" for word in arguments), "end"]) + "\n")
        os.chmod(file.name, mode)

    def guard_game(self, name, seconds=1000):
        self.guard(name, "/bin/sh", "-c", PLAYS, "sh", str(seconds), self.game(name))

    def game(self, name):
        return f"{self.device.folder}/out/{name}"


class Client:
    """A connection to the launcher as this user."""

    def __init__(self, launcher, user=LITTLE):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(30)
        os.seteuid(user.pw_uid)
        try:
            self.socket.connect(launcher.path)
        finally:
            os.seteuid(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def sends(self, *words, descriptors=()):
        packet = b"".join(word.encode() + b"\0" for word in words)
        with contextlib.suppress(BrokenPipeError):  # the launcher may have refused already
            socket.send_fds(self.socket, [packet], list(descriptors)) if descriptors else self.socket.send(packet)

    def hears(self, *answers, seconds=30):
        self.socket.settimeout(seconds)
        for answer in answers:
            try:
                said = self.socket.recv(100).decode()
            except ConnectionResetError:  # it has closed the connection without reading the packet; its answer comes now
                said = self.socket.recv(100).decode()
            if said != answer:
                raise Failed(f"the launcher should answer '{answer}', and says '{said}'")


def terminal_of(user):
    """A pseudo-terminal that belongs to the user. Returns both ends."""
    os.seteuid(user.pw_uid)
    try:
        return pty.openpty()
    finally:
        os.seteuid(0)


def asks(launcher, answer, *words, user=LITTLE, descriptors=()):
    """Sends a packet, and checks the answer."""
    with Client(launcher, user) as client:
        client.sends(*words, descriptors=descriptors)
        client.hears(answer)


@contextlib.contextmanager
def proof_of(device, name, user=LITTLE, details=None, redeemer=0):
    """A grant for the app, which ends with the block at the latest."""
    with UsersProgram(device, user) as program:
        program.hears("grant", f"app.{name}", details or name, redeemer, 0)
        yield program.says(r"^grant proof=([0-9a-f]+)$").group(1)
        program.ends()


def until(what, is_true, seconds=20):
    end = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > end:
            raise Failed(what)
        time.sleep(0.02)


def process_of(launcher, name):
    """Waits until the game runs, and forgets that it began. Returns the number of its process."""
    path = launcher.game(name)
    until(f"{name} does not begin", lambda: os.path.exists(path))
    with open(path) as file:
        number = int(file.read())
    os.unlink(path)
    return number


def runs(process):
    return os.path.exists(f"/proc/{process}")


def plays(device, launcher, name, user=LITTLE, variables=()):
    """Starts a game whose client goes. Returns the number of its process."""
    with proof_of(device, name, user) as proof:
        asks(launcher, "started", "1", name, proof, *variables, user=user)
    return process_of(launcher, name)


def ends(launcher, process, what, seconds=20):
    until(f"the game should end: {what}", lambda: not runs(process), seconds)
    until("its worker should end", lambda: not launcher.workers())
