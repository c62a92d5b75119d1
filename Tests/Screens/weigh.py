"""How heavy gate-presenter is. Run by Tests/Screens/run --weigh; prints a line of each figure, with its target."""
import os
import re
import subprocess
import sys
import time

from device import BIN, Asker, Presenter, gatectl
from person import the_sum
from screen import WORK, button, is_ready, no_window, press, until


def anonymous_kibibytes(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"RssAnon:\s+(\d+) kB", file.read()).group(1))


def switches(pid):
    """How often each of its threads was woken."""
    count = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status", encoding="utf-8") as file:
            count[task] = int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", file.read()).group(1))
    return count


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def shown_after(number):
    """In seconds, from the first line of the watch to the line that says that a person can see it."""
    watch = subprocess.Popen(gatectl("watch", "--topic", "presentations", "--json"), stdout=subprocess.PIPE, text=True)
    watch.stdout.readline()
    times = []
    for _ in range(number):
        asked = time.monotonic()
        asker = Asker("link.open")
        while "SHOWN" not in watch.stdout.readline():
            pass
        times.append(time.monotonic() - asked)
        press("Not now")
        asker.ends("a question", 3)
        # What came meanwhile is about the one that has gone.
        subprocess.run(gatectl("ping"), check=True, capture_output=True)
    watch.kill()
    return sorted(times)


def main():
    waiting = Asker("link.open")
    waiting.process.wait()
    started = time.monotonic()
    Presenter()
    while not Presenter.newest.is_registered():
        time.sleep(0.005)
    registered = time.monotonic() - started
    asker = Asker("link.open")
    while no_window():
        time.sleep(0.005)
    first = time.monotonic() - started
    press("Not now")
    asker.ends("the first question", 3)
    times = shown_after(20)
    until("no window", no_window)
    # GLib's own threads go when they were idle for a quarter of a minute.
    time.sleep(20)
    pid = Presenter.newest.process.pid
    before, used = switches(pid), processor_seconds(pid)
    time.sleep(20)
    figures = [
        ("registered after its start", f"{registered * 1000:.0f} ms", ""),
        ("first window after its start", f"{first * 1000:.0f} ms", "at most 500 ms"),
        ("a question on the screen after gatectl was started, p50", f"{times[len(times) // 2] * 1000:.0f} ms", ""),
        ("the same, p95", f"{times[int(len(times) * 0.95)] * 1000:.0f} ms", "at most 100 ms"),
        ("anonymous memory while it waits, after 21 questions", f"{anonymous_kibibytes(pid) / 1024:.1f} MiB", "at most 40 MiB"),
        ("wake-ups in 20 s while it waits", str(sum(max(0, count - before.get(task, 0)) for task, count in switches(pid).items())), "0"),
        ("processor time in these 20 s", f"{processor_seconds(pid) - used:.2f} s", "0"),
    ]
    for what, value, target in figures:
        print(f"{what}: {value}" + (f" ({target})" if target else ""))
    Presenter.newest.end()


if __name__ == "__main__":
    sys.exit(main())
