"""A household for the tests: devices with a gated, a gate-household and a network each, and the broker between them.
It runs in namespaces of its own, so that everything ends with the first process, and nothing of the machine is
changed."""

import base64
import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from signal import SIGHUP, SIGKILL, SIGTERM

from cable import Cable, Cables

BROKER, PORT, JOIN_PORT = "10.77.0.1", 8883, 8884
JOIN_OPEN_FILES = 1024
# Time enough, on a good cable, from when the broker has a command until the device has executed it.
OBEYED_AFTER_SECONDS = 0.5
POLICY = """
mode: {challenge: arithmetic-choice, lease: 1h}
roles:
  household: {users: [root]}
schedules: {one: {mon: 1:00-2:00}, other: {tue: 1:00-2:00}}
gated-actions:
  share: {title: Share a photo, requires: {challenge: {kind: confirm, answered-by: grown-up}}}
  page.open: {title: Open a page, requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d, choices: [once, today, always, 1m]}}}
  game.never: {title: Play, requires: {all: [{during: one}, {during: other}]}, more-time: [15m, 30m]}
  puzzle.never: {title: Puzzle, requires: {all: [{during: one}, {during: other}]}, more-time: [15m, 30m]}
"""


class Failed(Exception):
    """A test failed."""


def enter(script, words):
    """Starts the script again, as the first process of namespaces of its own."""
    namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    os.execvp("unshare", ["unshare", *namespaces, sys.executable, script, "--inside", *words])


def run(*words, **options):
    if "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)} ends with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def until(what, condition, seconds=60.0):
    """Waits until the condition holds.

    Returns how long that took, in seconds.
    """
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            raise Failed(f"after {seconds} s it is still not so that {what}")
        time.sleep(0.02)
    return time.monotonic() - start


def check(what, condition):
    if not condition:
        raise Failed(f"it is not so that {what}")


class Process:
    """A program that runs until it is stopped, with a log of its own."""

    def __init__(self, log, *words):
        with open(log, "ab") as file:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=file)

    def signal(self, number):
        self.process.send_signal(number)

    def end(self, number=SIGTERM):
        self.process.send_signal(number)
        self.process.wait(10)

    @property
    def ending(self):
        status = self.process.poll()
        return "it runs" if status is None else f"it has ended with {status}"


