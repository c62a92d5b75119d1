"""The device of the tests: its daemon, a presenter with windows, and the programs that ask."""
import json
import os
import pwd
import socket
import struct
import subprocess

from screen import WORK, Failure, no_window, speak, until

BIN, USER = os.environ["GATE_BIN"], os.environ["GATE_DAEMON_USER"]
# Administrators are asked nothing for more time.
IS_ASKED = pwd.getpwuid(os.geteuid()).pw_name != USER


class Presenter:
    newest = None

    def __init__(self, locale="C.UTF-8", **variables):
        Presenter.newest = self
        speak(locale)
        self.log = open(os.path.join(WORK, "presenter.log"), "ab")
        self.process = subprocess.Popen(
            [os.path.join(BIN, "gate-presenter"), "--server-user", USER], stderr=self.log, env={**os.environ, "LC_ALL": locale, **variables})

    def end(self):
        self.process.terminate()
        if self.process.wait() != 0:
            raise Failure(f"the presenter ends with {self.process.returncode}")

    def is_registered(self):
        counted = subprocess.run(gatectl("statistics", "--json"), capture_output=True, text=True, check=True).stdout
        return json.loads(counted).get("presenters") == 1


def gatectl(*words):
    return [os.path.join(BIN, "gatectl"), *words, "--server-user", USER]


class Asker:
    """A program that asks for something. It has no terminal, so it needs a presenter."""

    newest = None

    def __init__(self, action, *words):
        self.start("authorize", action, *words)

    @classmethod
    def of(cls, *words):
        """A program that asks with these words."""
        asker = cls.__new__(cls)
        asker.start(*words)
        return asker

    def start(self, *words):
        Asker.newest = self
        self.process = subprocess.Popen(
            gatectl(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def refuses_at_once(self):
        """Whether the tool itself takes no such words: then there is no question."""
        try:
            return self.process.wait(0.7) == 65
        except subprocess.TimeoutExpired:
            return False

    def ends(self, what, status):
        output, _ = self.process.communicate(timeout=30)
        if self.process.returncode != status:
            raise Failure(f"{what}: status {self.process.returncode}, wanted {status}: {output}")
        until(f"{what}: the window goes", no_window)
        print(f"passed: {what}", flush=True)


class Toggle(Asker):
    def __init__(self, *words):
        self.start("toggle", *words)


class NamedAsker:
    """A program that speaks the wire itself, and calls itself what it likes."""

    def __init__(self, program, action, details):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(os.environ["GATE_SOCKET"])
        entry = field(1, b"program") + field(2, program.encode())
        request = field(1, b"gate.v1.Authorization") + field(2, b"Authorize") + field(
            3, field(1, action.encode()) + field(2, details.encode())) + field(5, entry)
        self.connection.sendall(struct.pack(">IIBB", len(request), 1, 1, 0) + request)

    def hangs_up(self):
        self.connection.close()
        until("the window goes with its asker", no_window)


def field(number, content):
    """A field of a protobuf message: bytes, text or a message."""
    length, rest = b"", len(content)
    while rest > 0x7f:
        length, rest = length + bytes([rest & 0x7f | 0x80]), rest >> 7
    return bytes([number << 3 | 2]) + length + bytes([rest]) + content
