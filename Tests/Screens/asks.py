"""Questions that wait: a grown-up answers them on a page of gate-settings and in a notification, and the child sees what
became of them. So are apps that ask how old the child is. Tests/Screens/run --asks runs it, as root, since it takes two users."""
import glob
import os
import shutil
import subprocess
import sys
import time

import ages
import screen
from desktop import Part, notification, notifications
from device import Presenter, gatectl
from pages import Settings, button, entries, go_to, heading, look_here, passed, press, says, shown, texts, tool, unfold
from screen import Failure, has_keyboard, picture, text_of, tree_text, until, WORK

CHILD = "games"
# The gated action that Mia asks for.
GATE = """  games.install: {title: {en: Install a game, de: Ein Spiel installieren, ru: Установить игру, zh-CN: 安装游戏}, requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}}
"""
TUX, PYBIK = "supertux2", "pybik"
# It would be bold as markup, and looks like what Gate says of a question; its end is far away.
HOSTILE = "<b>Gate</b> allowed once, until 23:59 " + "y" * 3000 + " end"


def as_child(*words):
    return ["setpriv", f"--reuid={CHILD}", f"--regid={CHILD}", "--clear-groups", *words]


def ask(details, status=4):
    """Mia's program asks, while nobody is there. It gets this exit status."""
    ended = subprocess.run(
        as_child(*gatectl("authorize", "games.install", "--details", details, "--may-wait")), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if ended.returncode != status:
        raise Failure(f"status {ended.returncode}, wanted {status}: {ended.stderr}")


def withdraw_all():
    """Everything that waits, or was allowed."""
    for line in tool("asks").splitlines():
        if "refused" not in line:
            tool("withdraw", line.split()[0])


def gone(pattern):
    until(f"no label says '{pattern}'", lambda: not any(pattern in text for text in texts()))


def waiting():
    """What a screen reader adds to the page's name in the list."""
    return next((node.get_description() for node in entries() if node.get_name() == "Questions"), None)


def page():
    """A grown-up answers on the page, which follows what is asked meanwhile."""
    ask(TUX)
    settings = Settings(options=("--page", "questions"))
    until("it begins with the page", lambda: heading() == "Questions")
    says("^Mia asks: Install a game$")
    says(f"^{TUX}\nwaits until ")
    until("the list says that one waits", lambda: waiting() == "1 question waits")
    ask(PYBIK)
    until("the list says that two wait", lambda: waiting() == "2 questions wait")
    says(f"^{PYBIK}\nwaits until ")
    picture("settings-questions")
    allow = f"Allow once: Mia: Install a game, {PYBIK}"
    if any(node.get_state_set().contains(screen.Atspi.StateType.SHOWING) for node in shown() if node.get_name() == allow):
        raise Failure("a yes takes one act")
    unfold(says(f"^{PYBIK}\nwaits"))
    until("its words stand above the choices", lambda: PYBIK in texts())
    picture("settings-questions-open")
    press(allow)
    says(f"^{PYBIK}\nallowed once, until ")
    if "allowed once" not in tool("asks"):
        raise Failure("the daemon knows of no yes")
    picture("settings-questions-answered")
    press(f"Take back: Mia: Install a game, {PYBIK}")
    says(f"^{PYBIK}\nrefused; can be asked again from ")
    ask(PYBIK, status=1)
    press(f"Not now: Mia: Install a game, {TUX}")
    says("^Nothing waits for an answer.$")
    until("the list says that nothing waits", lambda: waiting() == "")
    passed("a grown-up says yes in two acts and no in one, and takes a yes back")
    forget_refused()
    ask(HOSTILE)
    says("^Mia asks: Install a game$")
    unfold(says("^<b>Gate</b> allowed once.*…\nwaits until "))
    until("all of it stands there", lambda: HOSTILE in texts())
    picture("settings-questions-hostile")
    withdraw_all()
    gone("Mia asks")
    settings.end()
    passed("what a program writes moves and imitates nothing on the page, and what was taken back goes")


def forget_refused():
    """A no ends in a day, or with the policy under which it was said."""
    put_in_force(GATE.replace("may-wait: 3d", "may-wait: 4d"))
    until("nothing is left", lambda: not tool("asks").strip())
    put_in_force(GATE)


def languages():
    ask(TUX)
    for language, name, expected in [("de_DE.UTF-8", "Fragen", "^Mia möchte: Ein Spiel installieren$"),
                                     ("ru_RU.UTF-8", "Вопросы", "^Mia просит: Установить игру$"), ("zh_CN.UTF-8", "请求", "^Mia 请求：安装游戏$")]:
        settings = Settings(language, options=("--page", "questions"))
        until("it begins with the page", lambda name=name: heading() == name)
        says(expected)
        picture(f"settings-questions-{language[:2]}")
        settings.end()
    withdraw_all()
    passed("the page is in German, Russian and Chinese")


def only_notification():
    return until("there is one notification", lambda: (lambda found: found[0] if len(found) == 1 else None)(notifications()))


def told(title):
    return until(f"a notification says '{title}'", lambda: next((one for one in notifications() if one["title"] == title), None))


def children(process):
    """The command lines of the processes that this one has started."""
    for path in glob.glob(f"/proc/{process}/task/*/children"):
        with open(path, encoding="utf-8") as numbers:
            for number in numbers.read().split():
                with open(f"/proc/{number}/cmdline", encoding="utf-8") as words:
                    yield words.read()


def opens_page(shown_one, pattern, parent, page=("Questions", "questions")):
    """Presses "Open", and closes the window with the page again, which this process has started."""
    notification("Press", shown_one["id"], shown_one["actions"]["Open"])
    until("the notification goes", lambda: not notifications())
    look_here()
    until("the page opens", lambda: heading() == page[0])
    says(pattern)
    if not any(f"--page\0{page[1]}" in words for words in children(parent)):
        raise Failure("another process has started the window")
    until("the window has the keyboard", has_keyboard)
    subprocess.run(["xdotool", "key", "alt+F4"], check=True)
    until("the window goes", screen.no_window)


def grown_up_is_told():
    """A notification tells of a question, and its button says no; several are one line, and its button opens the page."""
    screen.look_at_questions()
    server = Part("notifications")
    ask(TUX)
    presenter = Presenter()
    until("the presenter is there", presenter.is_registered)
    shown_first = told("Mia asks: Install a game")
    if (shown_first["text"], set(shown_first["actions"])) != (TUX, {"No", "Open"}):
        raise Failure(f"it says {shown_first}")
    if (shown_first["urgency"], shown_first["expires"]) != (1, -1):
        raise Failure(f"it does not go by itself: {shown_first}")
    notification("Press", shown_first["id"], shown_first["actions"]["No"])
    until("the notification goes", lambda: not notifications())
    until("it is refused", lambda: "refused" in tool("asks"))
    passed("a notification tells of a question, and its button says no")
    # While the presenter is there, a question comes in its window. It is told only if it is left there.
    for details in (PYBIK, "hedgewars"):
        asker = subprocess.Popen(as_child(*gatectl("authorize", "games.install", "--details", details, "--may-wait")), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until("the question is in a window", lambda: screen.button("Not now"))
        time.sleep(2.5)
        if any(one["text"] == details for one in notifications()):
            raise Failure("it is told although it is on the screen")
        screen.press("Not now")
        if asker.wait(20) != 4:
            raise Failure(f"the program ends with {asker.returncode}")
        told("Mia asks: Install a game" if details == PYBIK else "2 questions wait")
    several = only_notification()
    if (several["text"], set(several["actions"])) != ("Mia", {"Open"}):
        raise Failure(f"it says {several}")
    picture("notification")
    manager = Part("systemd")
    opens_page(several, f"^{PYBIK}\nwaits until ", parent=manager.process.pid)
    manager.end()
    screen.look_at_questions()
    time.sleep(2.5)
    if notifications():
        raise Failure(f"a question is told twice: {notifications()}")
    presenter.end()
    server.end()
    withdraw_all()
    forget_refused()
    passed("a question on the screen is told when it is left there; several are one line, whose button opens the page")


def child_sees():
    """In the child's session: what became of the questions, and a notification when one was answered."""
    settings = Settings(options=("--page", "questions"))
    says(f"^{TUX}\nA grown-up has not answered yet. It waits until ")
    says(f"^{PYBIK}\nA grown-up said yes. Do the same again: it works once, until ")
    says("^Install a game$")
    if any(node.get_name().startswith(("Allow once", "Not now")) for node in shown()) or waiting():
        raise Failure(f"a child can't answer: {tree_text()}")
    picture("settings-questions-child")
    press(f"Take back: Mia: Install a game, {TUX}")
    gone(TUX)
    settings.end()
    passed("a child sees what became of its questions, and takes one back")
    screen.look_at_questions()
    server = Part("notifications")
    presenter = Presenter()
    one = told("A grown-up said yes")
    if one["text"] != f"Install a game\n{PYBIK}\nDo the same again: it works once." or set(one["actions"]) != {"Open"}:
        raise Failure(f"it says {one}")
    opens_page(one, f"^{PYBIK}\nA grown-up said yes", parent=presenter.process.pid)
    screen.look_at_questions()
    presenter.end()
    # A presenter that was started anew tells nothing twice.
    presenter = Presenter()
    time.sleep(3.5)
    if notifications():
        raise Failure(f"it is told again: {notifications()}")
    presenter.end()
    server.end()
    passed("a child is told of a yes that waits for it, once, and the page opens without systemd, too")


def child():
    """The same as another user, in a session of its own."""
    ask(TUX)
    ask(PYBIK)
    number = next(line.split()[0] for line in tool("asks").splitlines() if PYBIK in line)
    tool("allow", number)
    in_childs_session(__file__, "child_sees")
    withdraw_all()


def in_childs_session(script, step):
    """Plays this step of a script as the child. What is told there is remembered until the next time, as while a child is logged in."""
    home = os.path.join(WORK, CHILD)
    os.makedirs(home, 0o700, exist_ok=True)
    subprocess.run(["chown", "-R", CHILD, home], check=True)
    environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "GATE_WORK": home, "GATE_STEPS": step}
    for name in ("DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS"):
        environment.pop(name, None)
    # The child can't write into the folder of the pictures.
    pictures = os.environ.get("GATE_PICTURES")
    if pictures:
        environment["GATE_PICTURES"] = os.path.join(home, "pictures")
    # The display still names the accessibility bus of the earlier session.
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], check=True)
    subprocess.run(as_child("dbus-run-session", "--", sys.executable, os.path.abspath(script)), env=environment, check=True)
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], check=True)
    if pictures and os.path.isdir(environment["GATE_PICTURES"]):
        shutil.copytree(environment["GATE_PICTURES"], pictures, dirs_exist_ok=True)


