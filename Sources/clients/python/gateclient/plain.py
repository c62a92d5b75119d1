"""The plain face: calls that block, over a socket of the client's own. No thread, and no event loop."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any, Callable, Collection, Coroutine, Generic, Iterable, Iterator, TypeVar

from . import messages, questions
from .blocking import BlockingCalls, NotYet, run
from .errors import GateError
from .form_calls import WhatsNewOutcome
from .plain_forms import FormDraft, Notes, PlainForms
from .questions import Answer
from .server import Options
from .status import DeviceStatus, StatusPage
from .streams import PresenterEvent as _PresenterEvent
from .values import EntitlementsState, Grant, Kind, Mode, ModeState, Outlook, PaywallOutcome, Requester, SignInState, Subject
from .watching import Topic, WatchEvent
from .wire import Request

T = TypeVar("T")
#: Shows something, and returns what the person did.
Present = Callable[["OpenPresentation"], Answer]


class OpenPresentation:
    """A question, a sign-in, a paywall, a form, or what is new in an app: what `present` is given to show.

    Nothing tells it while it blocks that the question is gone: honour `time_left`. (The asyncio face cancels instead.)
    """

    def __init__(self, core: questions.OpenPresentation) -> None:
        self._core = core

    def __repr__(self) -> str:
        return repr(self._core)

    @property
    def number(self) -> int:
        """Counts up from 1 for the life of a store."""
        return self._core.number

    @property
    def kind(self) -> Kind:
        """The kind, as policies and `kinds` spell it: "arithmetic-choice", "sign-in"."""
        return self._core.kind

    @property
    def content(self) -> Any:
        """The content to show."""
        return self._core.content

    @property
    def text(self) -> str:
        """The question in words."""
        return self._core.text

    @property
    def asked(self) -> messages.Asked:
        """The asker, and what is asked for. Show it. `is_apps_own`: no administrator has read the words of this form or this news;
        say so before them. `device`: where another device of the household asks, show its name in place of user and process."""
        return self._core.asked

    @property
    def summary(self) -> messages.PresentationSummary:
        """The part that others may see."""
        return self._core.summary

    @property
    def refusal(self) -> GateError | None:
        """Why the answer before was none."""
        return self._core.refusal

    @property
    def time_left(self) -> float | None:
        """Seconds until it closes by itself; None: it does not."""
        return self._core.time_left

    def report(self, what: str) -> None:
        """Says what happens on the screen: "shown", "pressed", "restore"."""
        run(self._core.report(what))

    def complete(self, answer: Answer) -> None:
        """Gives the answer of what a presenter shows. Not within `present`, which returns it."""
        run(self._core.complete(answer))

    def dismiss(self) -> ModeState:
        """Says that the person closed it without an answer."""
        return run(self._core.dismiss())

    def log_in(self, name: str, password: str | bytes) -> SignInState:
        """Signs somebody in, with what was typed into this sign-in."""
        return run(self._core.log_in(name, password))

    def open_form(self) -> FormDraft:
        """Opens the form that is asked for."""
        return FormDraft(run(self._core.open_form()))


class PresenterEvent:
    """An event for a presenter: `gateclient.streams.PresenterEvent` says more."""

    def __init__(self, core: _PresenterEvent) -> None:
        self.kind = core.kind
        self.number = core.number
        self.elsewhere = core.elsewhere
        self.error = core.error
        self.presentation = None if core.presentation is None else OpenPresentation(core.presentation)


class Stream(Generic[T]):
    """Events, one after the other: a loop over it ends only when the client is closed, or the daemon ends a raw stream."""

    def __init__(self, gate: Gate, source: Any, of: Callable[[Any], T]) -> None:
        self._gate = gate
        self._source = source
        self._of = of

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        event = self.next()
        if event is None:
            raise StopIteration
        return event

    def next(self, timeout: float | None = None) -> T | None:
        """The next event; None where no event comes within so many seconds, and where the stream has ended."""
        event = self._gate._run(self._source.next, timeout)
        return None if event is None else self._of(event)

    def fileno(self) -> int:
        """For a loop of your own: the descriptor to poll for input before `next(0)` is called; -1: none just now. Ask again after each
        call of this client."""
        number: int = self._source.fileno()
        return number

    @property
    def has_ended(self) -> bool:
        """Whether no event comes any more: it or its client was closed, the daemon has ended it, or refused the presenter for good."""
        return self.due is None and self.fileno() < 0

    @property
    def due(self) -> float | None:
        """For a loop of your own: the seconds after which `next(0)` is to be called though there is no input; 0: at once; None: only
        input matters. Ask again after each call of this client."""
        seconds: float | None = self._source.due()
        return seconds

    def close(self) -> None:
        """Ends it, on the daemon too."""
        self._source.stop()


class Gate(PlainForms):
    """Asks Gate who is in charge of this device, hears when that changes, and changes it.

    For one thread at a time; make one for each thread that needs it. One connection, which all calls and streams share; opened
    when it is first needed, and anew after it was lost and in a child process. `status` needs none, and may be read anywhere.
    """

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._core = BlockingCalls(self.options)
        self._page = StatusPage(self.options)
        self._lock = threading.RLock()

    def __enter__(self) -> Gate:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hangs up, for good."""
        self._core.close()
        self._page.close()

    def _run(self, call: Callable[..., Coroutine[Any, Any, T]], timeout: float | None = None, *args: Any) -> T | None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread is in this Gate: make one for each thread")
        try:
            self._core.set_limit(None if timeout is None else time.monotonic() + timeout)
            return run(call(*args))
        except NotYet:
            return None
        finally:
            self._core.set_limit(None)
            self._lock.release()

    def _do(self, call: Callable[..., Coroutine[Any, Any, T]], *args: Any, **named: Any) -> T:
        async def named_call() -> tuple[T]:
            return (await call(*args, **named),)

        done = self._run(named_call)
        assert done is not None  # no limit, so that it came to its end
        return done[0]

    # MARK: mode

    def status(self) -> DeviceStatus:
        """The mode now, and whether a subscription is active, from the status page: for every frame. Never waits or raises."""
        return self._page.status()

    def mode(self) -> ModeState:
        """The mode now, and until when, as the daemon answers."""
        return self._do(self._core.mode)

    def lock(self) -> ModeState:
        """Goes to child mode, at once."""
        return self._do(self._core.lock)

    def cancel(self) -> ModeState:
        """Takes back the question that this client has open."""
        return self._do(self._core.cancel)

    def toggle(self, present: Present | None = None, *, presents_itself: bool = False) -> ModeState:
        """Goes one step round. The presenters of the device ask; where none can, `present` does, and with `presents_itself`
        always."""
        return self._do(self._core.toggle, _wrapped(present), presents_itself=presents_itself)

    def extend(
        self, seconds: float | None = None, present: Present | None = None, *, presents_itself: bool = False
    ) -> ModeState:
        """Has parent mode end so many seconds from now."""
        return self._do(self._core.extend, seconds, _wrapped(present), presents_itself=presents_itself)

    # MARK: gated actions

    def check(self, gated_action: str, *, subject: Subject | None = None) -> Outlook:
        """How an authorization would go now, and what is missing. `subject`: the process that would do it, where a broker asks for
        another one."""
        return self._do(self._core.check, gated_action, subject=subject)

    @contextlib.contextmanager
    def authorize(
        self,
        gated_action: str,
        details: str = "",
        *,
        subject: Subject | None = None,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> Iterator[None]:
        """Runs the block if, and only if, it may be run: after a person was asked, where the policy says so."""
        self._do(self._core._authorized, gated_action, details, subject, _wrapped(present), presents_itself)
        yield

    def grant(
        self,
        gated_action: str,
        details: str = "",
        *,
        redeemer: int | None = None,
        subject: Subject | None = None,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> Grant:
        """Asks for a grant, to be redeemed once, here or by the user `redeemer`."""
        named = {"redeemer": redeemer, "subject": subject, "present": _wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.grant, gated_action, details, **named)

    def redeem(self, proof: bytes, gated_action: str, details: str = "") -> Requester:
        """Takes a grant, once, for exactly what it was given for."""
        return self._do(self._core.redeem, proof, gated_action, details)

    # MARK: people and purchases

    def sign_in(self) -> SignInState:
        """Who is signed in."""
        return self._do(self._core.sign_in)

    def log_in(self, name: str, password: str | bytes) -> SignInState:
        """Signs somebody in, on the whole device."""
        return self._do(self._core.log_in, name, password)

    def log_out(self) -> SignInState:
        """Signs out the person who is signed in."""
        return self._do(self._core.log_out)

    def entitlements(self) -> EntitlementsState:
        """Everything that can be paid for, and whether it is."""
        return self._do(self._core.entitlements)

    def require_premium(
        self,
        entitlement: str = "",
        *,
        provider: str = "",
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> PaywallOutcome:
        """Has a paywall shown where the entitlement is not active, and returns once it is."""
        named = {"provider": provider, "present": _wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.require_premium, entitlement, **named)

    # MARK: news

    def show_whats_new(
        self,
        app: str,
        version: str,
        *,
        notes: Notes = (),
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> WhatsNewOutcome:
        """Shows what is new in this version, at most once to each person, and waits until it is closed, which counts as seen."""
        named = {"notes": notes, "present": _wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.show_whats_new, app, version, **named)

    # MARK: by the names of the wire, and streams

    def raw(self, name: str, request: Request | None = None, timeout: float | None = None) -> Any:
        """Calls any unary method, like "Mode/GetMode", with a dictionary of its fields or a message."""
        return self._do(self._core.raw, name, request, timeout)

    def stream(self, name: str, request: Request | None = None) -> Stream[Any]:
        """The messages of any stream by its name, like "Watch/Audit". Raises the daemon's refusal, and the loss of it."""
        return Stream(self, self._core._stream(name, request), lambda message: message)

    def watch(self, topics: Collection[Topic] = (Topic.MODE,)) -> Stream[WatchEvent]:
        """Every change, from the whole state as it is now; over as many connections as it takes. Never raises."""
        return Stream[WatchEvent](self, self._core._watch(topics), _same)

    def modes(self) -> Iterator[Mode]:
        """The mode now, then each change; child when the daemon is lost, until it is back."""
        last = None
        for event in self.watch():
            if event.mode is not None and event.mode.mode is not last:
                last = event.mode.mode
                yield last

    def presenter(
        self, kinds: Iterable[str], styles: Iterable[str] = ("sheet",), *, has_own_screen: bool = False
    ) -> Stream[PresenterEvent]:
        """The events of a presenter. Never raises."""
        return Stream(self, self._core._presenter(kinds, styles, has_own_screen), PresenterEvent)


def _wrapped(present: Present | None) -> Callable[[questions.OpenPresentation], Answer] | None:
    if present is None:
        return None
    show = present
    return lambda question: show(OpenPresentation(question))


def _same(event: WatchEvent) -> WatchEvent:
    return event
