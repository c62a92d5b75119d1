"""Each step of the bridge to timekpr, with every step being the last one before an end."""

import asyncio
import itertools
import os
import tempfile
import unittest

from gateclient import Ask, AskState, Code, GateError
from gate_timekpr import Bridge, Ledger, Standing, TimekprError, publish, seconds_of

MIA, BEN = 1001, 1002
NAMES = {MIA: "mia", BEN: "ben"}


class Killed(BaseException):
    """The bridge, or what it called, ended at this point."""


class Fuse:
    """Ends the bridge at a point: each call has one before it is made, and one before its answer is read."""

    def __init__(self, points=None):
        self.left = points

    def point(self):
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                self.left = None
                raise Killed

    def __call__(self, call):
        def guarded(*arguments):
            self.point()
            answer = call(*arguments)
            self.point()
            return answer

        return guarded


class Device:
    """What survives the bridge: gated, timekpr, the disk, and the day."""

    def __init__(self):
        self.asks = {}
        self.refused = set()
        self.day = "2026-11-29"
        self.counted = {"mia", "ben"}
        self.extra = {"mia": 0, "ben": 0}
        self.additions = []
        # How often timekpr forgets what was added, as before it has saved a child's first counters of the day.
        self.forgets = 0
        self.timekpr_error = self.gate_error = None
        self.log = []
        self._folder = tempfile.TemporaryDirectory()
        self.ledger = os.path.join(self._folder.name, "additions")
        self.start()

    def close(self):
        self._folder.cleanup()

    def start(self, fuse=None):
        """A bridge that starts, with what is on the disk."""
        fuse = self.fuse = fuse or Fuse()
        ledger = Ledger(self.ledger)
        ledger.keep, ledger.forget = fuse(ledger.keep), fuse(ledger.forget)
        timekpr = Calls(standing=fuse(self._standing), add=fuse(self._add))
        gate = Calls(asks=in_future(fuse(self._list)), withdraw_ask=in_future(fuse(self._withdraw)))
        self.bridge = Bridge(
            gate, timekpr, ledger, self.log.append,
            today=lambda: self.day, user_name=lambda uid: NAMES[uid], sync=fuse(lambda: None),
        )

    def allow(self, number, choice="30m", uid=MIA, action="session.time", state=AskState.ALLOWED, device=""):
        self.asks[number] = Ask(number, uid, NAMES.get(uid, ""), action, "More time", "", state, 0, device, choice=choice)

    def refuse(self, number):
        """A grown-up takes the answer back."""
        del self.asks[number]
        self.refused.add(number)

    def carry(self):
        return asyncio.run(self.bridge.carry())

    def carry_until_killed(self):
        """Returns whether it was."""
        try:
            self.carry()
        except Killed:
            return True
        return False

    def settle(self):
        """Goes on until nothing waits."""
        for _ in range(5):
            if not self.carry():
                return
        raise AssertionError(f"something waits for ever: {self.log}")

    def _list(self):
        return list(self.asks.values()) + [
            Ask(number, MIA, "mia", "session.time", "", "", AskState.REFUSED, 0) for number in self.refused
        ]

    def _withdraw(self, number):
        if self.gate_error:
            raise self.gate_error
        if number not in self.asks:
            raise GateError(Code.NOT_FOUND, "no such ask", "UNKNOWN")
        del self.asks[number]

    def _standing(self, user):
        if self.timekpr_error:
            raise self.timekpr_error
        return Standing(user in self.counted, self.extra[user])

    def _add(self, user, seconds):
        if self.timekpr_error:
            raise self.timekpr_error
        if self.forgets:
            self.forgets -= 1
            return
        self.extra[user] += seconds
        self.additions.append((user, seconds))


class Calls:
    def __init__(self, **calls):
        self.__dict__ |= calls


def in_future(call):
    async def called(*arguments):
        return call(*arguments)

    return called


