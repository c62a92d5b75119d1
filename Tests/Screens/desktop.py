"""Small parts of a desktop: one for status icons, one for notifications, one that starts programs as units, as systemd
does, and one for haptic feedback. Each is a program of its own on the session's bus, as on a real desktop:
desktop.py watcher|notifications|systemd|feedback."""
import json
import os
import subprocess
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

WATCHER, NOTIFICATIONS = "org.kde.StatusNotifierWatcher", "org.freedesktop.Notifications"
NOTIFICATIONS_PATH = "/org/freedesktop/Notifications"
SYSTEMD = "org.freedesktop.systemd1"
FEEDBACK, FEEDBACK_PATH = "org.sigxcpu.Feedback", "/org/sigxcpu/Feedback"
DESCRIPTIONS = {
    WATCHER: """<node><interface name="org.kde.StatusNotifierWatcher">
      <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
      <method name="RegisterStatusNotifierHost"><arg type="s" direction="in"/></method>
      <property name="RegisteredStatusNotifierItems" type="as" access="read"/>
      <property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
      <property name="ProtocolVersion" type="i" access="read"/>
      <signal name="StatusNotifierHostRegistered"/><signal name="StatusNotifierHostUnregistered"/>
      </interface></node>""",
    NOTIFICATIONS: """<node><interface name="org.freedesktop.Notifications">
      <method name="GetCapabilities"><arg type="as" direction="out"/></method>
      <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
        <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
        <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
      <method name="CloseNotification"><arg type="u" direction="in"/></method>
      <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
      <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
      </interface><interface name="org.gate.Test">
      <method name="Shown"><arg type="s" direction="out"/></method>
      <method name="Press"><arg type="u" direction="in"/><arg type="s" direction="in"/></method>
      <method name="Close"><arg type="u" direction="in"/><arg type="u" direction="in"/></method>
      </interface></node>""",
    SYSTEMD: """<node><interface name="org.freedesktop.systemd1.Manager">
      <method name="StartTransientUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a(sv)" direction="in"/>
        <arg type="a(sa(sv))" direction="in"/><arg type="o" direction="out"/></method>
      </interface></node>""",
    FEEDBACK: """<node><interface name="org.sigxcpu.Feedback">
      <method name="TriggerFeedback"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
        <arg type="i" direction="in"/><arg type="u" direction="out"/></method>
      </interface><interface name="org.gate.Test">
      <method name="Triggered"><arg type="s" direction="out"/></method>
      </interface></node>""",
}


class Watcher:
    name, path = WATCHER, "/StatusNotifierWatcher"

    def __init__(self, bus):
        # With "no-host" it accepts icons, but nobody shows them until a host registers.
        self.bus, self.items, self.has_host = bus, [], "no-host" not in sys.argv

    def called(self, method, words, sender):
        if method == "RegisterStatusNotifierItem":
            self.items.append(words[0])
        else:
            self.has_host = words[0] != "none"
            self.bus.emit_signal(
                None, self.path, self.name, "StatusNotifierHost" + ("Registered" if self.has_host else "Unregistered"), None)
        return None

    def read(self, name):
        return {
            "RegisteredStatusNotifierItems": GLib.Variant("as", self.items),
            "IsStatusNotifierHostRegistered": GLib.Variant("b", self.has_host),
            "ProtocolVersion": GLib.Variant("i", 0),
        }[name]


class Notifications:
    name, path = NOTIFICATIONS, NOTIFICATIONS_PATH

    def __init__(self, bus):
        self.bus, self.shown, self.last, self.count = bus, {}, 0, 0

    def called(self, method, words, sender):
        if method == "GetCapabilities":
            return GLib.Variant("(as)", (["body"] if "no-actions" in sys.argv else ["body", "body-markup", "actions", "persistence"],))
        if method == "Notify":
            _, replaced, icon, title, text, actions, hints, expires = words
            self.last += 0 if replaced in self.shown else 1
            number = replaced if replaced in self.shown else self.last
            self.count += 1
            self.shown[number] = {
                "id": number, "icon": icon, "title": title, "text": text, "actions": dict(zip(actions[1::2], actions[::2])),
                "urgency": hints.get("urgency"), "expires": expires, "sent": self.count}
            return GLib.Variant("(u)", (number,))
        if method == "CloseNotification":
            return self.close(words[0], 3)
        if method == "Shown":
            return GLib.Variant("(s)", (json.dumps(list(self.shown.values())),))
        if method == "Press":
            self.bus.emit_signal(None, self.path, self.name, "ActionInvoked", GLib.Variant("(us)", tuple(words)))
        if method == "Close":
            return self.close(*words)
        return None

    def close(self, number, reason):
        if self.shown.pop(number, None) is not None:
            self.bus.emit_signal(None, self.path, self.name, "NotificationClosed", GLib.Variant("(uu)", (number, reason)))
        return None


