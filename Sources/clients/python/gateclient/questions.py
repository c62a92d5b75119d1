"""Something that this program has to show to a person, and the right to answer it."""

from __future__ import annotations

import enum
from typing import Any

from . import messages, wire
from .errors import Code, GateError
from .forms import FormDraft
from .frames import Exchange
from .links import Face, Link
from .values import Grant, Kind, ModeState, Reading, SignInState


class StateCloses(enum.Enum):
    """There is nothing to bring back: the state closes a sign-in, a paywall and a form."""

    STATE_CLOSES = "the state closes it"


STATE_CLOSES = StateCloses.STATE_CLOSES

#: A person's answer. `str`: what they chose or typed, numbers in decimal digits, a date as YYYY-MM-DD. `bytes`: a passcode or
#: a code. A message: `messages.Released`, `messages.Swipe`, `messages.Acknowledged`. None: they closed it without an answer.
Answer = str | bytes | messages.Released | messages.Swipe | messages.Acknowledged | StateCloses | None

#: How often a question is shown whose answers are none.
MAXIMUM_ATTEMPTS = 10


class Completion:
    """The result of an answer, or of the state having closed a presentation."""

    def __init__(self, response: Any, of: OpenPresentation) -> None:
        self.mode = ModeState.read(response.state)
        result = response.WhichOneof("result")
        #: Nothing more is to be shown, and nothing is handed out.
        self.is_done = result == "done"
        #: The grant that was asked for; None: none was, or more has to be shown before it.
        self.grant = Grant.read(response.grant) if result == "grant" else None
        #: The presentation to show next; None: that was the last one.
        self.next = of.follower(response.next) if result == "next" else None


