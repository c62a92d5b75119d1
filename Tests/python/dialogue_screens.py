"""Screens that show what others ask: presenters of the plain face, and programs that wait for them."""

import time

from dialogue_text import Unknown, answer_of, challenge_text
from gateclient import GateError, Outcome, messages

PATIENCE = 30.0
KINDS = [
    "arithmetic-choice", "arithmetic-entry", "shapes", "quiz", "confirm", "birthdate", "passcode", "totp", "hold", "swipe",
    "sign-in", "paywall", "form", "whats-new",
]
WISHES = {1: "parent mode", 2: "more time in parent mode", 4: "somebody to sign in"}


class Screen:
    """Somebody's screen, and what is on it."""

    def __init__(self, gate):
        self.gate, self.shown = gate, None
        self.stream = gate.presenter(KINDS, ["sheet", "full-screen-cover"])
        self.refusal = None

    def hear(self, seconds):
        """Does what the next event says. Returns whether there was one."""
        event = self.stream.next(seconds)
        if event is None:
            return False
        if event.kind == "show":
            self.shown = event.presentation
            try:
                self.shown.report("shown")
            except GateError:
                pass  # it is gone already, and the stream says so
        elif event.kind == "close":
            self.shown = None
        self.refusal = event.error
        return True


class Screens:
    """The commands about screens, those who wait for them, and what they would have to wait for."""

    def present(self, line, words):
        person = words[-1]
        screen = Screen(self.gate(person))
        if not screen.hear(PATIENCE) or screen.refusal is not None:
            return f"refused: {screen.refusal.message}"
        self.screens[person] = screen
        return f"{person}'s screen is on"

    def settle_screens(self):
        """Waits until what is on offer is on a screen, and what is closed on none."""
        end = time.monotonic() + PATIENCE
        quiet = 0
        while quiet < 3 and time.monotonic() < end:
            has_heard = [screen.hear(0.03) for screen in self.screens.values()]
            quiet = 0 if any(has_heard) else quiet + 1

    def screen(self, line, words):
        self.settle_screens()
        shown = self.screens[words[-1]].shown
        if shown is None:
            return "nothing"
        asked, purpose = shown.asked, shown.summary.purpose
        who, number = self.name(asked.uid), shown.number
        wish = WISHES.get(purpose) or (f"{asked.title}, {asked.details}" if asked.details else asked.title)
        if shown.kind == "sign_in":
            return f"sign-in {number}: {who} wants {wish}" if shown.summary.is_dismissible else f"sign-in {number}: cover"
        if shown.kind in ("paywall", "form", "whats_new"):
            raise Unknown(f"{shown.kind} on a screen")
        return f"challenge {number}: {who} wants {wish}: {challenge_text(shown)}"

    def leave(self, line, words):
        self.settle_screens()
        screen, before = self.screens.pop(words[-1]), self.revision()
        screen.gate.close()
        end = time.monotonic() + PATIENCE
        while screen.shown is not None and self.revision() == before and time.monotonic() < end:
            time.sleep(0.01)
        return f"{words[-1]}'s screen is off"

    def answer_on_screen(self, number, text):
        self.settle_screens()
        screen = next((one for one in self.screens.values() if one.shown and one.shown.number == number), None)
        if screen is None:
            raise Unknown("an answer to what is on no screen")
        if screen.shown.kind in ("sign_in", "whats_new"):
            raise Unknown(f"an answer to {screen.shown.kind}")
        question = screen.shown
        try:
            question.complete(None if text is None else answer_of(question, text))
        except GateError as error:
            if error.leaves_question_open:
                return f"refused: {error.message.split(' Please')[0]}"
        return self.end_of(number)

    def end_of(self, number):
        """What the journal says became of a presentation: a presenter hears of its own part alone."""
        ends = ("ANSWERED_RIGHT", "ANSWERED_WRONG", "REFUSED", "DISMISSED", "EXPIRED")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for entry in self.journal():
                name = entry.detail.split(",")[0]
                kind = messages.AuditKind.Name(entry.kind).removeprefix("AUDIT_KIND_")
                if name.endswith(f" {number}") and kind in ends:
                    return f"{name}: {kind.lower().replace('_', ' ')}"
            time.sleep(0.01)
        raise RuntimeError(f"the journal says nothing of presentation {number}")

    def check(self, line, words):
        outcomes = {Outcome.GRANTED: "granted", Outcome.PERSON_NEEDED: "a person is needed", Outcome.DENIED: "denied"}
        return self.once(words[-1], lambda gate: outcomes[gate.check(words[0]).outcome])

    # MARK: those who wait

    def ask(self, line, words):
        if words[0] == "toggle":
            person = words[-1]
            program = self.program(person, lambda gate, present: gate.toggle())
        else:
            action, person, redeemer, details = self.wish(line)
            request = self.authorizing(action, person, redeemer, details)
            program = self.program(person, lambda gate, present: request(gate, None), (action, person, redeemer))
        self.waiting[person] = program
        program.thread.start()
        return self.result(line, [person])

    def result(self, line, words):
        person = words[-1]
        if person not in self.waiting:
            raise Unknown("the result of a program that shows its question itself")
        program = self.waiting[person]
        end = time.monotonic() + PATIENCE
        while program.told.empty() and time.monotonic() < end:
            open_now = self.once(self.administrator(), lambda gate: gate.raw("Presentations/ListPresentations"))
            if any(self.name(one.asked.uid) == person for one in open_now.presentations):
                return f"{person} waits"
            time.sleep(0.01)
        del self.waiting[person]
        kind, value = program.told.get(timeout=PATIENCE)
        # What was answered on a screen is told as it is, and not as the answer to it.
        return f"refused: {value.message}" if kind == "refused" else self.heard(program, (kind, value), None)
