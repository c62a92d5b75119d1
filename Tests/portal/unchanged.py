"""Apps that know nothing of Gate: xdg-desktop-portal asks before they use a part of the device, and Gate answers."""

import json
import re
import subprocess

from programs import Failed, step
from session import CHESS, CHILD, DESKTOP, PAINT, PARENT, RADIO, STORE, Refused, same, until, user

SHOT, CAMERA = "org.freedesktop.portal.Screenshot.Screenshot", "org.freedesktop.portal.Camera.AccessCamera"
WALLPAPER, BACKGROUND = "org.freedesktop.portal.Wallpaper.SetWallpaperURI", "org.freedesktop.portal.Background.RequestBackground"
START = "org.freedesktop.portal.Location.Start"
YES, NO, OTHER = 0, 1, 2
#: Wants pictures of the screen in many connections, until most were refused, and then stays.
CROWD = """
import os
from gi.repository import Gio, GLib
flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
loop, buses, answers = GLib.MainLoop(), [], []
def answered(*told):
    answers.append(told[5].unpack()[0])
    if len(answers) == 80:
        loop.quit()
for number in range(100):
    bus = Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SESSION_BUS_ADDRESS"], flags, None, None)
    buses.append(bus)
    bus.signal_subscribe(None, "org.freedesktop.portal.Request", "Response", None, None, 0, answered)
    bus.call("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Screenshot", "Screenshot",
        GLib.Variant("(sa{sv})", ("", {})), None, 0, -1, None, None)
loop.run()
print("refused" if set(answers) == {2} else answers, flush=True)
input()
"""


def stored(session, table, entry, app=PAINT):
    """What the permission store has of this app."""
    try:
        return session.host.call(f"{STORE['name']}.GetPermission", f"('{table}', '{entry}', '{app}')", STORE)[0]
    except Refused:
        return []


def asks_again(session, table, entry, app=PAINT):
    """Waits until xdg-desktop-portal would ask again."""
    until(f"the permission store has no answer for {entry}", lambda: stored(session, table, entry, app) in ([], ["ask"]))


def done(session, what):
    """How often the desktop has done this."""
    return len(re.findall(f"^{what} ", session.log_of("desktop"), re.MULTILINE))


def shoots(app):
    return app.asks(SHOT, "('', @a{sv} {})", DESKTOP)


def screenshot(session):
    app, before = session.app(), done(session, "Screenshot")
    with session.screen("yes") as shown:
        for time in (1, 2, 3):
            code, results = shoots(app)
            same(f"picture {time}", YES, code)
            same("questions", time, len(shown()))
            same("pictures", before + time, done(session, "Screenshot"))
            asks_again(session, "screenshot", "screenshot")
        words = f"{PAINT} (screenshot): Allow Paint to Take Screenshots? Paint wants to be able to take screenshots at any time."
        same("who asks for what", [(PAINT, words)] * 3, [(asked["program"], asked["details"]) for asked in shown()])
    picture = app.read(results["uri"].removeprefix("file://"))
    same("the picture, as the app sees it", b"\x89PNG\r\n\x1a\n", picture[:8])
    step("an app that knows nothing of Gate takes a picture of the screen, and a grown-up is asked each time")
    with session.screen("no") as shown:
        for time in (1, 2):
            same("after a no", OTHER, shoots(app)[0])
            same("questions", time, len(shown()))
    same("pictures after a no", before + 3, done(session, "Screenshot"))
    other = session.app(CHESS)
    with session.screen("no"):
        same("another app, in child mode", OTHER, shoots(other)[0])
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    same("another app, which the policy wants in parent mode", YES, shoots(other)[0])
    session.gatectl("lock")
    same("it, in child mode", OTHER, shoots(other)[0])
    step("a no refuses, and the next time a grown-up is asked again; the policy may have a rule for one app")


def waits(session):
    """xdg-desktop-portal has no patience for more than 25 seconds with a picture of the screen, and then never answers the app."""
    app = session.app(RADIO)
    before = done(session, "Screenshot")
    same("a picture, with nobody there", OTHER, shoots(app)[0])
    (ask,) = session.asks()
    session.gatectl("allow", ask["number"], of=PARENT)
    same("a picture, after a grown-up has allowed it", YES, shoots(app)[0])
    same("pictures", before + 1, done(session, "Screenshot"))
    same("a picture once more", OTHER, shoots(app)[0])
    session.gatectl("withdraw", session.asks()[0]["number"])
    with session.screen("yes", patience=60) as shown:
        token = app.request(SHOT, "('', @a{sv} {})", DESKTOP)
        until("it is asked", shown)
        same("a picture while a grown-up thinks", OTHER, app.response(token, seconds=25)[0])
    for ask in session.asks():
        session.gatectl("withdraw", ask["number"])
    step("xdg-desktop-portal is answered before it loses its patience, and the question waits for a grown-up")


def opens(app):
    """Why the app can't use the cameras."""
    try:
        app.call("org.freedesktop.portal.Camera.OpenPipeWireRemote", "(@a{sv} {},)", DESKTOP)
    except Refused as refused:
        return refused.name.rsplit(".", 1)[-1]
    return None


