"""Age ranges, with a real gated."""

import datetime
import os
import re
import unittest
from dataclasses import replace
from unittest import mock

from gateclient import AgeApp, AgeChoice, AgeRange, AgeSettings, AgeSource, Code, Gate, Person, PersonKind, aio, messages
from support import ROOT
from support_gate import GRANNY, LITTLE, DaemonTestCase, run_as

#: A child of seven or eight years, on whichever day of the year this runs.
BORN = datetime.date(datetime.date.today().year - 8, 5, 14)
PAGE = [block for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.DOTALL) if "age_" in block]


class SettingsTests(DaemonTestCase, unittest.IsolatedAsyncioTestCase):
    def test_they_are_off_until_somebody_turns_them_on_and_survive_a_kill(self):
        self.assertEqual(self.gate.age_settings(), AgeSettings(False, (13, 16, 18)))
        first = self.gate.set_age_settings(True)
        self.assertEqual(self.gate.age_settings(), AgeSettings(True, (13, 16, 18)))
        second = self.gate.set_age_settings(True, (12, 14))
        self.assertEqual((second.epoch, second.number > first.number), (first.epoch, True))
        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(self.gate.age_settings(), AgeSettings(True, (12, 14)))
        for gates in [(13, 14), (16, 13), (1,), (26,), (3, 6, 9, 12)]:
            with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
                self.gate.set_age_settings(True, gates)
        self.gate.set_age_settings(False)
        self.assertEqual(self.gate.age_settings(), AgeSettings(False, (12, 14)))

    async def test_a_grown_up_chooses_for_an_app_before_it_has_asked(self):
        gate = await self.enterAsyncContext(aio.Gate(self.options))
        await gate.set_age_settings(True)
        await gate.set_person(Person("Mia", PersonKind.CHILD, born=BORN))
        self.assertEqual(await gate.age_apps(), [])
        for choice in [AgeChoice.ALWAYS, AgeChoice.NEVER, AgeChoice.FOR_NOW, AgeChoice.NOT_NOW]:
            await gate.set_age_choice("Mia", "org.example.chat", choice)
            self.assertEqual(await gate.age_apps(), [AgeApp("Mia", "org.example.chat", choice, False)])
        await gate.set_age_choice("Mia", "org.example.chat", AgeChoice.ASK)
        self.assertEqual(await gate.age_apps(), [])
        with self.refused(Code.NOT_FOUND, "UNKNOWN"):
            await gate.set_age_choice("Nobody", "org.example.chat", AgeChoice.ALWAYS)
        with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
            await gate.set_age_choice("Mia", "", AgeChoice.ALWAYS)
        self.assertIsNone(await gate.age_range())


