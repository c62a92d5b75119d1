"""Questions that wait for a grown-up's answer, and schedules, with a real gated."""

import os
import time
import unittest

from gateclient import Ask, Asked, AskState, Code, Gate, GateError, Person, PersonKind, ScheduleState, Topic, aio, messages
from gateclient.wire import error_of
from support_gate import GRANNY, LITTLE, DaemonTestCase, run_as

DAY = 24 * 60 * 60 * 1000
#: The days of the week from yesterday on.
DAYS = [("mon", "tue", "wed", "thu", "fri", "sat", "sun")[(time.gmtime().tm_wday + ahead) % 7] for ahead in range(-1, 6)]
#: A schedule that is open today, whichever zone the device is in, and one that is closed for days.
POLICY = f"""
schedules:
  now: {{{", ".join(f"{day}: 0:00-24:00" for day in DAYS[:3])}}}
  later: {{{DAYS[4]}: 12:00-13:00}}
gated-actions:
  link.open: {{title: Open a page, requires: {{challenge: {{kind: confirm, answered-by: grown-up, may-wait: 3d}}}}}}
  game.play: {{title: Play, requires: {{any: [{{during: now}}, {{during: later}}]}}}}
  game.late: {{title: Play late, requires: {{during: later}}, more-time: [15m, 1h]}}
"""