class OpenPresentation:
    """A question, a sign-in, a paywall, a form, or what is new in an app. Bound to the connection that asked for it or claimed
    it: when that is lost, so is this."""

    def __init__(self, presentation: messages.Presentation, origin: str, link: Link, face: Face) -> None:
        self._presentation = presentation
        self._link = link
        self._face = face
        #: "requested": this program has asked for it. "claimed": it shows what another program has asked for.
        self.origin = origin
        #: Why the answer before was none, in a sentence for the person; None where this is shown for the first time.
        self.refusal: GateError | None = None

    def __repr__(self) -> str:
        return f"<presentation {self.number}>"

    def follower(self, presentation: messages.Presentation) -> OpenPresentation:
        """The one that comes after this."""
        return OpenPresentation(presentation, self.origin, self._link, self._face)

    @property
    def number(self) -> int:
        """Counts up from 1 for the life of a store."""
        return self.summary.id

    @property
    def summary(self) -> messages.PresentationSummary:
        """The part that others may see: why it is shown, how, and until when."""
        return self._presentation.summary

    @property
    def asked(self) -> messages.Asked:
        """The asker, and what is asked for. Show it. `is_apps_own`: no administrator has read the words of this form or this news;
        say so before them. `device`: where another device of the household asks, show its name in place of user and process."""
        return self.summary.asked

    @property
    def kind(self) -> Kind:
        """The kind, as policies and `kinds` spell it: "arithmetic-choice", "sign-in"; "" where this version knows none."""
        return Kind(self._field.replace("_", "-"))

    @property
    def _field(self) -> str:
        return self._presentation.WhichOneof("content") or ""

    @property
    def content(self) -> Any:
        """The content to show: `messages.ArithmeticChoice` and its like; None where this version knows none."""
        return getattr(self._presentation, self._field) if self._field else None

    @property
    def time_left(self) -> float | None:
        """Seconds until it closes by itself; None: it does not. Take it from the screen then."""
        if not self._face.options.shares_clock or not self.summary.HasField("deadline_boottime_nanoseconds"):
            return None
        return (self.summary.deadline_boottime_nanoseconds - Reading.now().boot_nanoseconds) / 1e9

    @property
    def is_closed_by_state(self) -> bool:
        """Whether the state closes it, rather than an answer."""
        return self._field in ("sign_in", "paywall", "form")

    @property
    def text(self) -> str:
        """The question in words, for screens that have no drawing of their own for it; in English, or as the policy has it."""
        return _text(self._field, self.content)

    async def report(self, what: str) -> None:
        """Says what happens on the screen before there is an answer: "shown", "pressed", "restore"."""
        await self._call("Presentations/Report", input=f"INPUT_{what.upper()}")

    async def complete(self, answer: Answer) -> Completion:
        """Gives the person's answer; it is taken once. One that is none at all raises INVALID_ARGUMENT, and the question stays."""
        if answer is None:
            await self.dismiss()
            raise GateError(Code.CANCELLED, "The question was dismissed.", "DISMISSED")
        fields: dict[str, Any]
        match answer:
            case str():
                fields = {"text": answer}
            case bytes():
                fields = {"secret": answer}
            case messages.Released():
                fields = {"released": answer}
            case messages.Swipe():
                fields = {"swipe": answer}
            case messages.Acknowledged():
                fields = {"acknowledged": answer}
            case _:
                raise GateError(Code.INVALID_ARGUMENT, f"That is no answer: {answer!r}.", "INVALID_REQUEST")
        request = {"cookie": self._presentation.cookie, **fields}
        response = await self._link.call("Presentations/Complete", request, self._face.timeout, self._completed_late)
        return Completion(response, self)

    def _completed_late(self, payload: bytes) -> None:
        """Nobody is there any more to show what comes next."""
        response = wire.decoded(messages.CompleteResponse, payload)
        if response.HasField("next"):
            self.follower(response.next).abandon()

    async def dismiss(self) -> ModeState:
        """Says that the person closed it without an answer. FAILED_PRECONDITION (NOT_DISMISSIBLE) where only the state does."""
        return ModeState.read((await self._call("Presentations/Dismiss")).state)

    async def log_in(self, name: str, password: str | bytes) -> SignInState:
        """Signs somebody in, with what was typed into this sign-in. The state closes it then."""
        fields = {"name": name, "password": password.encode() if isinstance(password, str) else password}
        return SignInState.read((await self._link.call("SignIn/LogIn", fields, self._face.hashing_timeout)).state)

    async def open_form(self) -> FormDraft:
        """Opens the form that is asked for. The state closes this when it is completed."""
        target = {"name": self.content.name, "cookie": self._presentation.cookie}
        return await FormDraft.opened(self._face, self._link, target, {})

    # MARK: until it is closed

    def begin_closing(self) -> Exchange:
        """Begins to wait until the state closes what this program has asked for."""
        return self._link.start("Presentations/AwaitClosing", {"cookie": self._presentation.cookie})

    async def finish_closing(self, closing: Exchange) -> Completion:
        """Waits for what `begin_closing` has begun."""
        try:
            payload = await self._link.finish(closing, None)
        finally:
            self._link.give_up(closing)
        return Completion(closing.method.decoded(payload), self)

    async def closed(self) -> GateError:
        """Waits until it can no longer be answered, and returns why."""
        expired = GateError(Code.DEADLINE_EXCEEDED, "Nobody answered in time.", "EXPIRED")
        watch: Exchange | None = self._link.start("Watch/Watch", {"topics": ["TOPIC_PRESENTATIONS"]})
        had_grace = False
        try:
            while True:
                left = self.time_left
                is_over = left is not None and left <= 0
                if is_over and had_grace:
                    return expired
                had_grace = is_over
                seconds = 1.0 if is_over or left is None or left > 1.0 else left
                if watch is None:
                    await self._face.sleep(seconds)
                    continue
                try:
                    data = await self._link.receive(watch, seconds if left is not None else None)
                    update = wire.decoded(messages.WatchResponse, data)
                except TimeoutError:
                    continue
                except GateError as error:
                    if error.code in (Code.UNAVAILABLE, Code.CANCELLED):
                        return error
                    watch = None  # too many watches, for one: then only the deadline and the answer will tell
                    continue
                if update.HasField("presentations") and not any(map(self._is_this, update.presentations.presentations)):
                    left = self.time_left
                    if left is not None and left <= 0:
                        return expired
                    return GateError(Code.ABORTED, "The question was answered, or withdrawn.", "CLOSED")
        finally:
            if watch is not None:
                self._link.give_up(watch)

    def _is_this(self, summary: messages.PresentationSummary) -> bool:
        # One that is offered again was handed back: the cookie is good for nothing any more.
        held = (messages.Stage.STAGE_CLAIMED, messages.Stage.STAGE_SHOWN)
        return summary.id == self.number and summary.stage in held

    # MARK: after an answer

    async def can_be_asked(self, error: GateError) -> bool:
        """Whether there is sense in showing it once more after this error."""
        if not error.leaves_question_open:
            return False
        if error.code != Code.UNAVAILABLE:
            return True
        # An answer could not be checked; a lost connection looks the same, and took the question with it.
        try:
            await self._link.call("Control/Ping", {}, self._face.timeout)
        except GateError:
            return False
        return True

    def leave(self, error: BaseException) -> Exchange | None:
        """Dismisses it where it may still be open after this error, though nobody will answer it any more. Does not wait."""
        # The next presenter gets what this one gives up.
        may_be_open = self._may_be_open(error) if isinstance(error, GateError) else self.origin == "requested"
        return self.abandon() if may_be_open else None

    def showing_failed(self) -> Exchange | None:
        """Dismisses what this program has asked for and can't show; what others have asked goes to the next presenter."""
        return self.abandon() if self.origin == "requested" else None

    def abandon(self) -> Exchange | None:
        """Dismisses it, and does not wait. Harmless where it is closed."""
        try:
            return self._link.start("Presentations/Dismiss", {"cookie": self._presentation.cookie})
        except GateError:
            return None  # the connection is gone, and the question with it

    async def left(self, dismissal: Exchange | None) -> None:
        """Waits a moment for a dismissal."""
        if dismissal is not None:
            try:
                await self._link.finish(dismissal, 1.0)
            except GateError:
                pass

    def _may_be_open(self, error: GateError) -> bool:
        if error.code in (Code.INVALID_ARGUMENT, Code.UNAVAILABLE):
            return True
        if error.code == Code.CANCELLED:
            return error.reason != "DISMISSED" and self.origin == "requested"
        if error.code == Code.DEADLINE_EXCEEDED:
            return error.reason != "EXPIRED"
        return error.code == Code.RESOURCE_EXHAUSTED and self.is_closed_by_state and self.origin == "requested"

    async def _call(self, name: str, /, **fields: Any) -> Any:
        return await self._link.call(name, {"cookie": self._presentation.cookie, **fields}, self._face.timeout)


