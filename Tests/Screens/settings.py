"""A person in front of gate-settings: a grown-up who administers the device, then another user. Tests/Screens/run
--settings runs it."""
import datetime
import json
import os
import re
import signal
import subprocess
import sys
import time

import screen
from assistant import first_start
from choices import gate_changes
from device import BIN, USER, Asker, Presenter, gatectl
from eavesdropper import Eavesdropper
from household import TABLET, Household
from pages import PAGES, Settings, button, entries, go_to, heading, look_here, pages, passed, press, says, shown, texts, tool, type_secret, unfold, write
from screen import Atspi, Failure, has_keyboard, is_ready, keys, middle_of, picture, pointer, tab_to, text_of, until, WORK
from targets import panes_of, place

OTHER = "nobody"
NEW_PASSCODE = "New passcode, six digits or more"


def padlock():
    go_to("Padlock")
    says("^Child mode$")
    picture("settings-padlock")
    press("Enter parent mode")
    says("no screen|presenter|gatectl present|shows")
    passed("where nobody shows questions, the window says so")
    tool("override", "parent", "--for", "10m", "--reason", "a test")
    says("^Parent mode$")
    says(r"^until \d\d:\d\d$")
    picture("settings-padlock-parent")
    press("Lock now")
    says("^Child mode$")
    if "child" not in tool("status"):
        raise Failure("the device is not locked")
    passed("the padlock follows the mode, and locks")


def question():
    """The registered presenter shows a question that the window causes."""
    presenter = Presenter()
    until("the presenter is there", presenter.is_registered)
    press("Enter parent mode")
    screen.look_at("gate-presenter", "^Gate$")
    until("it asks", lambda: screen.button("Not now"))
    look_here()
    says("^A grown-up is being asked$")
    press("Cancel the question")
    says("^Child mode$")
    presenter.end()
    passed("a question is shown by the presenter, and can be taken back")


def devices():
    """A household is made while the page is open. The tablet is opened, extended and locked from here, and then
    switched off."""
    go_to("Devices")
    says("^No household yet$")
    says("sudo gatectl household create")
    picture("settings-no-household")
    household = Household()
    tablet = household.tablet
    until("both are there", lambda: {"Kitchen laptop", TABLET} <= set(texts()))
    says("^Child mode, this device$")
    says("^Child mode, connected$")
    if button("Lock Kitchen laptop"):
        raise Failure("this device is no other one")
    picture("settings-devices")
    press(f"Open {TABLET}")
    press("Open")
    says("The reason is missing")
    write("Reason", "homework is done")
    picture("settings-devices-open")
    press("Open")
    says("^It is open.$")
    says(r"^Parent mode, until \d\d:\d\d, connected$")
    if "parent" not in tablet.tool("status") or "homework is done" not in tablet.tool("audit"):
        raise Failure("the tablet is not open, or does not know why")
    picture("settings-devices-parent")
    end = parent_end(tablet)
    press(f"15 minutes more for {TABLET}")
    says("^It has 15 minutes more.$")
    if not 14 * 60 <= parent_end(tablet) - end <= 17 * 60:
        raise Failure("those were not 15 minutes more")
    press(f"Lock {TABLET}")
    says("^It is locked.$")
    says("^Child mode, connected$")
    tablet.tool("override", "parent", "--reason", "somebody there")
    says("^Parent mode, until ")
    if "It is locked." in texts():
        raise Failure("it says that the device is locked, which it is no more")
    press("Lock all other devices")
    says("^It is locked.$")
    if "child" not in tablet.tool("status"):
        raise Failure("the tablet is not locked")
    # This device's own mode is shown at once, too.
    tool("override", "parent", "--for", "1m", "--reason", "a test")
    says("^Parent mode, until .*, this device$")
    tool("lock")
    says("^Child mode, this device$")
    household.leave()
    says("^Child mode, offline, last heard just now$")
    press(f"Lock {TABLET}")
    says("^It did not answer. It seems to be offline.$")
    picture("settings-devices-away")
    household.end()
    tool("reload")
    look_here()
    says("^No household yet$")
    passed("devices are opened, extended and locked, and each says what came of it")


