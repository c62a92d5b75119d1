"""What else may come about when apps are guarded in Tests/Apps/run: what is refused, what can't be decided or changed, and what others do."""

import json
import os
import shutil
import struct
import subprocess

from device import ELF, GAMES, ROOT, TUX, Package, apply, dpkg, entry, gid, install, listing, mode, overrides, record, same, state


def system():
    """Parts of the desktop and programs with root's rights can't be guarded, and are released if they were."""
    parts = {
        "session": ("/usr/share/xsessions/session.desktop", "[Desktop Entry]", 0o644, 0),
        "wayland": ("/usr/share/wayland-sessions/wayland.desktop", "[Desktop Entry]", 0o644, 0),
        "sudoers": ("/etc/pam.d/sudoers", "", 0o644, 0),
        "applet": ("/etc/xdg/autostart/applet.desktop", "[Desktop Entry]", 0o644, 0),
        "server": ("/usr/lib/systemd/system/server.service", "", 0o644, 0),
        "rooted": ("/usr/lib/rooted/helper", ELF, 0o4755, 0),
        "fish": ("/usr/share/fish-shell/data", "", 0o644, 0),
    }
    before = state()
    # What it was before it became a part of the system is guarded, and released then.
    install(*(Package(name, files=[(f"/usr/bin/{name}", ELF, 0o755, 0), entry(name, name)]) for name in parts))
    installed = state()
    apply(list(parts))
    same("ordinary programs are guarded", [f"710 0:{gid(name)}" for name in parts], [mode(f"/usr/bin/{name}") for name in parts])
    (ROOT / "etc/shells").write_text("# shells\n/usr/bin/fish\n")
    install(*(Package(name, "2", files=[(f"/usr/bin/{name}", ELF, 0o755, 0), entry(name, name), file]) for name, file in parts.items()))
    said = apply()
    same("parts of the system are refused", len(parts), said.count("The device needs the package"))
    same("and open", ["755 0:0"] * len(parts), [mode(f"/usr/bin/{name}") for name in parts])
    same("root's program has its rights", "4755 0:0", mode("/usr/lib/rooted/helper"))
    apply([])
    same("nothing else is left", installed[1:], state()[1:])
    dpkg("--purge", *parts)
    (ROOT / "etc/shells").unlink()
    same("and they are gone again", before[1:], state()[1:])


def groups():
    """Only a table of high scores is what gate-launcher gives an app from before."""
    before = state()
    (ROOT / "etc/group").write_text((ROOT / "etc/group").read_text() + "shadow:x:42:\n")
    install(Package("setter", files=[
        ("/usr/bin/setter", ELF, 0o2755, 42), ("/usr/bin/setter-game", ELF, 0o2755, GAMES), ("/usr/lib/setter/data", "", 0o644, 0),
        entry("setter", "setter")]))
    os.chown(ROOT / "usr/lib/setter", 0, 42)
    os.chmod(ROOT / "usr/lib/setter", 0o2775)
    apply(["setter"])
    same("only the group of games goes along", [f"also {GAMES}"], [line for line in record("setter", "start").splitlines() if "also" in line])
    same("the other is named", [("group", "/usr/bin/setter", "shadow")],
         [(reason["word"], reason["what"], reason["by"]) for reason in json.loads(record("setter", "app"))["hold"]["reasons"]])
    same("and the kernel holds all the same", "kernel", listing()["setter"]["holds"])
    apply([])
    same("the bit comes back", "2775 0:42", mode("/usr/lib/setter"))
    dpkg("--purge", "setter")
    (ROOT / "etc/group").write_text((ROOT / "etc/group").read_text().replace("shadow:x:42:\n", ""))
    same("and all is as before", before, state())


def access_lists():
    """A mode says nothing about whom an access list names."""
    before = state()
    # Version 2; the owner, user 1234, the group, the mask and the others may read, or do as they did.
    rule = struct.pack("<I" + "HHI" * 5, 2, 1, 7, 0xFFFFFFFF, 2, 5, 1234, 4, 5, 0xFFFFFFFF, 16, 5, 0xFFFFFFFF, 32, 5, 0xFFFFFFFF)
    for path, kind in (("usr/games/tux", "access"), ("usr/share/games/tux", "default")):
        try:
            os.setxattr(ROOT / path, f"system.posix_acl_{kind}", rule)
        except OSError as error:
            print(f"skipped: this file system has no access lists ({error})")
            return
        said = apply(["tux-racer"])
        same(f"an access list is refused ({kind})", True, f"/{path} has an access list" in said)
        same("and nothing is held", "755 0:0", mode("/usr/share/games/tux"))
        os.removexattr(ROOT / path, f"system.posix_acl_{kind}")
        os.chmod(ROOT / "usr/games/tux", 0o2755)
        apply()
        same("without it the app is guarded", f"750 0:{gid('tux-racer')}", mode("/usr/share/games/tux"))
        apply([])
    same("and all is as before", before, state())


