"""The page of apps in gate-settings: a grown-up guards two apps of a device's copy and releases one, the real `gatectl apps`
makes that copy follow, and a child sees what is guarded. Tests/Screens/run --apps runs it, as root, since it takes the
files of apps away, and two users."""
import json
import os
import subprocess
import sys

from apps_device import AppsDevice
from asks import CHILD, as_child
from choices import dialog_keys
from device import BIN
from pages import Settings, button, passed, press, says, texts, tool, write
from screen import Failure, picture, tree_text, until, WORK

ROOT = os.path.join(WORK, "copy")
OPTIONS = ("--page", "apps", f"--apps-root={ROOT}")
COPIED = "^A child who was allowed to start it once can copy it.$"
# With this language, the page has this name, and these lines.
LANGUAGES = [("de_DE.UTF-8", "Apps", ["^Geschützt: Zustimmung eines Erwachsenen, 1 Stunde pro Tag$", "^Geschützt: Passcode, Montag bis Freitag 14:00–18:00$"]),
             ("ru_RU.UTF-8", "Приложения", ["^Защищено: согласие взрослого, 1 ч в день$", "^Защищено: код-пароль, "]),
             ("zh_CN.UTF-8", "应用", ["^受保护：家长同意 · 每天 1 小时$", "^受保护：家长密码 · "])]


def begin():
    """Mia is a child with a user of her own."""
    os.chmod(WORK, 0o755)
    tool("people", "set", "Mia", "--child", "--born", "2015-03-02", "--user", CHILD)


def follow(device):
    """Does what gate-apps.path and gate-apps.service do: makes the copy match what the daemon has listed."""
    with open(os.path.join(WORK, "runtime", "apps"), encoding="utf-8") as file:
        device.list(file.read())
    subprocess.run([os.path.join(BIN, "gatectl"), "apps", "apply", "--root", ROOT], check=True)


def listed(name):
    lines = tool("apps", "list", "--json", "--root", ROOT).splitlines()
    return next(app for app in map(json.loads, lines) if app["name"] == name)


def missing(device):
    """Without the package, one sentence says what to install."""
    settings = Settings(options=OPTIONS)
    says("^Install the package gate-apps to guard apps: `sudo apt install gate-apps`.$")
    picture("settings-apps-missing")
    if button("Guard “SuperTux”"):
        raise Failure("an app can be guarded without the package")
    settings.end()
    device.add_package()
    passed("without the package gate-apps the page says what to install")


def nothing_guarded():
    settings = Settings(options=OPTIONS)
    says("^Apps of this device$")
    for title in ("Chess", "Pybik", "SuperTux", "Tux Paint"):
        until(f"{title} can be guarded", lambda title=title: title in texts() and button(f"Guard “{title}”"))
    says("^Can't be guarded$")
    says("nautilus-sendto needs the package nautilus")
    if button("Guard “Files”"):
        raise Failure("what others need can be guarded")
    picture("settings-apps")
    return settings


def guard(device):
    """SuperTux asks a grown-up, for an hour a day; Pybik asks for the passcode, in the afternoon."""
    press("Guard “SuperTux”")
    says("^It then starts only through Gate. In parent mode nobody is asked.$")
    # The second list is that of the limits.
    dialog_keys("Tab", "space", "Down", "Down", "Down", "Return")
    says("^1 hour a day$")
    if "Monday to Friday (for example 15:00–19:00)" in texts():
        raise Failure("there are fields for hours before hours are chosen")
    picture("settings-apps-dialog")
    press("Continue")
    says("^Then: a grown-up's yes, 1 hour a day\\. ")
    picture("settings-apps-question")
    press("Guard")
    says("^Being set up…$")
    picture("settings-apps-waiting")
    follow(device)
    says("^Guarded: a grown-up's yes, 1 hour a day$")
    if "1h" not in tool("allowances"):
        raise Failure("the daemon has no allowance")
    if not listed("supertux2")["guarded"] or device.mode("usr/games/supertux2") & 0o007:
        raise Failure("the copy of the device does not follow")
    press("Guard “Pybik”")
    says("^It has ")
    dialog_keys("space", "Down", "Down", "Return", "Tab", "space", "End", "Return")
    says("^Only at certain hours$")
    press("Continue")
    says("^Write the hours like 15:00–19:00.$")
    write("Monday to Friday", "14-18")
    picture("settings-apps-hours")
    press("Continue")
    says("^Then: the passcode, Monday to Friday 14:00–18:00\\. ")
    press("Guard")
    follow_and_say(device, "^Guarded: the passcode, Monday to Friday 14:00–18:00$")
    says(COPIED)
    picture("settings-apps-guarded")
    passed("a grown-up guards apps, and the row says when the device has followed, and what can be copied")


def follow_and_say(device, pattern):
    says("^Being (set up|released)…$")
    follow(device)
    says(pattern)


def release(device):
    press("Change what “SuperTux” asks")
    press("Stop guarding “SuperTux”")
    says("^Then it starts without Gate, like any other app.$")
    picture("settings-apps-release")
    press("Stop guarding")
    says("^Being turned off…$")
    follow(device)
    until("SuperTux can be guarded", lambda: button("Guard “SuperTux”"))
    if listed("supertux2")["guarded"] or device.mode("usr/games/supertux2") != 0o755:
        raise Failure("the copy of the device is not as it was")
    passed("an app is released from its dialog, and its file is as before")


def languages():
    """With both apps guarded, in other languages, and dark."""
    for language, name, lines in LANGUAGES:
        settings = Settings(language, options=OPTIONS)
        until("it begins with the page", lambda name=name: texts()[0] == name)
        for line in lines:
            says(line)
        picture(f"settings-apps-{language[:2]}")
        settings.end()
    settings = Settings(options=OPTIONS, ADW_DEBUG_COLOR_SCHEME="prefer-dark")
    says("^Guarded: the passcode, ")
    picture("settings-apps-dark")
    settings.end()
    passed("the page is in German, Russian and Chinese")


def child_sees():
    """In the child's session."""
    settings = Settings(options=OPTIONS)
    says("^Guarded: a grown-up's yes, 1 hour a day$")
    if any("can copy" in text or text == "Chess" for text in texts()) or button("Change what “SuperTux” asks"):
        raise Failure(f"a child sees more than what is guarded: {tree_text()}")
    settings.end()
    passed("a child sees what is guarded, and changes nothing")


def child():
    """The same as another user, in a session of its own."""
    home = os.path.join(WORK, CHILD)
    os.mkdir(home, 0o700)
    subprocess.run(["chown", CHILD, home], check=True)
    environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "GATE_STEPS": "child_sees"}
    for name in ("DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "GATE_PICTURES"):
        environment.pop(name, None)
    # The display still names the accessibility bus of the earlier session.
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], check=True)
    subprocess.run(as_child("dbus-run-session", "--", sys.executable, os.path.abspath(__file__)), env=environment, check=True)
    subprocess.run(["xprop", "-root", "-remove", "AT_SPI_BUS"], check=True)


def main():
    if os.environ.get("GATE_STEPS") == "child_sees":
        child_sees()
        return 0
    if os.geteuid() != 0:
        print("left out: only root takes the files of apps away", flush=True)
        return 0
    begin()
    device = AppsDevice(ROOT)
    missing(device)
    settings = nothing_guarded()
    guard(device)
    settings.end()
    languages()
    child()
    settings = Settings(options=OPTIONS)
    release(device)
    settings.end()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"FAILED: {failure}\n{tree_text()}", file=sys.stderr)
        sys.exit(1)