def parent_end(device):
    """When parent mode ends on that device, in seconds."""
    found = [line for line in device.tool("household", "devices", "--json").splitlines() if line]
    own = next(one for one in json.loads(found[-1])["devices"] if one["isThisDevice"])
    return int(own["report"]["parentUntilUnixMilliseconds"]) / 1000


def devices_in_languages():
    """The page in other languages, and dark."""
    household = Household()
    household.tablet.tool("override", "parent", "--for", "10m", "--reason", "a picture")
    for language, page, expected in [("de_DE.UTF-8", "Geräte", "^Elternmodus, "), ("ru_RU.UTF-8", "Устройства", "^Родительский режим, "),
                                     ("zh_CN.UTF-8", "设备", "^家长模式")]:
        settings = Settings(language)
        go_to(page)
        says(expected)
        picture(f"settings-devices-{language[:2]}")
        settings.end()
    settings = Settings(ADW_DEBUG_COLOR_SCHEME="prefer-dark")
    go_to("Devices")
    says("^Parent mode, ")
    picture("settings-devices-dark")
    settings.end()
    household.end()
    tool("reload")
    passed("devices are told in German, Russian and Chinese")


def asked_elsewhere():
    """What the tablet's shop asks is shown on the laptop, with the tablet's name, and a yes on the laptop opens it
    on the tablet."""
    household = Household()
    tablet = household.tablet
    for language, heading, yes, sure in [("C.UTF-8", "Another device asks", "Allow…", "Allow"),
                                         ("de_DE.UTF-8", "Ein anderes Gerät fragt", "Erlauben …", "Erlauben")]:
        presenter = Presenter(language)
        until("the presenter is there", presenter.is_registered)
        buying = subprocess.Popen(
            [os.path.join(BIN, "gatectl"), "authorize", "shop.buy", "--details", "12 gems, 2.99 €", "--socket", tablet.socket, "--server-user", USER],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        screen.look_at("gate-presenter", "^Gate$")
        says(heading)
        says(TABLET)
        says("12 gems, 2.99 €")
        picture(f"asked-elsewhere-{language[:2]}")
        screen.press(yes)
        time.sleep(1.1)
        screen.press(sure)
        if buying.wait(timeout=20) != 0:
            raise Failure(f"the shop hears: {buying.stdout.read()}")
        presenter.end()
    if "for guardian \"Anna\"" not in tablet.tool("audit"):
        raise Failure("the tablet's journal does not name the guardian")
    household.end()
    tool("reload")
    passed("a question of the tablet is answered on the laptop")


def gates():
    go_to("Gates")
    says("^Open a web page$")
    says("^A sum with three answers$")
    picture("settings-gates")
    presenter = Presenter()
    until("the presenter is there", presenter.is_registered)
    asker = Asker("kept")
    screen.look_at("gate-presenter", "^Gate$")
    screen.press("Allow…")
    time.sleep(1.1)
    screen.press("Allow")
    asker.ends("a permission that is kept", 0)
    presenter.end()
    look_here()
    says(rf"^{USER}, until \d\d:\d\d$")
    picture("settings-grants")
    press(f"Ask {USER} again for Play a game")
    until("it is gone", lambda: not tool("grants").strip())
    says("^Everybody is asked at the moment.$")
    passed("a kept grant is seen and ended")


def nothing_to_scroll(last):
    """Checks that the last field of the dialog and the margin below it are visible, so nothing is hidden below."""
    field = next(node for node in shown() if node.get_name() == last and node.get_role() == Atspi.Role.TEXT)
    there, pane = place(field), place(next(panes_of(field)))
    if there.y + there.height + 18 > pane.y + pane.height:
        raise Failure(f"'{last}' ends at {there.y + there.height}, in what ends at {pane.y + pane.height}")


def people():
    go_to("People")
    says("^Nobody is signed in$")
    press("Add a person with a password")
    write("Name", "anna")
    write("Date of birth", "2015-03-02")
    type_secret("New password", "kitten42")
    type_secret("Type it again", "kitten43")
    press("Add")
    says("They don.t match")
    picture("settings-register")
    nothing_to_scroll("Type it again")
    type_secret("New password", "kitten42")
    type_secret("Type it again", "kitten42")
    press("Add")
    today = datetime.date.today()
    age = today.year - 2015 - ((today.month, today.day) < (3, 2))
    says(f"^A child, {age} years old, born 2015-03-02$")
    picture("settings-people")
    if "anna" not in tool("accounts"):
        raise Failure("anna is not registered")
    press("Sign in")
    write("Name", "anna")
    type_secret("Password", "kitten42")
    press("Sign in")
    says("^a child, until ")
    press("Sign out")
    says("^Nobody is signed in$")
    tool("accounts", "remove", "anna")
    until("the account goes", lambda: not any(text.startswith(f"A child, {age}") for text in texts()))
    passed("a person is registered, logs in and out, and goes when somebody else removes the account")


def purchases():
    go_to("Purchases")
    says("^Not bought$")
    press("Unlock by hand")
    press("Unlock")
    says("^Paid for, for good$")
    picture("settings-purchases")
    press("Take Stickers back")
    press("Take back")
    until("it is taken back", lambda: button("Take Stickers back") is None)
    until("nothing is paid for", lambda: texts().count("Not bought") == 2)
    passed("an entitlement is given and taken back, after a question")


def answer_consent():
    """Begins a draft, and keeps it."""
    tool("form", "open", "consent")
    for path, answer in [("parent-given-name", "Anna"), ("parent-birth-date", "1979-05-01"), ("parent-relation", "mother"),
                         ("consent-collection", "consent"), ("consent-pictures", "yes")]:
        tool("form", "set", "consent", path, answer)
    tool("form", "save", "consent")


def reads(answers):
    """Waits until each question of the dialog is followed by its answer."""
    for question, answer in answers:
        until(f"'{question}' is answered with '{answer}'", lambda: (question, answer) in zip(texts(), texts()[1:]))


def forms():
    """A response is shown as the person writes values, and is withdrawn."""
    answer_consent()
    go_to("Forms")
    says("^A parent's consent$")
    says(f"^by {USER}$")
    picture("settings-forms")
    unfold(says("^Saved, not completed, "))
    press("Read Response 1")
    reads([
        ("Given name", "Anna"), ("Date of birth", "1979-05-01"), ("What you are to the child", "Mother"),
        ("To pictures of my child within drawings (you may say no)", "Yes"),
    ])
    picture("settings-response")
    press("Close")
    press("Withdraw Response 1")
    press("Withdraw")
    until("it is withdrawn", lambda: "in-progress" not in tool("form", "responses", "consent"))
    until("it is seen", lambda: not any(text.startswith("Saved, not completed") for text in texts()))
    tool("form", "discard", "consent")
    passed("a response is read in the person's words, and withdrawn")


def forms_in_german():
    """The same in German: questions, choices, dates."""
    answer_consent()
    settings = Settings("de_DE.UTF-8")
    go_to("Formulare")
    unfold(says("^Gespeichert, "))
    press(until("it can be read", lambda: next((node.get_name() for node in shown() if re.search(" lesen$", node.get_name())), None)))
    reads([("Geburtsdatum", "01.05.1979")])
    picture("settings-response-german")
    settings.end()
    tool("form", "discard", "consent")
    passed("a response is read in German")


def wrong_answers():
    subprocess.run(gatectl("authorize", "typed", "--stdin"), input="7777\n", text=True, capture_output=True, check=False)
    go_to("Wrong answers")
    says("^1 wrong answer, at “Open the store”")
    picture("settings-wrong-answers")
    press(f"Clear the wrong answers: {USER}, at “Open the store”")
    says("^There are no wrong answers.$")
    if tool("lockouts").strip():
        raise Failure("the wrong answer is still there")
    passed("wrong answers are seen and forgotten")


def journal():
    tool("override", "parent", "--for", "1m", "--reason", "a first entry")
    tool("lock")
    go_to("Journal")
    says("^The device was locked$")
    descriptions = [node.get_description() for node in shown() if node.get_name() == "Parent mode per day"]
    if not any(re.search(r"^In the last 30 days: parent mode for .*; answers: \d+ right, \d+ wrong\.$", text) for text in descriptions):
        raise Failure(f"the plot is not described: {descriptions}")
    picture("settings-journal")
    tool("override", "parent", "--for", "1m", "--reason", "the newest entry")
    says("the newest entry")
    tool("lock")
    passed("the journal has a plot that is described, and follows new entries")


def secrets():
    go_to("Passcode")
    says("^It is not set up.$")
    press("Set the passcode")
    eavesdropper = Eavesdropper()
    type_secret(NEW_PASSCODE, "8391")
    says("finds a passcode of 4 digits")
    eavesdropper.learns_nothing("8391", NEW_PASSCODE)
    picture("settings-passcode")
    type_secret("Type it again", "8391")
    eavesdropper.learns_nothing("8391", "Type it again")
    eavesdropper.ends()
    press("Set")
    says("^It is set up.$")
    eavesdropper = Eavesdropper()
    press("Set up an authenticator")
    shown_key()
    type_secret("The six digits that it shows now", "000000")
    eavesdropper.learns_no_key()
    eavesdropper.ends()
    press("Set up")
    says("That is not its code")
    picture("settings-authenticator")
    press("Cancel")
    press("Remove the passcode")
    press("Remove")
    until("it is removed", lambda: not any(text == "It is set up." for text in texts()))
    passed("a passcode is weighed, set and removed; an authenticator wants its code, and no other program reads its key")


def shown_key():
    """Both ways to show the key have room. A screen reader learns why it does not read the key, and where it does."""
    for name in ("The key, as a code for a phone", "The key, in letters"):
        node = until(f"there is '{name}'", lambda: next((node for node in shown() if node.get_name() == name), None))
        extents = Atspi.Component.get_extents(node.get_component_iface(), Atspi.CoordType.WINDOW)
        if min(extents.width, extents.height) < 40 or "sudo gatectl totp enrol" not in node.get_description():
            raise Failure(f"'{name}' is {extents.width} by {extents.height}, and says {node.get_description()!r}")


def rules():
    go_to("Rules")
    says("^Guessed within an hour: ")
    says("^A sum with three answers$")
    picture("settings-rules")
    passed("the rules have their odds")


def by_keyboard():
    """The arrows go from page to page, Tab goes into the page, and Space presses."""
    go_to("Padlock")
    tool("override", "parent", "--for", "1m", "--reason", "the keyboard")
    says("^Parent mode$")
    tab_to("the first page", lambda: entries()[:1], presses=20)
    keys("Down")
    until("the arrow goes to the next page", lambda: heading() == "Questions")
    keys("Up")
    until("the arrow goes back", lambda: heading() == "Padlock")
    tab_to("Lock now", lambda: [button("Lock now")], presses=20)
    keys("space")
    says("^Child mode$")
    passed("pages and buttons by keyboard alone")


def quiet():
    """Nothing wakes the program while nothing changes, except that libdispatch looks at its threads at most once a
    second."""
    def switches():
        tasks = f"/proc/{Settings.newest.process.pid}/task"
        found = {}
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/status") as status:
                found[task] = int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read(), re.MULTILINE)[1])
        return found

    go_to("Padlock")
    time.sleep(8)
    before = switches()
    time.sleep(10)
    # Waits until threads without work have ended.
    woken = sum(count - before.get(task, 0) for task, count in switches().items())
    if woken > 20:
        raise Failure(f"it wakes {woken} times in ten seconds")
    passed(f"it waits: {woken} wake-ups in ten seconds")