class Lines:
    """The lines of a program that runs on, each with the moment at which it was printed."""

    def __init__(self, *words):
        self.lines, self.lock = [], threading.Lock()
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            with self.lock:
                self.lines.append((time.monotonic(), line.rstrip("\n")))

    def all(self):
        with self.lock:
            return list(self.lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Device:
    def __init__(self, family, name, number):
        self.family, self.name, self.number = family, name, number
        self.folder, self.address = f"{family.folder}/{name}", f"10.77.{number}.2"
        self.etc, self.state, self.socket = f"{self.folder}/etc", f"{self.folder}/state", f"{self.folder}/run/gate.sock"
        for folder in (self.etc, self.state, f"{self.folder}/run"):
            os.makedirs(folder, 0o755)
        with open(f"{self.etc}/policy.yaml", "w") as file:
            file.write(POLICY)
        self.cable = Cable(family.cables, name)
        self.connect()
        self.gated = self.carrier = None
        self.is_revoked = False
        # Only guardians' devices receive the reports of others.
        self.is_guardians = name in ("laptop", "phone")
        self.start_gated()

    def connect(self):
        inside, outside = self.address, f"10.77.{self.number}.1"
        cable = self.cable
        run("ip", "netns", "add", self.name)
        run("ip", "link", "set", cable.inner, "netns", self.name)
        run("ip", "address", "add", outside, "peer", inside, "dev", cable.outer)
        run("ip", "link", "set", cable.outer, "up")
        run("ip", "-n", self.name, "address", "add", inside, "peer", outside, "dev", cable.inner)
        run("ip", "-n", self.name, "link", "set", cable.inner, "up")
        run("ip", "-n", self.name, "link", "set", "lo", "up")
        run("ip", "-n", self.name, "route", "add", "default", "via", outside)

    # Programs

    def start_gated(self):
        places = ["--socket", self.socket, "--state-directory", self.state, "--config-directory", self.etc, "--runtime-directory", f"{self.folder}/run"]
        self.gated = Process(f"{self.folder}/gated.log", f"{self.family.programs}/gated", *places)
        until(f"gated answers on {self.name}", lambda: self.tries("ping") == 0)

    def start_carrier(self):
        words = ["serve", "--config-directory", self.etc, "--socket", self.socket]
        self.carrier = Process(f"{self.folder}/household.log", "ip", "netns", "exec", self.name, f"{self.family.programs}/gate-household", *words)

    def tries(self, *words):
        """The exit status of gatectl."""
        words = [f"{self.family.programs}/gatectl", *words, "--socket", self.socket]
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode

    def gatectl(self, *words, status=0):
        """Runs gatectl with --json. `status` is the expected exit status; `None`: any.

        Returns the objects that it prints.
        """
        words = [f"{self.family.programs}/gatectl", *words, "--json", "--socket", self.socket]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if status is not None and done.returncode != status:
            raise Failed(f"on {self.name}, gatectl {' '.join(words[1:-3])} ends with {done.returncode}, not {status}: {done.stdout}{done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def household(self, *words, **more):
        """Runs gate-household in this device's network."""
        places = ["--config-directory", self.etc, "--socket", self.socket]
        return run("ip", "netns", "exec", self.name, f"{self.family.programs}/gate-household", *words, *places, **more)

    def tries_household(self, *words):
        """The exit status of gate-household in this device's network."""
        words = ["ip", "netns", "exec", self.name, f"{self.family.programs}/gate-household", *words, "--config-directory", self.etc, "--socket", self.socket]
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode

    # What the device is

    @property
    def id(self):
        with open(f"{self.etc}/household.yaml") as file:
            return re.search(r'^device: "?([0-9a-f]{32})', file.read(), re.MULTILINE)[1]

    @property
    def mode(self):
        """`child`, `verifying` or `parent`."""
        state = self.gatectl("status")[0]["state"]
        return state.get("mode", "MODE_CHILD").removeprefix("MODE_").lower()

    def set_mode(self, mode, *words):
        self.gatectl("override", mode, "--reason", "test", *words)

    @property
    def key(self):
        """The private key of the device, which anybody can read who takes its disk out."""
        with contextlib.closing(sqlite3.connect(f"file:{self.state}/gate.sqlite?mode=ro", uri=True)) as store:
            return store.execute("SELECT device_key FROM household").fetchone()[0]

    @property
    def list(self):
        """The list of devices that its gated accepted."""
        with contextlib.closing(sqlite3.connect(f"file:{self.state}/gate.sqlite?mode=ro", uri=True)) as store:
            text = store.execute("SELECT list FROM household").fetchone()[0]
        return payload(text)

    @property
    def list_number(self):
        return self.list["number"]

    # What other devices see

    def sees(self, other):
        """The report about another device that this device received."""
        for device in self.gatectl("household", "devices")[0]["devices"]:
            if device["member"]["id"] == other.id:
                return device.get("report", {})
        raise Failed(f"{self.name} does not know {other.name}")

    def sees_connected(self, other):
        return self.sees(other).get("isOnline", False)

    def sees_mode(self, other):
        return self.sees(other).get("mode", "").removeprefix("MODE_").lower()

    def commands(self, *words, status=0):
        """Commands another device.

        Returns the answer of each device by name: `done`, the check that failed, or `unanswered`.
        """
        return self.answers(self.gatectl("household", *words, status=status))

    def sends(self, *words):
        """Commands another device, whatever the result is.

        Returns the same.
        """
        return self.answers(self.gatectl("household", *words, status=None))

    @staticmethod
    def answers(objects):
        if not objects:
            return {}
        said = objects[-1]
        answers = {answer["name"]: "done" if answer.get("isDone") else answer["check"] for answer in said.get("results", [])}
        return answers | {member["name"]: "unanswered" for member in said.get("unanswered", [])}


class Broker:
    """mosquitto, with the configuration that `gate-household create` has written."""

    def __init__(self, family, keeper):
        self.family, self.folder = family, f"{family.folder}/broker"
        self.process, self.log = None, f"{self.folder}/mosquitto.log"
        os.makedirs(self.folder, 0o755)
        self.install(keeper)

    def install(self, keeper):
        """Copies the files, as `create` and `revoke` say at their end."""
        source = f"{keeper.etc}/household/mosquitto"
        for name in os.listdir(source):
            with open(f"{source}/{name}") as file:
                self.write(name, file.read().replace("/etc/mosquitto/gate", self.folder))
        self.change("gate.conf", "persistence true", f"persistence true\npersistence_location {self.folder}/\nautosave_interval 1\nuser root")

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(text)

    def change(self, name, old, new):
        with open(f"{self.folder}/{name}") as file:
            text = file.read()
        check(f"{name} has {old!r}", old in text)
        self.write(name, text.replace(old, new))

    def start(self):
        self.process = Process(self.log, "mosquitto", "-c", f"{self.folder}/gate.conf")
        until("the broker listens", lambda: f":{PORT} " in run("ss", "-Hltn", f"sport = :{PORT}"))

    def restart(self):
        self.process.end()
        self.start()

    @contextlib.contextmanager
    def joining(self):
        """Runs the broker for devices that join for a time, as a person starts the service mosquitto-gate-join on the
        broker's machine. Returns its process."""
        with open(f"{self.folder}/join.conf") as file:
            text = file.read()
        self.write("join-here.conf", f"{text}user root\n")
        # As the unit limits it.
        words = ["sh", "-c", f'ulimit -n {JOIN_OPEN_FILES}; exec "$@"', "sh", "mosquitto", "-c", f"{self.folder}/join-here.conf"]
        process = Process(f"{self.folder}/joining.log", *words)
        try:
            until("the broker for devices that join listens", lambda: f":{JOIN_PORT} " in run("ss", "-Hltn", f"sport = :{JOIN_PORT}"))
            yield process.process
        finally:
            process.end()

    def reload(self):
        count = self.reload_count()
        self.process.signal(SIGHUP)
        until("the broker has read its rules again", lambda: self.reload_count() > count)

    def reload_count(self):
        with open(self.log, errors="replace") as file:
            return sum("Reloading config" in line for line in file)

    @contextlib.contextmanager
    def rules(self, text):
        """Uses other access rules for a time."""
        with open(f"{self.folder}/devices.acl") as file:
            before = file.read()
        self.write("devices.acl", text)
        self.reload()
        try:
            yield
        finally:
            self.write("devices.acl", before)
            self.reload()

    def kill(self):
        self.process.end(SIGKILL)

    def connections(self, device):
        """How many connections it has from a device."""
        return len(run("ss", "-Htn", "state", "established", f"sport = :{PORT} and dst {device.address}").splitlines())

    def forget(self):
        """Deletes all messages that it keeps."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{self.folder}/mosquitto.db")

    def client(self, device):
        """The options of mosquitto's clients, to connect as this device."""
        keys = f"{device.etc}/household"
        return ["-h", BROKER, "-p", str(PORT), "-V", "mqttv5", "-q", "1", "--cafile", f"{keys}/ca.pem", "--cert", f"{keys}/device.pem", "--key", f"{keys}/device.key"]

    def publish(self, device, topic, text, *words, may_fail=False):
        """Publishes with a device's certificate.

        Returns whether the broker accepted it.
        """
        words = ["mosquitto_pub", *self.client(device), "-t", topic, "-m", text, *words]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=20)
        taken = done.returncode == 0 and "not authorized" not in (done.stdout + done.stderr).lower()
        if not taken and not may_fail:
            raise Failed(f"{' '.join(words)} ends with {done.returncode}: {done.stderr}")
        return taken

    def stranger(self, device, name):
        """Connects without a certificate under this name, as devices that join do, and disconnects after a moment. The
        port for joining has to be open. The authority's certificate, a device's copy, is public.

        Returns whether the broker accepted it.
        """
        words = ["-h", BROKER, "-p", str(JOIN_PORT), "-V", "mqttv5", "--cafile", f"{device.etc}/household/ca.pem", "-i", name, "-t", "x", "-W", "1", "-d"]
        done = subprocess.run(["mosquitto_sub", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=20)
        return "received CONNACK (0)" in done.stdout

    @contextlib.contextmanager
    def reading(self, device, filter):
        """Reads with a device's certificate. Each line has a topic and the message."""
        name = f"reader-{os.urandom(8).hex()}"
        with Lines("mosquitto_sub", *self.client(device), "-i", name, "-t", filter, "-F", "%t %p") as lines:
            until("the reader is connected", lambda: self.has_logged(f" as {name} "))
            # The subscription follows at once.
            time.sleep(0.2)
            yield lines

    def has_logged(self, text):
        with open(self.log, errors="replace") as file:
            return any(text in line for line in file)


class Family:
    """Four devices: Anna's laptop, which has the household's key, Tom's phone, a child's tablet and a television."""

    def __init__(self, programs, folder, seed):
        self.programs, self.folder = programs, folder
        run("mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", "/run")
        run("ip", "link", "set", "lo", "up")
        run("ip", "address", "add", f"{BROKER}/32", "dev", "lo")
        self.cables = Cables(seed)
        self.laptop, self.phone, self.tablet, self.tv = self.devices = [
            Device(self, name, number) for number, name in enumerate(["laptop", "phone", "tablet", "tv"], 1)
        ]
        self.cables.start()
        self.laptop.household("create", "--name", "laptop", "--guardian", "Anna", "--broker", f"{BROKER}:{PORT}", "--join-port", str(JOIN_PORT))
        self.broker = Broker(self, self.laptop)
        self.broker.start()
        self.laptop.start_carrier()
        self.join(self.phone, "--guardian", "Tom")
        self.join(self.tablet)
        self.join(self.tv)
        for device in self.devices[1:]:
            device.start_carrier()
        self.settle()

    def restart_carriers(self):
        """New programs connect at once. Programs that lost the broker many times wait for up to a minute."""
        for device in self.devices:
            if device.carrier.process.poll() is None:
                device.carrier.end()
            device.start_carrier()
        self.settle()

    def join(self, device, *words, **more):
        """Has a device join, while the port for joining is open. Another machine than the inviting one is the broker, so
        nobody but a person opens it."""
        with self.broker.joining():
            self.join_at_open_port(device, *words, **more)

    def join_at_open_port(self, device, *words, replaces=False, name=None, options=()):
        places = ["--config-directory", self.laptop.etc, "--socket", self.laptop.socket]
        invite = ["ip", "netns", "exec", "laptop", f"{self.programs}/gate-household", "invite", "--yes", *words, *places]
        with Lines(*invite) as inviting:
            until("there is a code", lambda: any("GATE-" in line for _, line in inviting.all()))
            code = next(match[0] for _, line in inviting.all() if (match := re.search(r"GATE-[A-Z2-7-]+@\S+", line)))
            options = ["--replace"] if replaces else options
            device.household("join", "--name", name or device.name, *options, input=f"{code}\n")
            check("the invitation is over", inviting.process.wait(20) == 0)

    @property
    def root(self):
        with open(f"{self.laptop.etc}/household.yaml") as file:
            return "gate/" + re.search(r'^household: "?([0-9a-f]{32})', file.read(), re.MULTILINE)[1]

    def topic(self, sender, target, kind):
        return f"{self.root}/devices/{sender.id}/to/{target.id}/{kind}"

    def settle(self, seconds=30):
        """Waits until all devices are connected, and the guardians' devices see it. The broker may have kept from before
        that a device is there."""
        for other in self.devices:
            if other.is_revoked:
                continue
            until(f"{other.name} is connected", lambda: other.gatectl("household", "devices")[0].get("hasBroker"), seconds)
            for guardian in (self.laptop, self.phone):
                if other is not guardian and guardian.is_guardians:
                    until(f"{guardian.name} sees {other.name} connected", lambda: guardian.sees_connected(other), seconds)

    def state(self, device):
        """The state that the device has published."""
        with self.broker.reading(self.laptop, f"{self.root}/devices/{device.id}/state") as lines:
            until("there is a state", lines.all)
            return json.loads(words(lines.all()[-1]))

    def challenge(self, device):
        return self.state(device)["challenge"]

    def say(self, sender, target, signed, may_fail=False):
        """Publishes a command with the sender's certificate, and waits until it is executed.

        Returns whether the broker accepted it.
        """
        taken = self.broker.publish(sender, self.topic(sender, target, "commands"), signed, may_fail=may_fail)
        time.sleep(OBEYED_AFTER_SECONDS)
        return taken


def words(line):
    """The content of a message that a reader has printed."""
    return line[1].split(" ", 1)[1]


def payload(signed):
    """The payload of a JWS in compact form."""
    if isinstance(signed, bytes):
        signed = signed.decode()
    part = signed.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
