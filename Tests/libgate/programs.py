"""What the tests of libgate share: programs whose output is read and answered, a private gated, and servers that are
no daemon."""

import contextlib
import os
import pwd
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

ME = pwd.getpwuid(os.getuid()).pw_name


class Failed(Exception):
    pass


class Program:
    """A program whose output is read and answered. At the end of the block it has to have ended, if it should end;
    otherwise it is ended."""

    def __init__(self, *words, env=None):
        self.name, self.text = os.path.basename(words[0]), ""
        self.process = subprocess.Popen(
            words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **(env or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def reads(self, seconds):
        """Reads output once. Returns False if there is none, or the program has ended."""
        ready = select.select([self.process.stdout], [], [], max(seconds, 0))[0]
        some = os.read(self.process.stdout.fileno(), 1 << 16).decode(errors="replace") if ready else ""
        self.text += some
        return bool(some)

    def says(self, pattern, seconds=60):
        """Waits for a line that matches, and takes everything up to it. Returns the match."""
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, self.text, re.MULTILINE)):
            if not self.reads(end - time.monotonic()):
                raise Failed(f"{self.name} should print '{pattern}', and has printed: {self.text[-2000:]!r}")
        self.text = self.text[match.end() :]
        return match

    def quiet(self, pattern, seconds=0.3):
        """Checks that the program prints no such line in this time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.reads(end - time.monotonic())
        if re.search(pattern, self.text, re.MULTILINE):
            raise Failed(f"{self.name} should not print '{pattern}': {self.text!r}")

    def hears(self, *words):
        self.process.stdin.write(("\t".join(str(word) for word in words) + "\n").encode())

    def ends(self, status=0, seconds=60):
        """Tells the program to end, and waits until it has ended with this status."""
        with contextlib.suppress(BrokenPipeError):
            self.hears("quit")
        end = time.monotonic() + seconds
        while self.reads(end - time.monotonic()):
            pass
        try:
            code = self.process.wait(max(end - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name} does not end: {self.text}") from None
        if code != status:
            raise Failed(f"{self.name} ends with {code}, not {status}: {self.text}")


class Sandbox:
    """Runs programs as Flatpak does: as a user whose namespace maps no other one, with a file /.flatpak-info, and with the
    folder that the manifest's --filesystem=xdg-run/gate:ro means."""

    UID = os.getuid() or pwd.getpwnam("games").pw_uid # root would be believed by anybody

    def __init__(self, folder, gate=None, info=("--ro-bind", None), also=()):
        """`folder` is seen inside, and the folders `also`. `gate`: what is seen of the session's folder; None: nothing. `info`: how bubblewrap makes
        /.flatpak-info; with None in it, out of a file; (): not at all."""
        with open(f"{folder}/flatpak-info", "w") as file:
            file.write("[Application]\nname=org.example.Game\n\n[Instance]\ninstance-id=1\n")
        self.words = ["setpriv", "--reuid", str(self.UID), "--regid", str(self.UID), "--clear-groups"] if os.getuid() == 0 else []
        self.words += ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--dev", "/dev", "--proc", "/proc"]
        for path in ["/usr", "/etc", "/bin", "/lib", "/lib64", folder, *also]:
            self.words += ["--ro-bind-try", path, path]
        if gate:
            self.words += ["--ro-bind", gate, f"/run/user/{self.UID}/gate"]
        if info:
            self.words += [word or file.name for word in info] + ["/.flatpak-info"]

    def program(self, *words, env=None):
        # What looks for leaks needs to trace the program, which a sandbox forbids.
        fixed = {"XDG_RUNTIME_DIR": f"/run/user/{self.UID}", "ASAN_OPTIONS": "detect_leaks=0", "GATE_SOCKET": ""}
        program = Program(*self.words, *words, env={**fixed, **(env or {})})
        program.name = words[0]
        return program

    @classmethod
    def is_possible(cls, folder):
        """Whether this machine has bubblewrap and lets it make user namespaces."""
        with contextlib.suppress(FileNotFoundError):
            return subprocess.run([*cls(folder).words, "true"], stderr=subprocess.DEVNULL).returncode == 0
        return False


class UsersProgram(Program):
    """A program of another user, on a device that is open to others. Without `words` it is talk."""

    def __init__(self, device, user, *words):
        switch = ["setpriv", "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups"]
        name, *arguments = words or ("talk", str(os.getuid()))
        super().__init__(*switch, f"{device.folder}/{name}", *arguments)
        self.name = f"{name} of {user.pw_name}"


