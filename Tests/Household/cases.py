"""The tests by name."""

import threading
import time
import traceback

from family import Failed

CHARACTERS = 1500


class Case:
    def __init__(self, title, function, after):
        self.title, self.function, self.after = title, function, after

    def holds(self, family):
        start = time.monotonic()
        try:
            note = self.function(family)
        except Failed as error:
            return self.tell(f"FAILED: {self.title}: {error}", False)
        except Exception:
            return self.tell(f"FAILED: {self.title}:\n{traceback.format_exc()}", False)
        detail = "".join(f", {part}" for part in [note] if part)
        return self.tell(f"ok: {self.title} ({time.monotonic() - start:.1f} s{detail})", True)

    @staticmethod
    def tell(text, holds):
        print(text, flush=True)
        return holds


def case(title, after=None):
    """Makes a test of a function. What the function returns is printed after the test's name. `after` is a test that
    has to run before."""
    return lambda function: Case(title, function, after)


def chosen(groups, patterns):
    """The tests that have one of the words in their names, and those that have to run before them, group by group.
    Without words: all of them."""
    cases = [case for group in groups for case in group if not patterns or any(word in case.title for word in patterns)]
    for case in cases:
        if case.after and case.after not in cases:
            cases.append(case.after)
    return [[case for case in group if case in cases] for group in groups]


def together(family, cases):
    """Runs tests at the same time, each on a device of its own, and waits until the household is complete again.

    Returns whether all of them passed.
    """
    results = []
    threads = [threading.Thread(target=lambda test=test: results.append(test.holds(family))) for test in cases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if not all(results):
        tell_logs(family)
    return all(results)


def tell_logs(family):
    """Prints the ends of all logs, and the exit status of programs that have ended."""
    running = [(f"{device.name}/{name}", process) for device in family.devices for name, process in (("gated", device.gated), ("household", device.carrier))]
    for name, process in [*running, ("broker/mosquitto", family.broker.process)]:
        with open(f"{family.folder}/{name}.log", errors="replace") as file:
            print(f"-- {name} ({process.ending}):\n{file.read()[-CHARACTERS:]}", flush=True)