def narrow():
    """360 pixels are enough: the list and the page are shown in turns."""
    # Tests the minimum that the window asks for, not only the size that a window manager gives it.
    ids = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Gate's settings$"], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["xdotool", "windowsize", "--sync", ids[0], "360", "640"], check=True)
    until("there is a way back to the list", lambda: button("Back"))
    extents = Atspi.Component.get_extents(screen.window().get_component_iface(), Atspi.CoordType.WINDOW)
    if extents.width > 380:
        raise Failure(f"the window is {extents.width} wide")
    picture("settings-narrow")
    press("Back")
    time.sleep(0.5)
    picture("settings-narrow-list")
    subprocess.run(["xdotool", "windowsize", "--sync", ids[0], "860", "640"], check=True)
    passed("a narrow window")


def lost_daemon():
    """Without the daemon it shows child mode, and nothing can be pressed. When the daemon is back, it goes on by
    itself."""
    settings = Settings()
    tool("override", "parent", "--for", "1m", "--reason", "before a crash")
    go_to("Journal")
    subprocess.run(["kill", "-STOP", os.environ["GATE_DAEMON"]], check=True)
    subprocess.run(["kill", "-KILL", os.environ["GATE_DAEMON"]], check=True)
    says("^The device is in child mode")
    says("^Child mode$")
    if is_ready(button("Enter parent mode")) or pages() != ["Padlock"]:
        raise Failure("something can be pressed without the daemon")
    picture("settings-lost")
    with open(os.path.join(WORK, "gated-again.log"), "ab") as log:
        daemon = subprocess.Popen(
            [os.path.join(BIN, "gated"), "--socket", os.environ["GATE_SOCKET"], "--state-directory", f"{WORK}/state", "--runtime-directory",
             f"{WORK}/runtime", "--config-directory", f"{WORK}/config", "--log-level", "warning"], stdout=log, stderr=log)
    try:
        until("all pages are back", lambda: pages() == PAGES)
        until("the notice goes", lambda: not any("The device is in child mode" in text for text in texts()))
        says("^(Journal|The last 30 days)$")
        settings.end()
        passed("without the daemon it is child mode, and it comes back")
    finally:
        daemon.terminate()
        daemon.wait()