def own_names():
    """Gate's own files beside the records have names that no app has."""
    before = state()
    install(*(Package(name, files=[(f"/usr/games/{name}", ELF, 0o755, 0)]) for name in ("folders", "lock")))
    apply(["folders", "lock", "hangman"])
    same("apps may be called as they like", ["710", "710"], [mode(f"/usr/games/{name}").split()[0] for name in ("folders", "lock")])
    apply([])
    dpkg("--purge", "folders", "lock")
    (ROOT / "var/lib/gate-apps/.folders.new").write_text("killed here")
    apply([])
    same("and nothing is left", before, state())


def strangers():
    """A group of somebody else's that has the name of an app's."""
    before = state()
    text = (ROOT / "etc/group").read_text()
    people = (ROOT / "etc/passwd").read_text()
    for what, line, person in (
            ("with members", "gate-app-hangman:x:990:child\n", ""), ("outside of the range", "gate-app-hangman:x:1200:\n", ""),
            ("of a person's", "gate-app-hangman:x:990:\n", "child:x:1200:990::/home/child:/bin/sh\n")):
        (ROOT / "etc/group").write_text(text + line)
        (ROOT / "etc/passwd").write_text(people + person)
        said = apply(["hangman"], status=69)
        same(f"a group {what} is refused", True, "Gate did not make the group gate-app-hangman" in said)
        same("and nothing is held", "755 0:0", mode("/usr/games/hangman"))
    (ROOT / "etc/group").write_text(text)
    (ROOT / "etc/passwd").write_text(people)
    apply()
    same("a program without a menu entry runs in a terminal", True, "terminal yes\n" in record("hangman", "start"))
    apply([])
    same("all is as before", before, state())


def unnamed():
    """A name that is no UTF-8 is none that Gate can hold, and it says so."""
    before = state()
    install(Package("oddly", files=[("/usr/games/oddly", ELF, 0o755, 0), (os.fsdecode(b"/usr/games/odd\xff"), ELF, 0o755, 0)]))
    apply(["oddly"])
    same("the kernel is not said to hold it", "hands", listing()["oddly"]["holds"])
    same("the reason is on record", ["unnamed"], [reason["word"] for reason in json.loads(record("oddly", "app"))["hold"]["reasons"]])
    apply([])
    dpkg("--purge", "oddly")
    same("all is as before", before, state())


def seen():
    """What a run has read is kept, for the unit that looks whether there is more to do."""
    apply(["hangman"])
    same("no folder is made for it", False, (ROOT / "run/gate-apps").exists())
    (ROOT / "run/gate-apps").mkdir()
    place = ROOT / "run/gate-apps/seen"
    place.write_text("a former list")
    with open(place) as former:
        apply(["hangman", "tux-racer"])
        same("the list that was read is kept", ["hangman\ntux-racer\n", "644 0:0"], [place.read_text(), mode("/run/gate-apps/seen")])
        same("and replaced as a whole", "a former list", former.read())
    (ROOT / "run/gated/apps").unlink()
    apply()
    same("without a list it stays", "hangman\ntux-racer\n", place.read_text())
    apply([])
    same("also an empty one is kept", "", place.read_text())
    shutil.rmtree(ROOT / "run/gate-apps")


def many():
    """A list is taken as a whole or not at all."""
    others = [f"a{'long' * 20}.n{number}" for number in range(999)]
    apply([*others, "tux-racer"])
    guarded = state()
    same("an app behind a thousand others is guarded", f"710 0:{gid('tux-racer')}", mode("/usr/games/tux"))
    said = apply([f"a.n{number}" for number in range(2001)], status=69)
    same("a list that is too long is refused", True, "more apps than" in said)
    same("and releases nothing", guarded, state())
    (ROOT / "run/gated/apps").write_text("tux-racer\n" + "a.long\n" * 200000)
    apply(status=69)
    same("whatever makes it so long", guarded, state())
    apply([])


