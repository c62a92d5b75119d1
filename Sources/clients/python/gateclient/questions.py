"""A presentation that this program has to show to a person, and the right to answer it."""

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
    """Returned for a sign-in, a paywall or a form, which the state closes: there is no answer."""

    STATE_CLOSES = "the state closes it"


STATE_CLOSES = StateCloses.STATE_CLOSES

#: A person's answer. `str`: what they chose or typed, with numbers in decimal digits and dates as YYYY-MM-DD. `bytes`:
#: a passcode or a code. A message: `messages.Released`, `messages.Swipe`, `messages.Acknowledged`. None: they closed it
#: without an answer.
Answer = str | bytes | messages.Released | messages.Swipe | messages.Acknowledged | StateCloses | None

#: The most times that a question is shown whose answers can't be read.
MAXIMUM_ATTEMPTS = 10


class Completion:
    """The result of an answer, or of waiting until the state closed a presentation."""

    def __init__(self, response: Any, of: OpenPresentation) -> None:
        self.mode = ModeState.read(response.state)
        result = response.WhichOneof("result")
        #: Whether nothing more is to be shown, and there is no grant.
        self.is_done = result == "done"
        #: The grant that was requested; None if there is none, or more has to be shown first.
        self.grant = Grant.read(response.grant) if result == "grant" else None
        #: The presentation to show next; None if this was the last one.
        self.next = of.follower(response.next) if result == "next" else None


