"""Clients of libgate that have the calls of `gateclient.Gate`.

They call the functions of gate.h if it has them. Everything else, like forms and administrators' calls, uses libgate's
raw calls with gateclient's messages.
"""

import contextlib
import os
import queue
import time

import libgate_binding as binding
from gateclient import Code, Entitlement, EntitlementsState, Gate, GateError, Grant, Options, Outcome, Outlook, PaywallOutcome
from gateclient import Requester, Revision, SignInState, Topic, messages, wire
from gateclient.blocking import BlockingCalls, NotYet
from gateclient.links import Link
from gateclient.streams import register_request
from libgate_asks import LibgateAsks
from libgate_handle import ENOENT, FOR_EVER, PATIENCE, LibgateHandle, error_of
from libgate_people import LibgatePeople
from libgate_questions import LibgateQuestion, PresenterEvents, presentation_of
from libgate_watches import RawWatch, TypedWatch, mode_state, sign_in_state
from wire_tap import WireTap


class LibgateClients:
    """Clients of libgate."""

    name = "libgate"

    def __init__(self):
        self.taps, self.handles = {}, []

    def gate(self, socket, program):
        tap = self.taps.get(socket) or self.taps.setdefault(socket, WireTap(socket))
        gate = LibgateGate(tap, program)
        self.handles.append(gate.handle)
        return gate

    def clock_turned(self, boot_seconds, wall_milliseconds):
        binding.clock()(boot_seconds * 1_000_000_000, wall_milliseconds)
        for handle in self.handles:
            handle.wake()

    def cookie(self, question):
        return question._core.cookie

    def report(self, gate, question, what):
        question.report(what)

    def hang_up(self, gate):
        gate.handle.close()

    def end(self):
        for handle in self.handles:
            handle.close()
        for tap in self.taps.values():
            tap.end()
        binding.clock()(0, 0)


class LibgateGate(Gate):
    """gateclient's plain client, which uses a handle of libgate."""

    def __init__(self, tap, program):
        super().__init__(Options(socket_path=str(tap.path), server_user=os.getuid(), program=program, shares_clock=False))
        self.handle = LibgateHandle(tap.path, program)
        self._core = LibgateCalls(self.options, self.handle, tap)

    def close(self):
        self.handle.close()
        super().close()


class RawExchange:
    """A raw call or stream of libgate."""

    def __init__(self, method):
        self.method, self.heard, self.number = method, queue.SimpleQueue(), binding.c_uint64()
        self.payload, self.error, self.has_ended, self.late, self.queue = None, None, False, None, ()

    def handler(self, data, size, error):
        self.heard.put((binding.ctypes.string_at(data, size) if not error else b"", error_of(error)))


class LibgateLink(Link):
    """Raw calls of a handle."""

    def __init__(self, handle):
        self.handle, self.limit, self.machine = handle, None, None

    def flush(self):
        pass

    def close(self):
        self.handle.close()

    def start(self, name, request, timeout=None):
        method = wire.method(name)
        exchange, payload = RawExchange(method), method.encoded(request)
        handler = self.handle.handler(binding.BytesHandler, exchange.handler)
        number = binding.ctypes.byref(exchange.number)
        arguments = [method.service.encode(), method.name.encode(), payload, len(payload)]
        if method.is_stream:
            self.handle.ask("gate_stream", *arguments, handler, None, number)
        else:
            limit = FOR_EVER if timeout is None else int(timeout * 1_000_000)
            self.handle.ask("gate_call", *arguments, limit, handler, None, number)
        return exchange

    def give_up(self, exchange):
        if not exchange.has_ended:
            exchange.has_ended = True
            with contextlib.suppress(GateError):
                self.handle.call(lambda: self.handle.library.gate_cancel(self.handle.pointer, exchange.number))

    async def finish(self, exchange, seconds):
        try:
            exchange.payload, exchange.error = self.handle.next(exchange.heard, 3600 if seconds is None else seconds)
        except queue.Empty:
            raise GateError(Code.DEADLINE_EXCEEDED, "The daemon did not answer in time.") from None
        exchange.has_ended = True
        if exchange.error is not None:
            raise exchange.error
        return exchange.payload

    async def receive(self, exchange, seconds):
        ends = [one for one in (seconds, None if self.limit is None else self.limit - time.monotonic()) if one is not None]
        try:
            message, error = self.handle.next(exchange.heard, max(0.0, min(ends, default=3600)))
        except queue.Empty:
            if self.limit is not None and time.monotonic() >= self.limit:
                raise NotYet from None
            raise TimeoutError from None
        if error is None:
            return message
        exchange.has_ended = True
        # A stream that ended without an error.
        exchange.error = None if error.code == Code.CANCELLED else error
        raise error


