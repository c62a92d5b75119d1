"""The commands about presenters, and about programs that wait for them."""

import re

from dialogue import PATIENCE, kind_of
from dialogue_modes import without_advice
from dialogue_program import Program
from dialogue_text import Unknown, option
from dialogue_words import answer_of, screen_text
from gateclient import Asked, GateError, messages
from gateclient.answers import parsed

KINDS = [
    "arithmetic-choice", "arithmetic-entry", "shapes", "quiz", "confirm", "birthdate", "passcode", "totp", "hold", "swipe",
    "sign-in", "paywall", "form", "whats-new",
]
ENDS = ("answered right", "answered wrong", "refused", "dismissed", "expired")
OFFERED, CLAIMED, SHOWN = (messages.Stage.Value(f"STAGE_{name}") for name in ("OFFERED", "CLAIMED", "SHOWN"))
SIGN_IN = messages.PresentationKind.Value("PRESENTATION_KIND_SIGN_IN")


class Screen:
    """The screen of a person, and what is on it."""

    def __init__(self, gate):
        self.gate, self.shown, self.draft, self.refusal = gate, None, None, None
        self.stream = gate.presenter(KINDS, ["sheet", "full-screen-cover"])

    def hear(self, seconds):
        """Handles the next event. Returns whether there was one."""
        event = self.stream.next(seconds)
        if event is None:
            return False
        if event.kind == "show":
            self.shown = event.presentation
            try:
                self.draft = self.shown.open_form() if self.shown.kind == "form" else None
                self.shown.report("shown")
            except GateError:
                pass  # it is closed already, which the stream reports
        elif event.kind == "close":
            self.shown = None
        self.refusal = event.error
        return True


