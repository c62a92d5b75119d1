"""An app: it does on the session's bus what the test writes to its input, a line of JSON each, and writes a line of JSON for each
thing that happens. It runs in a sandbox and outside of one, and knows nothing of Gate.

A line in is {"do": …}, with
    "call"      name, path, method (with its interface), arguments (a tuple as GVariant's text): calls it and waits
    "request"   the same, and token: calls it, with the token in its options, which come last, and does not wait
    "hear"      name, path, signal (with its interface): tells of this signal from now on
    "read"      file: tells its content, in hexadecimal
    "name"      tells the unique name of its connection
"""

import ctypes
import json
import os

from gi.repository import Gio, GLib

REQUEST = "org.freedesktop.portal.Request"
PR_SET_DUMPABLE = 4
if os.environ.get("HIDDEN"):
    # From now on, other programs of the same user can't look at this one in /proc.
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def say(**what):
    print(json.dumps(what, default=str), flush=True)


def arguments(line):
    return GLib.Variant.parse(None, line.get("arguments", "()"), None, None)


def call(line, given):
    interface, method = line["method"].rsplit(".", 1)
    limit = int(line.get("milliseconds", 20000))
    return bus.call_sync(line["name"], line["path"], interface, method, given, None, Gio.DBusCallFlags.NONE, limit)


def hear(interface, signal, path, of):
    def heard(connection, sender, path, interface, signal, values):
        say(heard=of, values=values.unpack())

    bus.signal_subscribe(None, interface, signal, path, None, Gio.DBusSignalFlags.NONE, heard)


def with_token(given, token):
    """The arguments with a handle_token in the options."""
    parts = [given.get_child_value(i) for i in range(given.n_children())]
    options = GLib.VariantDict.new(parts[-1])
    options.insert_value("handle_token", GLib.Variant("s", token))
    return GLib.Variant.new_tuple(*parts[:-1], options.end())


def do(line):
    if line["do"] == "name":
        return say(returned=bus.get_unique_name())
    if line["do"] == "read":
        return say(returned=open(line["file"], "rb").read().hex())
    if line["do"] == "hear":
        interface, signal = line["signal"].rsplit(".", 1)
        hear(interface, signal, line["path"], line["signal"])
        # After this call the bus has our subscription.
        call({"name": "org.freedesktop.DBus", "path": "/", "method": "org.freedesktop.DBus.GetId"}, None)
        return say(returned=None)
    given = arguments(line)
    if line["do"] == "request":
        sender = bus.get_unique_name()[1:].replace(".", "_")
        hear(REQUEST, "Response", f"{line['path']}/request/{sender}/{line['token']}", f"response {line['token']}")
        given = with_token(given, line["token"])
    return say(returned=call(line, given).unpack())


def told(*_):
    text = os.read(0, 1 << 16)
    if not text:
        loop.quit()
        return False
    *lines, unread[0] = (unread[0] + text).split(b"\n")
    for one in lines:
        try:
            do(json.loads(one))
        except OSError as error:
            say(error=type(error).__name__, message=str(error))
        except GLib.Error as error:
            say(error=Gio.DBusError.get_remote_error(error) or error.domain, message=error.message)
    return True


unread = [b""]
loop = GLib.MainLoop()
say(ready=os.getpid())
GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, told)
loop.run()
