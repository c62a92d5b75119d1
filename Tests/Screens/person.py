"""A person in front of gate-presenter. Tests/Screens/run runs it with a display, a session bus and a daemon."""
import json
import os
import re
import subprocess
import sys
import time

from afresh import begin_afresh
from customers import CUSTOMERS
from device import BIN, USER, Asker, Presenter, Toggle, gatectl, kill_daemon, play, set_policy, start_daemon
from feedback import feedback
from forms import FORMS
from hidden import hidden_desktop
from imitation import imitation
from kinds import KINDS, opened
from looks import looks
from refusals import close_refusal, refusal_words, refused
from screen import (
    Atspi, Failure, button, find, is_ready, keys, labels, no_window, picture, pointer, press, tab_to, tree_text, until, window,
)
from sums import choices, the_sum
from targets import place


def a_wrong_choice():
    return next(choice for choice in choices() if choice != str(the_sum()))


def sums():
    asker = Asker("link.open", "--details", "https://example.org/")
    right = the_sum()
    until("three choices", lambda: len(choices()) == 3)
    print(tree_text())
    picture("sum-sheet")
    press(str(right))
    asker.ends("the right answer of a sum", 0)

    asker = Asker("link.open")
    the_sum()
    press(a_wrong_choice())
    asker.ends("a wrong answer of a sum", 1)

    asker = Asker("link.open")
    press("Not now")
    asker.ends("a sum that is dismissed by its button", 3)

    asker = Asker("link.open")
    until("it can be dismissed", lambda: is_ready(button("Not now")))
    keys("Escape")
    asker.ends("a sum that is dismissed by Escape", 3)


def covers():
    """A cover takes the whole monitor."""
    asker = Asker("covered")
    right = the_sum()
    picture("sum-cover")
    extents = place(window())
    if (extents.width, extents.height) != (1024, 768):
        raise Failure(f"the cover is {extents.width} by {extents.height}")
    press(str(right))
    asker.ends("the right answer on a cover", 0)

    asker = Asker("covered")
    the_sum()
    until("it can be dismissed", lambda: is_ready(button("Not now")))
    extents = place(find("Send a photo"))
    pointer("mousemove", extents.x + 2, extents.y + extents.height // 2, "click", 1)
    pointer("mousemove", 40, 400, "click", 1)
    asker.ends("a press on the empty area of a cover, and not one on its words, dismisses it (K-03)", 3)

    set_policy("mode: {", "mode: {style: full-screen-cover, ")
    asker = Toggle()
    the_sum()
    extents = place(window())
    if (extents.width, extents.height) != (1024, 768):
        raise Failure(f"the question before parent mode is {extents.width} by {extents.height}, and should be a cover")
    picture("mode-cover")
    press(str(the_sum()))
    asker.ends("parent mode is asked for on a cover, as the policy says (K-03)", 0)
    subprocess.run(gatectl("lock"), check=True, capture_output=True)
    set_policy()

    asker = Toggle()
    press(str(the_sum()))
    asker.ends("the right answer for parent mode", 0)
    subprocess.run(gatectl("lock"), check=True, capture_output=True)


def what_others_write():
    """A requester's text is not read as markup, does not move Gate's words, and is shown once."""
    words = "<b>Asked by mum</b> &amp; " + "x" * 300 + " the end"
    asker = Asker("markup", "--details", words)
    the_sum()
    if "Choose a <b>sum</b> & more" not in labels():
        raise Failure("the title is not what the policy says, character by character")
    shown = [label for label in labels() if "Asked by mum" in label]
    if len(shown) != 1 or not shown[0].startswith("<b>Asked by mum</b>"):
        raise Failure(f"the details are not there once, as they were written: {shown}")
    if not any(re.fullmatch(rf"Asked by {USER}\.", label) for label in labels()):
        raise Failure(f"who asks is not there: {labels()}")
    if find(shown[0]).get_description() != "In the program's words:":
        raise Failure("a screen reader does not hear whose words the details are")
    picture("long-details")
    press("Show all")
    until("the details can be folded again", lambda: button("Show less"))
    picture("long-details-unfolded")
    details, fold = place(find(shown[0])), place(button("Show less"))
    check(f"all of the details is seen: {details.y} + {details.height}, {fold.y}", details.y + details.height <= fold.y)
    press("Not now")
    asker.ends("a question with long details and markup", 3)

    # Whether a text fits depends on its width, not on its number of characters.
    for words, is_cut in (("m" * 48, True), ("i" * 48, False)):
        asker = Asker("markup", "--details", words)
        the_sum()
        if (button("Show all") is not None) != is_cut:
            raise Failure(f"'Show all' is {'not ' if is_cut else ''}there: {words}")
        press("Not now")
        asker.ends(f"details that are {'too wide for' if is_cut else 'within'} a line", 3)


def daemon_killed():
    """The daemon dies while a question is open: the window is closed; when the daemon is back, the presenter
    registers and shows the next one."""
    asker = Asker("link.open")
    opened_if_needed()
    the_sum()
    kill_daemon()
    until("the window goes with the daemon", no_window)
    if asker.process.wait(30) == 0:
        raise Failure("without a daemon the asker is told that it may")
    print("passed: the window goes with the daemon", flush=True)
    start_daemon()
    until("the presenter registers again", is_registered_again)
    asker = Asker("link.open", "--details", "https://example.org/next")
    opened_if_needed()
    the_sum()
    if "https://example.org/next" not in labels():
        raise Failure(f"another question is shown: {labels()}")
    press(str(the_sum()))
    asker.ends("a question after the daemon was killed", 0)


def is_registered_again():
    try:
        return Presenter.newest.is_registered()
    except subprocess.CalledProcessError:
        return False


def opened_if_needed():
    """Takes the first step, which a question needs after one that was closed by itself."""
    until("there is a question", lambda: button("Not now"))
    if button("I have read it") is not None:
        opened()


def two_in_a_row():
    """Two programs ask at once: their questions are shown one after the other, and each gets its own answer."""
    first = Asker("link.open", "--details", "https://example.org/1")
    until("the first one is shown", lambda: "https://example.org/1" in labels())
    second = Asker("link.open", "--details", "https://example.org/2")
    opened_if_needed()
    press(a_wrong_choice())
    until("the second one is shown", lambda: "https://example.org/2" in labels())
    if first.process.wait() != 1 or second.process.poll() is not None:
        raise Failure(f"the first ends with {first.process.returncode}, the second with {second.process.poll()}")
    opened_if_needed()
    if "https://example.org/1" in labels():
        raise Failure("the first question is still there")
    press(str(the_sum()))
    second.ends("two questions in a row", 0)


def by_keyboard():
    """Tab reaches each choice, and Space presses it."""
    asker = Asker("link.open")
    right = str(the_sum())
    until("it takes an answer", lambda: is_ready(button(right)))
    tab_to(right, lambda: [button(right)], presses=12)
    keys("space")
    asker.ends("the right answer of a sum, with Tab and Space", 0)


def no_browser():
    """If a page can't be opened, the paywall stays and says so."""
    begin_afresh()
    Presenter.newest.end()
    # Only PATH names the browser of the tests.
    Presenter(PATH="/nowhere")
    until("the presenter is there", Presenter.newest.is_registered)
    asker = Asker("premium")
    press("Open the page")
    until("the window says that it can't be opened", lambda: "Pages can't be opened here. A phone's camera reads the code." in labels())
    picture("paywall-no-browser")
    until("and a window says why", lambda: any("There is no browser" in words for words in refusal_words()))
    close_refusal()
    press("Not now")
    asker.ends("a page that can't be opened is told in the window", 3)
    Presenter.newest.end()
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)


