#!/usr/bin/python3
"""The part of logind that timekpr asks, on a bus of its own: which users are logged in, each with one session.

usage: logind.py FILE     FILE: a line for each user who is logged in: name and uid. It may change at any time.
"""

import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

LOGIN = "org.freedesktop.login1"
PATH = "/org/freedesktop/login1"


class Properties(dbus.service.Object):
    """An object with properties that do not change."""

    def __init__(self, bus, path, values):
        super().__init__(bus, path)
        self._values = values

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, _, name):
        return self._values[name]


class Logins(dbus.service.Object):
    def __init__(self, bus, file):
        super().__init__(bus, PATH)
        self._bus, self._file, self._known = bus, file, {}

    @dbus.service.method(f"{LOGIN}.Manager", out_signature="a(uso)")
    def ListUsers(self):
        with open(self._file, encoding="utf-8") as lines:
            users = [line.split() for line in lines]
        return [(dbus.UInt32(int(uid)), name, self._user(int(uid))) for name, uid in users]

    def _user(self, uid):
        path, session = f"{PATH}/user/_{uid}", f"{PATH}/session/_{uid}"
        if uid not in self._known:
            properties = {
                "UID": dbus.UInt32(uid), "State": "active", "IdleHint": False,
                "Sessions": dbus.Array([(f"{uid}", dbus.ObjectPath(session))], signature="(so)"),
            }
            here = {
                "Type": "x11", "VTNr": dbus.UInt32(7), "State": "active", "IdleHint": False, "LockedHint": False,
                "Seat": dbus.Struct(("seat0", dbus.ObjectPath(f"{PATH}/seat/seat0")), signature="so"),
            }
            self._known[uid] = (Properties(self._bus, path, properties), Properties(self._bus, session, here))
        return dbus.ObjectPath(path)


DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
name = dbus.service.BusName(LOGIN, bus)
logins = Logins(bus, sys.argv[1])
GLib.MainLoop().run()