class StepTests(unittest.TestCase):
    def setUp(self):
        self.device = self.new()

    def new(self):
        device = Device()
        self.addCleanup(device.close)
        return device

    def test_an_answer_is_added_once(self):
        self.device.allow(12)
        self.assertFalse(self.device.carry())
        self.assertEqual((self.device.additions, self.device.asks), ([("mia", 1800)], {}))
        self.assertFalse(self.device.carry())
        self.device.start()
        self.assertFalse(self.device.carry())
        self.assertEqual(self.device.additions, [("mia", 1800)])
        self.assertEqual(self.device.log, ["ask 12: 30 min for mia: added"])

    def test_two_children_and_two_answers(self):
        self.device.allow(12)
        self.device.allow(13, "1h30m", BEN)
        self.device.allow(14, "15m")
        self.device.carry()
        self.assertEqual(self.device.extra, {"mia": 2700, "ben": 5400})

    def test_only_amounts_for_session_time_that_were_allowed_here_are_added(self):
        self.device.allow(1, "once")
        self.device.allow(2, "today")
        self.device.allow(3, "always")
        self.device.allow(4, "30m", action="games.play")
        self.device.allow(5, "", state=AskState.WAITING)
        self.device.allow(6, "", state=AskState.REFUSED)
        self.device.allow(7, "30m", state=None)
        self.device.allow(8, "30m", device="tablet")
        self.assertFalse(self.device.carry())
        self.assertEqual((self.device.additions, len(self.device.asks)), ([], 8))

    def test_amounts(self):
        amounts = {"15m": 900, "1h": 3600, "1h30m": 5400, "90s": 90, "0s": 0, "": None, "m": None, "30": None, "1d": None, "30m ": None}
        for text, seconds in amounts.items():
            self.assertEqual(seconds_of(text), seconds, text)
        self.device.allow(1, "0s")
        self.assertFalse(self.device.carry())
        self.assertEqual(self.device.additions, [])

    def test_killed_at_every_point_it_is_added_once(self):
        points = 0
        for point in itertools.count():
            device = self.new()
            device.allow(12)
            device.start(Fuse(point))
            if not device.carry_until_killed():
                break
            points += 1
            device.start()
            device.settle()
            self.assertEqual((device.additions, device.asks), ([("mia", 1800)], {}), f"killed at point {point}: {device.log}")
            self.assertNotIn(12, device.bridge._ledger)
        # Listed, looked at, written down, taken, written down, looked at, written down, added, looked at, on the disk, forgotten.
        self.assertEqual(points, 2 * 11)

    def test_killed_at_every_two_points_it_is_added_once(self):
        for first in range(24):
            for second in itertools.count():
                device = self.new()
                device.allow(12)
                device.start(Fuse(first))
                device.carry_until_killed()
                device.start(Fuse(second))
                is_over = not device.carry_until_killed()
                device.start()
                device.settle()
                self.assertEqual(device.additions, [("mia", 1800)], f"killed at {first} and {second}: {device.log}")
                if is_over:
                    break

    def test_killed_at_every_point_while_the_child_goes(self):
        for point in itertools.count():
            device = self.new()
            device.allow(12)
            device.start(Fuse(point))
            if not device.carry_until_killed():
                break
            device.counted.clear()
            device.start()
            for _ in range(3):
                device.carry()
            added = list(device.additions)
            device.counted.add("mia")
            device.settle()
            self.assertEqual(device.additions, [("mia", 1800)], f"killed at {point}: {device.log}")
            self.assertLessEqual(len(added), 1)

    def test_killed_at_every_point_with_time_added_and_taken_by_hand_before(self):
        for before in (-900, 600):
            for point in itertools.count():
                device = self.new()
                device.extra["mia"] = before
                device.allow(12)
                device.start(Fuse(point))
                if not device.carry_until_killed():
                    break
                device.start()
                device.settle()
                self.assertEqual(device.extra["mia"], before + 1800)

    def test_an_answer_waits_in_gated_until_timekpr_counts(self):
        self.device.counted.clear()
        self.device.allow(12)
        self.assertTrue(self.device.carry())
        self.assertTrue(self.device.carry())
        self.assertEqual((self.device.additions, list(self.device.asks)), ([], [12]))
        self.assertEqual(len(self.device.log), 1, "it is said once")
        self.assertEqual(self.device.bridge.troubles, [], "nothing is wrong")
        self.device.counted.add("mia")
        self.assertFalse(self.device.carry())
        self.assertEqual(self.device.additions, [("mia", 1800)])

    def test_an_answer_that_waits_can_be_taken_back(self):
        self.device.counted.clear()
        self.device.allow(12)
        self.device.carry()
        self.device.refuse(12)
        self.device.counted.add("mia")
        self.assertFalse(self.device.carry())
        self.assertEqual(self.device.additions, [])

    def test_taken_back_just_before_it_is_taken(self):
        self.device.allow(12)
        keep = self.device.bridge._ledger.keep

        def keep_late(addition):
            keep(addition)
            self.device.refuse(12)

        self.device.bridge._ledger.keep = keep_late
        self.assertFalse(self.device.carry())
        self.device.start()
        self.device.settle()
        self.assertEqual(self.device.additions, [])

    def test_taken_back_while_gated_could_not_be_reached(self):
        self.device.allow(12)
        self.device.gate_error = GateError(Code.UNAVAILABLE, "away")
        with self.assertRaises(GateError):
            self.device.carry()
        self.device.gate_error = None
        self.device.refuse(12)
        self.device.settle()
        self.assertEqual(self.device.additions, [])

    def test_gated_away_after_it_was_written_down(self):
        self.device.allow(12)
        self.device.gate_error = GateError(Code.UNAVAILABLE, "away")
        with self.assertRaises(GateError):
            self.device.carry()
        self.assertEqual(self.device.additions, [])
        self.device.gate_error = None
        self.device.settle()
        self.assertEqual(self.device.additions, [("mia", 1800)])

    def test_timekpr_away_is_told_until_it_is_back(self):
        self.device.allow(12)
        self.device.timekpr_error = TimekprError("timekpr does not answer: gone")
        for _ in range(2):
            self.assertTrue(self.device.carry())
            self.assertEqual(self.device.bridge.troubles, ["ask 12: timekpr does not answer: gone"])
        self.assertEqual(list(self.device.asks), [12], "the answer stays where it can be seen and taken back")
        self.device.timekpr_error = None
        self.assertFalse(self.device.carry())
        self.assertEqual((self.device.bridge.troubles, self.device.additions), ([], [("mia", 1800)]))

    def test_timekpr_ends_at_every_point(self):
        for point in range(3):
            device = self.new()
            device.allow(12)
            calls = itertools.count()

            def failing(call):
                def called(*arguments):
                    answer = call(*arguments)
                    if next(calls) == point + 1:
                        raise TimekprError("timekpr does not answer: it ended")
                    return answer

                return called

            timekpr = device.bridge._timekpr
            timekpr.standing, timekpr.add = failing(timekpr.standing), failing(timekpr.add)
            self.assertTrue(device.carry(), f"point {point}")
            self.assertEqual(len(device.bridge.troubles), 1)
            device.settle()
            self.assertEqual(device.additions, [("mia", 1800)])

    def test_what_timekpr_forgets_is_added_again(self):
        self.device.forgets = 3
        self.device.allow(12)
        for _ in range(3):
            self.assertTrue(self.device.carry())
        self.device.settle()
        self.assertEqual(self.device.additions, [("mia", 1800)])

    def test_the_day_ends_before_it_is_sure(self):
        self.device.allow(12)
        self.device.start(Fuse(9))
        self.assertTrue(self.device.carry_until_killed())
        self.device.day = "2026-11-30"
        self.device.start()
        self.assertFalse(self.device.carry())
        self.assertEqual(self.device.additions, [])
        self.assertIn("the day ended", self.device.bridge.troubles[0])
        self.device.carry()
        self.assertEqual(len(self.device.bridge.troubles), 1, "it stays until something is added again")
        self.device.allow(13)
        self.device.carry()
        self.assertEqual((self.device.bridge.troubles, self.device.additions), ([], [("mia", 1800)]))

    def test_an_answer_from_yesterday_is_added_today(self):
        self.device.counted.clear()
        self.device.allow(12)
        self.device.carry()
        self.device.day = "2026-11-30"
        self.device.counted.add("mia")
        self.device.carry()
        self.assertEqual(self.device.additions, [("mia", 1800)])

    def test_a_user_who_is_gone_is_told(self):
        self.device.allow(12, uid=4711)
        self.assertFalse(self.device.carry())
        self.assertEqual(self.device.bridge.troubles, ["ask 12: this device has no user 4711"])

    def test_what_is_wrong_stands_in_a_file(self):
        path = os.path.join(os.path.dirname(self.device.ledger), "trouble")
        publish([], path)
        publish(["ask 12: a", "ask 13: b"], path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "ask 12: a\nask 13: b\n")
        publish([], path)
        self.assertFalse(os.path.exists(path))

    def test_a_ledger_that_is_cut_off_is_never_read(self):
        self.device.allow(12)
        self.device.start(Fuse(7))
        self.device.carry_until_killed()
        with open(f"{self.device.ledger}.new", "w", encoding="utf-8") as file:
            file.write("[{")
        self.device.start()
        self.device.settle()
        self.assertEqual(self.device.additions, [("mia", 1800)])


if __name__ == "__main__":
    unittest.main()