def camera(session):
    # There is no PipeWire here. That, and no refusal, is what xdg-desktop-portal says to an app that may use the cameras.
    allowed, refused = "Failed", "NotAllowed"
    app, shooting = session.app(), session.app()
    # What the same app may do in another connection does not count for the camera.
    with session.screen("yes"):
        same("a picture of the screen", YES, shoots(shooting)[0])
    same("the cameras, without a question", refused, opens(app))
    for time in (1, 2):
        with session.screen("yes") as shown:
            same(f"camera, time {time}", YES, app.asks(CAMERA, "(@a{sv} {},)", DESKTOP)[0])
            same("questions", 1, len(shown()))
        same("the cameras, after a yes", allowed, opens(app))
        same("the cameras, of another app", refused, opens(session.app(CHESS)))
        app.kill()
        asks_again(session, "devices", "camera")
        app = session.app()
        same("the cameras, once the app was started again", refused, opens(app))
    with session.screen("no") as shown:
        for time in (1, 2):
            same("camera, after a no", NO, app.asks(CAMERA, "(@a{sv} {},)", DESKTOP)[0])
            same("questions", time, len(shown()))
            same("the cameras, after a no", refused, opens(app))
    step("an app may use the camera while it runs, after a grown-up was asked, and is asked again when it was started again")
    with session.screen("yes"):
        same("camera", YES, app.asks(CAMERA, "(@a{sv} {},)", DESKTOP)[0])
    session.kill("gate-portal")
    app.kill()
    session.start_portal()
    asks_again(session, "devices", "camera")
    step("a yes to the camera does not outlive its app, although gate-portal was killed meanwhile")


def others(session):
    app, before = session.app(), done(session, "SetWallpaperURI")
    picture = "('', 'file:///usr/share/pixmaps/x.png', @a{sv} {})"
    for answer, code in (("yes", YES), ("no", OTHER)):
        for _ in range(2):
            with session.screen(answer) as shown:
                same(f"the wallpaper, after a {answer}", code, app.asks(WALLPAPER, picture, DESKTOP)[0])
                same("questions", 1, len(shown()))
            asks_again(session, "wallpaper", "wallpaper")
    same("wallpapers", before + 2, done(session, "SetWallpaperURI"))
    # To stay in the background is allowed without a question, unless a person wants to be asked.
    background = ("('', {'reason': <'To <b>listen</b>'>})", DESKTOP)
    same("to stay in the background", True, app.asks(BACKGROUND, *background)[1]["background"])
    session.host.call(f"{STORE['name']}.SetPermission", f"('background', true, 'background', '{PAINT}', ['ask'])", STORE)
    for answer, allowed in (("no", False), ("yes", True)):
        with session.screen(answer) as shown:
            same(f"the background, after a {answer}", allowed, app.asks(BACKGROUND, *background)[1]["background"])
            same("questions", 1, len(shown()))
    with session.screen("no") as shown:
        for time in (1, 2):
            place = app.call("org.freedesktop.portal.Location.CreateSession", f"({{'session_handle_token': <'s{time}'>}},)", DESKTOP)[0]
            same("the location", NO, app.asks(START, f"(objectpath '{place}', '', @a{{sv}} {{}})", DESKTOP)[0])
            same("questions", time, len(shown()))
            asks_again(session, "location", "location")
    step("so it is with the wallpaper, the background and the location")


def names(session):
    """An app with such a name that the desktop's sentences about it say nothing else before they are cut off."""
    entry = session.folder / f"share/applications/{RADIO}.desktop"
    plain = entry.read_text()
    entry.write_text(plain.replace("Name=Radio", f"Name={'Radio ' * 100}"))
    app, before = session.app(RADIO), done(session, "Screenshot")
    picture = "('', 'file:///usr/share/pixmaps/x.png', @a{sv} {})"
    same("the wallpaper, with nobody there", OTHER, app.asks(WALLPAPER, picture, DESKTOP)[0])
    (ask,) = session.asks()
    if "Radio Radio" not in ask["details"]:
        raise Failed(f"the name has not changed: {ask}")
    session.gatectl("allow", ask["number"], "always", of=PARENT)
    same("the wallpaper, which is always allowed", YES, app.asks(WALLPAPER, picture, DESKTOP)[0])
    same("a picture of the screen", OTHER, shoots(app)[0])
    same("pictures", before, done(session, "Screenshot"))
    for asked in json.loads(session.gatectl("asks", "--json"))["asks"]:
        if asked["state"] != "STATE_REFUSED":
            session.gatectl("withdraw", asked["number"])
    entry.write_text(plain)
    step("a yes is for one use of the device, whatever the app calls itself")


def crowds(session):
    """An app that asks in many connections does not end what another one may do."""
    app = session.app(CHESS)
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    same("the cameras of one app", YES, app.asks(CAMERA, "(@a{sv} {},)", DESKTOP)[0])
    session.gatectl("lock")
    crowd = subprocess.Popen(
        ["/usr/bin/python3", "-c", CROWD], env=session.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **user(CHILD))
    same("what many connections say", "refused\n", crowd.stdout.readline())
    same("the cameras, meanwhile", "Failed", opens(app))
    crowd.kill()
    crowd.communicate()
    app.kill()
    asks_again(session, "devices", "camera", CHESS)
    for ask in session.asks():
        session.gatectl("withdraw", ask["number"])
    step("an app that asks over and over does not end what another one may do")


def leaves(session):
    """An app that ends while a grown-up is asked."""
    app = session.app()
    with session.screen("yes", patience=60) as shown:
        app.request(SHOT, "('', @a{sv} {})", DESKTOP)
        until("a grown-up is asked", shown)
        app.kill()
        until("the question is gone", lambda: session.presentations() == [])
        app = session.app()
        token = app.request(CAMERA, "(@a{sv} {},)", DESKTOP)
        until("a grown-up is asked again", lambda: session.presentations())
        app.call("org.freedesktop.portal.Request.Close", at={**DESKTOP, "path": app.path(token, DESKTOP)})
        until("that question is gone, too", lambda: session.presentations() == [])
    asks_again(session, "devices", "camera")
    step("a question goes when the app leaves or closes its request")
