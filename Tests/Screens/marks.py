"""Parent mode is indicated by a status icon, a notification or a small window. Tests/Screens/run runs it in a
session of its own, if possible as a user who is not an administrator, since administrators extend parent mode
without a question."""
import json
import os
import subprocess
import sys
import time

from gi.repository import Gio, GLib

from desktop import WATCHER, Item, Part, call, notification, notifications
from device import BIN, IS_ASKED, USER, Asker, Presenter, Toggle, gatectl
from sums import the_sum
from screen import WORK, Atspi, Failure, everything, find, mark_window, no_window, picture, press, text_of, tree_text, until


DEADLINE = "deadlineBoottimeNanoseconds"


def passed(what):
    print(f"passed: {what}", flush=True)


def check(what, condition):
    if not condition:
        raise Failure(f"{what}\n{tree_text()}")


def mode():
    return json.loads(subprocess.run(gatectl("status", "--json"), capture_output=True, text=True, check=True).stdout)["state"]


def parent():
    """Enters parent mode as a person does."""
    def asked():
        asker = Toggle()
        until("a window asks, or nobody can", lambda: asker.process.poll() is not None or not no_window())
        return asker if asker.process.poll() is None else None

    asker = until("the presenter asks", asked)
    press(str(the_sum()))
    asker.ends("parent mode", 0)


def child():
    subprocess.run(gatectl("lock"), check=True, capture_output=True)


def more_time():
    asker, before = Asker.of("extend", "20m"), mode()
    answer_longer(before)
    asker.ends("more time", 0)


def is_child():
    return mode()["mode"] == "MODE_CHILD"


def is_parent():
    return mode()["mode"] == "MODE_PARENT"


def mark_labels():
    found = mark_window()
    return [text_of(node) or node.get_name() for node in everything(found)] if found else []


def press_mark(name):
    node = until(f"'{name}' is on the small window", lambda: next(
        (node for node in everything(mark_window()) if node.get_role() == Atspi.Role.PUSH_BUTTON and node.get_name() == name), None)
        if mark_window() else None)
    Atspi.Action.do_action(node.get_action_iface(), 0)
    time.sleep(0.3)


def answer_longer(before):
    """Answers the question for more time, which an administrator does not get. Until then parent mode goes on."""
    if IS_ASKED:
        until("there is a question for more time", lambda: find("More time in parent mode"))
        check("parent mode goes on while more time is asked for", mode() == before)
        press(str(the_sum()))
        until("the window goes", no_window)
    until("parent mode ends later", lambda: mode().get(DEADLINE) not in (None, before[DEADLINE]))


def small_window():
    """Without status icons and notifications, a small window is shown."""
    check("in child mode there is no small window", mark_window() is None)
    parent()
    until("there is a small window", mark_window)
    until("it says how long", lambda: {"Parent mode", "10 minutes left", "More time", "Lock now"} <= set(mark_labels()))
    picture("parent-mode-window")
    before = mode()
    press_mark("More time")
    answer_longer(before)
    press_mark("Lock now")
    until("the device is in child mode", is_child)
    until("the small window goes", lambda: mark_window() is None)
    passed("a small window has the time left, Longer and Lock now")


def notices():
    """With notifications, one of them stays instead."""
    server = Part("notifications")
    parent()
    shown = until("there is a notification", notifications)[0]
    check("there is no small window beside it", mark_window() is None)
    check(f"it says that parent mode runs, and how long: {shown}", (shown["title"], shown["text"]) == ("Parent mode", "10 minutes left"))
    check(f"it stays: {shown}", (shown["urgency"], shown["expires"]) == (2, 0))
    check(f"it has both buttons: {shown}", set(shown["actions"]) == {"More time", "Lock now"})
    before = mode()
    notification("Press", shown["id"], shown["actions"]["More time"])
    answer_longer(before)
    check("it is still the same one", [one["id"] for one in notifications()] == [shown["id"]])
    notification("Press", shown["id"], shown["actions"]["Lock now"])
    until("the device is in child mode", is_child)
    until("the notification goes", lambda: not notifications())
    passed("a notification has the time left, Longer and Lock now")

    parent()
    shown = until("there is a notification", notifications)[0]
    notification("Close", shown["id"], 2)
    time.sleep(0.5)
    check("what the person has put away stays away", not notifications() and mark_window() is None)
    more_time()
    shown = until("it comes back when the mode changes", notifications)[0]
    notification("Close", shown["id"], 1)
    until("a small window comes where a notification does not stay", mark_window)
    child()
    until("the small window goes", lambda: mark_window() is None)
    parent()
    until("there is a notification", notifications)
    server.end()
    until("a small window comes when the server has gone", mark_window)
    server = Part("notifications")
    until("the notification comes when a server has come", notifications)
    until("the small window goes", lambda: mark_window() is None)
    server.end()
    child()
    passed("a notification that does not stay, or has no server any more, is a small window")

    server = Part("notifications", "no-actions")
    parent()
    until("there is a small window where notifications have no buttons", mark_window)
    check("and no notification", not notifications())
    child()
    server.end()


