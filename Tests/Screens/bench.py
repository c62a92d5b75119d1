"""How soon a question is on the screen: gate-presenter beside zenity and polkit's own agent. Run by Tests/Screens/run --bench, as root."""
import os
import pwd
import subprocess
import sys
import tempfile
import time

from device import BIN, USER, Asker, Presenter, gatectl
from screen import WORK, until

ROUNDS = int(os.environ.get("GATE_ROUNDS", "15"))
AGENTS = [
    "/usr/lib/policykit-1-gnome/polkit-gnome-authentication-agent-1",
    "/usr/lib/x86_64-linux-gnu/polkit-mate/polkit-mate-authentication-agent-1", "/usr/bin/lxpolkit",
]


def windows(name):
    """The X windows that a person can see, by their title: asked of the server alone, and so of every toolkit alike."""
    return subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", name], capture_output=True, text=True, check=False).stdout.split()


def milliseconds_until(condition, seconds=20):
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > seconds:
            raise TimeoutError
    return (time.monotonic() - started) * 1000


def anonymous_mebibytes(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("RssAnon")) / 1024


def median(values):
    return sorted(values)[len(values) // 2]


def measured(ask, title):
    """In milliseconds from the start of who asks to the window, each time; `ask` returns the process."""
    times = []
    for _ in range(ROUNDS):
        until("no window is there", lambda: not windows(title))
        asker = ask()
        times.append(milliseconds_until(lambda: windows(title)))
        # Who asks takes it back.
        asker.terminate()
        asker.communicate()
    until("the last window goes", lambda: not windows(title))
    return times


def asked(action):
    return lambda: Asker(action).process


def gate_presenter(action):
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)
    times = measured(asked(action), "^Gate$")
    time.sleep(1)
    memory = anonymous_mebibytes(Presenter.newest.process.pid)
    Presenter.newest.end()
    return times, f"{memory:.1f} MiB"


def zenity(action):
    presenter = subprocess.Popen(
        ["examples/zenity-presenter", "--server-user", USER], env={**os.environ, "GATECTL": os.path.join(BIN, "gatectl")},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until("zenity's presenter is there", lambda: Presenter.is_registered(None))
    times = measured(asked(action), "^Gate")
    time.sleep(1)
    memory = anonymous_mebibytes(presenter.pid)
    presenter.terminate()
    presenter.wait()
    return times, f"{memory:.1f} MiB, and zenity for each question"


def polkit():
    """polkitd, its agent and pkcheck on a bus of their own; None: they are not installed, or this is not root."""
    agent = next((path for path in AGENTS if os.path.exists(path)), None)
    if agent is None or os.geteuid() != 0 or not os.path.exists("/usr/lib/polkit-1/polkitd"):
        return None
    folder = tempfile.mkdtemp(dir=WORK)
    os.chmod(WORK, 0o711)
    os.chmod(folder, 0o755)
    address = f"unix:path={folder}/bus"
    with open(f"{folder}/bus.conf", "w", encoding="utf-8") as file:
        file.write(
            f"<busconfig><type>system</type><listen>{address}</listen><auth>EXTERNAL</auth><policy context='default'>"
            "<allow user='*'/><allow own='*'/><allow send_destination='*' eavesdrop='true'/><allow receive_sender='*'/></policy></busconfig>")
    environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": address}
    started = []

    # polkit lets root pass without a word, and its agents end where they are in no session of logind's. So it is measured for the
    # person who has said `sudo make bench-screens` in theirs.
    user = pwd.getpwnam(os.environ.get("SUDO_USER", "nobody"))
    as_user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]

    def start(*words, **options):
        log = open(os.path.join(WORK, "polkit.log"), "ab")
        started.append(subprocess.Popen(words, env=environment, stdout=log, stderr=log, **options))
        return started[-1]

    try:
        start("dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork")
        until("a system bus", lambda: os.path.exists(f"{folder}/bus"))
        start("/usr/lib/polkit-1/polkitd", "--no-debug")
        time.sleep(1)
        process = start(*as_user, agent)
        time.sleep(2)
        if process.poll() is not None:
            return None
        asking = start(*as_user, "sleep", "1000")

        def ask():
            # pkcheck stands for the program that asks, and the agent shows what polkitd tells it.
            return subprocess.Popen(
                [*as_user, "pkcheck", "--action-id", "org.freedesktop.policykit.exec", "--process", str(asking.pid), "--allow-user-interaction"],
                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

        times = measured(ask, "Authenticate")
        return times, f"{anonymous_mebibytes(process.pid):.1f} MiB", os.path.basename(agent)
    except TimeoutError:
        print("polkit's agent shows no window", file=sys.stderr)
        return None
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def row(what, who, times, memory):
    ordered = sorted(times)
    return f"| {what} | {who} | {median(ordered):.0f} ms | {ordered[int(len(ordered) * 0.95)]:.0f} ms | {memory} |"


def main():
    subprocess.run(gatectl("passcode", "set", "--stdin"), input="2468\n", text=True, check=True, capture_output=True)
    rows = []
    for what, action in [("a sum", "link.open"), ("a passcode", "buy")]:
        for who, presents in [("gate-presenter", gate_presenter), ("zenity, by `gatectl present --exec`", zenity)]:
            rows.append(row(what, who, *presents(action)))
    agent = polkit()
    if agent is None:
        rows.append("| a password | polkit's agent | not measured: it is not installed, or this was no session of logind's (`sudo make bench-screens` in one) | | |")
    else:
        times, memory, name = agent
        rows.append(row("a password", f"`{name}`, asked by `pkcheck` through `polkitd`", times, memory))
    with open(os.environ["GATE_ROWS"], "w", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    print("\n".join(rows))


if __name__ == "__main__":
    sys.exit(main())