class Screens:
    """The commands about screens, and about programs that wait for an answer."""

    def __init__(self, programs, script, clients):
        self.screens, self.waiting = {}, {}
        super().__init__(programs, script, clients)

    def end_programs(self):
        """Ends the programs that show or wait for something, together with the daemon. None of them asks again by
        itself."""
        for program in self.asked.values():
            program.is_over = True
        for one in [*self.screens.values(), *self.waiting.values(), *self.asked.values()]:
            self.clients.hang_up(one.gate)
        self.screens, self.waiting = {}, {}

    def do_present(self, line, words):
        person = words[-1]
        screen = Screen(self.gate(person))
        if not screen.hear(PATIENCE) or screen.refusal is not None:
            return f"refused: {screen.refusal.message}"
        self.screens[person] = screen
        return f"{person}'s screen is on"

    def settle_screens(self):
        """Waits until each presentation on offer is on a screen, and each closed one is on none."""
        if self.screens:
            self.wait("the screens show what is open", self.screens_are_settled)

    def screens_are_settled(self):
        while any([screen.hear(0.005) for screen in self.screens.values()]):
            pass
        open_now = self.open_presentations()
        # The sign-in cover stays on offer if no presenter can show it.
        grown_up = any(role in self.roles(person) for person in self.screens for role in ("administrator", "grown-up"))
        if any(one.stage == OFFERED and (grown_up or one.kind != SIGN_IN) for one in open_now):
            return False
        # A presentation that its requester shows counts as claimed, but is on no screen.
        others = {number for number, program in self.asked.items() if not program.is_over}
        claimed = [one for one in open_now if one.id not in others and one.stage in (CLAIMED, SHOWN)]
        shown = {screen.shown.number for screen in self.screens.values() if screen.shown}
        return all(one.stage == SHOWN for one in claimed) and {one.id for one in claimed} == shown

    def do_screen(self, line, words):
        self.settle_screens()
        shown = self.screens[words[-1]].shown
        return "nothing" if shown is None else screen_text(shown, self.name_of(shown.asked))

    def do_leave(self, line, words):
        self.settle_screens()
        screen, before = self.screens.pop(words[-1]), self.revision()
        self.clients.hang_up(screen.gate)
        if screen.shown is not None:
            self.wait_for_change(before)
        return f"{words[-1]}'s screen is off"

    def screen_with(self, number):
        self.settle_screens()
        screen = next((one for one in self.screens.values() if one.shown and one.shown.number == number), None)
        if screen is None:
            raise Unknown("an answer to what is on no screen")
        return screen

    def answer_on_screen(self, number, text):
        """Answers on a screen. `text` None: the person dismisses the question."""
        question = self.screen_with(number).shown
        try:
            if question.kind == "sign_in" and text is not None:
                name, _, password = text.partition(" ")
                return self.shown_sign_in(question.log_in(name, password))
            question.complete(None if text is None else answer_of(question, text, self.code()))
        except GateError as error:
            if error.leaves_question_open or error.code.name in ("UNAUTHENTICATED", "RESOURCE_EXHAUSTED"):
                return f"refused: {without_advice(error.message)}"
        if question.kind == "whats_new":
            self.wait("it is read", lambda: all(one.id != number for one in self.open_presentations()))
            return f"what's new {number}: seen"
        return self.end_of(number)

    def end_of(self, number):
        """How a presentation ended, from the journal, since a presenter learns only its own part."""
        ends = []

        def is_known():
            for entry in self.journal():
                name = entry.detail.split(",")[0]
                if name.endswith(f" {number}") and kind_of(entry) in ENDS:
                    ends.append(f"{name}: {kind_of(entry)}")
            return bool(ends)

        self.wait(f"the journal says what became of presentation {number}", is_known)
        return ends[0]

    def do_hand_in(self, line, words):
        """Fills in the form on a screen with a response, and completes or dismisses it."""
        number, response = int(words[0]), parsed(self.script.responses[words[2]].encode())
        screen = self.screen_with(number)
        try:
            screen.draft.read()
            screen.draft.fill(response)
            if response["status"] == "completed":
                screen.draft.complete()
                return f"form {number}: handed in"
            screen.shown.dismiss()
            return f"form {number}: dismissed"
        except GateError as error:
            return f"refused: {error.message}"

    # MARK: those who wait

    def do_ask(self, line, words):
        return self.begin(line, *self.asking(line, words))

    def do_await(self, line, words):
        action, person, other, _, details = self.wish(line)
        subject = self.subject(other)
        wish = {"gated_action": action, "details": details}
        if subject is not None:
            wish["subject"] = subject._asdict()

        def request_at_once(gate, present):
            grant = gate.raw("Authorization/Authorize", wish | {"may_wait": True, "at_once": True}, timeout=600).grant
            gate.raw("Authorization/Redeem", {"gated_action": action, "details": details, "proof": grant.proof})

        def request(gate, present):
            with gate.authorize(action, details, subject=subject, may_wait=True):
                pass

        asks = request_at_once if " at-once" in line.split(" for ")[0] else request
        return self.begin(line, person, asks, lambda _: f"granted {action} to {person}, once")

    def begin(self, line, person, request, describe):
        """Starts a program that makes a request, and waits for an answer on somebody's screen."""
        program = Program(self.gate(person), person, lambda gate, present: request(gate, None), describe)
        program.asker = next(iter(re.findall(r" on-behalf-of (\w+)", line)), person)
        self.waiting[person] = program
        program.thread.start()
        return self.do_result(line, [person])

    def asking(self, line, words):
        """Reads the person and the request, and returns what is printed when it succeeds."""
        person = words[-1]
        match words[0]:
            case "toggle":
                return person, lambda gate, present: gate.toggle(), self.shown
            case "paywall":
                provider, names = option(words, "through", ""), words[1:-2]
                entitlement = names[0] if names else ""

                def request(gate, present):
                    return gate.require_premium(entitlement, provider=provider)

                return person, request, lambda outcome: outcome.value
            case "form":
                return person, lambda gate, present: gate.request_form(words[1]), lambda number: f"response {number}"
            case "whats-new":
                return person, self.showing(words[1], words[2]), self.outcome_text
        return self.authorizing(line)

    def do_result(self, line, words):
        person = words[-1]
        if person not in self.waiting:
            return self.result_of_own_program(person)
        program = self.waiting[person]

        # A broker waits for the question of the person for whom it asks.
        asker = program.asker

        def waits():
            return any(self.name(one.asked.uid) == asker for one in self.open_presentations())

        self.wait(f"{person} waits, or knows more", lambda: not program.told.empty() or waits())
        if program.told.empty() or waits():
            return f"{person} waits"
        del self.waiting[person]
        kind, value = program.heard()
        self.close(program.gate)
        if kind == "refused":
            return f"{'asked' if isinstance(value, Asked) else 'refused'}: {value.message}"
        return program.describe(value)