class Systemd:
    """Starts a unit's command as a child of its own."""
    name, path = SYSTEMD, "/org/freedesktop/systemd1"

    def __init__(self, bus):
        pass

    def called(self, method, words, sender):
        unit, _, properties, _ = words
        (path, command, _), = dict(properties)["ExecStart"]
        if not unit.endswith(".service") or path != command[0]:
            raise ValueError(f"this is no unit: {words}")
        subprocess.Popen(command, stdout=subprocess.DEVNULL)
        return GLib.Variant("(o)", ("/org/freedesktop/systemd1/job/1",))


class Feedback:
    """feedbackd. With "failing" it can't give feedback."""
    name, path = FEEDBACK, FEEDBACK_PATH

    def __init__(self, bus):
        self.triggered = []

    def called(self, method, words, sender):
        if method == "Triggered":
            return GLib.Variant("(s)", (json.dumps(self.triggered),))
        self.triggered.append(words[:2])
        if "failing" in sys.argv:
            raise NotImplementedError("there is no motor")
        return GLib.Variant("(u)", (len(self.triggered),))


def serve(kind):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    served = kind(bus)

    def called(bus, sender, path, interface, method, words, invocation):
        try:
            invocation.return_value(served.called(method, words.unpack(), sender))
        except NotImplementedError as error:
            invocation.return_dbus_error("org.freedesktop.DBus.Error.NotSupported", str(error))

    for interface in Gio.DBusNodeInfo.new_for_xml(DESCRIPTIONS[kind.name]).interfaces:
        bus.register_object(
            kind.path, interface, called, lambda bus, sender, path, interface, name: served.read(name), None)
    Gio.bus_own_name_on_connection(bus, kind.name, Gio.BusNameOwnerFlags.NONE, None, lambda *_: os._exit(1))
    print("ready", flush=True)
    GLib.MainLoop().run()


class Part:
    """One of these programs, while it runs."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", os.path.abspath(__file__), *words], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def end(self):
        self.process.terminate()
        self.process.wait()


def call(name, path, interface, method, words=None, answer=None):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    return bus.call_sync(
        name, path, interface, method, words, GLib.VariantType(answer) if answer else None, Gio.DBusCallFlags.NONE, 5000,
        None).unpack()


def read(name, path, interface, key):
    return call(
        name, path, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (interface, key)), "(v)")[0]


class Item:
    """A status icon, as a host sees it."""

    def __init__(self, name):
        self.name = name

    @classmethod
    def registered(cls):
        """The newest icon; None if there is none."""
        names = read(WATCHER, "/StatusNotifierWatcher", WATCHER, "RegisteredStatusNotifierItems")
        return cls(names[-1]) if names else None

    def read(self, key):
        return read(self.name, "/StatusNotifierItem", "org.kde.StatusNotifierItem", key)

    def menu(self):
        """The lines of its menu: text, number, and whether the line can be pressed."""
        path = self.read("Menu")
        call(self.name, path, "com.canonical.dbusmenu", "AboutToShow", GLib.Variant("(i)", (0,)), "(b)")
        _, (_, _, children) = call(
            self.name, path, "com.canonical.dbusmenu", "GetLayout", GLib.Variant("(iias)", (0, -1, [])), "(u(ia{sv}av))")
        return {words["label"]: (number, words["enabled"]) for number, words, _ in children}

    def event(self, number, event="clicked"):
        call(self.name, self.read("Menu"), "com.canonical.dbusmenu", "Event",
             GLib.Variant("(isvu)", (number, event, GLib.Variant("i", 0), 0)))

    def press(self, text):
        self.event(self.menu()[text][0])


def notifications():
    return json.loads(call(NOTIFICATIONS, NOTIFICATIONS_PATH, "org.gate.Test", "Shown", None, "(s)")[0])


def notification(method, number, word):
    call(NOTIFICATIONS, NOTIFICATIONS_PATH, "org.gate.Test", method,
         GLib.Variant("(us)" if isinstance(word, str) else "(uu)", (number, word)))


if __name__ == "__main__":
    serve({"watcher": Watcher, "notifications": Notifications, "systemd": Systemd, "feedback": Feedback}[sys.argv[1]])
