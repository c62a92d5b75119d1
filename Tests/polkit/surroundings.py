"""Where polkit is tested: a mount and a PID namespace with their own users, system bus, polkitd and gated. Nothing
of the machine is changed: its rules and actions, its bus and its /run are covered, and all programs end with the
first process."""

import contextlib
import os
import pwd
import re
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = f"{HERE}/../../examples/polkit"
sys.path.insert(0, f"{HERE}/../libgate")

from programs import Failed  # noqa: E402

# Users that Debian does not have, and Gate's own, in case Gate is not installed.
USERS = {"gate": 45100, "child": 45101, "parent": 45102, "sibling": 45103}
PREFIX = "/usr/local"
PLACE = "/run/test"
RULES = "/etc/polkit-1/rules.d/00-gate.rules"
SOCKET = "/run/gated/gate.sock"
BUS = """<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
  </policy>
  <include>/usr/share/dbus-1/system.d/org.freedesktop.PolicyKit1.conf</include>
</busconfig>
"""
ACTION = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE policyconfig PUBLIC "-//freedesktop//DTD PolicyKit Policy Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/PolicyKit/1/policyconfig.dtd">
<policyconfig>{}</policyconfig>
"""


def enter(script, words):
    """Starts the script again, as the first process of namespaces of its own."""
    namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    os.execvp("unshare", ["unshare", *namespaces, sys.executable, script, "--inside", *words])


def write(path, text, mode=0o644):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def read(path):
    with open(path) as file:
        return file.read()


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def cover(folder, mode="0755"):
    mount("-t", "tmpfs", "-o", f"mode={mode}", "tmpfs", folder)


def until(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failed(f"waited {seconds} s in vain until {what}")
        time.sleep(0.02)


def connects(path):
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
        probe.connect(path)
        return True
    return False


def running(word):
    """The command lines that contain this."""
    lines = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            lines.append(read(f"/proc/{process}/cmdline"))
    return [line for line in lines if word in line]


def as_user(name):
    """The arguments of subprocess to run as a user."""
    user = pwd.getpwnam(name)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Ended:
    """A command that has ended: its exit status, its output, and how long it took."""

    def __init__(self, words, **options):
        started = time.monotonic()
        ended = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **options)
        self.status, self.text, self.seconds = ended.returncode, ended.stdout, time.monotonic() - started

    def expect(self, status, what):
        if self.status != status:
            raise Failed(f"{what}: status {self.status} and not {status}: {self.text}")
        return self


def run_as(name, *words):
    """Runs a command in a shell of this user. A program that asks polkit about its parent, as pkexec does, then
    names this user's process."""
    return Ended(["sh", "-c", '"$@"; exit $?', "shell", *words], **as_user(name))


def check_words(action, pid="$$"):
    """A shell command that asks polkit about a process, in the name of the process itself."""
    return f'pkcheck --action-id {action} --process "{pid},$(cut -d " " -f 22 /proc/{pid}/stat),$(id -u)"'


def check(name, action):
    """Asks polkit whether a process of this user may perform the action."""
    return Ended(["sh", "-c", f"{check_words(action)}; exit $?"], **as_user(name))


def action(name, default, program="", implied=""):
    """An action of polkit with its own default, the program that pkexec runs for it, and the action that it implies."""
    values = {"exec.path": program, "imply": implied}
    annotations = "".join(
        f'<annotate key="org.freedesktop.policykit.{key}">{value}</annotate>' for key, value in values.items() if value)
    return (
        f'<action id="{name}"><description>{name}</description><message>{name}</message>'
        f"<defaults><allow_any>{default}</allow_any></defaults>{annotations}</action>")


def presenter_is_there():
    return re.search(r'"presenters":1\b', Ended(["gatectl", "statistics", "--json"]).text)


