"""Servers that are no daemon or can't be trusted. No client trusts them, and none hangs."""

import asyncio
import contextlib
import os
import random
import socket
import struct
import tempfile
import time
import unittest

from gateclient import Code, Gate, GateError, Mode, Options, aio, messages
from gateclient.frames import LARGEST_FRAME, LARGEST_QUEUE, ConnectionStateMachine
from gateclient import wire
from support_server import HEADER, PARENT, REVISION, Server, TimedTestCase, data, parent_answer, response

GARBAGE = {
    "text": b"HTTP/1.1 200 OK\r\n\r\n" * 10,
    "a frame past the limit": HEADER.pack(LARGEST_FRAME + 1, 1, 2, 0),
    "the largest length": HEADER.pack(0xFFFFFFFF, 1, 2, 0),
    "no envelope": HEADER.pack(4, 1, 2, 0) + b"\xff\xff\xff\xff",
    "data for a call": HEADER.pack(0, 1, 3, 0),
    "another type of frame": HEADER.pack(0, 1, 9, 0),
}


def events_of(gate, seconds=10):
    """The events of a watch within some seconds, up to a loss."""
    watch, end, told = gate.watch(), time.monotonic() + seconds, []
    while (left := end - time.monotonic()) > 0 and (not told or told[-1].kind != "lost"):
        event = watch.next(left)
        if event is not None:
            told.append(event)
    watch.close()
    return told


async def async_events_of(gate):
    told = []
    async with asyncio.timeout(10):
        async for event in gate.watch():
            told.append(event)
            if event.kind == "lost":
                return told


class BothFaces(TimedTestCase):
    """Runs the same calls with the plain client and the asyncio client."""

    def refusals(self, server, **named):
        """The errors that `mode` raises in each client."""
        options = server.options(**named)
        with self.assertRaises(GateError) as plain, Gate(options) as gate:
            gate.mode()

        async def call():
            async with aio.Gate(options) as gate:
                await gate.mode()

        with self.assertRaises(GateError) as other:
            asyncio.run(call())
        return [plain.exception, other.exception]