class LibgateCalls(LibgatePeople, LibgateAsks, BlockingCalls):
    """The calls of gateclient, which use functions of gate.h if it has them."""

    def __init__(self, options, handle, tap):
        super().__init__(options)
        self.handle, self.tap, self._link = handle, tap, LibgateLink(handle)
        #: Events for the screen of this program: ("show", question), ("close", number), and the end of a request.
        self.screen_events, self.put_back = queue.SimpleQueue(), []
        self.watch_events, self.watched = queue.SimpleQueue(), None
        handle.on_screen = self._on_screen

    async def connected(self):
        return self._link

    def set_limit(self, limit):
        self.limit = self._link.limit = limit

    def time_left(self, seconds):
        return seconds if self.limit is None else max(0.0, self.limit - time.monotonic())

    def not_yet(self):
        """The error if nothing arrived in the time that a caller waits."""
        if self.limit is not None:
            raise NotYet

    # MARK: what is on the screen

    def _on_screen(self, event):
        if event[0] == "show":
            shown, refusal = event[1:]
            tapped = self.tap.presentations[shown.id]
            event = "show", LibgateQuestion(self, presentation_of(shown, tapped), tapped.cookie, refusal)
        self.screen_events.put(event)

    def next_on_screen(self, seconds):
        return self.put_back.pop(0) if self.put_back else self.handle.next(self.screen_events, seconds)

    def wait_for_end_of(self, number):
        """Waits until a presentation is closed. Raises the refusal if the same question is asked again."""
        event = self.handle.next(self.screen_events, PATIENCE)
        if event[0] == "show" and event[1].number == number and event[1].refusal is not None:
            raise event[1].refusal
        self.put_back.append(event)

    def answer(self, function, number, *arguments):
        return self.handle.call(lambda: getattr(self.handle.library, function)(self.handle.pointer, number, *arguments))

    def report(self, number, what):
        heard = queue.SimpleQueue()
        handler = self.handle.handler(binding.DoneHandler, lambda error: heard.put(error_of(error)))
        result = self.answer("gate_report", number, binding.INPUTS[what], handler, None)
        if result == -ENOENT:
            raise GateError(Code.ABORTED, "This is closed.", "CLOSED")
        error = self.handle.next(heard, PATIENCE)
        if error is not None:
            raise error

    def requested(self, name, kind, read, present, *arguments, may_wait=False):
        """Makes a request that may need a person. `present` shows the question; None: presenters of the device show
        it."""

        def ended(*values):
            error = error_of(values[-1])
            self.screen_events.put(("ended", None if error is not None else read(*values[:-1]), error))

        flags = (0 if present is None else binding.PRESENTS_ITSELF) | (binding.MAY_WAIT if may_wait else 0)
        self.handle.ask(name, *arguments, flags, self.handle.handler(kind, ended), None, None)
        while True:
            event = self.next_on_screen(3600)
            if event[0] == "show":
                event[1].give(present(event[1]))
            elif event[0] == "ended":
                if event[2] is not None:
                    raise event[2]
                return event[1]

    # MARK: the mode

    async def mode(self):
        return self.handle.answer_to("gate_query_mode", binding.ModeHandler, mode_state)

    async def lock(self):
        return self.handle.answer_to("gate_lock", binding.ModeHandler, mode_state)

    async def cancel(self):
        return self.handle.answer_to("gate_cancel_verifying", binding.ModeHandler, mode_state)

    async def toggle(self, present=None, *, presents_itself=False):
        return self.requested("gate_toggle", binding.ModeHandler, mode_state, present)

    async def extend(self, seconds=None, present=None, *, presents_itself=False):
        milliseconds = round((seconds or 0) * 1000)
        return self.requested("gate_extend", binding.ModeHandler, mode_state, present, milliseconds)

    async def raw(self, name, request=None, timeout=None):
        if name != "Mode/OverrideMode":
            return await super().raw(name, request, timeout)
        wish = wire.method(name).request(**request)
        mode = binding.MODES.index(messages.ModeState.Mode.Name(wish.mode).removeprefix("MODE_").lower())
        arguments = mode, wish.duration_milliseconds, wish.reason.encode()
        return self.handle.answer_to("gate_override_mode", binding.ModeHandler, mode_state, *arguments)

    # MARK: gated actions

    async def check(self, gated_action, *, subject=None):
        if subject is not None:
            return await super().check(gated_action, subject=subject)

        def read(outlook):
            one = outlook.contents
            return Outlook(Outcome(binding.OUTCOMES[one.outcome]), binding.text(one.explanation), None)

        return self.handle.answer_to("gate_check", binding.OutlookHandler, read, gated_action.encode())

    async def _authorized(self, gated_action, details, subject, present, presents_itself, may_wait):
        if subject is not None:
            return await super()._authorized(gated_action, details, subject, present, presents_itself, may_wait)
        arguments = gated_action.encode(), details.encode()
        self.requested("gate_authorize", binding.DoneHandler, lambda: None, present, *arguments, may_wait=may_wait)

    async def grant(
        self, gated_action, details="", *, redeemer=None, subject=None, present=None, presents_itself=False, may_wait=False
    ):
        if subject is not None:
            named = {"redeemer": redeemer, "subject": subject, "present": present, "presents_itself": presents_itself}
            return await super().grant(gated_action, details, may_wait=may_wait, **named)

        def read(grant):
            one = grant.contents
            proof = binding.ctypes.string_at(one.proof, one.proof_size)
            return Grant(0, proof, gated_action, details, one.deadline_boottime_ns)

        arguments = gated_action.encode(), details.encode(), redeemer
        return self.requested("gate_request_grant", binding.GrantHandler, read, present, *arguments, may_wait=may_wait)

    async def redeem(self, proof, gated_action, details=""):
        arguments = proof, len(proof), gated_action.encode(), details.encode()
        return self.handle.answer_to("gate_redeem", binding.RequesterHandler, Requester, *arguments)

    # MARK: people and purchases

    async def log_in(self, name, password):
        secret = password.encode() if isinstance(password, str) else password
        arguments = name.encode(), secret, len(secret)
        return self.handle.answer_to("gate_log_in", binding.SessionHandler, sign_in_state, *arguments)

    async def log_out(self):
        self.handle.answer_to("gate_log_out", binding.DoneHandler, lambda: None)
        return await self.sign_in()

    async def sign_in(self):
        return self.state_now(self.read_sign_in)

    async def entitlements(self):
        """Asks the daemon, since libgate leaves out the sources of entitlements."""
        read = self.state_now(self.read_entitlements)
        sent = await super().entitlements()
        plain = tuple(Entitlement(one.name, one.title, one.is_active, one.until) for one in sent.entitlements)
        if read != EntitlementsState(plain, sent.is_subscription_active):
            raise AssertionError(f"libgate says\n{read}\nwhere the daemon says\n{sent}")
        return sent

    async def require_premium(self, entitlement="", *, provider="", present=None, presents_itself=False):
        if provider:
            return await super().require_premium(entitlement, provider=provider, present=present, presents_itself=presents_itself)
        name = entitlement.encode() or None
        library, pointer = self.handle.library, self.handle.pointer
        was_active = self.state_now(
            lambda: library.gate_is_entitled(pointer, name) if name else library.gate_is_subscription_active(pointer)
        )
        self.requested("gate_require_premium", binding.DoneHandler, lambda: None, present, name)
        return PaywallOutcome.ACTIVE_ALREADY if was_active else PaywallOutcome.PAID

    async def drafts(self, name=""):
        """Asks the daemon, since libgate leaves out the holders of drafts."""

        def read():
            every = self.handle.library.gate_get_drafts(self.handle.pointer)
            return [(binding.text(one.name), one.draft_id, one.revision, binding.text(one.label)) for one in binding.each(every)]

        drafts, sent = self.state_now(read), await super().drafts(name)
        if drafts != [(one.name, one.draft_id, one.revision, one.label) for one in sent]:
            raise AssertionError(f"libgate says\n{drafts}\nwhere the daemon says\n{sent}")
        return sent

    # MARK: watching

    def _heard(self, update, read):
        one = update.contents
        revision = Revision(one.epoch, one.number)
        self.watch_events.put((binding.EVENTS[one.event], revision, read(), error_of(one.error)))

    def start_watch(self, topics, read):
        bits = sum(binding.TOPICS[topic.value] for topic in topics)
        handler = self.handle.handler(binding.WatchHandler, lambda update: self._heard(update, read))
        self.handle.ask("gate_watch", bits, handler, None)
        self.watched = topics

    def state_now(self, read):
        """The state that libgate knows once it has caught up with the daemon."""
        if self.watched is None:
            self.start_watch((Topic.SIGN_IN, Topic.ENTITLEMENTS, Topic.FORMS), lambda: None)
            kind, *_, error = self.handle.next(self.watch_events, PATIENCE)
            if kind == "lost":
                raise error
        return self.handle.call(read)

    def read_mode(self):
        library, pointer = self.handle.library, self.handle.pointer
        return mode_state(library.gate_get_mode(pointer), library.gate_get_mode_deadline(pointer))

    def read_sign_in(self):
        library, pointer = self.handle.library, self.handle.pointer
        state = sign_in_state(library.gate_get_session(pointer))
        return SignInState(state.session, needs_authentication=library.gate_needs_sign_in(pointer))

    def read_entitlements(self):
        library, pointer = self.handle.library, self.handle.pointer
        every = tuple(
            Entitlement(binding.text(one.name), binding.text(one.title), one.is_active, one.until_unix_ms or None)
            for one in binding.each(library.gate_get_entitlements(pointer))
        )
        return EntitlementsState(every, library.gate_is_subscription_active(pointer))

    def _watch(self, topics):
        match list(topics):
            case [Topic.MODE]:
                return TypedWatch(self, Topic.MODE, self.read_mode)
            case [Topic.SIGN_IN]:
                return TypedWatch(self, Topic.SIGN_IN, self.read_sign_in)
        return RawWatch(self, topics)

    def _presenter(self, kinds, styles, has_own_screen):
        request = wire.method("Presentations/RegisterPresenter").request(**register_request(kinds, styles, has_own_screen))
        bits = [sum(1 << one for one in numbers) for numbers in (request.kinds, request.styles)]
        return PresenterEvents(self, *bits, has_own_screen)
