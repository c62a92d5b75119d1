"""A secret is needed in a child's session, and is answered on Gate's own screen. Tests/Screens/own-screen runs it,
as root."""
import base64
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

BIN, WORK = os.environ["GATE_BIN"], os.environ["GATE_WORK"]
PICTURES = os.environ.get("GATE_PICTURES")
CHILD, SCREEN, WORD = 61001, 61002, "blauer Igel"
NOTICE = "Answer this on Gate's own screen, which opens now."
OPENING, QUESTION = "I have read it", "Enter the passcode"
ADDING = "No password yet? A grown-up can add you in Gate's settings, under “People”."
BUS = f"unix:path={WORK}/system-bus"
started = []


class Failure(Exception):
    pass


def start(*words, uid=None, log="programs", **options):
    """Starts a program as that user, with nothing of our environment but the paths."""
    variables = {
        "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "GATE_SOCKET": f"{WORK}/gate.sock", "GATE_WORK": f"{WORK}/{uid or 0}", "GATE_BIN": BIN,
        "HOME": f"{WORK}/{uid or 0}", "XDG_RUNTIME_DIR": f"{WORK}/{uid or 0}", "GSETTINGS_BACKEND": "memory", "DBUS_SYSTEM_BUS_ADDRESS": BUS,
        "PYTHONPATH": "Tests/Screens", "PYTHONDONTWRITEBYTECODE": "1", **options.pop("variables", {}),
    }
    user = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"] if uid else []
    output = open(f"{WORK}/{log}.log", "ab")
    process = subprocess.Popen(
        [*user, *words], env=variables, stderr=output, start_new_session=True, **{"stdin": subprocess.DEVNULL, "stdout": output, **options})
    started.append(process)
    return process


def until(what, condition, seconds=20):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise Failure(f"it never happens that {what}")
        time.sleep(0.02)
    return found


def gatectl(*words):
    return [f"{BIN}/gatectl", *words, "--server-user", "root"]


def as_root(*words, **options):
    return subprocess.run(
        gatectl(*words), env={**os.environ, "GATE_SOCKET": f"{WORK}/gate.sock"}, check=True, capture_output=True, text=True, **options).stdout


