"""A household around the device of the tests: a broker, and a tablet with its own gated. All of it is real, and ends
with the test."""
import os
import random
import shutil
import subprocess
import time

from device import BIN, USER
from screen import WORK, Failure, until

OPENING = """
  household.open:
    title: {en: Open another device, de: Ein anderes Gerät öffnen, ru: Открыть другое устройство, zh-CN: 打开另一台设备}
    requires: {challenge: {kind: confirm, answered-by: grown-up}}
"""
BUYING = """gated-actions:
  shop.buy:
    title: {en: Buy something, de: Etwas kaufen, ru: Совершить покупку, zh-CN: 买东西}
    requires: {challenge: {kind: confirm, answered-by: grown-up}}
"""
LAPTOP, TABLET = "Kitchen laptop", "Mia's tablet"


class Device:
    """A device of the household, with its own programs."""

    def __init__(self, socket, config):
        self.socket, self.config = socket, config

    def tool(self, *words, **options):
        """Runs gatectl, and returns its output."""
        return subprocess.run(
            [os.path.join(BIN, "gatectl"), *words, "--socket", self.socket, "--server-user", USER],
            capture_output=True, text=True, check=True, **options).stdout

    def program(self, *words):
        """The command line of gate-household with a verb."""
        return [
            os.path.join(BIN, "gate-household"), *words, "--socket", self.socket, "--server-user", USER, "--config-directory", self.config]

    def is_up(self):
        try:
            self.tool("ping")
        except subprocess.CalledProcessError:
            return False
        return True


class Household:
    """The laptop is the device of the tests, and a guardian's. The tablet is a child's."""

    def __init__(self):
        self.folder = os.path.join(WORK, "household")
        os.mkdir(self.folder)
        self.processes = []
        self.laptop = Device(os.environ["GATE_SOCKET"], os.path.join(WORK, "config"))
        self.tablet = Device(os.path.join(self.folder, "tablet.sock"), os.path.join(self.folder, "config"))
        self.policy_file = os.path.join(self.laptop.config, "policy.yaml")
        with open(self.policy_file, encoding="utf-8") as policy:
            self.policy = policy.read()
        with open(self.policy_file, "w", encoding="utf-8") as policy:
            policy.write(self.policy + OPENING)
        self.begin()
        self.join()

    def start(self, name, words):
        with open(os.path.join(self.folder, f"{name}.log"), "ab") as log:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def begin(self):
        """Creates the household on the laptop, and starts the broker."""
        port = random.randrange(20000, 40000)
        subprocess.run(
            self.laptop.program("create", "--name", LAPTOP, "--guardian", "Anna", "--broker", f"localhost:{port}", "--join-port", str(port + 1)),
            check=True, capture_output=True)
        broker = os.path.join(self.folder, "broker")
        shutil.copytree(os.path.join(self.laptop.config, "household", "mosquitto"), broker)
        path = os.path.join(broker, "gate.conf")
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("/etc/mosquitto/gate/", f"{broker}/").replace("persistence true", "persistence false")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + (f"user {USER}\n" if os.geteuid() == 0 else ""))
        self.start("mosquitto", ["mosquitto", "-c", path])
        self.start("laptop", self.laptop.program())

    def join(self):
        os.mkdir(self.tablet.config, 0o755)
        with open(os.path.join(self.tablet.config, "policy.yaml"), "w", encoding="utf-8") as policy:
            policy.write("mode: {challenge: arithmetic-choice, lease: 10m}\n" + BUYING)
        for name in ("state", "runtime"):
            os.mkdir(os.path.join(self.folder, name), 0o700)
        self.start("tablet-gated", [
            os.path.join(BIN, "gated"), "--socket", self.tablet.socket, "--state-directory", f"{self.folder}/state",
            "--runtime-directory", f"{self.folder}/runtime", "--config-directory", self.tablet.config, "--log-level", "warning"])
        until("the tablet's gated answers", self.tablet.is_up)
        # The broker may not listen yet.
        for _ in range(100):
            inviting = subprocess.Popen(self.laptop.program("invite", "--yes"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            code = inviting.stdout.readline()
            if code.startswith("GATE-"):
                break
            inviting.wait()
            time.sleep(0.1)
        else:
            raise Failure(f"there is no code: {inviting.stderr.read()}")
        subprocess.run(self.tablet.program("join", "--name", TABLET), input=code, text=True, check=True, capture_output=True)
        inviting.communicate(timeout=30)
        self.carrier = self.start("tablet", self.tablet.program())

    def leave(self):
        """Switches the tablet off."""
        self.carrier.kill()
        self.carrier.wait()

    def end(self):
        """Restores the device of the tests."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        subprocess.run(self.laptop.program("leave", "--yes", "--with-the-key"), check=True, capture_output=True)
        with open(self.policy_file, "w", encoding="utf-8") as policy:
            policy.write(self.policy)
        shutil.rmtree(self.folder)