@unittest.skipUnless(os.getuid() == 0, "only root makes processes of other users")
class AskTests(DaemonTestCase):
    POLICY = POLICY

    def setUp(self):
        super().setUp()
        self.gate.set_person(Person("Gran", PersonKind.GROWN_UP, user=GRANNY.pw_name))
        self.gate.set_person(Person("Ben", PersonKind.CHILD, user=LITTLE.pw_name))

    def opens(self, gate, page):
        """Asks for a page. Returns whether the block ran."""
        ran = False
        with gate.authorize("link.open", page, may_wait=True):
            ran = True
        return ran

    def asks(self, page, number):
        """As the child, asks for a page, which waits as this number."""

        def ask():
            with Gate(self.options) as gate:
                with self.assertRaises(Asked) as caught:
                    self.opens(gate, page)
                asked = caught.exception
                self.assertEqual((asked.code, asked.reason, asked.number), (Code.FAILED_PRECONDITION, "ASKED", number))
                left = asked.until - time.time() * 1000
                self.assertTrue(3 * DAY - 60_000 < left <= 3 * DAY + 1000, left)
                self.assertIn("grown-up", asked.sentence)

        run_as(LITTLE, ask)

    def test_a_question_waits_is_allowed_and_then_used_once(self):
        self.asks("a", 1)
        self.asks("a", 1)
        self.asks("b", 2)
        self.daemon.kill()
        self.daemon.start()
        self.asks("a", 1)

        def answer():
            with Gate(self.options) as gate:
                listed = gate.asks()
                until = listed[0].until
                offered = ("once", "today")
                first = Ask(
                    1, LITTLE.pw_uid, "Ben", "link.open", "Open a page", "a", AskState.WAITING, until, choices=offered
                )
                self.assertEqual((listed[0], listed[1].details), (first, "b"))
                self.assertGreater(gate.answer_ask(1, True).number, 0)
                self.assertEqual([one.state for one in gate.asks()], [AskState.ALLOWED, AskState.WAITING])
                with self.refused(Code.NOT_FOUND, "UNKNOWN"):
                    gate.answer_ask(1, True)
                with self.refused(Code.PERMISSION_DENIED, "NOT_PERMITTED"):
                    gate.withdraw_ask(2)

        run_as(GRANNY, answer)

        def use():
            with Gate(self.options) as gate:
                self.assertTrue(self.opens(gate, "a"))
                with self.assertRaises(Asked) as caught:
                    self.opens(gate, "a")
                self.assertEqual(caught.exception.number, 3)

        run_as(LITTLE, use)

    def test_a_yes_is_as_much_as_the_choice_says(self):
        self.asks("a", 1)

        def answer():
            with Gate(self.options) as gate:
                for choice in ["always", "30m", "ever", "ONCE"]:
                    with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
                        gate.answer_ask(1, True, choice)
                with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
                    gate.answer_ask(1, False, "today")
                self.assertEqual(gate.asks()[0].state, AskState.WAITING)
                gate.answer_ask(1, True, "today")
                (allowed,) = gate.asks()
                self.assertEqual((allowed.state, allowed.choices, allowed.choice), (AskState.ALLOWED, (), "today"))

        run_as(GRANNY, answer)

        def use():
            with Gate(self.options) as gate:
                self.assertTrue(self.opens(gate, "a") and self.opens(gate, "a"))

        run_as(LITTLE, use)

    def test_a_no_is_no_question_that_waits(self):
        self.asks("a", 1)
        self.gate.answer_ask(1, False)

        def refused():
            with Gate(self.options) as gate:
                with self.refused(Code.FAILED_PRECONDITION, "REFUSED") as caught:
                    self.opens(gate, "a")
                self.assertNotIsInstance(caught.error, Asked)
                self.assertGreater(caught.error.retry_after, 80_000)
                self.assertEqual([one.state for one in gate.asks()], [AskState.REFUSED])
                with self.refused(Code.NOT_FOUND, "UNKNOWN"):
                    gate.withdraw_ask(1)

        run_as(LITTLE, refused)

    def test_who_asked_takes_it_back_and_answers_nothing(self):
        self.asks("a", 1)

        def withdraw():
            with Gate(self.options) as gate:
                with self.refused(Code.PERMISSION_DENIED, "NOT_PERMITTED"):
                    gate.answer_ask(1, True)
                gate.withdraw_ask(1)
                self.assertEqual(gate.asks(), [])
                with self.refused(Code.NOT_FOUND, "UNKNOWN"):
                    gate.withdraw_ask(1)

        run_as(LITTLE, withdraw)
        with self.refused(Code.NOT_FOUND, "UNKNOWN"):
            self.gate.answer_ask(1, True)

    def test_more_time_is_asked_for_and_found_again_with_its_answer(self):
        def plays(gate):
            with gate.authorize("game.late"):
                return True

        def ask():
            with Gate(self.options) as gate:
                with self.refused(Code.FAILED_PRECONDITION, "OUT_OF_HOURS") as caught:
                    plays(gate)
                self.assertEqual(caught.error.parameters["more-time"], "15m 1h")
                self.assertEqual(caught.error.parameters["gated-action"], "game.late")
                one = gate.more_time("game.late", "1h")
                self.assertEqual((one.number, one.state, one.details), (1, AskState.WAITING, "1h"))
                self.assertEqual((one.title, one.is_more_time), ("More time: Play late", True))
                self.assertEqual(gate.more_time("game.late"), one)
                with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
                    gate.more_time("game.late", "16m")
                with self.refused(Code.FAILED_PRECONDITION, "NOT_SET_UP"):
                    gate.more_time("game.play")

        run_as(LITTLE, ask)
        with self.refused(Code.FAILED_PRECONDITION, "NOT_SET_UP"):
            self.gate.more_time("game.late")
        self.gate.answer_ask(1, True)

        def play():
            with Gate(self.options) as gate:
                one = gate.more_time("game.late")
                self.assertEqual((one.number, one.state), (1, AskState.ALLOWED))
                left = one.until - time.time() * 1000
                self.assertTrue(3_500_000 < left <= 3_601_000, left)
                self.assertTrue(plays(gate))

        run_as(LITTLE, play)
        self.gate.answer_ask(1, False)

        def refused():
            with Gate(self.options) as gate:
                self.assertEqual(gate.more_time("game.late").state, AskState.REFUSED)
                with self.refused(Code.FAILED_PRECONDITION, "OUT_OF_HOURS") as caught:
                    plays(gate)
                self.assertNotIn("more-time", caught.error.parameters)

        run_as(LITTLE, refused)

    def test_five_questions_wait_and_no_more(self):
        for number in range(1, 6):
            self.asks(f"page {number}", number)

        def ask():
            with Gate(self.options) as gate, self.refused(Code.RESOURCE_EXHAUSTED, "LIMIT"):
                self.opens(gate, "page 6")

        run_as(LITTLE, ask)

    def test_without_may_wait_nothing_waits_nor_for_strangers_to_the_list(self):
        def ask():
            with Gate(self.options) as gate, self.refused(Code.ABORTED, "NO_PRESENTER"):
                with gate.authorize("link.open", "a"):
                    self.fail("the block ran")

        run_as(LITTLE, ask)
        with self.refused(Code.ABORTED, "NO_PRESENTER"):
            self.opens(self.gate, "a")
        self.assertEqual(self.gate.asks(), [])

    def test_a_watch_tells_each_change_of_them(self):
        stream = self.gate.watch([Topic.ASKS])
        self.assertEqual(stream.next(10).asks, ())
        self.asks("a", 1)
        self.assertEqual([(one.number, one.state) for one in stream.next(10).asks], [(1, AskState.WAITING)])
        self.gate.answer_ask(1, True)
        self.assertEqual([(one.number, one.state) for one in stream.next(10).asks], [(1, AskState.ALLOWED)])
        self.gate.withdraw_ask(1)
        self.assertEqual(stream.next(10).asks, ())
        self.daemon.kill()
        lost = stream.next(10)
        self.assertEqual((lost.kind, lost.asks, lost.schedules), ("lost", (), ()))