@unittest.skipUnless(os.getuid() == 0, "only root makes processes of other users")
class AgeTests(DaemonTestCase):
    """Programs of a child and of a grown-up ask."""

    def setUp(self):
        super().setUp()
        self.gate.set_person(Person("Gran", PersonKind.GROWN_UP, user=GRANNY.pw_name))
        self.gate.set_person(Person("Mia", PersonKind.CHILD, born=BORN, user=LITTLE.pw_name))

    def tells(self, user, expected, program="org.example.chat"):
        def ask():
            with Gate(replace(self.options, program=program)) as gate:
                self.assertEqual(gate.age_range(), expected)

        run_as(user, ask)

    def waits(self, app):
        """Waits until an app of Mia's is on the list. It is put there after its answer."""
        stream = self.gate.stream("Watch/Watch", {"topics": ["TOPIC_AGE"]})
        while app not in [one.app for one in stream.next(10).age.waiting if one.person == "Mia"]:
            pass
        stream.close()

    def test_an_app_is_told_what_a_grown_up_has_chosen_for_it(self):
        child = AgeRange(None, 12, AgeSource.GUARDIAN)
        self.tells(LITTLE, None)
        self.gate.set_age_settings(True)
        self.tells(LITTLE, None)
        self.waits("org.example.chat")
        self.assertEqual(self.gate.age_apps(), [AgeApp("Mia", "org.example.chat", AgeChoice.ASK, True)])
        for choice, expected in [
            (AgeChoice.ALWAYS, child), (AgeChoice.NEVER, None), (AgeChoice.FOR_NOW, child), (AgeChoice.NOT_NOW, None),
        ]:
            self.gate.set_age_choice("Mia", "org.example.chat", choice)
            self.tells(LITTLE, expected)
        self.gate.set_age_choice("Mia", "org.example.chat", AgeChoice.ALWAYS)
        self.gate.set_age_settings(True, (5, 9))
        self.tells(LITTLE, AgeRange(5, 8, AgeSource.GUARDIAN))
        # It is this app's, and this person's.
        self.tells(LITTLE, None, "org.example.other")
        self.tells(GRANNY, None)
        self.gate.set_age_choice("Gran", "org.example.chat", AgeChoice.ALWAYS)
        self.gate.set_age_settings(True, (13, 16, 18))
        self.tells(GRANNY, AgeRange(18, None, AgeSource.SELF))
        self.gate.set_age_settings(False)
        self.tells(LITTLE, None)

    def test_a_child_decides_and_reads_nothing(self):
        def change():
            with Gate(self.options) as gate:
                for call in [
                    gate.age_settings, gate.age_apps, lambda: gate.set_age_settings(True),
                    lambda: gate.set_age_choice("Mia", "test", AgeChoice.ALWAYS),
                ]:
                    with self.refused(Code.PERMISSION_DENIED, "NOT_PERMITTED"):
                        call()

        run_as(LITTLE, change)
        self.assertFalse(self.gate.age_settings().is_on)

    def test_a_grown_up_types_the_passcode_and_reads_the_change(self):
        self.gate.raw("Secrets/SetPasscode", {"passcode": b"2468"})
        asked = []

        def present(question):
            asked.append((question.kind, question.asked.gated_action, question.asked.details))
            return b"2468"

        def change():
            with Gate(self.options) as gate:
                with self.refused(Code.ABORTED, "NO_PRESENTER"):
                    gate.set_age_settings(True)
                gate.set_age_settings(True, (13, 16), present)
                self.assertEqual(gate.age_settings(), AgeSettings(True, (13, 16)))
                gate.set_age_choice("Mia", "org.example.chat", AgeChoice.ALWAYS, present, presents_itself=True)
                self.assertEqual(gate.age_apps(), [AgeApp("Mia", "org.example.chat", AgeChoice.ALWAYS, False)])
                self.assertEqual({one[:2] for one in asked}, {("passcode", "gate.change")})
                for words, (_, _, details) in zip([("13", "16"), ("Mia", "org.example.chat")], asked, strict=True):
                    for word in words:
                        self.assertIn(word, details)

        run_as(GRANNY, change)

    def test_the_code_of_the_page_does_what_it_says(self):
        asks, decides = PAGE

        def runs(block):
            known = {}
            with mock.patch.dict(os.environ, GATE_SOCKET=self.daemon.socket):
                exec(block, known)
            return known

        run_as(LITTLE, lambda: self.assertIsNone(runs(asks)["age"]))
        self.gate.set_age_settings(True, (2, 4))
        run_as(LITTLE, lambda: self.assertFalse(runs(asks)["may_chat"]))
        self.waits("org.example.chat")
        with mock.patch("builtins.print") as said:
            runs(decides)
        said.assert_called_once_with("org.example.chat asks how old Mia is")
        self.assertEqual(self.gate.age_settings(), AgeSettings(True, (13, 16, 18)))
        run_as(LITTLE, lambda: self.assertEqual(runs(asks)["age"], AgeRange(None, 12, AgeSource.GUARDIAN)))
        self.gate.set_person(Person("Mia", PersonKind.CHILD, born=BORN.replace(year=BORN.year - 9), user=LITTLE.pw_name))
        run_as(LITTLE, lambda: self.assertTrue(runs(asks)["may_chat"]))


class UnknownTests(unittest.TestCase):
    def test_what_a_newer_daemon_says_is_read_as_far_as_possible(self):
        self.assertEqual(AgeRange.read(messages.AgeRange(low=13, source=9)), AgeRange(13, None, None))
        self.assertEqual(AgeApp.read(messages.AgeApp(person="Mia", app="x", choice=9)), AgeApp("Mia", "x", None, False))


if __name__ == "__main__":
    unittest.main()