class OpenPresentation:
    """A question, a sign-in, a paywall, a form, or what is new in an app. It is bound to the connection that requested
    or claimed it, and ends with it."""

    def __init__(self, presentation: messages.Presentation, origin: str, link: Link, face: Face) -> None:
        self._presentation = presentation
        self._link = link
        self._face = face
        #: "requested": this program's own request needs it. "claimed": another program has requested it.
        self.origin = origin
        #: Why the previous answer was refused, with a sentence for the person; None if this is shown for the first
        #: time.
        self.refusal: GateError | None = None

    def __repr__(self) -> str:
        return f"<presentation {self.number}>"

    def follower(self, presentation: messages.Presentation) -> OpenPresentation:
        """The presentation that comes after this one."""
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
        """Who asks, and for what; show it. `is_apps_own`: no administrator has read the words of this form or news; say
        so before them. `details`: for a gated action the words of the program that asks, so show them apart from your
        own. `device`: if another device of the household asks, show its name in place of user and process; the title
        and the details are that device's, and its details of a question about parent mode are best left out."""
        return self.summary.asked

    @property
    def kind(self) -> Kind:
        """The kind, spelled as in policies and `kinds`: "arithmetic-choice", "sign-in"; "" if this version does not
        know it."""
        return Kind(self._field.replace("_", "-"))

    @property
    def _field(self) -> str:
        return self._presentation.WhichOneof("content") or ""

    @property
    def content(self) -> Any:
        """What to show: `messages.ArithmeticChoice` and its like; None if this version does not know it."""
        return getattr(self._presentation, self._field) if self._field else None

    @property
    def time_left(self) -> float | None:
        """Seconds until it closes by itself; then take it off the screen. None if it has no deadline, or its clock is
        not ours."""
        if not self._face.options.shares_clock or not self.summary.HasField("deadline_boottime_nanoseconds"):
            return None
        return (self.summary.deadline_boottime_nanoseconds - Reading.now().boot_nanoseconds) / 1e9

    @property
    def is_closed_by_state(self) -> bool:
        """Whether the state closes it, rather than an answer."""
        return self._field in ("sign_in", "paywall", "form")

    @property
    def text(self) -> str:
        """The question in words, for screens that can't draw it. It is in English, or as the policy has it."""
        return _text(self._field, self.content)

    async def report(self, what: str) -> None:
        """Reports what happens on the screen before there is an answer: "shown", "pressed", "restore"."""
        await self._call("Presentations/Report", input=f"INPUT_{what.upper()}")

    async def complete(self, answer: Answer) -> Completion:
        """Gives the person's answer, which counts only once. An answer that can't be read raises INVALID_ARGUMENT, and
        the question stays open."""
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
        """Dismisses the next question, which came after the caller was cancelled: there is nobody to show it."""
        response = wire.decoded(messages.CompleteResponse, payload)
        if response.HasField("next"):
            self.follower(response.next).abandon()

    async def dismiss(self) -> ModeState:
        """Says that the person closed it without an answer. Raises FAILED_PRECONDITION (NOT_DISMISSIBLE) if only the
        state closes it."""
        return ModeState.read((await self._call("Presentations/Dismiss")).state)

    async def log_in(self, name: str, password: str | bytes) -> SignInState:
        """Signs a person in with the name and password typed into this sign-in. The state then closes it."""
        fields = {"name": name, "password": password.encode() if isinstance(password, str) else password}
        return SignInState.read((await self._link.call("SignIn/LogIn", fields, self._face.hashing_timeout)).state)

    async def open_form(self) -> FormDraft:
        """Opens the form that this invites to. When the form is completed, the state closes this."""
        target = {"name": self.content.name, "cookie": self._presentation.cookie}
        return await FormDraft.opened(self._face, self._link, target, {})

    # MARK: until it is closed

    def begin_closing(self) -> Exchange:
        """Begins to wait until the state closes what this program has requested."""
        return self._link.start("Presentations/AwaitClosing", {"cookie": self._presentation.cookie})

    async def finish_closing(self, closing: Exchange) -> Completion:
        """Waits for the result of `begin_closing`."""
        try:
            payload = await self._link.finish(closing, None)
        finally:
            self._link.give_up(closing)
        return Completion(closing.method.decoded(payload), self)

    async def closed(self) -> GateError:
        """Waits until the question can no longer be answered, and returns the reason."""
        expired = GateError(Code.DEADLINE_EXCEEDED, "Nobody answered in time. Ask again when somebody is there.", "EXPIRED")
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
                    watch = None  # too many watches, for example: now only the deadline or the answer ends this
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
        # A presentation that is offered again was handed back, and this cookie is no longer valid.
        held = (messages.Stage.STAGE_CLAIMED, messages.Stage.STAGE_SHOWN)
        return summary.id == self.number and summary.stage in held

    # MARK: after an answer

    async def can_be_asked(self, error: GateError) -> bool:
        """Whether it makes sense to show the question again after this error."""
        if not error.leaves_question_open:
            return False
        if error.code != Code.UNAVAILABLE:
            return True
        # Either the answer could not be checked, or the connection was lost, and the question with it. A ping tells.
        try:
            await self._link.call("Control/Ping", {}, self._face.timeout)
        except GateError:
            return False
        return True

    def leave(self, error: BaseException) -> Exchange | None:
        """Dismisses the question if it may still be open after this error, because nobody will answer it any more. Does
        not wait."""
        # After any other exception, a claimed presentation is left to the next presenter.
        may_be_open = self._may_be_open(error) if isinstance(error, GateError) else self.origin == "requested"
        return self.abandon() if may_be_open else None

    def showing_failed(self) -> Exchange | None:
        """Dismisses what this program has requested and can't show. What others have requested goes to the next
        presenter."""
        return self.abandon() if self.origin == "requested" else None

    def abandon(self) -> Exchange | None:
        """Dismisses the question, and does not wait. Harmless if it is closed."""
        try:
            return self._link.start("Presentations/Dismiss", {"cookie": self._presentation.cookie})
        except GateError:
            return None  # the connection is lost, and the question with it

    async def left(self, dismissal: Exchange | None) -> None:
        """Waits up to a second for a dismissal."""
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
        if error.code == Code.RESOURCE_EXHAUSTED:
            # No more guesses are taken for a while, or too many calls wait.
            return error.leaves_question_open or (self.is_closed_by_state and self.origin == "requested")
        return False

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
            return "Enter the passcode"
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
