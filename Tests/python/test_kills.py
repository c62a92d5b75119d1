"""Kills gated at random points of a conversation: no client believes parent then, none hangs, and nothing is left
behind.

KILLS is the number of kills for each client. SEED repeats the same points.
"""

import asyncio
import os
import random
import threading
import time
import unittest

from gateclient import Gate, GateError, Mode, aio
from support_server import open_files
from support_gate import DaemonTestCase, solve, solved

KILLS = int(os.environ.get("KILLS") or 15)
SEED = int(os.environ.get("SEED") or random.randrange(2**32))


class KillTests(DaemonTestCase):
    seconds = 60 + 2 * KILLS

    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        print(f"{KILLS} kills, SEED={SEED} ", end="", flush=True)

    def kill_soon(self):
        """Kills the daemon some time later, while other calls are under way. Returns the thread that does it."""
        process = self.daemon.process

        def kill():
            time.sleep(self.chance.uniform(0, 0.03))
            process.kill()
            process.wait()

        thread = threading.Thread(target=kill)
        thread.start()
        return thread

    def expect_closed(self, gate):
        """Without a daemon every call is refused, and the mode is child."""
        self.assertFalse(gate.status().is_live)
        self.assertEqual(gate.status().mode, Mode.CHILD)

    def test_plain(self):
        files = open_files()
        with Gate(self.options) as gate:
            watch = gate.watch()
            for _ in range(KILLS):
                while (event := watch.next(10)).kind == "lost":
                    pass
                self.assertEqual(event.mode.mode, Mode.CHILD, "parent mode has outlived the daemon")
                killer, ran = self.kill_soon(), []
                try:
                    while True:
                        gate.toggle(solve)
                        with gate.authorize("photos.delete", "x"):
                            ran.append("photos")
                        with gate.authorize("link.open", "x", present=solve):
                            ran.append("link")
                        gate.extend(60, solve)
                        gate.lock()
                except GateError:
                    killer.join()
                self.expect_closed(gate)
                with self.assertRaises(GateError), gate.authorize("photos.delete", "x"):
                    self.fail("the block has run without a daemon")
                told = Mode.CHILD
                while (event := watch.next(5)).kind != "lost":
                    told = event.mode.mode if event.mode else told
                self.assertEqual(event.mode.mode, Mode.CHILD)
                self.daemon.start()
        self.assertEqual(open_files(), files)

    def test_asyncio(self):
        asyncio.run(self.conversations())

    async def conversations(self):
        files = open_files()
        async with aio.Gate(self.options) as gate, aio.Gate(self.options) as screen:
            believed, changed = [Mode.CHILD], asyncio.Event()

            async def follow():
                async for event in gate.watch():
                    believed[0] = event.mode.mode if event.mode else believed[0]
                    believed[1:] = [event.kind]
                    changed.set()

            tasks = [asyncio.create_task(follow()), asyncio.create_task(screen.present(solved, ["arithmetic-entry"]))]

            async def until(is_so):
                try:
                    async with asyncio.timeout(10):
                        while not is_so():
                            changed.clear()
                            await changed.wait()
                except TimeoutError:
                    for task in tasks:
                        task.print_stack()
                    self.fail(f"nothing is heard: {believed}")

            for _ in range(KILLS):
                await until(lambda: believed[1:] not in ([], ["lost"]))
                self.assertEqual(believed[0], Mode.CHILD, "parent mode has outlived the daemon")
                killer = self.kill_soon()
                ran = []
                try:
                    while True:
                        await gate.toggle(solved)
                        async with gate.authorize("photos.delete", "x"):
                            ran.append("photos")
                        async with gate.authorize("link.open", "x", present=solved):
                            ran.append("link")
                        await gate.lock()
                except GateError:
                    await asyncio.to_thread(killer.join)
                self.expect_closed(gate)
                await until(lambda: believed[1:] == ["lost"])
                self.assertEqual(believed[0], Mode.CHILD)
                with self.assertRaises(GateError):
                    await gate.mode()
                await asyncio.to_thread(self.daemon.start)
            for task in tasks:
                self.assertFalse(task.done(), "a watch or a presenter has ended")
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.assertEqual(len(asyncio.all_tasks()), 1, "tasks are left")
        await asyncio.sleep(0.05)
        self.assertLessEqual(open_files(), files + 1)  # one for this test's pool of threads


if __name__ == "__main__":
    unittest.main()