class HostileTests(BothFaces):
    def test_garbage_is_refused_at_once(self):
        for title, garbage in GARBAGE.items():
            with self.subTest(title), Server(lambda stream, method: garbage) as server:
                for error in self.refusals(server):
                    self.assertEqual(error.code, Code.INTERNAL, repr(error))

    def test_what_comes_before_a_question_was_asked_is_passed_over_or_refused(self):
        with Server(parent_answer, response(77, messages.GetModeResponse(state=PARENT))) as server:
            with Gate(server.options()) as gate:
                self.assertEqual(gate.mode().mode, Mode.PARENT)
        with Server(parent_answer, GARBAGE["the largest length"]) as server:
            for error in self.refusals(server):
                self.assertIn(error.code, (Code.INTERNAL, Code.UNAVAILABLE))

    def test_an_answer_that_is_another_message_is_no_answer(self):
        with Server(lambda stream, _: response(stream, messages.PingRequest(echo=b"\xff" * 20))) as server:
            options = server.options()
            with Gate(options) as gate:
                # The bytes of another message, none of which means parent.
                try:
                    self.assertEqual(gate.mode().mode, Mode.CHILD)
                except GateError as error:
                    self.assertEqual(error.code, Code.INTERNAL)

    def test_a_mode_that_nobody_knows_is_child(self):
        unknown = messages.GetModeResponse(state={"mode": 9, "deadline_boottime_nanoseconds": 2**62})
        with Server(lambda stream, _: response(stream, unknown)) as server, Gate(server.options()) as gate:
            self.assertEqual(gate.mode().mode, Mode.CHILD)

    def test_silence_ends_a_call_and_not_the_client(self):
        with Server(lambda *_: b"") as server:
            began = time.monotonic()
            for error in self.refusals(server, call_timeout=0.3):
                self.assertEqual(error.code, Code.DEADLINE_EXCEEDED)
            self.assertLess(time.monotonic() - began, 5)

    def test_a_server_of_another_user_hears_nothing(self):
        with Server(parent_answer) as server:
            options = Options(socket_path=server.path, server_user=os.getuid() + 1)
            if os.getuid() == 0:
                self.skipTest("root is always believed")
            with self.assertRaises(GateError) as caught, Gate(options) as gate:
                gate.mode()
            self.assertEqual((caught.exception.code, caught.exception.reason), (Code.PERMISSION_DENIED, "NOT_PERMITTED"))

    @unittest.skipUnless(os.getuid() == 0, "needs root, to be another user")
    def test_a_server_of_a_user_who_is_not_trusted_hears_nothing(self):
        # Another process listens: the kernel names the process that called listen.
        folder = tempfile.TemporaryDirectory(prefix="gate.")
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o777)
        path, ready = f"{folder.name}/gate.sock", os.pipe()
        child = os.fork()
        if child == 0:
            os.setuid(12345)
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(path)
                listener.listen()
                os.write(ready[1], b"x")
                peer = listener.accept()[0]
                os._exit(1 if peer.recv(1) else 0)
        os.read(ready[0], 1)
        for number in ready:
            os.close(number)
        with self.assertRaises(GateError) as caught, Gate(Options(socket_path=path)) as gate:
            gate.mode()
        self.assertEqual((caught.exception.code, caught.exception.reason), (Code.PERMISSION_DENIED, "NOT_PERMITTED"))
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_no_server_is_unavailable(self):
        with self.assertRaises(GateError) as caught, Gate(Options(socket_path="/nowhere/gate.sock")) as gate:
            self.assertFalse(gate.status().is_live)
            gate.mode()
        self.assertEqual(caught.exception.code, Code.UNAVAILABLE)
        self.assertIn("Is gated running", str(caught.exception))

    def test_a_message_that_has_not_come_whole_says_nothing(self):
        whole = parent_answer(1, "Watch/Watch")
        for count in range(len(whole) + 1):
            # The server has sent this much, and nothing more.
            answers = iter([whole[:count]])
            with Server(lambda *_: next(answers, b"")) as server, Gate(server.options()) as gate:
                told = [event.mode.mode for event in events_of(gate, 0.03)]
                self.assertEqual(told, [Mode.PARENT] if count == len(whole) else [])

    def test_a_call_whose_answer_is_cut_anywhere_is_refused(self):
        whole = parent_answer(1, "Mode/GetMode")
        for count in range(len(whole)):
            with CuttingServer(whole[:count]) as server:
                for error in self.refusals(server):
                    self.assertEqual(error.code, Code.UNAVAILABLE)

    def test_a_watch_that_is_cut_anywhere_ends_in_child_mode(self):
        whole = parent_answer(1, "Watch/Watch")
        for count in range(len(whole) + 1):
            with CuttingServer(whole[:count]) as server:
                with Gate(server.options()) as gate:
                    told = events_of(gate)
                other = asyncio.run(self.watched(server))
                for events in (told, other):
                    self.assertTrue(events)
                    self.assertEqual(events[-1].mode.mode, Mode.CHILD)
                    self.assertEqual(events[-1].kind, "lost")

    async def watched(self, server):
        async with aio.Gate(server.options()) as gate:
            return await async_events_of(gate)

    def test_an_authorization_that_is_cut_anywhere_runs_no_block(self):
        for method in ("Authorization/Authorize", "Authorization/Redeem"):
            whole = parent_answer(3 if method.endswith("Redeem") else 1, method)
            for count in range(len(whole)):

                def answer(stream, asked):
                    return whole[:count] + b"cut" if asked == method else parent_answer(stream, asked)

                with CuttingServer(None, answer) as server, Gate(server.options()) as gate:
                    with self.assertRaises(GateError), gate.authorize("link.open", "x"):
                        self.fail("the block has run")

    def test_a_daemon_that_lets_a_deadline_pass_counts_as_lost(self):
        def short(stream, method):
            end = time.clock_gettime_ns(time.CLOCK_BOOTTIME) + 300_000_000
            mode = {"mode": "MODE_PARENT", "deadline_boottime_nanoseconds": end}
            return data(stream, messages.WatchResponse(revision=REVISION, is_snapshot=True, mode=mode))

        with Server(short) as server, Gate(server.options()) as gate:
            watch, began = gate.watch(), time.monotonic()
            self.assertEqual(watch.next(5).mode.mode, Mode.PARENT)
            lost = watch.next(5)
            self.assertEqual((lost.kind, lost.mode.mode), ("lost", Mode.CHILD))
            self.assertTrue(1.2 < time.monotonic() - began < 3)

    def test_a_stream_that_floods_is_given_up(self):
        flood = data(1, messages.WatchResponse(presentations={"presentations": [{"asked": {"details": "x" * 1000}}] * 900}))
        with Server(lambda stream, method: flood * 20 if method == "Watch/Watch" else b"") as server:
            machine = ConnectionStateMachine("test")
            watch = wire.method("Watch/Watch")
            exchange = machine.start(watch, watch.encoded({}), None)
            for _ in range(20):
                machine.received(flood)
            self.assertEqual(exchange.error.code, Code.RESOURCE_EXHAUSTED)
            self.assertLessEqual(machine.queued_bytes, LARGEST_QUEUE)
            with Gate(server.options()) as gate:
                self.assertTrue(events_of(gate, 2))

    def test_changes_of_strange_revisions_are_a_loss(self):
        wild = [
            messages.WatchResponse(revision={"epoch": 7, "number": 5}, mode=PARENT),
            messages.WatchResponse(mode=PARENT),
        ]
        for message in wild:
            with Server(lambda stream, _: data(stream, message)) as server, Gate(server.options()) as gate:
                self.assertEqual({event.mode.mode for event in events_of(gate)}, {Mode.CHILD})

    def test_a_list_without_an_end_ends(self):
        page = messages.ListQuestionnairesResponse(questionnaires=[{"name": "a"}], next_page_token="again")
        with Server(lambda stream, _: response(stream, page)) as server, Gate(server.options()) as gate:
            with self.assertRaises(GateError) as caught:
                gate.forms()
            self.assertEqual(caught.exception.code, Code.INTERNAL)


