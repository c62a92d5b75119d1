"""The plain client with a real gated."""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import unittest

from gateclient import (
    STATE_CLOSES,
    Code,
    Gate,
    GateError,
    Mode,
    Outcome,
    Subject,
    Topic,
    messages,
)
from support_gate import DaemonTestCase, solve, wrong
from support_server import open_files

class PlainTests(DaemonTestCase):
    def test_the_mode_is_read_changed_and_watched(self):
        watch = self.gate.watch()
        self.assertEqual(watch.next(5).mode.mode, Mode.CHILD)
        self.assertIsNone(watch.next(0.05))
        state = self.gate.toggle(solve)
        self.assertEqual(state.mode, Mode.PARENT)
        self.assertEqual(self.gate.mode(), state)
        self.assertEqual([watch.next(5).mode.mode for _ in range(2)], [Mode.VERIFYING, Mode.PARENT])
        self.assertEqual(self.gate.status().mode, Mode.PARENT)
        self.assertGreater(self.gate.extend(3600, solve).deadline, state.deadline)
        self.assertEqual(self.gate.lock().mode, Mode.CHILD)
        self.assertFalse(self.gate.status().mode_deadline)

    def test_a_wrong_answer_and_none_at_all(self):
        with self.refused(Code.FAILED_PRECONDITION, "WRONG_ANSWER"):
            self.gate.toggle(wrong)
        seen = []

        def mumble(question):
            seen.append(question.refusal)
            return solve(question) if len(seen) == 3 else "what?"

        self.assertEqual(self.gate.toggle(mumble).mode, Mode.PARENT)
        self.assertEqual([error and error.code for error in seen], [None, Code.INVALID_ARGUMENT, Code.INVALID_ARGUMENT])
        self.gate.lock()
        with self.refused(Code.CANCELLED, "DISMISSED"):
            self.gate.toggle(lambda question: None)
        with self.refused(Code.ABORTED, "NO_PRESENTER"):
            self.gate.toggle()

    def test_a_handler_that_never_answers_is_asked_ten_times_and_then_dismissed(self):
        asked = []
        with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
            self.gate.toggle(lambda question: asked.append(1) or "what?")
        self.assertEqual(len(asked), 10)
        self.assertEqual(self.gate.mode().mode, Mode.CHILD)

    def test_a_handler_that_fails_leaves_no_question_open(self):
        with self.assertRaises(ZeroDivisionError):
            self.gate.toggle(lambda question: 1 / 0)
        self.assertEqual(self.gate.mode().mode, Mode.CHILD)

    def test_a_block_runs_once_it_is_authorized_and_not_otherwise(self):
        ran = []
        with self.gate.authorize("link.open", "https://example.org/", present=solve):
            ran.append("solved")
        for present in (None, lambda question: "1", lambda question: None):
            with self.assertRaises(GateError), self.gate.authorize("link.open", "x", present=present):
                ran.append("not solved")
        with self.refused(Code.ABORTED, "NOT_PARENT"), self.gate.authorize("photos.delete"):
            ran.append("not parent")
        with self.refused(Code.FAILED_PRECONDITION, "DENIED"), self.gate.authorize("rocket.launch"):
            ran.append("denied")
        self.assertEqual(ran, ["solved"])
        with self.assertRaises(KeyError), self.gate.authorize("link.open", present=solve):
            raise KeyError("the block's own")

    def test_what_an_authorization_needs_is_known_before(self):
        outlook = self.gate.check("link.open")
        self.assertEqual(outlook.outcome, Outcome.PERSON_NEEDED)
        self.assertEqual(outlook.need.kind, messages.Need.KIND_CHALLENGE)
        self.assertEqual(self.gate.check("rocket.launch").outcome, Outcome.DENIED)
        self.gate.toggle(solve)
        self.assertEqual(self.gate.check("photos.delete").outcome, Outcome.GRANTED)

    def test_a_broker_asks_for_another_process(self):
        with subprocess.Popen(["sleep", "60"]) as other:
            subject = Subject.of_process(other.pid)
            self.assertEqual((subject.uid, subject.pid), (os.getuid(), other.pid))
            self.assertEqual(self.gate.check("link.open", subject=subject).outcome, Outcome.PERSON_NEEDED)

            def present(question):
                self.assertEqual(question.asked.pid, other.pid)
                return solve(question)

            with self.gate.authorize("link.open", "https://example.org/", subject=subject, present=present):
                pass
            with self.refused(5, "UNKNOWN"):
                self.gate.check("link.open", subject=subject._replace(start_time_ticks=subject.start_time_ticks + 1))
            other.kill()
        with self.refused(5, "UNKNOWN"):
            self.gate.check("link.open", subject=subject)
        with self.assertRaises(OSError):
            Subject.of_process(subject.pid)

    def test_another_process_redeems_a_grant_once(self):
        grant = self.gate.grant("link.open", "x", redeemer=os.getuid(), present=solve)
        self.assertNotIn(repr(grant.proof), repr(grant))
        program = (
            "import sys; from gateclient import *\n"
            f"gate = Gate(Options(socket_path={self.daemon.socket!r}, server_user={os.getuid()}))\n"
            f"print(gate.redeem({grant.proof!r}, 'link.open', 'x').pid)\n"
            f"try: gate.redeem({grant.proof!r}, 'link.open', 'x')\n"
            "except GateError as error: print(error.reason)"
        )
        output = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(output.split(), [str(os.getpid()), "NO_GRANT"])

    def test_a_restart_is_survived_and_resumed(self):
        watch = self.gate.watch()
        watch.next(5)
        self.gate.toggle(solve)
        self.assertEqual([watch.next(5).mode.mode for _ in range(2)], [Mode.VERIFYING, Mode.PARENT])
        self.daemon.kill()
        self.assertEqual(self.gate.status().mode, Mode.CHILD)
        lost = watch.next(5)
        self.assertEqual((lost.kind, lost.mode.mode, lost.error.code), ("lost", Mode.CHILD, Code.UNAVAILABLE))
        with self.assertRaises(GateError):
            self.gate.mode()
        self.assertIsNone(watch.next(0.1))
        self.daemon.start()
        self.assertEqual(watch.next(5).mode.mode, Mode.CHILD)
        self.assertEqual(self.gate.mode().mode, Mode.CHILD)

    def test_a_connection_that_was_cut_is_resumed_without_a_snapshot(self):
        watch = self.gate.watch()
        self.assertEqual(watch.next(5).kind, "snapshot")
        self.gate._core._link.close()
        self.assertEqual([watch.next(5).kind for _ in range(2)], ["lost", "resumed"])

    def test_people_sign_in_and_out(self):
        self.gate.toggle(solve)
        self.gate.raw("SignIn/RegisterAccount", {"account": {"name": "Anna", "grown_up": {}}, "password": b"sesame"})
        watch = self.gate.watch([Topic.SIGN_IN])
        self.assertIsNone(watch.next(5).sign_in.session)
        with self.refused(Code.UNAUTHENTICATED, "WRONG_PASSWORD"):
            self.gate.log_in("Anna", "open")
        self.assertEqual(self.gate.log_in("Anna", "sesame").session.name, "Anna")
        self.assertEqual(self.gate.sign_in().session.name, "Anna")
        while (event := watch.next(5)).sign_in.session is None:
            pass
        self.assertFalse(event.sign_in.session.is_child)
        self.daemon.kill()
        self.assertIsNone(watch.next(5).sign_in.session)
        self.daemon.start()
        self.gate.log_out()
        self.assertIsNone(self.gate.sign_in().session)

    def test_premium_is_paid_for_while_the_paywall_is_shown(self):
        self.assertFalse(self.gate.entitlements().is_subscription_active)
        with self.refused(Code.CANCELLED, "DISMISSED"):
            self.gate.require_premium(present=lambda paywall: None)
        other = self.enterContext(Gate(self.options))

        def pay(paywall):
            self.assertEqual((paywall.kind, paywall.content.entitlement), ("paywall", "premium"))
            other.raw("Entitlements/AddClaim", {"entitlement": "premium"})
            return STATE_CLOSES

        self.gate.require_premium(present=pay)
        self.gate.require_premium()
        self.assertTrue(self.gate.entitlements().is_subscription_active)
        self.assertTrue(self.gate.status().is_subscription_active)

    def test_a_form_is_filled_in(self):
        self.assertEqual([form.name for form in self.gate.forms()], ["trip"])
        self.assertEqual(self.gate.questionnaire("trip")["title"], "A school trip")
        draft = self.gate.open_form("trip")
        self.assertEqual([item["linkId"] for item in draft.items()], ["name", "swims"])
        draft.set("swims", True)
        self.assertEqual([item["linkId"] for item in draft.items()], ["name", "swims", "badge"])
        with self.refused(Code.FAILED_PRECONDITION, "INCOMPLETE") as caught:
            draft.complete()
        self.assertEqual([issue.form.link_id for issue in caught.error.issues], ["name"])
        with self.refused(Code.INVALID_ARGUMENT, "BAD_ANSWER"):
            draft.set("name", "x" * 21)
        other = self.gate.open_form("trip")
        other.set("name", "Pippi")
        with self.refused(Code.ABORTED, "CHANGED_MEANWHILE"):
            draft.set("name", "Tommy")
        draft.read()
        number = draft.complete()
        answers = {item["linkId"]: item.get("answer") for item in self.gate.response(number)["item"]}
        self.assertEqual(answers["name"], [{"valueString": "Pippi"}])

    def test_every_method_can_be_called_by_its_name(self):
        self.assertIn("mode", self.gate.raw("Control/GetVersion").capabilities)
        request = messages.PingRequest(echo=b"hello")
        self.assertEqual(self.gate.raw("gate.v1.Control/Ping", request).echo, b"hello")
        for name, request in {"Mode/Nothing": {}, "Mode/GetMode": {"what": 1}, "Watch/Watch": {}}.items():
            with self.subTest(name), self.assertRaises(GateError):
                self.gate.raw(name, request)
        with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
            self.gate.check("\udcff")
        entries = list(self.gate.stream("Watch/Audit", {"last": 1}))
        self.assertEqual(entries[0].entries[0].kind, messages.AuditKind.AUDIT_KIND_STARTED)
        with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
            next(self.gate.stream("Watch/Watch"))

    def test_one_thread_presents_what_another_asks(self):
        presenter = self.gate.presenter(["arithmetic-entry"])
        self.assertEqual(presenter.next(5).kind, "registered")
        done = []

        def ask():
            with Gate(self.options) as gate, gate.authorize("link.open", "x"):
                done.append("opened")

        asking = threading.Thread(target=ask)
        asking.start()
        event = presenter.next(5)
        self.assertEqual((event.kind, event.presentation.asked.details), ("show", "x"))
        event.presentation.report("shown")
        event.presentation.complete(solve(event.presentation))
        self.assertEqual((presenter.next(5).kind, event.number), ("close", event.presentation.number))
        asking.join(10)
        self.assertEqual(done, ["opened"])

    def test_a_second_thread_is_told_to_make_its_own(self):
        caught = []

        def use():
            try:
                self.gate.mode()
            except RuntimeError as error:
                caught.append(str(error))

        def present(question):
            thread = threading.Thread(target=use)
            thread.start()
            thread.join(10)
            return solve(question)

        self.gate.toggle(present)
        self.assertEqual(len(caught), 1)

    def test_a_child_process_has_a_connection_of_its_own(self):
        watch = self.gate.watch()
        watch.next(5)
        child = os.fork()
        if child == 0:
            status = 1
            with contextlib.suppress(Exception):
                status = 0 if self.gate.mode().mode is Mode.CHILD else 2
            os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.gate.toggle(solve)
        self.assertEqual(watch.next(5).mode.mode, Mode.VERIFYING)

    def test_nothing_is_left_behind(self):
        for _ in range(3):
            before = open_files()
            with Gate(self.options) as gate:
                gate.mode()
                watch = gate.watch()
                watch.next(5)
            self.assertIsNone(watch.next(1))
            with self.refused(Code.CANCELLED, "UNSPECIFIED"):
                gate.mode()
            self.assertEqual(open_files(), before)
        for _ in range(40):  # more than a connection may have open
            self.gate.watch().next(5)
        gc.collect()


if __name__ == "__main__":
    unittest.main()
