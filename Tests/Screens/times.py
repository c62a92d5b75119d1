"""Time that ends: a child is told in a notification, asks for more there and on the page of gate-settings, and a grown-up
answers with an amount. Tests/Screens/run --times runs it, as root, since it takes two users."""
import os
import re
import subprocess
import sys
import time

import asks
import screen
from asks import in_childs_session, put_in_force, says, told
from desktop import Item, Part, notification, notifications
from device import Presenter, gatectl
from pages import Settings, button, heading, passed, press, texts, tool, unfold
from screen import Failure, picture, until

# Sixty seconds are the least that a policy takes. So the first warning comes at once, the second one after 20 seconds.
GATES = """  games.play: {title: {en: Play a game, de: Ein Spiel spielen, ru: Поиграть в игру, zh-CN: 玩游戏}, more-time: true, requires: {allowance: games}}
  web.surf: {title: {en: Surf, de: Surfen, ru: Интернет, zh-CN: 上网}, more-time: [30m, today], requires: {during: after-school}}
allowances:
  games: {mon-sun: 80s}
schedules:
  after-school: {mon-sun: 0:00-23:59}
"""


def play(*command):
    return subprocess.Popen([*gatectl("use", "games.play"), "--", *command], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def check(what, condition):
    if not condition:
        raise Failure(f"{what}: {notifications()}")


def with_title(title):
    return [one for one in notifications() if one["title"] == title]


def child_is_warned():
    """In the child's session: each warning once, also when the presenter is started anew, and more is asked for by one press."""
    screen.look_at_questions()
    watcher, server = Part("watcher"), Part("notifications")
    presenter = Presenter()
    game = play("sleep", "600")
    first = told("2 minutes left: Games")
    check("it goes by itself and can ask for more", (first["urgency"], first["expires"], set(first["actions"])) == (1, -1, {"More time"}))
    presenter.end()
    presenter = Presenter()
    time.sleep(4)
    check("a presenter that is started anew tells nothing twice", len(with_title("2 minutes left: Games")) == 1)
    item = until("the status icon registers", Item.registered)
    # Surfing is neither used nor closed.
    until("its menu asks for more time", lambda: [line for line in item.menu() if ":" in line] == ["More time: Play a game"])
    settings = Settings(options=("--page", "questions"))
    says("^Time today$")
    says("^Games$")
    says("^[0-9]+ (minute|seconds?).* left today, being used now$")
    says("^open until ")
    picture("settings-time-left")
    settings.end()
    screen.look_at_questions()
    last = told("1 minute left: Games")
    check("it says what to do", last["text"] == "Save now and finish up.")
    notification("Press", last["id"], last["actions"]["More time"])
    asked = told("You asked for more time")
    check("it says for what", asked["text"].startswith("Play a game\n"))
    until("the daemon knows of it", lambda: "games.play" in tool("asks", "--json"))
    until("the menu no longer asks", lambda: not [line for line in item.menu() if ":" in line])
    over = told("Time is over for today: Games")
    check("the end is urgent, and says when there is more",
          (over["urgency"], bool(re.fullmatch(r"Again tomorrow at 0?0:00\.", over["text"]))) == (2, True))
    check("it was asked for already", not over["actions"])
    if game.wait(30) != 124:
        raise Failure(f"the game ends with {game.returncode}")
    presenter.end()
    server.end()
    watcher.end()
    settings = Settings(options=("--page", "questions"))
    says("^used up for today$")
    says("^More time: Play a game$")
    says("^A grown-up has not answered yet. It waits until ")
    if button("More time: Play a game"):
        raise Failure("it can be asked for twice")
    picture("settings-time-over")
    press("More time: Surf")
    says("^More time: Surf$")
    settings.end()
    passed("a child is warned at each moment once, and asks for more by one press")


def child_has_more():
    """In the child's session, after the answer."""
    screen.look_at_questions()
    server = Part("notifications")
    presenter = Presenter()
    yes = told("A grown-up said yes")
    check("it says until when", re.fullmatch(r"More time: Play a game\nYou have more time until [0-9]+:[0-9]{2}\.", yes["text"]))
    game = play("sleep", "5")
    if game.wait(30) != 0:
        raise Failure(f"the game ends with {game.returncode} although there is more time")
    check("while there is more time nothing is over", not with_title("Time is over for today: Games"))
    presenter.end()
    server.end()
    settings = Settings(options=("--page", "questions"))
    says("^used up for today, more time until ")
    says("^A grown-up said yes. You have more time until ")
    picture("settings-time-more")
    settings.end()
    passed("a child hears until when there is more time, and plays on")


def grown_up_answers():
    """On the page: the amounts, and until when each of them would be."""
    settings = Settings(options=("--page", "questions"))
    says("^Mia asks: More time: Play a game$")
    row = next(text for text in texts() if text.startswith("waits until "))
    unfold(row)
    for label in ("For 15 minutes", "For 30 minutes", "For 1 hour", "Today"):
        says(f"^{label}$")
    says("^until ")
    picture("settings-more-time")
    press("Allow (For 15 minutes): Mia: More time: Play a game")
    says("^allowed for 15 minutes, until ")
    settings.end()
    passed("a grown-up sees until when each amount would be, and gives one")


def languages():
    """The child's page, in the other languages."""
    for language, name, expected in [("de_DE.UTF-8", "Fragen", "^Zeit heute$"), ("ru_RU.UTF-8", "Вопросы", "^Время на сегодня$"),
                                     ("zh_CN.UTF-8", "请求", "^今天的时间$")]:
        settings = Settings(language, options=("--page", "questions"))
        until("it begins with the page", lambda name=name: heading() == name)
        says(expected)
        picture(f"settings-time-{language[:2]}")
        settings.end()
    passed("the time that is left is told in German, Russian and Chinese")


CHILDS_STEPS = {"child_is_warned": child_is_warned, "languages": languages, "child_has_more": child_has_more}


def main():
    chosen = os.environ.get("GATE_STEPS", "")
    if chosen in CHILDS_STEPS:
        CHILDS_STEPS[chosen]()
        return 0
    if os.geteuid() != 0:
        print("left out: only root can try it as two users", flush=True)
        return 0
    asks.begin()
    put_in_force(GATES)
    in_childs_session(__file__, "child_is_warned")
    in_childs_session(__file__, "languages")
    grown_up_answers()
    in_childs_session(__file__, "child_has_more")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        sys.exit(1)
