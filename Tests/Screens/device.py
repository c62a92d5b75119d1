"""The device of the tests: its daemon, a presenter with windows, and the programs that ask."""
import json
import os
import pwd
import shutil
import socket
import signal
import struct
import subprocess
import sys

from screen import WORK, Failure, no_window, speak, tree_text, until

BIN, USER = os.environ["GATE_BIN"], os.environ["GATE_DAEMON_USER"]
# Administrators extend parent mode without a question.
IS_ASKED = pwd.getpwuid(os.geteuid()).pw_name != USER


LANGUAGES = {"en": "C.UTF-8", "de": "de_DE.UTF-8", "ru": "ru_RU.UTF-8", "zh_CN": "zh_CN.UTF-8"}
# The price of premium, in all languages.
OFFERS = """{"offers": [
    {"product": "monthly", "period": "P1M", "priceMicros": "3990000", "currency": "EUR", "url": "https://example.org/pay?product=monthly",
     "titles": [{"language": "en", "text": "Every month"}, {"language": "de", "text": "Jeden Monat"}, {"language": "ru", "text": "Каждый месяц"},
                {"language": "zh-CN", "text": "每月"}]},
    {"product": "forever", "priceMicros": "49000000", "currency": "EUR",
     "titles": [{"language": "en", "text": "Once, for good"}, {"language": "de", "text": "Einmal, für immer"},
                {"language": "ru", "text": "Один раз и навсегда"}, {"language": "zh-CN", "text": "一次付清，永久使用"}]}]}"""


class Presenter:
    newest = None

    def __init__(self, locale="C.UTF-8", options=(), **variables):
        Presenter.newest = self
        speak(locale)
        self.log = open(os.path.join(WORK, "presenter.log"), "ab")
        self.process = subprocess.Popen(
            [os.path.join(BIN, "gate-presenter"), "--server-user", USER, *options], stderr=self.log,
            env={**os.environ, "LC_ALL": locale, **variables})

    def end(self):
        self.process.terminate()
        if self.process.wait() != 0:
            raise Failure(f"the presenter ends with {self.process.returncode}")

    def is_registered(self):
        counted = subprocess.run(gatectl("statistics", "--json"), capture_output=True, text=True, check=True).stdout
        return json.loads(counted).get("presenters") == 1


def play(scenarios, locale="C.UTF-8"):
    """Starts a presenter, and plays the scenarios one after the other. Returns 0, or 1 after it has reported a
    failure."""
    Presenter(locale)
    try:
        until("the presenter is there", Presenter.newest.is_registered)
        if not no_window():
            raise Failure("a window stands there though nothing is asked")
        for scenario in scenarios:
            scenario()
    except Failure as failure:
        print(f"FAILED: {failure}\n{tree_text()}", file=sys.stderr)
        if Asker.newest is not None and Asker.newest.process.poll() is not None and not Asker.newest.process.stdout.closed:
            print(f"the asker has ended with {Asker.newest.process.returncode}: {Asker.newest.process.stdout.read()}", file=sys.stderr)
        return 1
    finally:
        Presenter.newest.process.terminate()
        Presenter.newest.process.wait()
    return 0


def gatectl(*words):
    return [os.path.join(BIN, "gatectl"), *words, "--server-user", USER]


def kill_daemon():
    with open(os.path.join(WORK, "gated.pid"), encoding="utf-8") as file:
        os.kill(int(file.read()), signal.SIGKILL)


def start_daemon():
    subprocess.run(["sh", os.path.join(WORK, "start-daemon")], check=True)


def set_passcode(text):
    subprocess.run(gatectl("passcode", "set", "--stdin"), input=f"{text}\n", text=True, check=True, capture_output=True)


def register(name, password):
    subprocess.run(gatectl("register", name, "--password-file", "-"), input=f"{password}\n", text=True, check=True, capture_output=True)


def new_device(passcode):
    """A daemon that has stored nothing but the passcode."""
    kill_daemon()
    shutil.rmtree(os.path.join(WORK, "state"))
    os.mkdir(os.path.join(WORK, "state"), 0o700)
    start_daemon()
    until("the daemon is there", lambda: subprocess.run(gatectl("ping"), capture_output=True, check=False).returncode == 0)
    set_passcode(passcode)


def set_policy(before="", after=""):
    """Puts the policy of the tests in force, with one piece of it changed."""
    with open("Tests/Screens/policy.yaml", encoding="utf-8") as file:
        policy = file.read()
    if before not in policy:
        raise Failure(f"the policy has no '{before}'")
    with open(os.path.join(WORK, "config", "policy.yaml"), "w", encoding="utf-8") as file:
        file.write(policy.replace(before, after, 1))
    subprocess.run(gatectl("reload"), check=True, capture_output=True)


def report_offers(offers):
    """Reports the price of premium to the daemon, as a provider does, in JSON."""
    subprocess.run(
        gatectl("entitlements", "report-offers", "premium", "--provider", "revenuecat", "-"), input=offers, text=True, check=True,
        capture_output=True)


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
    """A program that uses the wire directly, and gives itself any name."""

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