class CuttingServer(Server):
    """Answers the first request with these bytes, and closes the connection after an answer that ends in "cut"."""

    def __init__(self, first, answer=None):
        self.first = first
        super().__init__(answer or (lambda *_: first + b"cut"))

    def talk(self, peer):
        with peer:
            peer.settimeout(20)
            buffer = b""
            try:
                while some := peer.recv(65536):
                    buffer += some
                    while len(buffer) >= HEADER.size and len(buffer) >= HEADER.size + HEADER.unpack_from(buffer)[0]:
                        length, stream, _, _ = HEADER.unpack_from(buffer)
                        request = messages.EnvelopeRequest.FromString(buffer[HEADER.size : HEADER.size + length])
                        buffer = buffer[HEADER.size + length :]
                        answer = self.answer(stream, f"{request.service.removeprefix('gate.v1.')}/{request.method}")
                        peer.sendall(answer.removesuffix(b"cut"))
                        if answer.endswith(b"cut"):
                            return
            except OSError:
                return


class FrameTests(unittest.TestCase):
    """The state machine of a connection, by itself."""

    def setUp(self):
        self.machine = ConnectionStateMachine("test")
        self.method = wire.method("Mode/GetMode")

    def start(self, method=None):
        method = method or self.method
        return self.machine.start(method, method.encoded({}), None)

    def test_a_request_is_as_the_page_on_the_wire_writes_it(self):
        machine = ConnectionStateMachine("")
        machine.start(self.method, b"", None)
        expected = b"\x0a\x0cgate.v1.Mode\x12\x07GetMode*\x09\x0a\x07program"
        self.assertEqual(bytes(machine.outgoing), struct.pack(">IIBB", len(expected), 1, 1, 0) + expected)

    def test_an_answer_may_come_in_any_pieces(self):
        whole = parent_answer(1, "Mode/GetMode")
        for cut in range(1, len(whole)):
            self.setUp()
            call = self.start()
            self.assertEqual(self.machine.received(whole[:cut]), [])
            self.assertEqual(self.machine.received(whole[cut:]), [call])
            self.assertEqual(self.method.decoded(call.result()).state.mode, messages.ModeState.MODE_PARENT)

    def test_answers_come_in_any_order_and_those_of_nobody_are_passed_over(self):
        first, second = self.start(), self.start()
        self.machine.received(response(99, messages.GetModeResponse()) + response(3, messages.GetModeResponse()))
        self.assertEqual((first.has_ended, second.has_ended), (False, True))

    def test_a_call_that_is_given_up_is_cancelled_and_its_answer_passed_over(self):
        call = self.start()
        self.machine.outgoing.clear()
        self.machine.give_up(call)
        sent = bytes(self.machine.outgoing)
        self.assertIn(b"Cancel", sent)
        self.assertEqual(self.machine.received(response(1, messages.GetModeResponse())), [])
        self.machine.give_up(call)
        self.assertEqual(bytes(self.machine.outgoing), sent)

    def test_an_answer_before_garbage_is_an_answer(self):
        first, second = self.start(), self.start()
        touched = self.machine.received(parent_answer(1, "Mode/GetMode") + GARBAGE["the largest length"])
        self.assertEqual((touched, self.machine.is_open), ([first, second], False))
        self.assertTrue(first.result())
        with self.assertRaises(GateError):
            second.result()

    def test_a_stream_ends_in_two_ways(self):
        watch = wire.method("Watch/Watch")
        stream = self.start(watch)
        self.machine.received(data(1, messages.WatchResponse(first_number=3)) + data(1, None) + data(1, None, 5))
        self.assertEqual(watch.decoded(stream.take()).first_number, 3)
        self.assertEqual(stream.take(), b"", "a frame of no bytes is a message of defaults")
        with self.assertRaises(GateError):
            stream.take()
        refused = self.start(watch)
        self.machine.received(response(3, code=7))
        with self.assertRaises(GateError) as caught:
            refused.take()
        self.assertEqual(caught.exception.code, Code.PERMISSION_DENIED)

    def test_random_bytes_only_ever_end_in_a_refusal(self):
        chance = random.Random(5)
        valid = parent_answer(1, "Mode/GetMode") + parent_answer(3, "Watch/Watch") + response(5, code=9)
        for _ in range(3000):
            machine = ConnectionStateMachine("test")
            for method in ("Mode/GetMode", "Watch/Watch", "Mode/Lock"):
                machine.start(wire.method(method), b"", None)
            wild = bytearray(valid)
            for _ in range(chance.randrange(1, 8)):
                wild[chance.randrange(len(wild))] = chance.randrange(256)
            for exchange in machine.received(bytes(wild[: chance.randrange(len(wild) + 1)])):
                with contextlib.suppress(GateError):
                    if exchange.has_ended and not exchange.method.is_stream:
                        exchange.method.decoded(exchange.result())


if __name__ == "__main__":
    unittest.main()