_SIGNS = {
    messages.Operator.OPERATOR_PLUS: "+",
    messages.Operator.OPERATOR_MINUS: "\u2212",
    messages.Operator.OPERATOR_TIMES: "\u00d7",
    messages.Operator.OPERATOR_DIVIDED_BY: "\u00f7",
}


def _text(kind: str, content: Any) -> str:
    match kind:
        case "arithmetic_choice" | "arithmetic_entry":
            return f"{content.left} {_SIGNS.get(content.operation, '?')} {content.right} = ?"
        case "shapes":
            left, right = (
                " ".join(messages.Shape.Form.Name(shape.form).removeprefix("FORM_").lower() for shape in side)
                for side in (content.left, content.right)
            )
            return f"corners of {left} {_SIGNS.get(content.operation, '?')} corners of {right} = ?"
        case "quiz":
            return str(content.texts[0].question) if content.texts else ""
        case "confirm":
            return "May they?"
        case "birthdate":
            return "When were you born?"
        case "passcode":
            return "What is the passcode?"
        case "totp":
            return "What does your authenticator show?"
        case "hold":
            return f"Press and hold for {content.duration_milliseconds / 1000:g} s."
        case "swipe":
            way = messages.Swipe.Direction.Name(content.direction).removeprefix("DIRECTION_").lower()
            return f"Swipe {way} with {content.fingers} fingers."
        case "sign_in":
            return "Who are you?"
        case "paywall" | "form" | "whats_new":
            return str(content.title)
    return ""