def closed_twice():
    """Two requests to close in one turn of the loop close the window once."""
    settings = Settings()
    until("the window has the keyboard", has_keyboard)
    settings.process.send_signal(signal.SIGSTOP)
    try:
        # The window manager receives them, and asks the window.
        subprocess.run(["xdotool", "key", "--delay", "100", "alt+F4", "alt+F4"], check=True)
        time.sleep(0.5)
    finally:
        settings.process.send_signal(signal.SIGCONT)
    if settings.process.wait(20) != 0:
        raise Failure(f"gate-settings ends with {settings.process.returncode}")
    passed("asked to close twice, it closes")


def as_other():
    """Runs it as a user who is not an administrator, on a session bus of that user."""
    settings = Settings()
    until("the pages of an ordinary user", lambda: pages() == ["Padlock", "Questions", "Time", "Apps", "Gates", "People", "Purchases", "Forms", "Rules"])
    says("Administrators also see wrong answers and the journal here")
    picture("settings-ordinary")
    go_to("People")
    says("^Nobody is signed in$")
    if button("Add a person with a password") or "Accounts" in texts():
        raise Failure(f"accounts are not for everybody: {texts()}")
    go_to("Purchases")
    says("^Not bought$")
    if button("Unlock by hand"):
        raise Failure("entitlements are not everybody's to give")
    go_to("Rules")
    says("^How safe the gates are$")
    settings.end()
    passed("an ordinary user sees what everybody may see, and nothing else")