class Device:
    """A folder with a policy and a socket, for private daemons."""

    def __init__(self, programs, policy):
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="libgate.", dir=os.environ.get("XDG_RUNTIME_DIR", "/tmp"))
        self.path = f"{self.folder}/gate.sock"
        os.environ.update(GATE_SOCKET=self.path, SWIFT_BACKTRACE="enable=no")
        for name in ["config", "state"]:
            os.mkdir(f"{self.folder}/{name}", 0o700)
        with open(f"{self.folder}/config/policy.yaml", "w") as file:
            file.write(policy)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    @contextlib.contextmanager
    def gated(self):
        """Runs a daemon as long as the block lasts."""
        command = [f"{self.programs}/gated", "--socket", self.path, "--runtime-directory", self.folder, "--log-level", "error"]
        command += ["--state-directory", f"{self.folder}/state", "--config-directory", f"{self.folder}/config"]
        with subprocess.Popen(command) as process:
            try:
                for _ in range(200):
                    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
                        probe.connect(self.path)
                        break
                    time.sleep(0.05)
                else:
                    raise Failed("gated does not listen")
                yield process
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, 18)  # SIGCONT: a stopped process handles SIGTERM only afterwards
                process.terminate()

    def open_to_others(self, talk):
        """Lets programs of other users reach the socket, and a copy of talk, which they can't reach where it was
        built."""
        os.chmod(self.folder, 0o755)
        shutil.copy(talk, f"{self.folder}/talk")

    def build_from_page(self, talk, words):
        """Builds the program on docs/libgate.md that contains these words, with the library with which talk was
        built."""
        root, built = os.path.dirname(os.path.abspath(__file__)) + "/../..", os.path.dirname(talk)
        with open(f"{root}/docs/libgate.md", encoding="utf-8") as page:
            blocks = re.findall(r"```c\n(.*?)```", page.read(), re.DOTALL)
        with open(f"{self.folder}/page.c", "w", encoding="utf-8") as source:
            source.write(next(block for block in blocks if words in block))
        command = [os.environ.get("CC", "cc"), "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", f"-I{built}/include"]
        subprocess.run([*command, source.name, f"{built}/libgate.a", "-lprotobuf-c", "-o", f"{self.folder}/page"], check=True)

    def gatectl(self, *words, text=None, check=True):
        command = [f"{self.programs}/gatectl", *words, "--server-user", ME, "--timeout", "10s"]
        return subprocess.run(command, input=text, text=True, check=check, stdout=subprocess.PIPE).stdout


# MARK: frames, for servers that are no daemon


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A field of a message: a number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def frame(stream, kind, flags, data):
    return struct.pack(">IIBB", len(data), stream, kind, flags) + data


def response(stream, payload=b"", status=None):
    return frame(stream, 2, 0, (field(1, status) if status is not None else b"") + field(2, payload))


def boottime(seconds=0):
    return int((time.clock_gettime(time.CLOCK_BOOTTIME) + seconds) * 1e9)


def watch_message(number, epoch=7, snapshot=True, mode=None, seconds=1000, **others):
    """A WatchResponse with a mode whose deadline is this many seconds away."""
    out = field(1, number) + field(2, field(1, epoch) + field(2, number)) + (field(3, 1) if snapshot else b"")
    if mode is not None:
        out += field(4, field(1, mode) + (field(2, boottime(seconds)) if mode > 1 else b""))
    return out + b"".join(field(number, value) for number, value in others.get("fields", []))


def received(peer):
    """The next request as (stream, service, method, payload), or None at the end."""
    head = b""
    while len(head) < 10:
        some = peer.recv(10 - len(head))
        if not some:
            return None
        head += some
    size, stream, _, _ = struct.unpack(">IIBB", head)
    data = b""
    while len(data) < size:
        some = peer.recv(size - len(data))
        if not some:
            return None
        data += some
    fields, at = {}, 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = number()
        if tag & 7 == 2:
            length = number()
            fields[tag >> 3] = data[at : at + length]
            at += length
        else:
            fields[tag >> 3] = number()
    return stream, fields.get(1, b"").decode(), fields.get(2, b"").decode(), fields.get(3, b"")


@contextlib.contextmanager
def impostor(path, serve, uid=None):
    """Another server on the socket, in a process of its own. It calls `serve(peer)` for each connection, one after
    the other. `uid`: as whom it listens, as its clients see it; for root."""
    with contextlib.suppress(OSError):
        os.unlink(path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        if uid is not None:
            os.chmod(path, 0o666)
            os.seteuid(uid)
        server.listen()
        os.seteuid(os.getuid())
        child = os.fork()
        if child == 0:
            try:
                while True:
                    peer = server.accept()[0]
                    with contextlib.suppress(OSError), peer:
                        serve(peer)
            finally:
                os._exit(0)
    try:
        yield
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.unlink(path)


def step(what):
    print(f"ok: {what}", flush=True)


def run(main):
    try:
        main()
    except Failed as error:
        sys.exit(f"FAILED: {error}")
