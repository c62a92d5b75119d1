"""The commands about the mode, gated actions and secrets, and about programs that show a question themselves."""

import hashlib
import hmac
import re
import struct

from dialogue import Surroundings, kind_of
from dialogue_program import Program
from dialogue_text import Unknown, clock_text, seconds_of, short_text
from dialogue_words import CLOSED_BY_STATE, answer_of, own_text
from gateclient import STATE_CLOSES, GateError, Outcome, Subject

#: The key of the authenticator, the same as in the Swift driver.
AUTHENTICATOR_KEY = b"a key of scripts alone, 32 bytes"
OUTCOMES = {Outcome.GRANTED: "granted", Outcome.PERSON_NEEDED: "a person is needed", Outcome.DENIED: "denied"}


def without_advice(message):
    """The mistake in an answer, without the advice after it, which dialogues leave out."""
    return message.split(" Please")[0]


class Modes(Surroundings):
    """The commands that change the mode, and those about gated actions."""

    def __init__(self, programs, script, clients):
        #: The programs that have shown a presentation, by its number.
        self.asked = {}
        #: Proofs of grants for another redeemer, by gated action.
        self.proofs = {}
        super().__init__(programs, script, clients)

    def end(self):
        for program in self.asked.values():
            program.answers.put(None)
        super().end()

    # MARK: the mode

    def do_mode(self, line, words):
        return self.mode_now()

    def do_toggle(self, line, words):
        return self.ask_self(words[-1], lambda gate, present: gate.toggle(present, presents_itself=True), self.shown)

    def do_extend(self, line, words):
        seconds = None if words[0] == "as" else seconds_of(words[0])
        return self.ask_self(
            words[-1], lambda gate, present: gate.extend(seconds, present, presents_itself=True), self.shown
        )

    def do_cancel(self, line, words):
        return self.once(words[-1], lambda gate: self.shown(gate.cancel()))

    def do_lock(self, line, words):
        return self.once(words[-1], lambda gate: self.shown(gate.lock()))

    def do_override(self, line, words):
        wish = re.fullmatch(r"override (\w+)(?: for (\w+))?(?: as (\w+))? because (.*)", line)
        fields = {"mode": f"MODE_{wish[1].upper()}", "reason": wish[4]}
        fields["duration_milliseconds"] = seconds_of(wish[2]) * 1000 if wish[2] else 0

        def call(gate):
            gate.raw("Mode/OverrideMode", fields)
            return self.shown(gate.mode())

        return self.once(wish[3] or self.administrator(), call)

    # MARK: time

    def do_advance(self, line, words):
        self.turn(seconds_of(words[0]))
        self.settle()
        self.clients.clock_turned(self.now, self.wall_milliseconds)
        return f"it is {clock_text(self.elapsed)}; {self.mode_now()}"

    def do_sleep(self, line, words):
        seconds = seconds_of(words[0])
        self.tell(f"sleep {seconds}")
        self.now, self.elapsed, self.suspended = self.now + seconds, self.elapsed + seconds, self.suspended + seconds
        return self.clock_turned(f"it is {clock_text(self.elapsed)}; {self.mode_now()}")

    def do_set_clock(self, line, words):
        seconds = seconds_of(words[1]) * (-1 if words[0] == "back" else 1)
        self.tell(f"set {seconds}")
        self.wall_offset += seconds
        return self.clock_turned("set")

    def do_zone(self, line, words):
        self.minutes_east = seconds_of(words[1]) // 60 * (-1 if words[0] == "west" else 1)
        self.tell(f"zone {self.minutes_east}")
        return self.clock_turned("set")

    def clock_turned(self, text):
        self.settle()
        self.clients.clock_turned(self.now, self.wall_milliseconds)
        return text

    def do_restart(self, line, words, now=None):
        self.settle()
        self.kill()
        self.end_programs()
        self.now = now or self.now
        self.start()
        self.turn(0)
        return f"back; {self.mode_now()}"

    def do_reboot(self, line, words):
        self.boots, self.suspended = self.boots + 1, 0
        return self.do_restart(line, words, now=10)

    def do_audit(self, line, words):
        entries = self.journal()
        told, self.journal_shown = entries[self.journal_shown :], len(entries)
        lines = []
        for entry in told:
            who = self.name_of(entry.by) if entry.HasField("by") else "gate"
            lines.append(f"{who}: {kind_of(entry)}" + (f" ({entry.detail})" if entry.detail else ""))
        return "\n".join(lines) or "nothing new"

    # MARK: gated actions

    def wish(self, line):
        """Reads the gated action, the person, the person for whom a broker asks, the redeemer and the details of a
        line."""
        pattern = r"\w+ (\S+) as (\w+)(?: on-behalf-of (\w+))?(?: by (\w+))?(?: at-once)?(?: for (.*))?"
        return re.fullmatch(pattern, line).groups(default="")

    def subject(self, person):
        """The process of a person for whom a broker asks. gated-scripted knows one for each, with the number of its
        user."""
        uid = int(self.script.people[person][0]) if person else 0
        return Subject(uid, max(1, uid), 1) if person else None

    def authorizing(self, line):
        """Reads the person and the request, and returns what is printed when it is granted."""
        action, person, other, redeemer, details = self.wish(line)
        subject = self.subject(other)

        def request(gate, present):
            named = {"subject": subject, "present": present, "presents_itself": present is not None}
            if redeemer:
                grant = gate.grant(action, details, redeemer=int(self.script.people[redeemer][0]), **named)
                self.proofs[action] = grant.proof
            else:
                with gate.authorize(action, details, **named):
                    pass

        how = f"for {redeemer} to take" if redeemer else "once"
        return person, request, lambda _: f"granted {action} to {person}, {how}"

    def do_check(self, line, words):
        action, person, other, _, _ = self.wish(line)
        return self.once(person, lambda gate: OUTCOMES[gate.check(action, subject=self.subject(other)).outcome])

    def do_authorize(self, line, words):
        return self.ask_self(*self.authorizing(line))

    def do_redeem(self, line, words):
        action, person, _, _, details = self.wish(line)

        def call(gate):
            return f"taken; {self.name(gate.redeem(self.proofs[action], action, details).uid)} had asked"

        return self.once(person, call)

    def do_grants(self, line, words):
        def call(gate):
            every = gate.raw("Authorization/ListGrants").grants
            lines = [
                f"{self.name(one.uid)}: {one.gated_action} until "
                + clock_text(self.since_beginning(one.deadline_boottime_nanoseconds / 1e9))
                for one in every
            ]
            return "\n".join(lines) or "none"

        return self.once(words[-1], call)

    def do_revoke(self, line, words):
        fields = {"gated_action": words[0]}
        return self.once(words[-1], lambda gate: f"{gate.raw('Authorization/Revoke', fields).count} revoked")

    def gate_changed(self, name, person, change):
        def text(rule):
            return rule.requirement if rule else "denied"

        def call(gate):
            changed = change(gate)
            return f"{name}: {text(changed.after)}; before: {text(changed.before)}"

        return self.once(person, call)

    def do_gate(self, line, words):
        return self.gate_changed(words[0], words[-1], lambda gate: gate.set_gate(words[0], " ".join(words[1:-2])))

    def do_ungate(self, line, words):
        return self.gate_changed(words[0], words[-1], lambda gate: gate.unset_gate(words[0]))

    # MARK: asks that wait

    def do_asks(self, line, words):
        def call(gate):
            lines = [
                f"{one.number}: {self.name(one.uid)}, {one.title}, {one.details}: {one.state.value}"
                + (f", {one.choice}" if one.choice not in ("", "once") else "")
                + (", until tomorrow" if one.is_until_tomorrow else "")
                for one in gate.asks()
            ]
            return "\n".join(lines) or "none"

        return self.once(words[-1], call)

    def do_allow(self, line, words):
        choice = "" if words[1] == "as" else words[1]
        return self.once(words[-1], lambda gate: [gate.answer_ask(int(words[0]), True, choice), "allowed"][1])

    def do_refuse(self, line, words):
        if words[1] == "until-tomorrow":
            number = int(words[0])
            return self.once(
                words[-1], lambda gate: [gate.answer_ask(number, False, "until-tomorrow"), "not until tomorrow"][1]
            )
        return self.once(words[-1], lambda gate: [gate.answer_ask(int(words[0]), False), "refused"][1])

    def do_unask(self, line, words):
        return self.once(words[-1], lambda gate: [gate.withdraw_ask(int(words[0])), "taken back"][1])

    def do_more_time(self, line, words):
        wish = "" if words[1] == "as" else words[1]

        def call(gate):
            one = gate.more_time(words[0], wish)
            # The choice of a yes is in the list.
            choice = next(ask.choice for ask in gate.raw("Authorization/ListAsks").asks if ask.number == one.number)
            state = one.state.value + (f", {choice}" if choice else "")
            return f"{one.number}: {self.name(one.uid)}, {one.title}, {one.details}: {state}"

        return self.once(words[-1], call)

    # MARK: secrets

    def do_passcode(self, line, words):
        fields = {"passcode": words[0].encode()}
        return self.said("passcode set", self.administrator(), "Secrets/SetPasscode", fields)

    def do_authenticator(self, line, words):
        fields = {"key": AUTHENTICATOR_KEY, "code": self.code().encode()}
        return self.said("authenticator set up", self.administrator(), "Secrets/EnrolTOTP", fields)

    def code(self):
        """The code that the authenticator shows now (RFC 6238)."""
        step = struct.pack(">Q", max(0, self.wall_milliseconds // 30_000))
        digest = hmac.new(AUTHENTICATOR_KEY, step, hashlib.sha1).digest()
        start = digest[-1] & 0x0F
        number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFF_FFFF
        return f"{number % 1_000_000:06}"

    # MARK: programs that show a question themselves

    def ask_self(self, person, request, describe):
        program = Program(self.gate(person), person, request, describe)
        return self.heard(program, program.begin())

    def heard(self, program, told, answered=None):
        """An event of a program, in words. `answered`: the number of the question that was answered."""
        kind, value = told
        if kind == "stays":
            return f"refused: {value.message}"
        if kind == "asked" and answered == value.number:
            return f"refused: {without_advice(value.refusal.message)}"
        if kind == "asked":
            self.asked[value.number] = program
            return own_text(value)
        program.is_over = True
        # A grant for another redeemer ends with the connection of the program that has it.
        text = program.describe(value) if kind == "done" else ""
        if not text.endswith("to take"):
            self.close(program.gate)
        if kind == "refused":
            if value.reason == "WRONG_ANSWER":
                wait = f"; locked out for {short_text(value.retry_after)}" if value.retry_after else ""
                return f"wrong; {self.mode_now()}{wait}"
            if value.reason == "DISMISSED":
                return f"dismissed; {self.mode_now()}"
            return f"refused: {value.message}"
        return f"right; {text}" if answered is not None and program.describe == self.shown else text

    def do_answer(self, line, words):
        number, text = int(words[0]), " ".join(words[1:])
        thief = None
        if match := re.fullmatch(r"(.*) as (\w+)", text):
            text, thief = match.groups()
        text = text[1:-1] if text.startswith('"') else text
        if number not in self.asked:
            return self.answer_on_screen(number, text)
        program = self.asked[number]
        if program.question.kind == "sign_in":
            return self.heard(program, program.answer(lambda question: self.signed_in(question, text)), number)
        if program.question.kind in CLOSED_BY_STATE:
            raise Unknown(f"an answer to {program.question.kind}")
        what = answer_of(program.question, text, self.code())
        if thief or program.is_over:
            return self.answer_elsewhere(program, thief or program.person, what)
        kind, value = program.answer(what)
        if kind == "refused" and value.reason in ("CLOSED", "EXPIRED"):
            # A client that notices itself that the question is gone uses its own words. The dialogue expects the
            # daemon's.
            self.heard(program, (kind, value))
            return self.answer_elsewhere(program, program.person, what)
        return self.heard(program, (kind, value), number)

    def answer_elsewhere(self, program, person, what):
        """Answers over another connection, with only the cookie as a proof."""
        field = "secret" if isinstance(what, bytes) else "text"
        fields = {"cookie": self.clients.cookie(program.question), field: what}
        return self.once(person, lambda gate: self.elsewhere(gate, "Complete", fields))

    def signed_in(self, question, text):
        """Signs in, like a program that shows a sign-in itself."""
        name, _, password = text.partition(" ")
        question.log_in(name, password)
        return STATE_CLOSES

    def elsewhere(self, gate, method, fields):
        gate.raw(f"Presentations/{method}", fields)
        return self.shown(gate.mode())

    def do_dismiss(self, line, words):
        number = int(words[0])
        if number not in self.asked:
            return self.answer_on_screen(number, None)
        program = self.asked[number]
        if program.is_over:
            fields = {"cookie": self.clients.cookie(program.question)}
            return self.once(program.person, lambda gate: self.elsewhere(gate, "Dismiss", fields))
        return self.heard(program, program.answer(None), number)

    def do_hang_up(self, line, words):
        program = self.asked[int(words[0])]
        before = self.revision()
        program.is_over = True
        self.clients.hang_up(program.gate)
        self.wait_for_change(before)
        return f"gone; {self.mode_now()}"

    def do_press(self, line, words):
        program = self.asked[int(words[0])]
        try:
            self.clients.report(program.gate, program.question, "pressed")
        except GateError as error:
            return f"refused: {without_advice(error.message)}"
        return "pressed"

    def result_of_own_program(self, person):
        """The result of a presentation that a program of this person shows until the state closes it."""
        shown = [
            number
            for number, program in self.asked.items()
            if program.person == person and not program.is_over and program.question.kind in CLOSED_BY_STATE
        ]
        number = max(shown, default=None)
        if number is None:
            raise Unknown(f"a result of {person}, who has asked for nothing")
        if any(one.id == number for one in self.open_presentations()):
            return f"{person} waits"
        program = self.asked.pop(number)
        return self.heard(program, program.answer(STATE_CLOSES))
