"""What apps learn of a child's age through gate-portal, over years, with a clock that is set."""

import datetime
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

from programs import Failed, step
from session import CHESS, PAINT, RADIO, same
from support import DYING_WITH_PARENT

AGE = "org.gate.Portal.QueryAgeRange"
ASK = "('', @a{sv} {})"
LAST_DAY = datetime.date(2031, 2, 1)
YES = 0
#: Whose socket it is says who the child is, to a gated with a clock to turn. It knows users by such names.
UID = 1001


class ScriptedGated:
    """gated with a clock to turn. Each person has a socket of their own."""

    def __init__(self, programs, people):
        """people: the uids by name."""
        self.programs, self.folder = programs, pathlib.Path(tempfile.mkdtemp(prefix="gate."))
        self.folder.chmod(0o755)
        peers = [word for name, uid in people.items() for word in ("--peer", f"{name}={uid}")]
        command = [f"{programs}/gated-scripted", "--directory", str(self.folder), *peers, "--peer", "root=0:administrator"]
        self.process = subprocess.Popen(
            DYING_WITH_PARENT + command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.expect("ready")
        for path in self.folder.glob("*.sock"):
            path.chmod(0o666)
        # Where its clock begins.
        self.day = datetime.date(2026, 1, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        shutil.rmtree(self.folder)

    def expect(self, word):
        line = self.process.stdout.readline().strip()
        if line != word:
            raise Failed(f"the daemon says {line!r}, and not {word!r}")

    def gatectl(self, *words):
        done = subprocess.run(
            [f"{self.programs}/gatectl", *words, "--socket", f"{self.folder}/root.sock", "--server-user", str(os.getuid())],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        same(f"the status of gatectl {' '.join(words)}, which says {done.stdout}", 0, done.returncode)
        return done.stdout

    def advance(self, day):
        """Turns the clock to the beginning of this day."""
        self.process.stdin.write(f"advance {(day - self.day).days * 86400}\n")
        self.process.stdin.flush()
        self.expect("ok")
        self.day = day


def told(app):
    """What the app is told: the bounds and the source; None: nothing."""
    code, results = app.asks(AGE, ASK)
    same("the response, which never says why nothing is told", YES, code)
    return (results["low"], results["high"], results["source"]) if results else None


def days():
    """The days on which apps ask: those around the ends of half-years, and others that lie anywhere."""
    chance, found = random.Random(7), {datetime.date(2026, 1, 1)}
    for year in range(2026, 2032):
        for month in (1, 7):
            first = datetime.date(year, month, 1)
            found |= {first + datetime.timedelta(days=offset) for offset in (-1, 0, 1, chance.randrange(2, 180))}
    return sorted(day for day in found if datetime.date(2026, 1, 1) <= day < LAST_DAY)


def transcript(session, born):
    """What three apps are told of a child with this date of birth, on each of the days."""
    apps = [session.app(app) for app in (PAINT, CHESS, RADIO)]
    with ScriptedGated(session.programs, {"ben": UID}) as gated:
        gated.gatectl("people", "set", "ben", "--child", "--born", born, "--user", f"user{UID}")
        gated.gatectl("age", "settings", "--on")
        gated.gatectl("age", "set", "ben", PAINT, "always")
        gated.gatectl("age", "set", "ben", CHESS, "for-now")
        session.kill("gate-portal")
        session.start_portal(f"{gated.folder}/ben.sock")
        lines = []
        for day in days():
            gated.advance(day)
            lines.append((day, *map(told, apps)))
        session.kill("gate-portal")
    session.start_portal()
    session.end_apps()
    return lines


def changes(lines):
    """The days on which the first app was told something else, and what."""
    found = []
    for day, paint, *_ in lines:
        if not found or found[-1][1:] != paint[:2]:
            found.append((day.isoformat(), *paint[:2]))
    return found


def birthdays(session):
    """Apps that ask all the time, for years, for the birthday."""
    first, last, next_half = (transcript(session, born) for born in ("2012-01-01", "2012-06-30", "2012-07-01"))
    same("what is told of a child that was born in January", [("2026-01-01", 13, 15), ("2028-07-01", 16, 17), ("2030-07-01", 18, 0)],
        changes(first))
    same("what is told of a child that was born in July", [("2026-01-01", 13, 15), ("2029-01-01", 16, 17), ("2031-01-01", 18, 0)],
        changes(next_half))
    same("what is told of a child that was born in June", first, last)
    same("what an app is told that nobody has answered", {None}, {line[3] for line in first})
    knows = {line[0]: line[2] is not None for line in first}
    same("whether an app is told that may know it for now", {day: day < datetime.date(2026, 7, 1) for day in knows}, knows)
    step("apps that ask for years learn no birthday: two children who were born in the same half-year look alike")


PYTHON = """
from gateclient import Gate
with Gate() as gate:
    print(gate.age_range())
"""


def choices(session):
    app, other = session.app(), session.app(CHESS)
    same("what is told while nobody wants it", None, told(app))
    session.gatectl("age", "settings", "--on")
    same("what is told before anybody has answered", None, told(app))
    waiting = session.gatectl("age", "apps", "--json")
    if PAINT not in waiting:
        raise Failed(f"a grown-up does not see that the app asks: {waiting}")
    session.gatectl("age", "set", "ben", PAINT, "always")
    if told(app) is None:
        raise Failed("the app is told nothing, although it may know it always")
    same("what another app is told", None, told(other))
    status, said = session.runs(PAINT, "/usr/bin/python3", "-c", PYTHON)
    if status != 0 or "guardian" not in said.lower():
        raise Failed(f"Python's library is told {said}")
    session.gatectl("age", "set", "ben", PAINT, "never")
    same("what is told after a no", None, told(app))
    session.gatectl("age", "set", "ben", PAINT, "always")
    session.gatectl("age", "settings", "--off")
    same("what is told when nobody wants it any more", None, told(app))
    step("an app is told an age range only if a grown-up has said so for this app, and never why it is told nothing")
