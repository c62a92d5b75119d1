"""What an app that knows Gate does on the bus: it follows the mode, asks, and shows a paywall."""

import re
import time

from programs import step
from session import GATE, PAINT, PARENT, ROOT, Refused, same, until

CHANGED = "org.freedesktop.DBus.Properties.PropertiesChanged"
LINK = "('', 'link.open', 'https://example.org/', @a{sv} {})"
GAME = "('', 'game.install', 'supertux2', {'may_wait': <true>})"
AUTHORIZE, PREMIUM = "org.gate.Portal.Authorize", "org.gate.Portal.RequirePremium"
YES, NO, OTHER = 0, 1, 2


def hears_mode(app, expected):
    """Waits until the app hears of this mode. Returns the deadline in nanoseconds."""
    while values := app.hears(CHANGED):
        if values[1].get("Mode") == expected:
            return values[1]["ModeDeadline"]
    raise AssertionError(f"the app does not hear of {expected} mode")


def mode(session):
    app = session.app()
    app.hear(CHANGED)
    same("the mode, at first", "child", app.property("Mode"))
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    left = hears_mode(app, "parent") / 1e9 - time.clock_gettime(time.CLOCK_BOOTTIME)
    if not 280 < left <= 300:
        raise AssertionError(f"parent mode ends in {left} s")
    same("the mode", "parent", app.property("Mode"))
    session.gatectl("lock")
    same("child mode's deadline", 0, hears_mode(app, "child"))
    session.gatectl("override", "parent", "--for", "2s", "--reason", "test")
    hears_mode(app, "parent")
    hears_mode(app, "child")
    step("an app in a sandbox hears when parent mode begins, and when it ends by itself or by a person")
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    hears_mode(app, "parent")
    session.daemon.kill()
    hears_mode(app, "child")
    same("the mode without gated", "child", app.property("Mode"))
    refused = app.asks(AUTHORIZE, LINK)
    same("a request without gated", OTHER, refused[0])
    session.daemon.start()
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    hears_mode(app, "parent")
    session.gatectl("lock")
    hears_mode(app, "child")
    step("without gated an app is told child mode and no reason to wait, and hears of the mode when gated is back")
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    hears_mode(app, "parent")
    session.kill("gate-portal")
    session.start_portal()
    same("the mode of a new gate-portal", "parent", until("it knows the mode", lambda: app.property("Mode") == "parent" and "parent"))
    session.gatectl("lock")
    step("gate-portal can be killed and started again")


def authorize(session):
    app = session.app()
    same("with no grown-up's screen", OTHER, app.asks(AUTHORIZE, LINK)[0])
    with session.screen("yes") as shown:
        same("a yes", (YES, {}), tuple(app.asks(AUTHORIZE, LINK)))
        same("who asks for what", [(PAINT, "https://example.org/")], [(asked["program"], asked["details"]) for asked in shown()])
        same("another yes", YES, app.asks(AUTHORIZE, LINK)[0])
        same("what was shown", 2, len(shown()))
    with session.screen("no") as shown:
        code, results = app.asks(AUTHORIZE, LINK)
        same("a no", NO, code)
        if not results["message"]:
            raise AssertionError(f"no words for the person: {results}")
    step("a grown-up is asked each time, reads which app asks, and says yes or no")
    same("what needs parent mode, in child mode", OTHER, app.asks(AUTHORIZE, "('', 'homework.hide', '', @a{sv} {})")[0])
    session.gatectl("override", "parent", "--for", "5m", "--reason", "test")
    same("it, in parent mode", YES, app.asks(AUTHORIZE, "('', 'homework.hide', '', @a{sv} {})")[0])
    session.gatectl("lock")
    same("an action that the policy does not have", NO, app.asks(AUTHORIZE, "('', 'link.close', '', @a{sv} {})")[0])
    for details in ("x" * 5000, "two\\nlines"):
        same("details that can't be shown", False, refused_or(lambda details=details: app.asks(
            AUTHORIZE, f"('', 'link.open', '{details}', @a{{sv}} {{}})")[0]) == YES)
    step("what the policy refuses, or nobody could read, is refused")


def refused_or(work):
    """What it returns; None if D-Bus refuses it."""
    try:
        return work()
    except Refused:
        return None


def page(session):
    """The program on docs/portal.md, as it stands there."""
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/portal.md").read_text(), re.DOTALL)
    for answer, said in (("yes", "open it\n"), ("no", "no: ")):
        with session.screen(answer) as shown:
            status, text = session.runs(PAINT, "/usr/bin/python3", "-c", program)
            same("its status", 0, status)
            same("what it says", said, text[: len(said)])
            same("who asks", [PAINT], [asked["program"] for asked in shown()])
    step("the program on the page about sandboxed apps asks")


def waits(session):
    app = session.app()
    code, results = app.asks(AUTHORIZE, GAME)
    same("a question that waits", OTHER, code)
    if results["until"] < time.time() * 1000:
        raise AssertionError(f"it waits until a time that is past: {results}")
    (ask,) = session.asks()
    same("its number", str(results["ask"]), ask["number"])
    session.gatectl("allow", ask["number"], of=PARENT)
    app.kill()
    app = session.app()
    same("after a grown-up has allowed it", YES, app.asks(AUTHORIZE, GAME)[0])
    code, results = app.asks(AUTHORIZE, GAME)
    same("once more", OTHER, code)
    session.gatectl("refuse", str(results["ask"]), of=PARENT)
    same("after a grown-up has refused it", NO, app.asks(AUTHORIZE, GAME)[0])
    step("a question waits for a grown-up; the app, started again, takes the answer once")


def premium(session):
    app = session.app()
    same("a paywall that nobody can show", OTHER, app.asks(PREMIUM, "('', '', @a{sv} {})")[0])
    with session.screen("no", kinds="paywall") as shown:
        token = app.request(PREMIUM, "('', '', @a{sv} {})")
        until("the paywall is shown", shown)
        claim = session.claim()
        same("once it is paid for", (YES, {}), tuple(app.response(token)))
    same("what is paid for", (YES, {}), tuple(app.asks(PREMIUM, "('', 'premium', @a{sv} {})")))
    session.gatectl("entitlements", "revoke", "manual", claim)
    same("what is not any more", OTHER, app.asks(PREMIUM, "('', 'premium', @a{sv} {})")[0])
    step("an app shows a paywall until it is paid for")


def withdrawn(session):
    """Requests that are closed, and whose app leaves the bus."""
    app = session.app()
    with session.screen("yes", patience=60) as shown:
        for how in ("closes", "leaves"):
            before = len(shown())
            token = app.request(AUTHORIZE, LINK)
            until("a grown-up is asked", lambda before=before: len(shown()) > before)
            if how == "closes":
                app.call("org.freedesktop.portal.Request.Close", at={**GATE, "path": app.path(token)})
            else:
                app.kill()
            until(f"the question is gone once the app {how}", lambda: not session.presentations())
        app = session.app()
        token = app.request(AUTHORIZE, LINK)
        until("a grown-up is asked", lambda: session.presentations())
        session.kill("gate-portal")
        until("the question is gone once gate-portal has ended", lambda: not session.presentations())
        session.start_portal()
        same("a response to nobody", None, app.hears(f"response {token}", 0.2))
    step("a request that is closed, whose app leaves, or whose gate-portal ends, is withdrawn")