def first_gate():
    """`make run SCREENS=1`: wrong and right answers, for a link and for parent mode."""
    Presenter.newest.end()
    story = subprocess.Popen(
        ["examples/first-gate", BIN], env={**os.environ, "GATE_SCREENS": "1"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    for choose in [a_wrong_choice, lambda: str(the_sum())] * 2:
        the_sum()
        press(choose())
        until("the window goes", no_window)
    output, _ = story.communicate(timeout=60)
    if story.returncode != 0:
        raise Failure(f"examples/first-gate ends with {story.returncode}: {output}")
    print("passed: the first gate, in windows", flush=True)
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)


def closing_by_itself():
    asker = Asker("link.open")
    the_sum()
    asker.process.kill()
    asker.process.wait()
    until("the window goes with its asker", no_window)
    print("passed: a dead asker's window goes", flush=True)

    asker = Asker("link.open")
    opened()
    the_sum()
    open_now = json.loads(subprocess.run(gatectl("call", "gate.v1.Presentations/ListPresentations"), capture_output=True, text=True, check=True).stdout)
    number = open_now["presentations"][0]["id"]
    subprocess.run(gatectl("call", "gate.v1.Presentations/Withdraw", json.dumps({"id": number})), check=True, capture_output=True)
    asker.ends("a question that an administrator withdraws", 75)

    asker = Asker("link.open")
    opened()
    the_sum()
    asker.ends("a question whose time is over", 124)


def too_early():
    """Nothing can be pressed in the first second. If a busy machine pressed later, another question is used."""
    for _ in range(10):
        started = time.monotonic()
        asker = Asker("link.open")
        while subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Gate$"], capture_output=True).returncode != 0:
            if time.monotonic() - started > 30:
                raise Failure("no window comes")
        subprocess.run(["xdotool", "key", "Escape"], check=True)
        in_time = time.monotonic() - started < 0.9
        if in_time:
            time.sleep(0.5)
            if window() is None or asker.process.poll() is not None:
                raise Failure("Escape in the first second is taken")
        press(str(the_sum()))
        if not in_time:
            asker.process.wait()
            until("the window goes", no_window)
            continue
        asker.ends("Escape in the first second does nothing", 0)
        return
    raise Failure("no question was on the screen within a second, ten times")


def killed():
    """When a presenter dies, another one gets its question."""
    asker = Asker("link.open")
    opened()
    the_sum()
    Presenter.newest.process.kill()
    Presenter.newest.process.wait()
    if asker.process.wait() != 2:
        raise Failure("without a presenter the asker does not hear at once that nobody can show it")
    print("passed: the asker hears of a presenter that was killed", flush=True)
    Presenter()
    until("the next presenter is there", Presenter.newest.is_registered)
    asker = Asker("link.open")
    press(str(the_sum()))
    asker.ends("a question after the presenter was killed", 0)


def check(what, condition):
    if not condition:
        raise Failure(what)


def override(*words):
    subprocess.run(gatectl("override", *words, "--reason", "a test"), check=True, capture_output=True)


def place_of(node):
    there = place(node)
    return there.x, there.y


def bars():
    """The title bar of an open window says that parent mode is on, and nothing else in the window moves."""
    asker = Asker("link.open")
    the_sum()
    running = "Parent mode: 10 minutes left"
    check("in child mode the bar says Gate", find("Gate", Atspi.Role.LABEL) and not find(running))
    where = place_of(button("Not now"))
    override("parent", "--for", "10m")
    until("the bar says that parent mode runs, and how long", lambda: find(running, Atspi.Role.LABEL))
    picture("parent-mode-sheet")
    check(f"the buttons have not moved: {where}, {place_of(button('Not now'))}", place_of(button("Not now")) == where)
    override("child")
    until("the bar says Gate again", lambda: find("Gate", Atspi.Role.LABEL))
    check("and nothing of parent mode", not find(running))
    press(str(the_sum()))
    asker.ends("the bar of a window marks parent mode", 0)

    asker = Asker("covered")
    the_sum()
    override("parent", "--for", "10m")
    until("the bar of a cover says it, too", lambda: find(running, Atspi.Role.LABEL))
    picture("parent-mode-cover")
    press(str(the_sum()))
    asker.ends("the bar of a cover marks parent mode", 0)
    override("child")


def a_second_one():
    """A second presenter of the same session ends at once, and the first one goes on."""
    second = subprocess.run(
        [os.path.join(BIN, "gate-presenter"), "--server-user", USER], capture_output=True, text=True, timeout=20)
    check(f"it ends with 0 and says why: {second}", second.returncode == 0 and "another one runs in this session" in second.stderr)
    check("one is registered", Presenter.newest.is_registered())
    print("passed: a second presenter of the session ends at once", flush=True)


WORDS = {
    "de_DE.UTF-8": ("Frage an einen Erwachsenen:", "Nicht jetzt", "Eine Webseite öffnen"),
    "ru_RU.UTF-8": ("Вопрос взрослому:", "Не сейчас", "Открыть веб-страницу"),
    "zh_CN.UTF-8": ("请家长回答：", "以后再说", "打开网页"),
}


def languages():
    """Gate's words and the policy's are in the session's language, although the device has none of these locales."""
    for locale, (heading, dismiss, title) in WORDS.items():
        Presenter.newest.end()
        Presenter(locale)
        until("the presenter is there", Presenter.newest.is_registered)
        asker = Asker("link.open", "--details", "https://example.org/")
        the_sum()
        for text in (heading, title):
            if text not in labels():
                raise Failure(f"{locale}: '{text}' is not there: {labels()}")
        until("it can be dismissed", lambda: is_ready(button(dismiss)))
        picture(f"sum-sheet-{locale[:2]}")
        press(dismiss)
        asker.ends(f"a question in {locale}", 3)


SCENARIOS = [
    sums, *KINDS, feedback, *FORMS, *CUSTOMERS, covers, hidden_desktop, bars, a_second_one, no_browser, refused, what_others_write, imitation, by_keyboard, two_in_a_row, looks, first_gate, too_early, closing_by_itself, killed,
    daemon_killed, languages,
]
# Each kind with each way to end it; this takes about half an hour.
if os.environ.get("GATE_ALL"):
    from matrix import MATRIX
    SCENARIOS += MATRIX

# GATE_ONLY="sums paywall": only these scenarios.
if os.environ.get("GATE_ONLY"):
    names = os.environ["GATE_ONLY"].split()
    unknown = set(names) - {scenario.__name__ for scenario in SCENARIOS}
    if unknown:
        sys.exit(f"GATE_ONLY names {', '.join(sorted(unknown))}, and there is no such scenario")
    SCENARIOS = [scenario for scenario in SCENARIOS if scenario.__name__ in names]


if __name__ == "__main__":
    sys.exit(play(SCENARIOS))
