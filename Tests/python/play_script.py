#!/usr/bin/env python3
"""Plays dialogues of Tests/Scripts with a real daemon through gateclient, and compares what is said with what is written.

usage: PYTHONPATH=Sources/python Tests/python/play_script.py FOLDER-OF-PROGRAMS [SCRIPT...]

The daemon is gated-scripted, with a clock to turn and chance that repeats. Each command is a program of its person, with a connection of
its own. A dialogue with a command that this does not know is not played, and is named. Exit status: 1 where one went otherwise.
"""

import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from gateclient import Code, Gate, GateError, Options, Outcome, messages
from support import ROOT, die_with_parent

PATIENCE = 30.0
OPERATORS = {1: "+", 2: "\u2212", 3: "\u00d7", 4: "\u00f7"}
VERBS = (
    "mode toggle extend cancel lock override answer dismiss hang-up press advance restart reboot audit watch check authorize "
    "redeem grants revoke passcode ask result"
).split()


class Unknown(Exception):
    """A dialogue has something that this does not play."""


def seconds_of(text):
    units = {"h": 3600, "m": 60, "s": 1}
    return sum(int(number) * units[unit] for number, unit in re.findall(r"(\d+)([hms])", text))


def short_text(seconds):
    whole = -int(-seconds // 1)
    parts = [(whole // 3600, "h"), (whole // 60 % 60, "m"), (whole % 60, "s")]
    return "".join(f"{count}{unit}" for count, unit in parts if count) or "0s"


def clock_text(seconds):
    whole = -int(-seconds // 1)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


class Script:
    """The world of a dialogue, and its paragraphs: commands, and what is said to them."""

    def __init__(self, path):
        self.people = {"anna": ("1001", ""), "ben": ("1002", ""), "root": ("0", "administrator")}
        self.seed, self.files, self.exchanges = "1", {"policy.yaml": "mode: {challenge: arithmetic-choice}\n"}, []
        for paragraph in path.read_text().strip("\n").split("\n\n"):
            lines = paragraph.split("\n")
            if "----" in lines:
                commands = [line for line in lines[: lines.index("----")] if not line.startswith("#")]
                self.exchanges.append((commands, lines[lines.index("----") + 1 :]))
                continue
            lines = [line for line in lines if not line.startswith("#")]
            while lines:
                lines = self.take(lines)
        for commands, _ in self.exchanges:
            for command in commands:
                if command.split()[0] not in VERBS:
                    raise Unknown(command.split()[0])
                if command.startswith("ask ") and command.split()[1] in ("paywall", "form", "whats-new"):
                    raise Unknown(f"ask {command.split()[1]}")
                if re.match(r"watch (sign-in|entitlements|forms)", command):
                    raise Unknown(" ".join(command.split()[:2]))

    def take(self, lines):
        """Takes what the first lines say of the world, and returns the others."""
        word, _, rest = lines[0].partition(" ")
        match word:
            case "seed":
                self.seed = rest
            case "people":
                people = [person.split() for person in rest.split(", ")]
                self.people = {name: (uid, " ".join(roles)) for name, uid, *roles in people}
            case "challenge":
                self.files["policy.yaml"] = f"mode: {{challenge: {rest}}}\n"
            case "policy" | "questions":
                name = "policy.yaml" if word == "policy" else "questions.d/script.yaml"
                self.files[name] = "\n".join(lines[1:]) + "\n"
                return []
            case _:
                raise Unknown(word)
        return lines[1:]


class Program:
    """A program that asks for something and shows the questions itself, until it has what it wants."""

    def __init__(self, gate, person, request, details):
        self.gate, self.person, self.request = gate, person, request
        self.details, self.question, self.is_over = details, None, False
        self.told: queue.Queue = queue.Queue()
        self.answers: queue.Queue = queue.Queue()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def begin(self):
        self.thread.start()
        return self.told.get(timeout=PATIENCE)

    def run(self):
        try:
            self.told.put(("done", self.request(self.gate, self.present)))
        except GateError as error:
            self.told.put(("refused", error))
        except queue.Empty:
            self.told.put(("refused", GateError(Code.CANCELLED, "nobody has answered")))

    def present(self, question):
        self.question = question
        self.told.put(("asked", question))
        return self.answers.get(timeout=PATIENCE)

    def answer(self, what):
        self.answers.put(what)
        return self.told.get(timeout=PATIENCE)

    @property
    def cookie(self):
        return self.question._core._presentation.cookie


class Dialogue:
    """A dialogue with a daemon."""

    def __init__(self, programs, script):
        self.programs, self.script = pathlib.Path(programs), script
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gate-"))
        for name, text in script.files.items():
            path = self.folder / "etc" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.now, self.elapsed, self.boots, self.journal_shown = 1000, 0, 1, 0
        self.asked, self.waiting, self.watchers, self.gates, self.grants, self.kept = {}, {}, {}, [], {}, []
        self.start()

    def end(self):
        for gate in self.gates:
            gate.close()
        for program in [*self.asked.values(), *self.waiting.values()]:
            program.answers.put(None)
        self.daemon.kill()
        self.daemon.communicate()
        shutil.rmtree(self.folder)

    def start(self):
        peers = []
        for name, (uid, roles) in self.script.people.items():
            role = next((one for one in ("administrator", "provider", "grown-up-presenter", "presenter") if one in roles), "")
            peers += ["--peer", f"{name}={uid}/{uid}" + (f":{role}" if role else "")]
        command = [str(self.programs / "gated-scripted"), "--directory", str(self.folder), "--seed", self.script.seed]
        command += ["--config-directory", str(self.folder / "etc"), "--now", str(self.now), "--boot-id", f"boot-{self.boots}"]
        self.daemon = subprocess.Popen(
            command + peers, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=die_with_parent
        )
        self.expect("ready")

    def expect(self, word):
        line = self.daemon.stdout.readline().strip()
        if line != word:
            raise RuntimeError(f"the daemon says {line!r}, and not {word!r}")

    def turn(self, seconds):
        self.daemon.stdin.write(f"advance {seconds}\n")
        self.daemon.stdin.flush()
        self.expect("ok")

    # MARK: people

    def gate(self, person):
        """A program of a person's, with a connection of its own."""
        options = Options(
            socket_path=str(self.folder / f"{person}.sock"), server_user=os.getuid(), program="script", shares_clock=False
        )
        self.gates.append(Gate(options))
        return self.gates[-1]

    def once(self, person, call):
        """What a call says, or its refusal."""
        gate = self.gate(person)
        try:
            return call(gate)
        except GateError as error:
            return f"refused: {error.message}"
        finally:
            gate.close()
            self.gates.remove(gate)

    def administrator(self):
        return next(name for name, (_, roles) in self.script.people.items() if "administrator" in roles)

    def name(self, uid):
        return next((name for name, (one, _) in self.script.people.items() if int(one) == uid), str(uid))

    # MARK: what is said

    def shown(self, state):
        if state.deadline is None:
            return state.mode.value
        return f"{state.mode.value} until {clock_text(self.elapsed + state.deadline / 1e9 - self.now)}"

    def mode_now(self):
        return self.once(next(iter(self.script.people)), lambda gate: self.shown(gate.mode()))

    @staticmethod
    def challenge(question):
        content = question.content

        def lettered(choices):
            return "".join(f"  {letter}) {choice}" for letter, choice in zip("abcdefgh", choices))

        match question.kind:
            case "arithmetic_choice" | "arithmetic_entry":
                problem = f"{content.left} {OPERATORS[content.operation]} {content.right} = ?"
                return problem + lettered(getattr(content, "choices", []))
            case "shapes":
                left, right = (
                    "(" + " ".join(messages.Shape.Form.Name(one.form).removeprefix("FORM_").lower() for one in side) + ")"
                    for side in (content.left, content.right)
                )
                return f"corners of {left} {OPERATORS[content.operation]} corners of {right} = ?{lettered(content.choices)}".replace(
                    "corners of (", "("
                ).replace("(", "corners of (", 1)
            case "quiz":
                text = next((one for one in content.texts if one.language == "en"), content.texts[0])
                return text.question + lettered(text.choices)
            case "confirm":
                return "may they?"
            case "birthdate":
                calendar = messages.Birthdate.Calendar.Name(content.calendar).removeprefix("CALENDAR_").lower()
                return f"born when? ({calendar})"
            case "passcode":
                return "passcode?"
            case "totp":
                return "code?"
            case "hold":
                return f"hold for {short_text(content.duration_milliseconds / 1000)}"
            case "swipe":
                way = messages.Swipe.Direction.Name(content.direction).removeprefix("DIRECTION_").lower()
                return f"swipe {way} with {content.fingers} fingers"
        raise Unknown(question.kind)

    @staticmethod
    def answer_of(question, text):
        """What a person means by the words of a dialogue."""
        content, choices = question.content, []
        if question.kind == "quiz":
            choices = [str(number) for number in range(1, len(content.texts[0].choices) + 1)]
        elif question.kind in ("arithmetic_choice", "shapes"):
            choices = [str(choice) for choice in content.choices]
        if len(text) == 1 and text in "abcdefgh" and "abcdefgh".index(text) < len(choices):
            return choices["abcdefgh".index(text)]
        if question.kind in ("passcode", "totp"):
            return text.encode()
        if question.kind == "hold" and text == "release":
            return messages.Released()
        if question.kind == "swipe" and (match := re.fullmatch(r"(\w+) with (\d+)(?: fingers)?", text)):
            return messages.Swipe(direction=f"DIRECTION_{match[1].upper()}", fingers=int(match[2]))
        return text

    # MARK: commands

    def perform(self, line):
        words = line.split(" ")
        return getattr(self, words[0].replace("-", "_"))(line, words[1:])

    def mode(self, line, words):
        return self.mode_now()

    def toggle(self, line, words):
        return self.ask_self(words[-1], lambda gate, present: gate.toggle(present))

    def extend(self, line, words):
        seconds = None if words[0] == "as" else seconds_of(words[0])
        return self.ask_self(words[-1], lambda gate, present: gate.extend(seconds, present))

    def cancel(self, line, words):
        return self.once(words[-1], lambda gate: self.shown(gate.cancel()))

    def lock(self, line, words):
        return self.once(words[-1], lambda gate: self.shown(gate.lock()))

    def override(self, line, words):
        wish = re.fullmatch(r"override (\w+)(?: for (\w+))?(?: as (\w+))? because (.*)", line)
        fields = {"mode": f"MODE_{wish[1].upper()}", "reason": wish[4]}
        fields["duration_milliseconds"] = seconds_of(wish[2]) * 1000 if wish[2] else 0

        def call(gate):
            gate.raw("Mode/OverrideMode", fields)
            return self.shown(gate.mode())

        return self.once(wish[3] or self.administrator(), call)

    def wish(self, line):
        """The gated action, the person, the redeemer and the details of a line."""
        pattern = r"\w+ (\S+) as (\w+)(?: by (\w+))?(?: for (.*))?"
        return re.fullmatch(pattern, line).groups(default="")

    def authorize(self, line, words):
        action, person, redeemer, details = self.wish(line)
        return self.ask_self(person, self.authorizing(action, person, redeemer, details), (action, person, redeemer))

    def authorizing(self, action, person, redeemer, details):
        def request(gate, present):
            if redeemer:
                grant = gate.grant(action, details, redeemer=int(self.script.people[redeemer][0]), present=present)
                self.grants[action] = grant.proof
            else:
                with gate.authorize(action, details, present=present):
                    pass

        return request

    def ask_self(self, person, request, details=None):
        program = Program(self.gate(person), person, request, details)
        return self.heard(program, program.begin(), None)

    def heard(self, program, told, before):
        """What a program has heard, in the words of the dialogues."""
        kind, value = told
        if kind == "asked" and before == value.number:
            return "refused: " + value.refusal.message.split(" Please")[0]
        if kind == "asked":
            self.asked[value.number] = program
            return f"challenge {value.number}: {self.challenge(value)}"
        program.is_over = True
        if not (program.details and program.details[2]):
            program.gate.close()
        if kind == "refused":
            if value.reason == "WRONG_ANSWER":
                wait = f"; locked out for {short_text(value.retry_after)}" if value.retry_after else ""
                return f"wrong; {self.mode_now()}{wait}"
            if value.reason == "DISMISSED":
                return f"dismissed; {self.mode_now()}"
            return f"refused: {value.message}"
        if program.details:
            action, person, redeemer = program.details
            return f"granted {action} to {person}, " + (f"for {redeemer} to take" if redeemer else "once")
        return f"right; {self.shown(value)}" if before is not None else self.shown(value)

    def answer(self, line, words):
        number, text = int(words[0]), " ".join(words[1:])
        thief = None
        if match := re.fullmatch(r"(.*) as (\w+)", text):
            text, thief = match.groups()
        if number not in self.asked:
            raise Unknown("an answer on another screen")
        program = self.asked[number]
        what = self.answer_of(program.question, text)
        if thief or program.is_over:
            field = "secret" if isinstance(what, bytes) else "text"
            fields = {"cookie": program.cookie, field: what}
            return self.once(thief or program.person, lambda gate: self.elsewhere(gate, "Complete", fields))
        return self.heard(program, program.answer(what), number)

    def elsewhere(self, gate, method, fields):
        gate.raw(f"Presentations/{method}", fields)
        return self.shown(gate.mode())

    def dismiss(self, line, words):
        program = self.asked[int(words[0])]
        if program.is_over:
            return self.once(program.person, lambda gate: self.elsewhere(gate, "Dismiss", {"cookie": program.cookie}))
        return self.heard(program, program.answer(None), int(words[0]))

    def hang_up(self, line, words):
        program = self.asked[int(words[0])]
        before = self.revision()
        program.is_over = True
        program.gate._core.close()
        end = time.monotonic() + PATIENCE
        while self.revision() == before and time.monotonic() < end:
            time.sleep(0.01)
        return f"gone; {self.mode_now()}"

    def revision(self):
        response = self.once(self.administrator(), lambda gate: gate.raw("Mode/GetMode"))
        return response.revision.number

    def press(self, line, words):
        program = self.asked[int(words[0])]
        # Its own thread waits for an answer, and does not use the connection.
        try:
            program.gate._core._link.limit = None
            program.question.report("pressed")
        except GateError as error:
            return f"refused: {error.message.split(' Please')[0]}"
        return "pressed"

    def advance(self, line, words):
        self.turn(seconds_of(words[0]))
        self.now += seconds_of(words[0])
        self.elapsed += seconds_of(words[0])
        return f"it is {clock_text(self.elapsed)}; {self.mode_now()}"

    def restart(self, line, words, now=None):
        for person in self.watchers:
            self.catch_up(person)
        self.daemon.kill()
        self.daemon.communicate()
        for program in self.asked.values():
            program.is_over = True
        self.now = now or self.now
        self.start()
        self.turn(0)
        return f"back; {self.mode_now()}"

    def reboot(self, line, words):
        self.boots += 1
        return self.restart(line, words, now=10)

    def journal(self):
        gate = self.gate(self.administrator())
        try:
            return [entry for message in gate.stream("Watch/Audit") for entry in message.entries]
        finally:
            gate.close()

    def audit(self, line, words):
        entries = self.journal()
        told, self.journal_shown = entries[self.journal_shown :], len(entries)
        lines = []
        for entry in told:
            who = self.name(entry.by.uid) if entry.HasField("by") else "gate"
            kind = messages.AuditKind.Name(entry.kind).removeprefix("AUDIT_KIND_").lower().replace("_", " ")
            lines.append(f"{who}: {kind}" + (f" ({entry.detail})" if entry.detail else ""))
        return "\n".join(lines) or "nothing new"

    def watch(self, line, words):
        person = words[-1]
        if person not in self.watchers:
            self.watchers[person] = {"stream": self.gate(person).watch(), "unread": [], "last": None, "number": 0}
        self.catch_up(person)
        unread, self.watchers[person]["unread"] = self.watchers[person]["unread"], []
        return "\n".join(unread) or "nothing new"

    def catch_up(self, person):
        """Reads a watcher until it has seen the last change of the mode that the journal knows of."""
        last_change, mode = 0, None
        kinds = [messages.AuditKind.Value(f"AUDIT_KIND_{name}") for name in ("PARENT_ENTERED", "EXTENDED", "OVERRIDDEN")]
        for entry in self.journal():
            if entry.mode != mode or entry.kind in kinds:
                last_change = entry.number
            mode = entry.mode
        watcher = self.watchers[person]
        end = time.monotonic() + PATIENCE
        while watcher["number"] < last_change and time.monotonic() < end:
            event = watcher["stream"].next(1)
            if event is None:
                continue
            if event.update is not None:
                watcher["number"] = event.update.revision.number
            if event.mode is not None and (shown := self.shown(event.mode)) != watcher["last"]:
                watcher["last"] = shown
                watcher["unread"].append(shown)

    def check(self, line, words):
        outcomes = {Outcome.GRANTED: "granted", Outcome.PERSON_NEEDED: "a person is needed", Outcome.DENIED: "denied"}
        return self.once(words[-1], lambda gate: outcomes[gate.check(words[0]).outcome])

    def redeem(self, line, words):
        action, person, _, details = self.wish(line)

        def call(gate):
            return f"taken; {self.name(gate.redeem(self.grants[action], action, details).uid)} had asked"

        return self.once(person, call)

    def grants_text(self, gate):
        every = gate.raw("Authorization/ListGrants").grants
        lines = [
            f"{self.name(one.uid)}: {one.gated_action} until "
            + clock_text(self.elapsed + one.deadline_boottime_nanoseconds / 1e9 - self.now)
            for one in every
        ]
        return "\n".join(lines) or "none"

    def revoke(self, line, words):
        def call(gate):
            count = gate.raw("Authorization/Revoke", {"gated_action": words[0]}).count
            return f"{count} revoked"

        return self.once(words[-1], call)


def play(programs, path):
    """Plays a dialogue. Returns what went otherwise; None: nothing."""
    dialogue = Dialogue(programs, Script(path))
    try:
        for commands, expected in dialogue.script.exchanges:
            said = []
            for command in commands:
                word = command.split()[0]
                if word == "grants":
                    answer = dialogue.once(command.split()[-1], dialogue.grants_text)
                elif word in ("passcode", "ask", "result"):
                    raise Unknown(word)
                else:
                    answer = dialogue.perform(command)
                said += answer.split("\n")
            if said != expected:
                return f"  {commands}\n  written: {expected}\n  said:    {said}"
        return None
    finally:
        dialogue.end()


def main(programs, paths):
    played, unknown, failed = [], {}, []
    for path in paths:
        try:
            difference = play(programs, path)
        except Unknown as error:
            unknown[path.name] = str(error)
            continue
        if difference is None:
            played.append(path.name)
        else:
            failed.append(path.name)
            print(f"{path.name} went otherwise:\n{difference}")
    print(f"{len(played)} dialogues went as written: {', '.join(name.split('-')[0] for name in played)}")
    print(f"{len(unknown)} were not played: " + ", ".join(f"{name.split('-')[0]} ({why})" for name, why in unknown.items()))
    return 1 if failed or not played else 0


if __name__ == "__main__":
    named = [pathlib.Path(name) for name in sys.argv[2:]]
    sys.exit(main(sys.argv[1], named or sorted((ROOT / "Tests/Scripts").glob("*.txt"))))
