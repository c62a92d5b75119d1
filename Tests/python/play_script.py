#!/usr/bin/env python3
"""Plays dialogues of Tests/Scripts with a real daemon through gateclient, and compares what is said with what is written.

usage: PYTHONPATH=Sources/python Tests/python/play_script.py FOLDER-OF-PROGRAMS [SCRIPT...]

The daemon is gated-scripted, with a clock to turn and chance that repeats. Each command is a program of its person, with a connection of
its own. A dialogue with a command that this does not know is not played, and is named. Exit status: 1 where one went otherwise.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from dialogue_people import People
from dialogue_program import Program
from dialogue_screens import Screens
from dialogue_text import Script, Unknown, answer_of, challenge_text, clock_text, seconds_of, short_text
from gateclient import Gate, GateError, Options, messages
from support import ROOT, die_with_parent

PATIENCE = 30.0
class Dialogue(Screens, People):
    """A dialogue with a daemon."""

    def __init__(self, programs, script):
        self.programs, self.script = pathlib.Path(programs), script
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gate-"))
        for name, text in script.files.items():
            path = self.folder / "etc" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.now, self.elapsed, self.boots, self.journal_shown = 1000, 0, 1, 0
        self.asked, self.waiting, self.watchers, self.gates, self.grants = {}, {}, {}, [], {}
        self.screens, self.sign_in_watchers = {}, {}
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
            peers += ["--peer", f"{name}={uid}/{self.script.owner_of(name)}" + (f":{role}" if role else "")]
        command = [str(self.programs / "gated-scripted"), "--directory", str(self.folder), "--seed", self.script.seed]
        command += ["--config-directory", str(self.folder / "etc"), "--now", str(self.now), "--boot-id", f"boot-{self.boots}"]
        self.daemon = subprocess.Popen(
            command + peers, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            preexec_fn=die_with_parent,
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

    # MARK: commands

    def perform(self, line):
        words = line.split(" ")
        return getattr(self, words[0].replace("-", "_"))(line, words[1:])

    def mode(self, line, words):
        return self.mode_now()

    def toggle(self, line, words):
        return self.ask_self(words[-1], lambda gate, present: gate.toggle(present, presents_itself=True))

    def extend(self, line, words):
        seconds = None if words[0] == "as" else seconds_of(words[0])
        return self.ask_self(words[-1], lambda gate, present: gate.extend(seconds, present, presents_itself=True))

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
                uid = int(self.script.people[redeemer][0])
                grant = gate.grant(action, details, redeemer=uid, present=present, presents_itself=True)
                self.grants[action] = grant.proof
            else:
                with gate.authorize(action, details, present=present, presents_itself=True):
                    pass

        return request

    def ask_self(self, person, request, details=None):
        program = self.program(person, request, details)
        return self.heard(program, program.begin(), None)

    def program(self, person, request, details=None):
        return Program(self.gate(person), person, request, details)

    def heard(self, program, told, before):
        """What a program has heard, in the words of the dialogues."""
        kind, value = told
        if kind == "asked" and value.kind in ("sign_in", "paywall", "form", "whats_new"):
            raise Unknown(f"a program that shows {value.kind} itself")
        if kind == "asked" and before == value.number:
            return "refused: " + value.refusal.message.split(" Please")[0]
        if kind == "asked":
            self.asked[value.number] = program
            return f"challenge {value.number}: {challenge_text(value)}"
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
        text = text[1:-1] if text.startswith('"') else text
        if number not in self.asked:
            return self.answer_on_screen(number, text)
        program = self.asked[number]
        what = answer_of(program.question, text)
        if thief or program.is_over:
            field = "secret" if isinstance(what, bytes) else "text"
            fields = {"cookie": program.cookie, field: what}
            return self.once(thief or program.person, lambda gate: self.elsewhere(gate, "Complete", fields))
        return self.heard(program, program.answer(what), number)

    def elsewhere(self, gate, method, fields):
        gate.raw(f"Presentations/{method}", fields)
        return self.shown(gate.mode())

    def dismiss(self, line, words):
        if int(words[0]) not in self.asked:
            return self.answer_on_screen(int(words[0]), None)
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
        self.screens, self.waiting = {}, {}
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
        if words[0] == "sign-in":
            return self.watch_sign_in(words[-1])
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

    def passcode(self, line, words):
        fields = {"passcode": words[0].encode()}
        return self.said("passcode set", self.administrator(), "Secrets/SetPasscode", fields)

    def said(self, word, person, method, fields):
        """The word, where a call is not refused."""
        return self.once(person, lambda gate: gate.raw(method, fields, timeout=40) and word)

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
                else:
                    answer = dialogue.perform(command)
                if dialogue.screens:
                    dialogue.settle_screens()
                said += answer.split("\n")
            if said != expected:
                return f"  {commands}\n  written: {expected}\n  said:    {said}"
        return None
    finally:
        dialogue.end()


#: So many dialogues are played at least: one that is no longer known is not passed over.
LEAST = 32


def main(programs, paths, least=1):
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
    return 1 if failed or len(played) < least else 0


if __name__ == "__main__":
    named = [pathlib.Path(name) for name in sys.argv[2:]]
    every = sorted((ROOT / "Tests/Scripts").glob("*.txt"))
    sys.exit(main(sys.argv[1], named or every, 1 if named else LEAST))
