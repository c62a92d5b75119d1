"""The plain client: calls that block, over a socket of its own. It needs no thread and no event loop."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any, Callable, Collection, Coroutine, Generic, Iterable, Iterator, TypeVar

from .blocking import BlockingCalls, NotYet, run
from .form_calls import WhatsNewOutcome
from .plain_asks import PlainAsks
from .plain_forms import Notes, PlainForms
from .plain_people import PlainPeople
from .plain_questions import OpenPresentation, Present, wrapped
from .server import Options
from .status import DeviceStatus, StatusPage
from .streams import PresenterEvent as _PresenterEvent
from .values import EntitlementsState, Grant, Mode, ModeState, Outlook, PaywallOutcome, Requester, SignInState, Subject
from .watching import Topic, WatchEvent
from .wire import Request

T = TypeVar("T")


class PresenterEvent:
    """An event for a presenter; see `gateclient.streams.PresenterEvent`."""

    def __init__(self, core: _PresenterEvent) -> None:
        self.kind = core.kind
        self.number = core.number
        self.elsewhere = core.elsewhere
        self.error = core.error
        self.presentation = None if core.presentation is None else OpenPresentation(core.presentation)


class Stream(Generic[T]):
    """Events, one after the other. A loop over them ends when the stream or its client is closed, when the daemon ends
    a raw stream, and after a presenter was refused."""

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
        """The next event; None if no event comes within `timeout` seconds, or the stream has ended."""
        event = self._gate._run(self._source.next, timeout)
        return None if event is None else self._of(event)

    def fileno(self) -> int:
        """For an event loop of your own: the descriptor to poll for input before `next(0)` is called; -1 if there is
        none at the moment. Ask again after each call of this client."""
        number: int = self._source.fileno()
        return number

    @property
    def has_ended(self) -> bool:
        """Whether no more events will come: the stream or its client was closed, or the daemon has ended the stream or
        refused the presenter for good."""
        return self.due is None and self.fileno() < 0

    @property
    def due(self) -> float | None:
        """For an event loop of your own: the seconds after which to call `next(0)` even without input; 0: at once;
        None: only on input. Ask again after each call of this client."""
        seconds: float | None = self._source.due()
        return seconds

    def close(self) -> None:
        """Ends the stream, on the daemon too."""
        self._source.stop()


class Gate(PlainForms, PlainPeople, PlainAsks):
    """Asks Gate who is in charge of this device, hears when that changes, and changes it.

    Only one thread may use it at a time; make one for each thread that needs it. All calls and streams share one
    connection. It is opened when it is first needed, and again after it was lost and in a child process. `status` needs
    no connection, and any thread may call it.
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
        """Closes the connection. The client can't be used afterwards."""
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
        assert done is not None  # without a limit it came to its end
        return done[0]

    # MARK: mode

    def status(self) -> DeviceStatus:
        """The mode, and whether a subscription is active, read from the status page. It never waits or raises, so it
        can be called for every frame."""
        return self._page.status()

    def mode(self) -> ModeState:
        """The mode and its deadline, as the daemon answers."""
        return self._do(self._core.mode)

    def lock(self) -> ModeState:
        """Enters child mode at once."""
        return self._do(self._core.lock)

    def cancel(self) -> ModeState:
        """Withdraws the question for parent mode that this client has open."""
        return self._do(self._core.cancel)

    def toggle(self, present: Present | None = None, *, presents_itself: bool = False) -> ModeState:
        """Leaves parent mode at once; in child mode shows a question, and waits for its answer. The presenters of the
        device show it; if none can, `present` does. With `presents_itself`, `present` shows it even if they could."""
        return self._do(self._core.toggle, wrapped(present), presents_itself=presents_itself)

    def extend(
        self, seconds: float | None = None, present: Present | None = None, *, presents_itself: bool = False
    ) -> ModeState:
        """Sets the end of parent mode to so many seconds from now; None: the configured length of a lease."""
        return self._do(self._core.extend, seconds, wrapped(present), presents_itself=presents_itself)

    # MARK: gated actions

    def check(self, gated_action: str, *, subject: Subject | None = None) -> Outlook:
        """How an authorization would go now, and what is missing for it. `subject`: the process that would take the
        action, if a broker asks for another process."""
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
        may_wait: bool = False,
    ) -> Iterator[None]:
        """Runs the block only if the gated action is granted. If the policy says so, a person is asked first.
        `may_wait`: `Asked` is raised if the question is going to wait for a grown-up."""
        self._do(self._core._authorized, gated_action, details, subject, wrapped(present), presents_itself, may_wait)
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
        may_wait: bool = False,
    ) -> Grant:
        """Requests a grant, which can be redeemed once: by the user `redeemer`, or by this client if that is None.
        `may_wait`: `Asked` is raised if the question is going to wait for a grown-up."""
        named = {"redeemer": redeemer, "subject": subject, "present": wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.grant, gated_action, details, may_wait=may_wait, **named)

    def redeem(self, proof: bytes, gated_action: str, details: str = "") -> Requester:
        """Redeems a grant, once, for exactly what it was given for. Returns the process that had requested it."""
        return self._do(self._core.redeem, proof, gated_action, details)

    # MARK: people and purchases

    def sign_in(self) -> SignInState:
        """Who is signed in."""
        return self._do(self._core.sign_in)

    def log_in(self, name: str, password: str | bytes) -> SignInState:
        """Signs a person in, on the whole device."""
        return self._do(self._core.log_in, name, password)

    def log_out(self) -> SignInState:
        """Signs out the person who is signed in."""
        return self._do(self._core.log_out)

    def entitlements(self) -> EntitlementsState:
        """All entitlements, and whether each is paid for."""
        return self._do(self._core.entitlements)

    def require_premium(
        self,
        entitlement: str = "",
        *,
        provider: str = "",
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> PaywallOutcome:
        """Shows a paywall if the entitlement is not active, and returns once it is."""
        named = {"provider": provider, "present": wrapped(present), "presents_itself": presents_itself}
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
        """Shows what is new in this version, at most once to each person, and waits until it is closed. It then counts
        as seen."""
        named = {"notes": notes, "present": wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.show_whats_new, app, version, **named)

    # MARK: by the names of the wire, and streams

    def raw(self, name: str, request: Request | None = None, timeout: float | None = None) -> Any:
        """Calls any unary method, for example "Mode/GetMode", with a dictionary of its fields or a message. Returns the
        response message."""
        return self._do(self._core.raw, name, request, timeout)

    def stream(self, name: str, request: Request | None = None) -> Stream[Any]:
        """The messages of any stream, given its name, for example "Watch/Audit". Raises the daemon's refusal, or that
        the daemon was lost."""
        return Stream(self, self._core._stream(name, request), lambda message: message)

    def watch(self, topics: Collection[Topic] = (Topic.MODE,)) -> Stream[WatchEvent]:
        """The whole state, then every change of it. Reconnects by itself, and never raises."""
        return Stream[WatchEvent](self, self._core._watch(topics), _same)

    def modes(self) -> Iterator[Mode]:
        """The mode, then each change of it. If the daemon is lost it is child, until the daemon is back."""
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


def _same(event: WatchEvent) -> WatchEvent:
    return event