def undecided():
    """A guarded app stays held while Gate can't decide about it."""
    before = state()
    apply(["tux-racer", "hangman"])
    number = gid("tux-racer")
    held = [f"710 0:{number}", f"750 0:{number}"]

    def stays(what, word):
        apply()
        same(f"{what} does not open it", held, [mode("/usr/games/tux"), mode("/usr/share/games/tux")])
        same("the reason is on record", word, json.loads(record("tux-racer", "app"))["problems"][0]["word"])
        same("and it no longer counts as guarded", False, listing()["tux-racer"]["guarded"])

    install(Package("other", files=[entry("tux-racer", "hangman")]))
    stays("a second entry of its name", "ambiguous")
    dpkg("--purge", "other")
    apply()
    same("afterwards it counts again", True, listing()["tux-racer"]["guarded"])
    install(Package("tux", "1-7", files=[*TUX[:3], entry("Tux_Racer", "python3 -m tux")]))
    apply()
    install(Package("tux", "1-8", files=[*TUX[:3], entry("Tux_Racer", "gone")]))
    stays("an entry that starts nothing", "no-program")
    install(Package("tux", "1-9", files=[*TUX[:3], entry("Tux_Racer", "tux 'x " + "y" * 5000)]))
    stays("a command line that is too long", "odd")
    install(Package("tux", "2-0", files=TUX[:3]))
    stays("an entry that is gone", "not-installed")
    install(Package("tux", "2-1", files=TUX))
    apply([])
    same("released, everything is as it was", before, state())


def unchangeable():
    """A file that can't be changed keeps no other one open, and nothing is forgotten."""
    before = state()
    file = ROOT / "usr/games/tux"

    def frozen(is_frozen):
        done = subprocess.run(["chattr", "+i" if is_frozen else "-i", str(file)], capture_output=True)
        return done.returncode == 0

    if not frozen(True):
        print("skipped: this file system has no files that can't be changed")
        return
    try:
        apply(["tux-racer", "hangman"], status=69)
        same("the other paths are held", f"750 0:{gid('tux-racer')}", mode("/usr/share/games/tux"))
        same("and other apps", f"750 0:{gid('hangman')}", mode("/usr/games/hangman"))
        same("the app does not count as guarded", [False, True], [listing()[name]["guarded"] for name in ("tux-racer", "hangman")])
        same("its menu leads through Gate", True, (ROOT / "usr/local/share/applications/Tux_Racer.desktop").exists())
        frozen(False)
        apply()
        same("later all of it is held", [True, f"710 0:{gid('tux-racer')}"], [listing()["tux-racer"]["guarded"], mode("/usr/games/tux")])
        frozen(True)
        apply([], status=69)
        same("at the release, too, the others are given back", "755 0:0", mode("/usr/share/games/tux"))
        same("and the record stays", True, "/usr/games/tux" in record("tux-racer", "before"))
    finally:
        frozen(False)
    apply([])
    same("released, everything is as it was", before, state())


def forgotten():
    """A record that is lost leaves no override, and its group's number goes to nobody meanwhile."""
    before = state()
    apply(["snake", "tux-racer"])
    number = gid("tux-racer")
    for name in ("snake", "tux-racer"):
        shutil.rmtree(ROOT / "var/lib/gate-apps" / name)
    # Somebody removes one group by hand, so that only dpkg's list tells of it.
    text = (ROOT / "etc/group").read_text()
    (ROOT / "etc/group").write_text("".join(line + "\n" for line in text.splitlines() if "gate-app-tux" not in line))
    apply(["hangman"])
    same("a number that dpkg names is not taken", True, gid("hangman") not in (None, number))
    same("the group of a lost record is removed", None, gid("snake"))
    same("and no override of it is left", [], [line for line in overrides() if "snake" in line])
    same("its files have the usual modes", ["755 0:0", "755 0:0", "644 0:0", "644 0:0"], [mode(path) for path in (
        "/usr/lib/snake", "/usr/lib/snake/snake", "/usr/lib/snake/engine.so", "/usr/lib/python3/dist-packages/snake.py")])
    (ROOT / "etc/group").write_text((ROOT / "etc/group").read_text() + f"gate-app-tux-racer:x:{number}:\n")
    apply([])
    same("then nothing is held any more", [], overrides())
    # Bytecode has no override; a set-group-id bit is known to the record alone, and menu entries lead to an app that is not guarded.
    shutil.rmtree(ROOT / "usr/local/share/applications")
    for path in (ROOT / "usr/lib/python3/dist-packages").rglob("*.pyc"):
        os.chown(path, 0, 0)
        path.chmod(0o644)
    os.chown(ROOT / "usr/games/tux", 0, GAMES)
    os.chmod(ROOT / "usr/games/tux", 0o2755)
    same("and all else is as before", before, state())
    (ROOT / "etc/gshadow").write_text("root:*::\ngames:*::\n")
