"""Simulates logind on a bus of the test: one seat with the session of a child (2), that of Gate's screen (c1) and
another user's (3). Prints which session gets the monitor. Lines on standard input switch by hand."""
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

ROOT, SCREEN_UID = "/org/freedesktop/login1", 61002
INTERFACES = Gio.DBusNodeInfo.new_for_xml("""
<node>
  <interface name="org.freedesktop.login1.Manager">
    <method name="GetSession"><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
    <method name="GetSessionByPID"><arg type="u" direction="in"/><arg type="o" direction="out"/></method>
    <method name="ActivateSession"><arg type="s" direction="in"/></method>
  </interface>
  <interface name="org.freedesktop.login1.Session">
    <property name="Id" type="s" access="read"/><property name="Seat" type="(so)" access="read"/>
  </interface>
  <interface name="org.freedesktop.login1.Seat">
    <property name="ActiveSession" type="(so)" access="read"/>
    <method name="SwitchTo"><arg type="u" direction="in"/></method>
  </interface>
</node>""")
active = "2"


def session(name):
    return f"{ROOT}/session/{name}"


def activate(bus, name, why):
    global active
    active = name
    print(f"{why} {name}", flush=True)
    changed = GLib.Variant("(sa{sv}as)", (
        "org.freedesktop.login1.Seat", {"ActiveSession": GLib.Variant("(so)", (name, session(name)))}, []))
    bus.emit_signal(None, f"{ROOT}/seat/seat0", "org.freedesktop.DBus.Properties", "PropertiesChanged", changed)


def called(bus, sender, path, interface, method, arguments, invocation):
    if method == "GetSession":
        return invocation.return_value(GLib.Variant("(o)", (session(arguments[0]),)))
    # As polkit's rule allows the user gate-screen.
    uid = bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixUser",
        GLib.Variant("(s)", (sender,)), None, 0, -1, None)[0]
    if uid != SCREEN_UID:
        print(f"refused uid {uid}", flush=True)
        return invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "polkit says no")
    activate(bus, str(arguments[0]), "switched to")
    return invocation.return_value(None)


def read(bus, sender, path, interface, name):
    return {
        "Id": lambda: GLib.Variant("s", path.rsplit("/", 1)[1]),
        "Seat": lambda: GLib.Variant("(so)", ("seat0", f"{ROOT}/seat/seat0")),
        "ActiveSession": lambda: GLib.Variant("(so)", (active, session(active))),
    }[name]()


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
    places = [(ROOT, "Manager"), (f"{ROOT}/seat/seat0", "Seat")] + [(session(name), "Session") for name in ("2", "3", "c1")]
    for path, name in places:
        interface = INTERFACES.lookup_interface(f"org.freedesktop.login1.{name}")
        bus.register_object(path, interface, called, read, None)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.login1", 0, None, None)
    channel = GLib.IOChannel.unix_new(sys.stdin.fileno())
    GLib.io_add_watch(channel, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, lambda *_: activate(bus, sys.stdin.readline().strip(), "by hand") or True)
    print("ready", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
