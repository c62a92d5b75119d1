"""Stands for the desktop of GNOME, not for Gate: the backend of xdg-desktop-portal that takes pictures of the screen, sets the wallpaper
and starts apps with the session. It writes each call to its output.

usage: desktop.py FOLDER   (where the pictures go)
"""

import pathlib
import struct
import sys
import zlib

from gi.repository import Gio, GLib

NAME, PATH, IMPLEMENTED = "org.freedesktop.impl.portal.desktop.test", "/org/freedesktop/portal/desktop", "org.freedesktop.impl.portal"


def argument(kind, way="in"):
    return f"<arg type='{kind}' direction='{way}'/>"


def method(name, taken, given):
    return f"<method name='{name}'>{''.join(map(argument, taken))}{''.join(argument(kind, 'out') for kind in given)}</method>"


REQUEST = ["o", "s", "s"]
INTERFACES = f"""<node>
<interface name='{IMPLEMENTED}.Screenshot'>
  {method("Screenshot", [*REQUEST, "a{sv}"], ["u", "a{sv}"])}<property name='version' type='u' access='read'/>
</interface>
<interface name='{IMPLEMENTED}.Wallpaper'>{method("SetWallpaperURI", [*REQUEST, "s", "a{sv}"], ["u"])}</interface>
<interface name='{IMPLEMENTED}.Background'>
  {method("GetAppState", [], ["a{sv}"])}{method("EnableAutostart", ["s", "b", "as", "u"], ["b"])}
</interface>
</node>"""


def picture():
    """A PNG of one red pixel."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


def called(bus, sender, path, interface, name, arguments, invocation):
    print(name, arguments.unpack(), flush=True)
    if name == "Screenshot":
        file = pathlib.Path(sys.argv[1]) / "screen.png"
        file.write_bytes(picture())
        invocation.return_value(GLib.Variant("(ua{sv})", (0, {"uri": GLib.Variant("s", file.as_uri())})))
    elif name == "SetWallpaperURI":
        invocation.return_value(GLib.Variant("(u)", (0,)))
    elif name == "EnableAutostart":
        invocation.return_value(GLib.Variant("(b)", (True,)))
    else:
        invocation.return_value(GLib.Variant("(a{sv})", ({},)))


bus = Gio.bus_get_sync(Gio.BusType.SESSION)
for one in Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces:
    bus.register_object(PATH, one, called, lambda *_: GLib.Variant("u", 2), None)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
