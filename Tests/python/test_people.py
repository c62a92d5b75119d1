"""The list of people, and what stands before gated actions, with a real gated."""

import dataclasses
import datetime
import os
import unittest

from gateclient import Code, Gate, GateStrength, Person, PersonKind, TimeRule, TimeRuleKind, aio, messages
from support_gate import GRANNY, LITTLE, DaemonTestCase, run_as, solve

GROWN_UP, CHILD, SHARED = PersonKind.GROWN_UP, PersonKind.CHILD, PersonKind.SHARED
BORN = datetime.date(2018, 5, 14)


class PeopleTests(DaemonTestCase, unittest.IsolatedAsyncioTestCase):
    def test_people_are_set_listed_and_removed(self):
        self.assertEqual(self.gate.people(), [])
        first = self.gate.set_person(Person("Ben", CHILD, user=LITTLE.pw_name))
        second = self.gate.set_person(Person("Gran", GROWN_UP, user=GRANNY.pw_name))
        self.assertEqual((second.epoch, second.number > first.number), (first.epoch, True))
        self.gate.set_person(Person("Anna", CHILD, born=BORN))
        every = [
            Person("Anna", CHILD, born=BORN),
            Person("Ben", CHILD, user=LITTLE.pw_name, uid=LITTLE.pw_uid),
            Person("Gran", GROWN_UP, user=GRANNY.pw_name, uid=GRANNY.pw_uid),
        ]
        self.assertEqual(self.gate.people(), every)
        with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
            self.gate.set_person(Person("Kiosk", SHARED, user=LITTLE.pw_name))
        self.gate.remove_person("Ben")
        self.gate.set_person(Person("Kiosk", SHARED, user=LITTLE.pw_name))
        self.assertEqual([one.name for one in self.gate.people()], ["Anna", "Gran", "Kiosk"])
        with self.refused(Code.NOT_FOUND, "UNKNOWN"):
            self.gate.remove_person("Ben")
        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(self.gate.people()[2], Person("Kiosk", SHARED, user=LITTLE.pw_name, uid=LITTLE.pw_uid))

    def test_a_person_that_makes_no_sense_is_not_sent(self):
        for person in [Person("Ben", None), Person("Gran", GROWN_UP, born=BORN)]:
            with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
                self.gate.set_person(person)
            with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
                self.gate.register_person(person, "sun-hat")
        self.assertEqual(self.gate.people(), [])

    def test_people_with_a_password_sign_in_and_are_confirmed(self):
        anna = Person("Anna", CHILD, born=BORN)
        self.gate.register_person(anna, "sun-hat")
        with self.refused(Code.FAILED_PRECONDITION, "EXISTS"):
            self.gate.register_person(anna, "sun-hat")
        with self.refused(Code.UNAUTHENTICATED, "WRONG_PASSWORD"):
            self.gate.change_password("Anna", "wrong", "sesame")
        self.gate.change_password("Anna", "sun-hat", b"sesame")
        self.assertTrue(self.gate.log_in("Anna", "sesame").session.is_child)
        self.gate.change_password("Anna", None, "sun-hat")
        with self.refused(Code.ABORTED, "CHANGED_MEANWHILE"):
            self.gate.confirm_person(Person("Anna", GROWN_UP), "sesame")
        self.gate.confirm_person(self.gate.people()[0], "sesame")
        self.assertEqual(self.gate.people(), [Person("Anna", CHILD, born=BORN, has_password=True)])

    async def test_what_stands_before_a_gated_action_is_chosen_and_taken_back(self):
        gate = await self.enterAsyncContext(aio.Gate(self.options))
        checked = await gate.set_gate("calls.video", "passcode", only_checks=True)
        self.assertEqual((checked.before, checked.revision), (None, None))
        self.assertEqual(checked.after.requirement, "challenge passcode")
        changed = await gate.set_gate("calls.video", "{challenge: confirm}", keep=300, title="Call somebody")
        self.assertEqual((changed.before, changed.after.title, changed.after.keep), (None, "Call somebody", 300))
        self.assertEqual(changed.after.origin, "choice of calls.video")
        self.assertEqual(changed.after.strength, GateStrength(1_000_000, True, False))
        self.assertGreater(changed.revision.number, 0)
        listed = {one.gated_action: one for one in await gate.gates()}
        self.assertEqual(listed["calls.video"], dataclasses.replace(changed.after, strength=None))
        self.assertIn("link.open", listed)
        with self.refused(Code.FAILED_PRECONDITION, "BAD_POLICY") as caught:
            await gate.set_gate("calls.video", "{challenge: riddle}")
        self.assertEqual(len(caught.error.issues), 1)
        with self.refused(Code.FAILED_PRECONDITION, "BAD_POLICY") as caught:
            await gate.set_gate("link.open", "confirm")
        self.assertIn("policy.yaml", caught.error.parameters["overruled-by"])
        with self.refused(Code.FAILED_PRECONDITION, "BAD_POLICY"):
            await gate.set_gate("calls.video", "")
        taken = await gate.unset_gate("calls.video")
        self.assertEqual((taken.before, taken.after), (changed.after, None))
        with self.refused(Code.NOT_FOUND, "UNKNOWN"):
            await gate.unset_gate("calls.video")


    async def test_times_are_chosen_for_a_gated_action_and_taken_back_when_none_needs_them(self):
        gate = await self.enterAsyncContext(aio.Gate(self.options))
        games = (TimeRuleKind.ALLOWANCE, "games")
        checked = await gate.set_time_rule(*games, "{mon-fri: 60m}", only_checks=True)
        self.assertEqual((checked.before, checked.revision), (None, None))
        changed = await gate.set_time_rule(*games, "{mon-fri: 60m}")
        self.assertEqual(changed.after, TimeRule(*games, "{mon-fri: 1h}", "choice of allowance games", ()))
        hours = (await gate.set_time_rule(TimeRuleKind.SCHEDULE, "hours", "{sat: 9:00-12:00}")).after
        await gate.set_gate("calls.video", "{allowance: games}")
        listed = [one for one in await gate.time_rules() if one.name in ("games", "hours")]
        self.assertEqual(listed, [dataclasses.replace(changed.after, gated_actions=("calls.video",)), hours])
        with self.refused(Code.FAILED_PRECONDITION, "BAD_POLICY") as caught:
            await gate.unset_time_rule(*games)
        self.assertEqual(caught.error.parameters["needed-by"], "calls.video")
        for notation in ["{mon: soon}", ""]:
            with self.refused(Code.FAILED_PRECONDITION, "BAD_POLICY"):
                await gate.set_time_rule(*games, notation)
        await gate.unset_gate("calls.video")
        taken = await gate.unset_time_rule(*games)
        self.assertEqual((taken.before, taken.after), (changed.after, None))
        with self.refused(Code.NOT_FOUND, "UNKNOWN"):
            await gate.unset_time_rule(*games)


