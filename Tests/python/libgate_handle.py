"""A handle of libgate, with a thread of its own that runs its loop."""

import contextlib
import ctypes
import os
import queue
import select
import threading
import time

import libgate_binding as binding
from gateclient import Asked, Code, GateError, messages

PATIENCE = 30.0
FOR_EVER = 2**64 - 1
ENOENT = 2


def error_of(pointer):
    """The exception for a gate_error; None if there is none."""
    if not pointer:
        return None
    error = pointer.contents
    reason = messages.Reason.Name(error.reason).removeprefix("REASON_")
    parameters = {binding.text(one.name): binding.text(one.value) for one in binding.each(error.parameters)}
    # In seconds; None: waiting does not help.
    wait = error.retry_after_ms / 1000 if error.retry_after_ms > 0 else None
    kind = Asked if binding.library().gate_error_is_asked(pointer, None, None) else GateError
    return kind(Code(error.code), binding.text(error.message), reason, wait, parameters)


class LibgateHandle:
    """A handle. Its functions are called on its thread, and its handlers put events into queues."""

    def __init__(self, socket, program):
        self.socket, self.program, self.library = str(socket), program, binding.library()
        self.tasks, self.handlers, self.is_closed, self.broken = queue.SimpleQueue(), [], False, None
        #: Gets the events for the screen of this program: ("show", presentation, refusal), ("close", number).
        self.on_screen = None
        self.lock = threading.Lock()
        self.wakes, self.waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.pointer = ctypes.c_void_p()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        self.call(lambda: None)

    def close(self):
        if not self.is_closed:
            self.is_closed = True
            self.wake()
            self.thread.join(PATIENCE)
            with self.lock:
                for one in (self.wakes, self.waker):
                    os.close(one)
                self.waker = None

    def wake(self):
        """Makes the loop look at the clock and at waiting calls."""
        with self.lock, contextlib.suppress(BlockingIOError):
            if self.waker is not None:
                os.write(self.waker, b".")

    def call(self, function):
        """Calls a function on the thread of the handle, and returns its result."""
        if self.is_closed:
            raise GateError(Code.CANCELLED, "This client was closed.")
        done = queue.SimpleQueue()
        self.tasks.put((function, done))
        self.wake()
        value, error = done.get(timeout=PATIENCE)
        if error is not None:
            raise error
        return value

    def ask(self, name, *arguments):
        """Calls a function of libgate by its name. Raises if it returns a negative errno."""
        result = self.call(lambda: getattr(self.library, name)(self.pointer, *arguments))
        if result < 0:
            raise RuntimeError(f"{name} returns {os.strerror(-result)}")
        return result

    def handler(self, kind, function):
        """A handler that lives as long as this object. An exception in it ends the dialogue."""

        def guarded(*heard):
            try:
                function(*heard[1:-1])
            except BaseException as error:
                self.broken = error

        self.handlers.append(kind(guarded))
        return self.handlers[-1]

    def answer_to(self, name, kind, read, *arguments):
        """Calls a function that calls a handler once. Returns what `read` makes of the result, or raises the
        refusal."""
        heard = queue.SimpleQueue()

        def answered(*values):
            error = error_of(values[-1])
            heard.put((None if error is not None else read(*values[:-1]), error))

        self.ask(name, *arguments, self.handler(kind, answered), None, None)
        value, error = self.next(heard, PATIENCE + 10)
        if error is not None:
            raise error
        return value

    def next(self, heard, seconds):
        """The next event that handlers have put into a queue. Raises queue.Empty."""
        end = time.monotonic() + seconds
        while True:
            if self.broken is not None:
                raise RuntimeError("a handler has failed") from self.broken
            if self.is_closed:
                raise GateError(Code.CANCELLED, "This client was closed.")
            try:
                # Waits in short steps, since the handle may be closed meanwhile.
                return heard.get(timeout=max(0.0, min(0.5, end - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= end:
                    raise

    # MARK: the loop

    def _run(self):
        library = self.library
        library.gate_new(ctypes.byref(self.pointer))
        library.gate_set_socket(self.pointer, self.socket.encode())
        library.gate_set_server_uid(self.pointer, os.getuid())
        library.gate_set_program(self.pointer, self.program.encode())
        show = self.handler(binding.ShowHandler, self._shown)
        close = self.handler(binding.CloseHandler, lambda number: self.on_screen(("close", number)))
        library.gate_set_screen(self.pointer, show, close, None)
        poll = select.poll()
        poll.register(library.gate_get_fd(self.pointer), select.POLLIN)
        poll.register(self.wakes, select.POLLIN)
        until = ctypes.c_uint64()
        while not self.is_closed:
            while not self.tasks.empty():
                self._do(*self.tasks.get())
            while library.gate_process(self.pointer) == 1:
                pass
            if not self.tasks.empty():
                continue
            library.gate_get_timeout(self.pointer, ctypes.byref(until))
            left = None if until.value == FOR_EVER else until.value / 1000 - time.monotonic() * 1000
            poll.poll(None if left is None else max(0, min(int(left) + 1, 60_000)))
            with contextlib.suppress(BlockingIOError):
                os.read(self.wakes, 4096)
        library.gate_free(self.pointer)

    def _do(self, function, done):
        try:
            done.put((function(), None))
        except BaseException as error:
            done.put((None, error))

    def _shown(self, presentation, refusal):
        self.on_screen(("show", presentation.contents, error_of(refusal)))
