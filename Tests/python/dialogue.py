"""A dialogue with a real daemon: `gated-scripted`, whose clock is set by this program, and a client for each
command."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from dialogue_text import clock_text
from gateclient import GateError, messages
from store_signing import Store
from support import DYING_WITH_PARENT

PATIENCE = 30.0
FIRST_BOOT_SECONDS = 1000
#: 2026-01-01T00:00:00Z, when each dialogue begins, in milliseconds.
BEGINNING = 1_767_225_600_000


class Surroundings:
    """The daemon, its files, its clock, and the people who use it."""

    def __init__(self, programs, script, clients):
        self.programs, self.script, self.clients = pathlib.Path(programs), script, clients
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gate-"))
        self.files = dict(script.files)
        self.store = Store() if script.products else None
        self.now, self.elapsed, self.boots = FIRST_BOOT_SECONDS, 0, 1
        #: By how many seconds the clock was set, the zone in minutes east of UTC, and for how many seconds the device
        #: has slept since its boot.
        self.wall_offset, self.minutes_east, self.suspended = 0, 0, 0
        self.gates, self.journal_shown = [], 0
        self.write_files()
        self.start()

    def end(self):
        for gate in self.gates:
            self.clients.hang_up(gate)
        self.kill()
        self.clients.end()
        shutil.rmtree(self.folder)

    def write_files(self):
        """Writes the configuration directory, as an administrator does."""
        configuration = self.folder / "etc"
        for folder in ("questionnaires.d", "release-notes.d"):
            shutil.rmtree(configuration / folder, ignore_errors=True)
        files = {name: text for name, text in self.files.items() if text is not None}
        if self.store is not None:
            gives = ", ".join(f"{product}: {what}" for product, what in self.script.products.items())
            files["providers.yaml"] = (
                f"storekit:\n  bundle-ids: [{self.store.bundle_id}]\n  roots: [roots/root.cer]\n  products: {{{gives}}}\n"
            )
            (configuration / "roots").mkdir(parents=True, exist_ok=True)
            (configuration / "roots/root.cer").write_bytes(self.store.root)
        for name, text in files.items():
            path = configuration / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    # MARK: the daemon

    def start(self):
        peers = []
        for name, (uid, roles) in self.script.people.items():
            role = next((one for one in ("administrator", "provider", "broker", "timekeeper", "grown-up-presenter", "presenter") if one in roles), "")
            peers += ["--peer", f"{name}={uid}/{self.script.owner_of(name)}" + (f":{role}" if role else "")]
        command = [str(self.programs / "gated-scripted"), "--directory", str(self.folder), "--seed", self.script.seed]
        command += ["--config-directory", str(self.folder / "etc"), "--now", str(self.now), "--boot-id", f"boot-{self.boots}"]
        command += [f"--wall-offset={self.wall_offset}", f"--minutes-east={self.minutes_east}"]
        command += [f"--suspended={self.suspended}"]
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        self.daemon = subprocess.Popen(
            DYING_WITH_PARENT + command + peers, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env=environment,
        )
        self.expect("ready")
        self.clients.clock_turned(self.now, self.wall_milliseconds)

    def kill(self):
        self.daemon.kill()
        self.daemon.communicate()

    def expect(self, word):
        line = self.daemon.stdout.readline().strip()
        if line != word:
            raise RuntimeError(f"the daemon says {line!r}, and not {word!r}")

    def turn(self, seconds):
        """Moves the daemon's clock. When clients have received what became due meanwhile, their clocks have moved,
        too."""
        self.tell(f"advance {seconds}")
        self.now += seconds
        self.elapsed += seconds

    def tell(self, line):
        """Has the daemon carry out a line about its clocks."""
        self.daemon.stdin.write(f"{line}\n")
        self.daemon.stdin.flush()
        self.expect("ok")

    # MARK: the clock

    @property
    def wall_milliseconds(self):
        return BEGINNING + (self.now + self.wall_offset - FIRST_BOOT_SECONDS) * 1000

    def since_beginning(self, boot_seconds):
        """Converts a time of the boot clock to seconds since the dialogue began."""
        return self.elapsed + boot_seconds - self.now

    def wall_since_beginning(self, milliseconds):
        return self.elapsed + (milliseconds - self.wall_milliseconds) / 1000

    # MARK: people

    def gate(self, person, program="script"):
        """A new client of this person, with a connection of its own, in a program of this name."""
        self.gates.append(self.clients.gate(self.folder / f"{person}.sock", program))
        return self.gates[-1]

    def close(self, gate):
        gate.close()
        self.gates.remove(gate)

    def once(self, person, call, program="script"):
        """Returns the answer to a call of a program of this name, or its refusal as text."""
        gate = self.gate(person, program)
        try:
            return call(gate)
        except GateError as error:
            return f"refused: {error.message}"
        finally:
            self.close(gate)

    def said(self, word, person, method, fields):
        """Returns `word` if the call is not refused, otherwise the refusal."""
        return self.once(person, lambda gate: gate.raw(method, fields, timeout=40) and word)

    def administrator(self):
        return next(name for name, (_, roles) in self.script.people.items() if "administrator" in roles)

    def anybody(self):
        return next(iter(self.script.people))

    def name(self, uid):
        return next((name for name, (one, _) in self.script.people.items() if int(one) == uid), f"user {uid}")

    def name_of(self, asker):
        """The user who asks, together with the broker that asks on the user's behalf, if any."""
        name = self.name(asker.uid)
        return f"{name} through {self.name(asker.broker.uid)}" if asker.HasField("broker") else name

    def roles(self, person):
        return self.script.people[person][1]

    # MARK: what is so now

    def shown(self, state):
        if state.deadline is None:
            return state.mode.value
        return f"{state.mode.value} until {clock_text(self.since_beginning(state.deadline / 1e9))}"

    def mode_now(self):
        return self.once(self.anybody(), lambda gate: self.shown(gate.mode()))

    def raw(self, method):
        """Calls a method as an administrator, or as anybody if the dialogue has none. Returns the answer."""
        people = self.script.people
        gate = self.gate(next((one for one in people if "administrator" in self.roles(one)), self.anybody()))
        try:
            return gate.raw(method)
        finally:
            self.close(gate)

    def open_presentations(self):
        return self.raw("Presentations/ListPresentations").presentations

    def revision(self):
        return self.raw("Mode/GetMode").revision.number

    def wait_for_change(self, before):
        """Waits until the daemon has changed something by itself."""
        self.wait("the daemon notices", lambda: self.revision() != before)

    def wait(self, what, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() >= end:
                raise RuntimeError(f"it never happens that {what}")
            time.sleep(0.005)

    def journal(self):
        gate = self.gate(self.administrator())
        try:
            return [entry for message in gate.stream("Watch/Audit") for entry in message.entries]
        finally:
            self.close(gate)


def kind_of(entry):
    """The kind of an entry of the journal, in words."""
    words = messages.AuditKind.Name(entry.kind).removeprefix("AUDIT_KIND_").lower().replace("_", " ")
    return f"what's{words[5:]}" if words.startswith("whats ") else words