class Surroundings:
    """The namespaces from inside: what is installed there, and the daemons."""

    def __init__(self, programs, rules, actions, policy):
        """Prepares everything.

        rules: more lines for the table of the example's rule. actions: more actions, each with polkit's own default for
        it, or with that and more arguments of `action`. policy: the content of policy.yaml, in addition to the example's
        policy.d/polkit.yaml.
        """
        self.processes = []
        os.umask(0o022)
        for folder in ["/run", "/etc/polkit-1", "/usr/share/polkit-1", f"{PREFIX}/bin", f"{PREFIX}/sbin", "/var/cache/apt"]:
            cover(folder)
        for folder in ["/run/dbus", "/run/gated", PLACE, f"{PLACE}/config", f"{PLACE}/config/policy.d", f"{PLACE}/state", f"{PLACE}/screen"]:
            os.mkdir(folder)
        self.users()
        for folder in ["/run/gated", f"{PLACE}/state"]:
            os.chown(folder, USERS["gate"], USERS["gate"])
        self.install(programs, rules, actions)
        write(f"{PLACE}/config/policy.yaml", policy)
        write(f"{PLACE}/config/policy.d/polkit.yaml", read(f"{EXAMPLE}/polkit.yaml"))
        os.environ.update(GATE_SOCKET=SOCKET, SWIFT_BACKTRACE="enable=no", LC_ALL="C.UTF-8")
        os.environ["PATH"] = f"{PREFIX}/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        for name in ["LANGUAGE", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR"]:
            os.environ.pop(name, None)
        if Ended(["gatectl", "--version"], **as_user("child")).status != 0:
            raise Failed(f"other users can't run {programs}/gatectl: they, too, have to reach it and Swift's libraries")

    def users(self):
        """Adds our users, in copies of the machine's own lists."""
        for path, line in [("/etc/passwd", "{0}:x:{1}:{1}::/nonexistent:/bin/sh\n"), ("/etc/group", "{0}:x:{1}:\n")]:
            others = [old for old in read(path).splitlines(keepends=True) if old.split(":")[0] not in USERS]
            copy = f"{PLACE}/{os.path.basename(path)}"
            write(copy, "".join(others) + "".join(line.format(name, uid) for name, uid in USERS.items()))
            mount("--bind", copy, path)

    def install(self, programs, rules, actions):
        """Installs the example as docs/polkit.md says, and Gate's programs below a prefix of their own."""
        for name in ["gated", "gatectl"]:
            write(f"{PREFIX}/bin/{name}", "")
            mount("--bind", f"{programs}/{name}", f"{PREFIX}/bin/{name}")
        # Replaces the system's journal.
        write(f"{PREFIX}/bin/logger", f'#!/bin/sh\necho "$*" >> {PLACE}/journal\n', 0o755)
        write(f"{PLACE}/journal", "", 0o666)
        for name in ["bin/free-space", "sbin/free-space-as-root"]:
            write(f"{PREFIX}/{name}", read(f"{EXAMPLE}/{name}"), 0o755)
        for folder in ["/etc/polkit-1/rules.d", "/usr/share/polkit-1/rules.d", "/usr/share/polkit-1/actions"]:
            os.mkdir(folder)
        # Replaces the paths, as packaging/install does for its prefix.
        rule = read(f"{EXAMPLE}/00-gate.rules").replace("/usr/bin/gate", f"{PREFIX}/bin/gate")
        table = "var gatedActions = {\n"
        if table not in rule:
            raise Failed(f"00-gate.rules has no line '{table.strip()}'")
        write(RULES, rule.replace(table, table + "".join(f"        {line},\n" for line in rules)))
        folder = "/usr/share/polkit-1/actions"
        write(f"{folder}/org.example.free-space.policy", read(f"{EXAMPLE}/org.example.free-space.policy"))
        own = "".join(action(name, *([own] if isinstance(own, str) else own)) for name, own in actions.items())
        write(f"{folder}/org.example.test.policy", ACTION.format(own))

    def start(self, *words, **options):
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, **options)
        self.processes.append(process)
        return process

    def polkit(self):
        """Starts a system bus and the real polkitd on it, which gives up root itself. Its log is polkitd.log."""
        write(f"{PLACE}/bus.conf", BUS)
        with open(f"{PLACE}/bus.log", "w") as log:
            self.start("dbus-daemon", f"--config-file={PLACE}/bus.conf", "--nofork", "--nopidfile", stderr=log)
        until("the bus listens", lambda: connects("/run/dbus/system_bus_socket"))
        self.log = f"{PLACE}/polkitd.log"
        with open(self.log, "w") as log:
            self.polkitd = self.start("/usr/lib/polkit-1/polkitd", stdout=log, stderr=log)
        until("polkitd answers", lambda: check("child", "org.example.open").status == 0)
        return self.polkitd

    @contextlib.contextmanager
    def gated(self):
        """Runs a daemon as long as the block lasts, as the user gate, as under systemd."""
        folders = ["--runtime-directory", "/run/gated", "--state-directory", f"{PLACE}/state", "--config-directory", f"{PLACE}/config"]
        process = self.start("gated", "--socket", SOCKET, "--log-level", "error", *folders, **as_user("gate"))
        try:
            until("gated listens", lambda: connects(SOCKET))
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait(10)

    @contextlib.contextmanager
    def presenter(self, answer):
        """A grown-up's screen that answers every question with this, as long as the block lasts."""
        script, shown = f"{PLACE}/screen/answers", f"{PLACE}/screen/shown"
        # gated ignores answers within the first second, in which no person can have read the question.
        write(script, f"#!/bin/sh\ncat >> {shown}; sleep 1.2; echo '{answer}'\n", 0o755)
        write(shown, "", 0o666)
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = self.start("gatectl", "present", "--exec", script, **silent, **as_user("parent"))
        try:
            until("the presenter is there", presenter_is_there)
            yield lambda: read(shown)
        finally:
            process.terminate()
            process.wait(10)
            until("the presenter is gone", lambda: not presenter_is_there())

    def logged(self, pattern):
        """What the rule and polkitd itself have logged."""
        return re.findall(pattern, read(f"{PLACE}/journal") + read(self.log))

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.kill()
                process.wait()