class Lines:
    """A program that reads lines and prints lines."""

    def __init__(self, *words, **options):
        self.process = start(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def say(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def next(self, seconds=40.0):
        try:
            return self.lines.get(timeout=seconds)
        except queue.Empty:
            return None


class Seat(Lines):
    """One user with a bus of their own, and a robot that sees and presses there."""

    def __init__(self, name, uid, presenter, **variables):
        self.name, self.uid, self.variables = name, uid, variables
        os.mkdir(f"{WORK}/{uid}", 0o700)
        os.chown(f"{WORK}/{uid}", uid, uid)
        # The presenter gets none of what the robot is told.
        script = f"{presenter} < /dev/null >&2 & echo $! > $HOME/presenter; exec /usr/bin/python3 Tests/Screens/seat.py"
        super().__init__("dbus-run-session", "--", "sh", "-c", script, uid=uid, log=name, variables=variables)

    def __getattr__(self, order):
        def told(*words):
            self.say(json.dumps([order, *words]))
            # Lines that libraries print are not answers.
            while not (line := self.next() or '{"failed": "it does not answer"}').startswith("{"):
                print(f"-- {self.name}: {line}", file=sys.stderr)
            answer = json.loads(line)
            if "failed" in answer:
                raise Failure(f"{self.name}: {order} {words}: {answer['failed']}")
            return answer["is"]
        return told

    def presenter(self):
        with open(f"{WORK}/{self.uid}/presenter", encoding="ascii") as file:
            return int(file.read())

    def display(self):
        """The X display that cage announces to its program."""
        cage = self.presenter()
        with open(f"/proc/{cage}/task/{cage}/children", encoding="ascii") as children:
            program = children.read().split()[0]
        with open(f"/proc/{program}/environ", encoding="utf-8") as variables:
            return next(line for line in variables.read().split("\0") if line.startswith("DISPLAY=")).removeprefix("DISPLAY=")

    def picture(self, name):
        if not PICTURES:
            return
        time.sleep(0.5)
        os.makedirs(PICTURES, exist_ok=True)
        path = f"{WORK}/{self.uid}/picture.png"
        if self.uid == SCREEN:
            # cage's output always has this name.
            words, variables = ["grim", path], {"WAYLAND_DISPLAY": "wayland-0"}
        else:
            words, variables = ["import", "-window", "root", path], {"DISPLAY": self.variables["DISPLAY"]}
        start(*words, uid=self.uid, variables=variables).wait(20)
        shutil.move(path, f"{PICTURES}/{name}.png")


def asks(*words):
    """A program in the child's session asks."""
    return start(*gatectl("authorize", *words), uid=CHILD, log="asker")


def ends(asker, what, status):
    if (code := asker.wait(30)) != status:
        raise Failure(f"{what}: status {code}, wanted {status}")
    print(f"passed: {what}", flush=True)


def switches(logind, *wanted):
    for words in wanted:
        if (said := logind.next(10)) != words:
            raise Failure(f"the monitor: '{said}', wanted '{words}'")


def stays(logind, seconds):
    if (said := logind.next(seconds)) is not None:
        raise Failure(f"the monitor is switched: {said}")


def open_question():
    return json.loads(as_root("call", "gate.v1.Presentations/ListPresentations"))["presentations"][0]["id"]


def passcode(child, screen, logind):
    asker = asks("buy", "--details", "12.99")
    switches(logind, "switched to c1")
    child.wait_for(NOTICE)
    screen.wait_for("Buy something")
    tree = child.tree()
    if child.has_secret_field() or QUESTION in tree or OPENING in tree:
        raise Failure(f"the child's presenter shows more than where to answer:\n{tree}")
    if WORD in tree or WORD not in screen.tree():
        raise Failure(f"the word stands in the wrong place:\n{tree}\n{screen.tree()}")
    print(f"-- the child's screen\n{tree}")
    child.picture("elsewhere")
    screen.press(OPENING)
    screen.wait_for(QUESTION)
    screen.picture("own-screen-passcode")
    print(f"-- Gate's own screen\n{screen.tree()}")
    screen.press("2", "4", "6", "8", "OK")
    ends(asker, "a passcode for a child's program, on Gate's own screen by its keypad", 0)
    switches(logind, "switched to 2")
    child.wait_for_nothing()
    screen.wait_for_nothing()

    asker = asks("buy")
    switches(logind, "switched to c1")
    child.wait_for(NOTICE)
    child.press_last("Close")
    child.wait_for_nothing()
    if asker.poll() is not None:
        raise Failure("to put the notice away closes the question")
    screen.press("Not now")
    ends(asker, "the notice is put away, and the question dismissed where it stands", 3)
    switches(logind, "switched to 2")


def letters(screen, logind):
    """A passcode of letters, and a name with a password, typed on the screen's keyboard."""
    as_root("passcode", "set", "--stdin", input="Zaun König 7%\n")
    asker = asks("buy")
    switches(logind, "switched to c1")
    screen.press(OPENING, "Letters…", "Other letters: EN")
    if screen.smallest_key() < 44:
        raise Failure("the keys are too small for fingers")
    screen.picture("own-screen-letters")
    screen.type("Zaun König 7")
    screen.press("#+=", "%", "Digits…", "OK")
    ends(asker, "a passcode of letters by the keyboard on the screen", 0)
    switches(logind, "switched to 2")

    asker = asks("mail")
    switches(logind, "switched to c1")
    screen.wait_for(ADDING)
    if "'Add a person'" in screen.tree():
        raise Failure(f"Gate's own screen offers a window of another program:\n{screen.tree()}")
    screen.type("anna")
    screen.press("Enter")
    screen.press("Other letters: EN", "Other letters: DE")
    screen.type("Пароль")
    screen.press("Other letters: РУ")
    screen.type("9x")
    screen.picture("own-screen-sign-in")
    screen.press("Enter")
    ends(asker, "a name and a password by the keyboard on the screen, in two alphabets", 0)
    switches(logind, "switched to 2")
    as_root("logout")
    as_root("passcode", "set", "--stdin", input="2468\n")


def others(child, screen, logind):
    """Questions for no secret are asked in the child's session, as before."""
    asker = asks("sum")
    child.wait_for("Open a web page")
    stays(logind, 1)
    child.press("Not now")
    ends(asker, "a sum is asked in the session, and the monitor stays there", 3)
    asker = asks("yes")
    ends(asker, "what a grown-up's mere yes would open is not asked where anybody stands", 2)


def taken_back(screen, logind):
    asker = asks("buy")
    switches(logind, "switched to c1")
    screen.press(OPENING, "2", "4")
    killed_at = time.monotonic()
    asker.kill()
    screen.wait_for_nothing()
    screen.wait_for_text("The question was withdrawn.")
    screen.picture("own-screen-taken-back")
    switches(logind, "switched to 2")
    if (seconds := time.monotonic() - killed_at) < 3.9:
        raise Failure(f"the monitor goes back {seconds} s after a question that went in the middle")
    print("passed: a question that is taken back in the middle keeps the monitor until nobody types any more", flush=True)

    asker = asks("buy")
    switches(logind, "switched to c1")
    logind.say("3")
    switches(logind, "by hand 3")
    asker.kill()
    screen.wait_for_nothing()
    stays(logind, 5)
    logind.say("2")
    switches(logind, "by hand 2")
    print("passed: who switches away by hand is not brought anywhere", flush=True)


def attacks(child, screen, logind):
    """The child's own programs attack with all that they can do."""
    word = f"{WORK}/word"
    for program in (["cat", word], ["sh", "-c", f"echo evil > {word}"], ["ls", f"{WORK}/{SCREEN}"]):
        status, said = child.run(*program)
        if status == 0 or "denied" not in said:
            raise Failure(f"{program}: {status} {said}")
    asker = asks("buy")
    switches(logind, "switched to c1")
    child.wait_for(NOTICE)
    number = open_question()
    # A program registers for secrets, and says that it has a screen of its own.
    register = {"kinds": ["PRESENTATION_KIND_PASSCODE"], "styles": ["STYLE_SHEET"], "hasScreenOfItsOwn": True}
    _, said = child.run("timeout", "2", *gatectl("call", "gate.v1.Presentations/RegisterPresenter", json.dumps(register)))
    if "cookie" in said or '"stage": "STAGE_OFFERED"' in said or "PLACE_SCREEN_OF_ITS_OWN" not in said:
        raise Failure(f"a child's presenter is told more than where: {said}")
    # Everybody can know the number of a question; the random half of its cookie has to be guessed.
    cookie = base64.b64encode(int(number).to_bytes(8, "big") + bytes(16)).decode()
    for method, message in [
        ("Claim", {"id": number}), ("Withdraw", {"id": number}), ("Complete", {"cookie": cookie, "secret": "MjQ2OA=="}),
        ("Dismiss", {"cookie": cookie}), ("Report", {"cookie": cookie, "input": "INPUT_SHOWN"}),
    ]:
        status, said = child.run(*gatectl("call", f"gate.v1.Presentations/{method}", json.dumps(message)))
        if status != 77:
            raise Failure(f"a child's {method} ends with {status}: {said}")
    # The child can't switch the monitor, and the compositor accepts no client of the child.
    status, said = child.run(
        "dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.login1", "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager.ActivateSession", "string:2")
    if status == 0:
        raise Failure("the child moves the monitor")
    switches(logind, f"refused uid {CHILD}")
    with socket.socket(socket.AF_UNIX) as display:
        # wlroots listens for X clients; the server that it would start is /bin/false.
        display.settimeout(1)
        answer = b""
        try:
            display.connect(f"\0/tmp/.X11-unix/X{screen.display()[1:]}")
            display.sendall(b"l\0\x0b\0\0\0\0\0\0\0\0\0")
            answer = display.recv(8)
        except (TimeoutError, ConnectionError):
            pass
        if answer:
            raise Failure(f"there is an X server on Gate's own screen, and it answers: {answer}")
    screen.press(OPENING, "2", "4", "6", "8", "OK")
    ends(asker, "a child's programs learn, claim, answer, dismiss and draw nothing", 0)
    switches(logind, "switched to 2")


def death(child, screen, logind):
    """The presenter is killed while its screen has the monitor. What systemd runs then switches the monitor back."""
    asker = asks("buy")
    switches(logind, "switched to c1")
    screen.wait_for("Buy something")
    back = f"{WORK}/{SCREEN}/run/back"
    with open(back, encoding="ascii") as file:
        if (place := file.read()) != "session 2\n":
            raise Failure(f"it would go back to '{place}'")
    os.kill(screen.presenter(), signal.SIGKILL)
    ends(asker, "the screen dies, and nobody else may take the question: the asker hears it at once", 2)
    child.wait_for_nothing()
    if not os.path.exists(back):
        raise Failure("nothing says where the monitor was")


def main():
    for name in ("state", "runtime"):
        os.mkdir(f"{WORK}/{name}", 0o700)
    os.mkdir(f"{WORK}/0", 0o700)
    os.mkdir(f"{WORK}/config", 0o755)
    with open(f"{WORK}/config/policy.yaml", "w", encoding="ascii") as file:
        file.write("""
mode: {challenge: passcode, answer-time: 60s}
lockout: {after: 100}
roles:
  presenter: {users: [ben, gate-screen]}
  grown-up-presenter: {users: [gate-screen]}
gated-actions:
  buy: {title: Buy something, requires: {challenge: passcode}}
  mail: {title: Read the mail, requires: signed-in}
  sum: {title: Open a web page, requires: {challenge: arithmetic-choice}}
  'yes': {title: Call grandma, requires: {challenge: {kind: confirm, answered-by: grown-up}}}
""")
    start(f"{BIN}/gated", "--socket", f"{WORK}/gate.sock", "--state-directory", f"{WORK}/state", "--runtime-directory", f"{WORK}/runtime",
          "--config-directory", f"{WORK}/config", "--log-level", "warning", log="gated")
    until("the daemon answers", lambda: os.path.exists(f"{WORK}/gate.sock") and as_root("ping"))
    as_root("passcode", "set", "--stdin", input="2468\n")
    with open(f"{WORK}/0/password", "w", encoding="utf-8") as file:
        os.chmod(file.name, 0o600)
        file.write("Пароль9x\n")
    as_root("register", "anna", "--password-file", f"{WORK}/0/password")
    with open(f"{WORK}/word", "w", encoding="utf-8") as file:
        file.write(f"{WORD}\n")
    os.chown(f"{WORK}/word", 0, SCREEN)
    os.chmod(f"{WORK}/word", 0o640)

    with open(f"{WORK}/bus.conf", "w", encoding="ascii") as file:
        file.write(f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>{BUS}</listen>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>""")
    start("dbus-daemon", "--nofork", "--config-file", f"{WORK}/bus.conf", log="bus")
    until("there is a bus", lambda: os.path.exists(f"{WORK}/system-bus"))
    os.chmod(f"{WORK}/system-bus", 0o666)
    logind = Lines("/usr/bin/python3", "Tests/Screens/login1.py", log="login1")
    switches(logind, "ready")

    ends_of_display, written = os.pipe()
    start("Xvfb", "-displayfd", str(written), "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset", log="xvfb", pass_fds=[written])
    display = ":" + os.read(ends_of_display, 16).decode().strip()
    start("openbox", log="openbox", variables={"DISPLAY": display})
    presenter = f"{BIN}/gate-presenter --server-user root"
    child = Seat("child", CHILD, f"env GDK_BACKEND=x11 {presenter}", DISPLAY=display)
    # Upright (-r), as a tablet is held. A window on a rotated output is drawn, and grim reads it from there.
    screen = Seat(
        "screen", SCREEN,
        f"mkdir $HOME/run; RUNTIME_DIRECTORY=$HOME/run cage -r -s -- {presenter} --screen-of-its-own --word-file {WORK}/word",
        WLR_BACKENDS="headless", WLR_LIBINPUT_NO_DEVICES="1", WLR_RENDERER="pixman", WLR_XWAYLAND="/bin/false", GDK_BACKEND="wayland",
        GSK_RENDERER="cairo", XDG_SESSION_ID="c1")
    until("both presenters are there", lambda: json.loads(as_root("statistics", "--json")).get("presenters") == 2)
    screen.wait_for_text("There is no question now.")
    screen.picture("own-screen-waiting")
    passcode(child, screen, logind)
    letters(screen, logind)
    others(child, screen, logind)
    taken_back(screen, logind)
    attacks(child, screen, logind)
    death(child, screen, logind)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        sys.exit(1)
    finally:
        for process in reversed(started):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in started:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