@unittest.skipUnless(os.getuid() == 0, "only root makes processes of other users")
class GrownUpTests(DaemonTestCase):
    """Changes of Gate that a grown-up makes in the session of their own user."""

    def setUp(self):
        super().setUp()
        self.gate.set_person(Person("Gran", GROWN_UP, user=GRANNY.pw_name))
        self.gate.set_person(Person("Ben", CHILD, user=LITTLE.pw_name))
        self.gate.raw("Secrets/SetPasscode", {"passcode": b"2468"})

    def test_a_grown_up_types_the_passcode_and_reads_the_change(self):
        asked = []

        def answers(*those):
            left = list(those)

            def present(question):
                asked.append((question.kind, question.asked.gated_action, question.asked.details))
                return left.pop(0)

            return present

        def change():
            with Gate(self.options) as gate:
                self.assertEqual(len(gate.people()), 2)
                dora = Person("Dora", CHILD, born=BORN)
                with self.refused(Code.ABORTED, "NO_PRESENTER"):
                    gate.set_person(dora)
                with self.refused(Code.FAILED_PRECONDITION, "WRONG_ANSWER"):
                    gate.set_person(dora, answers(b"1357"))
                with self.refused(Code.CANCELLED, "DISMISSED"):
                    gate.set_person(dora, answers(None), presents_itself=True)
                self.assertEqual(len(gate.people()), 2)
                gate.set_person(dora, answers(b"2468"))
                self.assertEqual(gate.people()[1], dora)
                gate.remove_person("Dora", answers(b"2468"))
                self.assertEqual(len(gate.people()), 2)
                rule = gate.set_gate("calls.video", "confirm", present=answers(b"2468")).after
                self.assertEqual(gate.unset_gate("calls.video", present=answers(b"2468")).before, rule)
                self.assertEqual({one[:2] for one in asked}, {("passcode", "gate.change")})
                words = [one[2] for one in asked]
                self.assertEqual(words[:3], ["set Dora, child, born 2018-05-14"] * 3)
                self.assertEqual(words[3], "remove Dora, child, born 2018-05-14")
                self.assertTrue(words[4].startswith("change calls.video: challenge confirm"), words[4])

        run_as(GRANNY, change)

    def test_a_child_changes_nothing_and_reads_nothing(self):
        def change():
            with Gate(self.options) as gate:
                with self.refused(Code.PERMISSION_DENIED, "NOT_PERMITTED"):
                    gate.people()
                with self.refused(Code.PERMISSION_DENIED, "NOT_PERMITTED"):
                    gate.set_person(Person("Ben", GROWN_UP, user=LITTLE.pw_name), solve, presents_itself=True)
                with self.refused(Code.PERMISSION_DENIED, "NOT_PERMITTED"):
                    gate.set_gate("calls.video", "confirm", present=solve)
                self.assertIn("link.open", [one.gated_action for one in gate.gates()])

        run_as(LITTLE, change)
        self.assertEqual([one.kind for one in self.gate.people()], [CHILD, GROWN_UP])


class UnknownTests(unittest.TestCase):
    def test_a_person_of_a_newer_daemon_is_read_as_far_as_possible(self):
        self.assertEqual(Person.read(messages.Person(name="Ben")), Person("Ben", None))
        odd = messages.Person(name="Ben", child={"born": "some day"}, is_user_unknown=True)
        self.assertEqual(Person.read(odd), Person("Ben", CHILD, is_user_unknown=True))


if __name__ == "__main__":
    unittest.main()