class AsyncTests(DaemonTestCase, unittest.IsolatedAsyncioTestCase):
    POLICY = POLICY

    async def test_the_asyncio_face_has_the_same_calls(self):
        gate = await self.enterAsyncContext(aio.Gate(self.options))
        self.assertEqual(await gate.asks(), [])
        with self.refused(Code.NOT_FOUND, "UNKNOWN"):
            await gate.answer_ask(7, True, "today")
        with self.refused(Code.NOT_FOUND, "UNKNOWN"):
            await gate.withdraw_ask(7)
        with self.refused(Code.ABORTED, "NO_PRESENTER"):
            async with gate.authorize("link.open", "a", may_wait=True):
                self.fail("the block ran")
        with self.refused(Code.ABORTED, "NO_PRESENTER"):
            await gate.grant("link.open", "a", may_wait=True)

    async def test_schedules_are_told(self):
        gate = await self.enterAsyncContext(aio.Gate(self.options))
        async for event in gate.watch([Topic.SCHEDULES]):
            self.assertEqual([(one.name, one.is_open) for one in event.schedules], [("later", False), ("now", True)])
            self.assertTrue(all(one.until > time.time() * 1000 for one in event.schedules))
            break
        async with gate.authorize("game.play"):
            pass


class ReadingTests(unittest.TestCase):
    def detail(self, **parameters):
        named = [{"name": name, "value": value} for name, value in parameters.items()]
        return messages.ErrorDetail(reason="REASON_ASKED", parameters=named)

    def test_only_that_code_and_reason_are_a_question_that_waits(self):
        asked = error_of(self.detail(ask="12", ends="99"), "It waits.", Code.FAILED_PRECONDITION)
        self.assertEqual((type(asked), asked.number, asked.until), (Asked, 12, 99))
        for parameters in [{}, {"ask": "-3", "ends": ""}, {"ask": "１２", "ends": "x"}]:
            asked = error_of(self.detail(**parameters), "It waits.", Code.FAILED_PRECONDITION)
            self.assertEqual((type(asked), asked.number, asked.until), (Asked, None, None))
        self.assertIs(type(error_of(self.detail(), "It waits.", Code.UNAVAILABLE)), GateError)
        self.assertIs(type(error_of(messages.ErrorDetail(reason="REASON_REFUSED", code=9), "No.")), GateError)

    def test_what_a_newer_daemon_says_is_read_as_far_as_possible(self):
        self.assertEqual(Ask.read(messages.Ask(number=7, state=9)), Ask(7, 0, "", "", "", "", None, 0))
        self.assertEqual(ScheduleState.read(messages.ScheduleState(name="x", is_open=True)), ScheduleState("x", True))


if __name__ == "__main__":
    unittest.main()
