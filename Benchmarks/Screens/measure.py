"""Measures how soon a question is on the screen, and what a waiting presenter costs. Benchmarks/Screens/run runs it."""
import json
import os
import re
import subprocess
import sys
import threading
import time

BIN, WORK, AGENT = os.environ["GATE_BIN"], os.environ["GATE_WORK"], os.environ["GATE_AGENT"]
USER = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
ROUNDS = 20


class Maps:
    """The moments at which windows appear on the screen, as the X server reports them."""

    def __init__(self):
        self.changed = threading.Condition()
        self.shown, self.hidden = [], []
        display = subprocess.Popen(["stdbuf", "-oL", "xev", "-root", "-event", "substructure"], stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, args=(display.stdout,), daemon=True).start()

    def read(self, lines):
        for line in lines:
            with self.changed:
                if line.startswith("MapNotify"):
                    self.shown.append(time.monotonic())
                elif line.startswith("UnmapNotify") or line.startswith("DestroyNotify"):
                    self.hidden.append(time.monotonic())
                self.changed.notify_all()

    def first(self, moments, after):
        """The first of these moments after `after`. Fails after ten seconds."""
        with self.changed:
            found = self.changed.wait_for(lambda: next((moment for moment in moments if moment > after), None), 10)
        if not found:
            raise SystemExit("no window came or went within ten seconds")
        return found


