"""The page of the time that was used: bars and words for a grown-up, the numbers of `gatectl usage`, and only a child's own
for the child. Tests/Screens/run --used runs it, as root, since it takes two users."""
import datetime
import json
import os
import sqlite3
import subprocess
import sys

from asks import CHILD, as_child
from device import gatectl, kill_daemon, start_daemon
from pages import Settings, passed, says, shown, texts, tool
from screen import Failure, picture, tree_text, until, WORK

POLICY = """allowances:
  games: {mon-sun: 1h}
  films: {mon-sun: 2h}
"""
GATES = """  game.play: {title: {en: Play a game, de: Ein Spiel spielen, ru: Поиграть в игру, zh-CN: 玩游戏}, requires: {allowance: games}}
  film.watch: {title: {en: Watch a film, de: Einen Film ansehen, ru: Посмотреть фильм, zh-CN: 看电影}, requires: {allowance: films}}
  book.read: {title: {en: Read a book, de: Ein Buch lesen, ru: Почитать книгу, zh-CN: 看书}, requires: {mode: parent}}
"""
OTHER = "man"
# Minutes by user, whether it is an allowance, and name: today's last, and the six days before.
USED = [(CHILD, 1, "games", [35, 60, 0, 80, 15, 45, 40]), (CHILD, 1, "films", [0, 0, 0, 0, 100, 0, 0]),
        (CHILD, 0, "book.read", [20, 0, 0, 30, 0, 10, 0]), (OTHER, 1, "games", [0, 0, 30, 60, 0, 0, 60])]
# With this language, the page has this name, and today's words begin so.
LANGUAGES = [("de_DE.UTF-8", "Zeit", r"^Heute 4\d Minuten benutzt, noch (20|1\d) Minuten übrig\. Läuft gerade\.$"),
             ("ru_RU.UTF-8", "Время", r"^Сегодня использовано 4\d мин, осталось (20|1\d) мин\. Сейчас используется\.$"),
             ("zh_CN.UTF-8", "时间", r"^今天已用 4\d 分钟，还剩 (20|1\d) 分钟。")]


def days():
    """The last seven days of the device, today last."""
    today = datetime.date.today()
    return [today - datetime.timedelta(days=back) for back in range(6, -1, -1)]


def fill():
    """What was used on days before, as the daemon would have stored it."""
    kill_daemon()
    with sqlite3.connect(os.path.join(WORK, "state", "gate.sqlite")) as store:
        for user, is_allowance, name, minutes in USED:
            uid = int(subprocess.run(["id", "-u", user], capture_output=True, text=True, check=True).stdout)
            for day, used in zip(days(), minutes):
                if used:
                    number = (day - datetime.date(1970, 1, 1)).days
                    store.execute("INSERT INTO usage VALUES (?, ?, ?, ?, ?)", (uid, is_allowance, name, number, used * 60_000))
    store.close()
    start_daemon()
    until("the daemon is back", lambda: subprocess.run(gatectl("ping"), capture_output=True, check=False).returncode == 0)


def words(minutes):
    """`1 hour 20 minutes`"""
    parts = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in ((minutes // 60, "hour"), (minutes % 60, "minute")) if count]
    return " ".join(parts) or "not used"


def told():
    """What `gatectl usage` tells, in whole minutes, by person, thing and day."""
    times = json.loads(tool("usage", "--days", "7", "--json"))["times"]
    return {(one["person"], one.get("allowance") or one["gatedAction"], one["day"]): int(one["usedMilliseconds"]) // 60_000 for one in times}


def bars():
    return [node.get_name() for node in shown()]


def page():
    """Each bar has a name with the number of `gatectl usage`, and today stands above in words."""
    settings = Settings(options=("--page", "time"))
    until("it begins with the page", lambda: texts()[0] == "Time")
    says("^Mia: Games$")
    says(r"^4\d minutes used today, (20|1\d) minutes left\. It is being used now\.$")
    says("^Otto: Games$")
    says("^1 hour used today, nothing left.$")
    says("^Not used today, 2 hours left.$")
    says("^Mia: Read a book$")
    picture("settings-time")
    numbers = told()
    for day in days()[:-1]:
        for thing, allowed in (("games", ", 1 hour allowed"), ("films", ", 2 hours allowed"), ("book.read", "")):
            name = f"{day:%A, %Y-%m-%d}: {words(numbers.get(('Mia', thing, str(day)), 0))}{allowed}"
            until(f"there is the bar '{name}'", lambda name=name: name in bars())
    wanted = [minutes for user, _, name, minutes in USED if (user, name) == (CHILD, "games")][0]
    if [numbers.get(("Mia", "games", str(day)), 0) for day in days()[:-1]] != wanted[:-1]:
        raise Failure(f"gatectl tells {numbers}")
    settings.end()
    settings = Settings(options=("--page", "time"), ADW_DEBUG_COLOR_SCHEME="prefer-dark")
    says("^Mia: Games$")
    picture("settings-time-dark")
    settings.end()
    passed("a grown-up sees a week of everybody's time, and the numbers are those of gatectl usage")


def languages():
    for language, name, expected in LANGUAGES:
        settings = Settings(language, options=("--page", "time"))
        until("it begins with the page", lambda name=name: texts()[0] == name)
        says(expected)
        picture(f"settings-time-{language[:2]}")
        settings.end()
    passed("the page is in German, Russian and Chinese")


def child_sees():
    """In the child's session."""
    settings = Settings(options=("--page", "time"))
    says("^Mia: Games$")
    says(r"^4\d minutes used today, (20|1\d) minutes left\.")
    if any("Otto" in text for text in texts()):
        raise Failure(f"a child sees others' time: {tree_text()}")
    settings.end()
    passed("a child sees its own time, and nobody else's")


def child():
    """The same as another user, in a session of its own."""
    home = os.path.join(WORK, CHILD)
    os.mkdir(home, 0o700)
    subprocess.run(["chown", CHILD, home], check=True)
    environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "GATE_WORK": home, "GATE_STEPS": "child_sees"}
    for name in ("DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "GATE_PICTURES"):
        environment.pop(name, None)
    # The display still names the accessibility bus of the earlier session.
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], check=True)
    subprocess.run(as_child("dbus-run-session", "--", sys.executable, os.path.abspath(__file__)), env=environment, check=True)
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], check=True)


STEPS = [page, languages, child]


def main():
    chosen = os.environ.get("GATE_STEPS", "").split()
    if chosen == ["child_sees"]:
        child_sees()
        return 0
    if os.geteuid() != 0:
        print("left out: only root can try it as two users", flush=True)
        return 0
    begin()
    # Mia plays meanwhile.
    game = subprocess.Popen(as_child(*gatectl("use", "game.play"), "--", "sleep", "3600"), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until("the game is running", lambda: "being used now" in tool("usage"))
        for step in STEPS:
            if not chosen or step.__name__ in chosen:
                step()
    finally:
        game.terminate()
        game.wait()
    return 0


def begin():
    """Mia and Otto are children with users of their own, and have used something on each of the last days."""
    os.chmod(WORK, 0o755)
    with open("Tests/Screens/policy.yaml", encoding="utf-8") as file:
        policy = file.read()
    with open(os.path.join(WORK, "config", "policy.yaml"), "w", encoding="utf-8") as file:
        file.write(POLICY + policy + GATES)
    tool("reload")
    tool("people", "set", "Mia", "--child", "--born", "2015-03-02", "--user", CHILD)
    tool("people", "set", "Otto", "--child", "--born", "2017-03-02", "--user", OTHER)
    fill()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        sys.exit(1)