def other():
    """The same as another user, if this process may become that user."""
    if os.geteuid() != 0:
        print("left out: only root can try it as another user", flush=True)
        return
    home = os.path.join(WORK, OTHER)
    os.mkdir(home, 0o700)
    subprocess.run(["chown", OTHER, home], check=True)
    os.chmod(WORK, 0o755)
    environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "GATE_STEPS": "as_other"}
    for name in ("DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "GATE_PICTURES"):
        environment.pop(name, None)
    subprocess.run(
        ["setpriv", f"--reuid={OTHER}", "--regid=nogroup", "--clear-groups", "dbus-run-session", "--", sys.executable, os.path.abspath(__file__)],
        env=environment, check=True)
    # The display still names the accessibility bus of the earlier session, which has ended.
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], check=True)


STEPS = [padlock, question, devices, gates, gate_changes, people, purchases, forms, wrong_answers, journal, secrets, rules, by_keyboard, quiet, narrow]

# Each opens a window of its own. After the last one there is no daemon.
ALONE = [first_start, forms_in_german, devices_in_languages, asked_elsewhere, closed_twice, lost_daemon]


def main():
    chosen = os.environ.get("GATE_STEPS", "").split()
    if chosen == ["as_other"]:
        return as_other()
    if not chosen or "other" in chosen:
        other()
    steps = [step for step in STEPS if not chosen or step.__name__ in chosen]
    if steps:
        settings = Settings()
        until("an administrator has all pages", lambda: pages() == PAGES)
        for step in steps:
            step()
        settings.end()
    for step in ALONE:
        if not chosen or step.__name__ in chosen:
            step()
    return 0


if __name__ == "__main__":
    sys.exit(main())