class Gate:
    """One of Gate's presenters, and a program that asks its daemon."""

    def __init__(self, name, action, command):
        self.name, self.action, self.socket = name, action, os.path.join(WORK, f"{name}.sock")
        self.process = command and subprocess.Popen(command + self.options(), env={**os.environ, "GATECTL": os.path.join(BIN, "gatectl")})

    def options(self):
        return ["--socket", self.socket, "--server-user", USER]

    def wait_for_presenter(self):
        until = time.monotonic() + 10
        while json.loads(subprocess.run(
                [os.path.join(BIN, "gatectl"), "statistics", "--json", *self.options()], capture_output=True, text=True, check=True
        ).stdout).get("presenters") != 1:
            if time.monotonic() > until:
                raise SystemExit(f"no presenter of {self.name} within ten seconds")
            time.sleep(0.005)

    def ask(self):
        self.asker = subprocess.Popen(
            [os.path.join(BIN, "gatectl"), "authorize", self.action, *self.options()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def take_back(self):
        self.asker.kill()
        self.asker.wait()


class Polkit:
    """GNOME's agent of polkit."""

    def __init__(self):
        folder = os.path.join(WORK, "polkit")
        os.mkdir(folder, 0o755)
        self.shell = subprocess.Popen([AGENT, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = int(self.shell.stdout.readline().split()[1])

    def press(self):
        self.shell.stdin.write("\n")
        self.shell.stdin.flush()

    ask = take_back = press

    def end(self):
        self.shell.stdin.close()
        self.shell.wait()


def round_of(subject, maps):
    """The seconds from the start of the program that asks until its window is there."""
    started = time.monotonic()
    subject.ask()
    shown = maps.first(maps.shown, started)
    # Gives the window some time to settle before it is closed.
    time.sleep(0.3)
    asked_to_go = time.monotonic()
    subject.take_back()
    maps.first(maps.hidden, asked_to_go)
    time.sleep(0.3)
    return shown - started


def family(pid):
    """The process and all its descendants."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        children = [int(word) for word in file.read().split()]
    return [pid] + [one for child in children for one in family(child)]


def status(pid, pattern, path="status"):
    with open(f"/proc/{pid}/{path}", encoding="utf-8") as file:
        return int(re.search(pattern, file.read()).group(1))


def memory(pid):
    """The private memory of the process and its descendants, in MiB."""
    return sum(status(one, r"RssAnon:\s+(\d+) kB") for one in family(pid)) / 1024


def wakeups(pid):
    """How often each thread has waited so far."""
    return {
        (one, thread): status(one, r"\nvoluntary_ctxt_switches:\s+(\d+)", f"task/{thread}/status")
        for one in family(pid) for thread in os.listdir(f"/proc/{one}/task")}


def at(times, share):
    return f"{sorted(times)[int(len(times) * share)] * 1000:.0f} ms"


def main():
    maps = Maps()
    time.sleep(0.5)
    presenter = os.path.join(BIN, "gate-presenter")
    # The first start reads the libraries from the disk, so it does not count.
    starts = []
    for _ in range(4):
        waiting = Gate("windows", "sum", None)
        started = time.monotonic()
        waiting.process = subprocess.Popen([presenter, *waiting.options()])
        waiting.wait_for_presenter()
        waiting.ask()
        starts.append(maps.first(maps.shown, started) - started)
        waiting.take_back()
        waiting.process.terminate()
        waiting.process.wait()
        time.sleep(0.5)
    windows = Gate("windows", "password", [presenter])
    zenity = Gate("zenity", "password", ["examples/zenity-presenter"])
    windows.wait_for_presenter()
    zenity.wait_for_presenter()
    subjects = {"gate-presenter": windows, "zenity-presenter": zenity}
    if AGENT:
        subjects["polkit-gnome"] = Polkit()
    times = {name: [] for name in subjects}
    for _ in range(ROUNDS + 1):
        for name, subject in subjects.items():
            times[name].append(round_of(subject, maps))
    sums = {"gate-presenter": [], "zenity-presenter": []}
    windows.action = zenity.action = "sum"
    for _ in range(ROUNDS):
        for name in sums:
            sums[name].append(round_of(subjects[name], maps))
    # Each presenter's first question takes longest, and threads that only wait for a while have ended after this.
    times = {name: values[1:] for name, values in times.items()}
    time.sleep(20)
    pids = {name: subject.pid if isinstance(subject, Polkit) else subject.process.pid for name, subject in subjects.items()}
    before = {name: wakeups(pid) for name, pid in pids.items()}
    time.sleep(20)
    woken = {
        name: sum(max(0, count - before[name].get(thread, 0)) for thread, count in wakeups(pid).items()) for name, pid in pids.items()}
    names = ["gate-presenter", "zenity-presenter", "polkit-gnome"]

    def row(what, value, target):
        cells = [value(name) if name in subjects else "not measured" for name in names]
        print(f"| {what} | {' | '.join(cells)} | {target} |")

    print(f"\n## Questions in windows\n\n{time.strftime('%Y-%m-%d')}, on a display in memory, by Cairo. `gate-presenter` as it is "
          "installed, beside `examples/zenity-presenter` and, for a\npassword, polkit's agent of GNOME. All three wait already, and are asked "
          f"in turns, {ROUNDS} times each. The time is that from the start of\n`gatectl authorize`, or of `pkcheck`, until the display "
          "has the window. `make bench-screens` measures it.\n")
    print("| what | " + " | ".join(names) + " | target |\n|---|---|---|---|---|")
    row("a password is asked for, p50", lambda name: at(times[name], 0.5), "")
    row("the same, p95", lambda name: at(times[name], 0.95), "≤ 100 ms")
    row("a sum, p50", lambda name: at(sums[name], 0.5) if name in sums else "—", "")
    row("the same, p95", lambda name: at(sums[name], 0.95) if name in sums else "—", "≤ 100 ms")
    row("from its own start to a first window", lambda name: at(starts[1:], 0.5) if name == "gate-presenter" else "—", "≤ 500 ms")
    row(f"memory while it waits, after {2 * ROUNDS} questions (RssAnon)", lambda name: f"{memory(pids[name]):.1f} MiB", "≤ 40 MiB")
    row("wake-ups in 20 s while it waits", lambda name: str(woken[name]), "0")
    for subject in subjects.values():
        if isinstance(subject, Polkit):
            subject.end()
        else:
            subject.process.terminate()
            subject.process.wait()


if __name__ == "__main__":
    sys.exit(main())
