"""The event source for GLib, with a real gated and one that says nothing (K-17)."""

import os
import signal
import subprocess
import time
import unittest

from gateclient import Gate, Kind, Mode, Topic
from support import PROGRAMS
from support_gate import DaemonTestCase, solve

try:
    from gateclient import glib
    from gi.repository import GLib
except ImportError:
    glib = None


@unittest.skipIf(glib is None, "PyGObject is not there")
class GLibTests(DaemonTestCase):
    def setUp(self):
        super().setUp()
        self.context = GLib.MainContext()
        self.told = []

    def attach(self, stream):
        source = glib.attach(stream, self.told.append, self.context)
        self.addCleanup(source.close)
        return source

    def turn_until(self, condition):
        end = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), end, f"only this was told: {self.told}")
            self.context.iteration(True)

    def test_a_watch_is_told_in_the_loop_of_changes_of_its_own_client_and_of_others(self):
        self.attach(self.gate.watch())
        self.turn_until(lambda: self.told)
        self.assertEqual([event.mode.mode for event in self.told], [Mode.CHILD])
        with Gate(self.options) as other:
            self.assertEqual(other.toggle(solve).mode, Mode.PARENT)
        self.turn_until(lambda: len(self.told) == 3)
        # This call also reads the watch's message, so the socket is not readable any more.
        self.gate.lock()
        self.gate.mode()
        self.turn_until(lambda: len(self.told) == 4)
        self.assertEqual(
            [event.mode.mode for event in self.told], [Mode.CHILD, Mode.VERIFYING, Mode.PARENT, Mode.CHILD]
        )

    def test_an_idle_source_sleeps_until_something_comes(self):
        self.attach(self.gate.watch())
        self.turn_until(lambda: self.told)
        for _ in range(5):
            self.context.iteration(False)
        turns = []
        tick = GLib.timeout_source_new(500)
        tick.set_callback(lambda *_: turns.append("over"))
        tick.attach(self.context)
        while "over" not in turns:
            self.context.iteration(True)
            turns.append("turn")
        tick.destroy()
        self.assertLess(len(turns), 5, "it looks again and again")

    def test_a_presenter_shows_and_closes_in_the_loop(self):
        self.attach(self.gate.presenter(["arithmetic-entry"]))
        self.turn_until(lambda: self.told)
        self.assertEqual(self.told.pop().kind, "registered")
        command = [str(PROGRAMS / "gatectl"), "authorize", "link.open", "--details", "x"]
        command += ["--socket", self.daemon.socket, "--server-user", str(os.getuid())]
        ask = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(ask.wait)
        self.addCleanup(ask.kill)
        self.turn_until(lambda: self.told)
        shown = self.told.pop()
        self.assertEqual((shown.kind, shown.presentation.kind), ("show", "arithmetic-entry"))
        shown.presentation.complete(solve(shown.presentation))
        self.turn_until(lambda: self.told)
        self.assertEqual(self.told.pop().kind, "close")
        self.assertEqual(ask.wait(20), 0)

    def test_a_lost_daemon_is_told_and_one_that_is_back_too(self):
        self.attach(self.gate.watch())
        self.turn_until(lambda: self.told)
        self.daemon.kill()
        self.turn_until(lambda: len(self.told) == 2)
        self.assertEqual(self.told[1].kind, "lost")
        self.daemon.start()
        self.turn_until(lambda: len(self.told) == 3)
        self.assertIn(self.told[2].kind, ("snapshot", "resumed"))

    def test_a_daemon_that_hangs_past_a_deadline_is_lost_for_a_loop_that_never_waits(self):
        self.gate.toggle(solve)
        self.gate.extend(1, solve)
        watch = self.gate.watch([Topic.MODE])
        self.assertEqual(watch.next(5).mode.mode, Mode.PARENT)
        self.daemon.process.send_signal(signal.SIGSTOP)
        try:
            end = time.monotonic() + 20
            while (event := watch.next(0)) is None:
                self.assertLess(time.monotonic(), end, "it stays in parent mode")
                time.sleep(0.05)
            self.assertEqual((event.kind, event.mode.mode), ("lost", Mode.CHILD))
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)

    def test_a_loop_that_never_waits_finds_a_daemon_that_is_back(self):
        watch = self.gate.watch()
        self.assertEqual(watch.next(5).kind, "snapshot")
        self.daemon.kill()
        self.assertEqual(watch.next(5).kind, "lost")
        self.daemon.start()
        end = time.monotonic() + 20
        while (event := watch.next(0)) is None:
            self.assertLess(time.monotonic(), end, "the daemon is never asked again")
            time.sleep(0.05)
        self.assertIn(event.kind, ("snapshot", "resumed"))

    def test_a_closed_stream_leaves_the_loop_and_a_raw_one_tells_its_refusal(self):
        source = self.attach(self.gate.watch())
        self.turn_until(lambda: self.told)
        source.close()
        self.assertTrue(source.is_destroyed())
        self.told.clear()
        raw = self.attach(self.gate.stream("Watch/Watch", {"topics": []}))
        self.turn_until(raw.is_destroyed)
        self.assertEqual([error.reason for error in self.told], ["INVALID_REQUEST"])


class KindTests(unittest.TestCase):
    def test_a_kind_is_spelled_as_policies_do_and_equal_to_what_it_was_before(self):
        kind = Kind("arithmetic-entry")
        self.assertEqual(str(kind), "arithmetic-entry")
        self.assertTrue(kind == "arithmetic_entry" and "arithmetic_entry" == kind and not kind != "arithmetic_entry")
        self.assertFalse(kind == "arithmetic-choice" or kind == 3)
        self.assertIn(kind, {"arithmetic-entry": 1})
        match kind:
            case "arithmetic_entry":
                pass
            case _:
                self.fail("a program of before does not know it any more")


if __name__ == "__main__":
    unittest.main()