def icons():
    """With status icons, an icon with a menu is shown instead."""
    watcher, server = Part("watcher"), Part("notifications")
    item = until("the status icon registers", Item.registered)
    properties = [item.read(name) for name in ("Id", "Category", "Status", "Title", "IconName", "ItemIsMenu")]
    check(f"in child mode it is a closed padlock: {properties}", properties == [
        "gate-presenter", "SystemServices", "Active", "Child mode", "changes-prevent-symbolic", True])
    check(f"its menu says so, and enters parent mode: {item.menu()}", item.menu() == {
        "Child mode": (1, False), "Enter parent mode": (2, True)})
    closed = item.read("IconPixmap")
    item.press("Enter parent mode")
    until("the question comes", lambda: find("Parent mode"))
    until("it can't be asked twice", lambda: item.menu()["Enter parent mode"] == (2, False))
    press("Not now")
    until("the window goes", no_window)
    until("it can be asked again, and nothing is said of that", lambda: item.menu() == {
        "Child mode": (1, False), "Enter parent mode": (2, True)})
    item.press("Enter parent mode")
    until("the question comes", lambda: find("Parent mode"))
    press(str(the_sum()))
    until("it is an open padlock", lambda: item.read("IconName") == "changes-allow-symbolic")
    passed("parent mode is entered from the status icon")
    check("it is an open padlock", item.read("IconName") == "changes-allow-symbolic")
    pictures = item.read("IconPixmap")
    check("it is drawn in two sizes, another one than in child mode", pictures != closed and [
        (width, height, len(pixels)) for width, height, pixels in pictures] == [(22, 22, 22 * 22 * 4), (44, 44, 44 * 44 * 4)])
    tip = item.read("ToolTip")
    check(f"its tip says how long: {tip}", tip[2:] == ("Parent mode", "10 minutes left"))
    menu = item.menu()
    check(f"its menu says how long, and has both: {menu}", menu == {
        "Parent mode: 10 minutes left": (1, False), "More time": (2, True), "Lock now": (3, True)})
    check("there is neither a notification nor a small window", not notifications() and mark_window() is None)
    before = mode()
    item.press("More time")
    if IS_ASKED:
        check(f"while it is asked for it can't be asked for again: {item.menu()}", item.menu()["More time"] == (2, False))
    answer_longer(before)
    item.event(1)
    item.event(3, "hovered")
    for number in (4, 99, -1):
        try:
            item.event(number)
            raise Failure(f"line {number} of the menu can be pressed")
        except GLib.Error:
            pass
    check("only Lock now locks", not is_child())
    item.press("Lock now")
    until("the device is in child mode", is_child)
    until("the menu says so", lambda: list(item.menu()) == ["Child mode", "Enter parent mode"])
    passed("a status icon has the time left, Longer and Lock now")

    parent()
    if IS_ASKED:
        item.press("More time")
        until("there is a question for more time", lambda: find("More time in parent mode"))
        press("Not now")
        until("the window goes", no_window)
        until("it can be asked for again", lambda: item.menu()["More time"] == (2, True))
        check(f"and nothing is said of that: {item.menu()}", len(item.menu()) == 3)
        passed("a question for more time that is dismissed changes nothing")

    watcher.end()
    until("a notification comes when the watcher has gone", notifications)
    watcher = Part("watcher", "no-host")
    until("the status icon registers again", Item.registered)
    time.sleep(0.3)
    check("the notification stays where nobody shows icons", notifications())
    call(WATCHER, "/StatusNotifierWatcher", WATCHER, "RegisterStatusNotifierHost", GLib.Variant("(s)", ("host",)))
    until("the notification goes when somebody shows icons", lambda: not notifications())
    call(WATCHER, "/StatusNotifierWatcher", WATCHER, "RegisterStatusNotifierHost", GLib.Variant("(s)", ("none",)))
    until("it comes back when nobody does", notifications)
    child()
    until("it goes with parent mode", lambda: not notifications())
    for part in (watcher, server):
        part.end()
    passed("the mark stands wherever the desktop shows it")


def launcher():
    """The entry of Gate in a desktop's menu has an action that enters and leaves parent mode (K-04)."""
    folder = os.path.join(WORK, "in-path")
    os.mkdir(folder)
    for program in ("gatectl", "gate-settings"):
        with open(os.path.join(folder, program), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{BIN}/{program}" "$@" --server-user {USER}\n')
        os.chmod(file.name, 0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    entry = Gio.DesktopAppInfo.new_from_filename(os.path.abspath("packaging/screens/gate-settings.desktop"))
    actions = {action: entry.get_action_name(action) for action in entry.list_actions()}
    check(f"it has one action: {actions}", actions == {"parent-mode": "Parent mode on or off"})
    entry.launch_action("parent-mode", None)
    until("the question comes", lambda: find("Parent mode"))
    check("there is no parent mode until it is answered", not is_parent())
    press(str(the_sum()))
    until("the device is in parent mode", is_parent)
    until("the question goes", no_window)
    entry.launch_action("parent-mode", None)
    until("the device is in child mode", is_child)
    passed("the launcher's action enters parent mode after a question, and leaves it")


SCENARIOS = [small_window, launcher, notices, icons]


def main():
    Presenter()
    try:
        for scenario in SCENARIOS:
            scenario()
    except Failure as failure:
        print(f"FAILED: {failure}\n{tree_text()}", file=sys.stderr)
        return 1
    finally:
        Presenter.newest.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
