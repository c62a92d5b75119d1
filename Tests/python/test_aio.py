"""The asyncio client with a real gated."""

import asyncio
import contextlib
import json
import unittest

from gateclient import STATE_CLOSES, Code, GateError, Mode, aio
from support_gate import DaemonTestCase, solve, solved


class AsyncTests(DaemonTestCase, unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.app = await self.enterAsyncContext(aio.Gate(self.options))
        self.screen = await self.enterAsyncContext(aio.Gate(self.options))

    async def test_a_presenter_shows_what_an_app_asks_until_it_is_cancelled(self):
        shown = []

        async def show(question):
            shown.append(question.asked.details)
            return solve(question)

        presenting = asyncio.create_task(self.screen.present(show, ["arithmetic-entry", "arithmetic-choice"]))
        await self.until_there_is_a_presenter()
        async with self.app.authorize("link.open", "a"):
            shown.append("opened")
        self.assertEqual((await self.app.toggle()).mode, Mode.PARENT)
        presenting.cancel()
        await asyncio.gather(presenting, return_exceptions=True)
        self.assertEqual(shown[-3:], ["a", "opened", ""])
        with self.refused(Code.ABORTED, "NO_PRESENTER"):
            await self.app.grant("link.open", "b")

    async def until_there_is_a_presenter(self):
        """Asks until a presenter has answered."""
        async with asyncio.timeout(10):
            while True:
                try:
                    return await self.app.grant("link.open", "is anybody there?")
                except GateError as error:
                    self.assertEqual(error.reason, "NO_PRESENTER")
                    await asyncio.sleep(0.02)

    async def test_a_question_that_is_withdrawn_goes_from_the_screen(self):
        gone = asyncio.Event()

        async def wait(question):
            try:
                await asyncio.sleep(60)
            finally:
                gone.set()

        toggling = asyncio.create_task(self.app.toggle(wait))
        await self.until(Mode.VERIFYING)
        await self.screen.lock()
        with self.refused(Code.ABORTED, "CLOSED"):
            await toggling
        self.assertTrue(gone.is_set())

    async def test_cancelling_takes_the_question_back(self):
        async def wait(question):
            await asyncio.sleep(60)

        toggling = asyncio.create_task(self.app.toggle(wait))
        await self.until(Mode.VERIFYING)
        toggling.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await toggling
        await self.until(Mode.CHILD)

    async def until(self, mode):
        async with asyncio.timeout(5):
            async with contextlib.aclosing(self.screen.modes()) as modes:
                async for now in modes:
                    if now is mode:
                        return

    async def test_calls_go_on_beside_a_call_that_waits(self):
        waiting = asyncio.create_task(self.app.toggle(solved))
        modes = await asyncio.gather(*(self.app.mode() for _ in range(50)))
        self.assertEqual(len(modes), 50)
        self.assertEqual((await waiting).mode, Mode.PARENT)

    async def test_a_restart_is_survived_by_watch_and_presenter(self):
        presenting = asyncio.create_task(self.screen.present(solved, ["arithmetic-entry"]))
        await self.until_there_is_a_presenter()
        told = []

        async def watch():
            async for event in self.app.watch():
                told.append((event.kind, event.mode.mode))

        watching = asyncio.create_task(watch())
        await asyncio.sleep(0.1)
        self.daemon.kill()
        await asyncio.sleep(0.1)
        self.daemon.start()
        await self.until_there_is_a_presenter()
        async with self.app.authorize("link.open", "x"):
            pass
        async with asyncio.timeout(5):
            # The watch connects only when its task runs.
            while len(told) < 3:
                await asyncio.sleep(0.01)
        self.assertEqual(told[:3], [("snapshot", Mode.CHILD), ("lost", Mode.CHILD), ("snapshot", Mode.CHILD)])
        for task in (presenting, watching):
            task.cancel()
        await asyncio.gather(presenting, watching, return_exceptions=True)

    async def test_a_presenter_that_may_not_is_told(self):
        with self.refused(Code.INVALID_ARGUMENT, "INVALID_REQUEST"):
            await self.screen.present(solved, ["shapes", "shapes"])

    async def test_a_handler_that_fails_ends_the_presenter_and_its_question_goes_on(self):
        async def fail(question):
            raise ZeroDivisionError

        failing = asyncio.create_task(self.screen.present(fail, ["arithmetic-entry"]))
        asking = asyncio.create_task(self.until_there_is_a_presenter())
        with self.assertRaises(ZeroDivisionError):
            await failing
        presenting = asyncio.create_task(self.screen.present(solved, ["arithmetic-entry"]))
        self.assertTrue((await asking).proof)
        presenting.cancel()
        await asyncio.gather(presenting, return_exceptions=True)

    async def test_a_sign_in_that_an_app_shows_itself_is_closed_by_the_state(self):
        self.daemon.kill()
        policy = self.daemon.folder / "config/policy.yaml"
        policy.write_text(policy.read_text() + "  chat: {title: Chat, requires: signed-in}\n")
        self.daemon.start()
        await self.app.toggle(solved)
        account = {"account": {"name": "Anna", "grown_up": {}}, "password": b"sesame"}
        await self.app.raw("SignIn/RegisterAccount", account)

        async def sign_in(question):
            self.assertEqual(question.kind, "sign_in")
            await question.log_in("Anna", "sesame")
            await asyncio.sleep(60)  # the test cancels this

        async with self.app.authorize("chat", present=sign_in):
            self.assertEqual((await self.app.sign_in()).session.name, "Anna")

    async def test_a_form_that_is_asked_for_is_filled_in_by_a_presenter(self):
        async def fill(question):
            draft = await question.open_form()
            await draft.set("name", "Pippi")
            await draft.set("swims", False)
            await draft.complete()
            return STATE_CLOSES

        presenting = asyncio.create_task(self.screen.present(fill, ["form", "arithmetic-entry"]))
        while (response := await self.requested_form()) is None:
            await asyncio.sleep(0.02)
        presenting.cancel()
        await asyncio.gather(presenting, return_exceptions=True)
        answers = json.dumps(await self.app.response(response.response_id))
        self.assertIn("Pippi", answers)

    async def requested_form(self):
        """The answer to the request for a form; None if no presenter can show it yet."""
        try:
            return await self.app.raw("Questionnaires/RequestForm", {"name": "trip"}, timeout=20)
        except GateError as error:
            self.assertEqual(error.reason, "NO_PRESENTER")
            return None

    async def test_closing_ends_everything(self):
        watching = asyncio.create_task(self.app.watch().__anext__())
        await watching
        waiting = [asyncio.create_task(self.app.toggle()), asyncio.create_task(self.app.mode())]
        await asyncio.sleep(0)
        self.app.close()
        for result in await asyncio.gather(*waiting, return_exceptions=True):
            self.assertIsInstance(result, GateError)


if __name__ == "__main__":
    unittest.main()