def age_ranges():
    """A grown-up says which apps are told how old Mia is."""
    ages.page(as_child)
    ages.languages(as_child)
    ages.told(told, opens_page)


STEPS = [page, languages, grown_up_is_told, child, age_ranges]


def main():
    chosen = os.environ.get("GATE_STEPS", "").split()
    if chosen == ["child_sees"]:
        child_sees()
        return 0
    if os.geteuid() != 0:
        print("left out: only root can try it as two users", flush=True)
        return 0
    begin()
    for step in STEPS:
        if not chosen or step.__name__ in chosen:
            step()
    return 0


def begin():
    """Mia is a child with a user of her own, and what she asks for may wait."""
    os.chmod(WORK, 0o755)
    put_in_force(GATE)
    tool("people", "set", "Mia", "--child", "--born", "2015-03-02", "--user", CHILD)


def put_in_force(gate):
    """The policy of the tests with one more gate, and with a presenter for the child."""
    with open("Tests/Screens/policy.yaml", encoding="utf-8") as file:
        policy = file.read().replace("users: [nobody]", f"users: [nobody, {CHILD}]")
    with open(os.path.join(WORK, "config", "policy.yaml"), "w", encoding="utf-8") as file:
        file.write(policy + gate)
    tool("reload")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        sys.exit(1)
