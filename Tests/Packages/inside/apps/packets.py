"""What a child sends to gate-launcher by hand, and how she starts it with an environment of her own."""

import base64
import contextlib
import json
import os
import socket
import subprocess
import time

import kit
from kit import HATCH, ROOM, Refused, ask_inside, attack

LAUNCHER = "/run/gate-apps/launch.sock"
NOBODYS = "0" * 32


def send(words, descriptors=(), raw=None):
    """Sends one packet, and returns the first answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as launcher:
        launcher.settimeout(15)
        launcher.connect(LAUNCHER)
        packet = raw if raw is not None else b"".join(word.encode() + b"\0" for word in words)
        try:
            socket.send_fds(launcher, [packet], list(descriptors))
            answer = launcher.recv(4096).decode()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Refused("the connection is closed") from error
    if answer.startswith("refused") or answer == "":
        raise Refused(answer)
    return answer


def proof_of(app, *words, redeemer="root", details=None):
    """A proof of the child's own, for something that a grown-up has allowed. It is valid while the process lives."""
    command = ["gatectl", "authorize", f"app.{app}", "--details", details or app, "--redeemer", redeemer, "--at-once", "--json", *words]
    asked = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return asked, proof_in(asked.stdout.readline())


def proof_in(line):
    """The proof in what gatectl prints, in the form of the launcher's packets."""
    try:
        found = json.loads(line)
        return base64.b64decode(found.get("grant", found)["proof"]).hex()
    except (ValueError, KeyError) as error:
        raise RuntimeError(f"no proof in {line!r}") from error


def refused_with(word, *packet, **options):
    """Sends it, and lets nothing but this refusal count."""
    try:
        return send(*packet, **options)
    except Refused as error:
        if word not in str(error):
            raise RuntimeError(f"'{error}' in place of '{word}'") from error
        raise


def each_is_refused(word, packets):
    for packet in packets:
        try:
            return packet, refused_with(word, packet)
        except Refused:
            pass
    raise Refused(f"{len(packets)} packets: {word}")


@attack("after", on=())
def send_packets_that_are_none(_):
    for raw in (b"", b"1", b"1\0", b"1\0hatch\0", b"2\0hatch\0" + NOBODYS.encode() + b"\0", b"1\0hatch\0ff", b"\0" * 3000, os.urandom(9000)):
        try:
            return raw[:20], send((), raw=raw)
        except Refused:
            pass
    raise Refused("all of them")


@attack("after", on=())
def send_a_packet_that_is_too_large(_):
    return refused_with("bad-request", (), raw=b"1\0hatch\0" + NOBODYS.encode() + b"\0" + b"LANG=" + b"a" * (17 << 10) + b"\0")


@attack("after", on=())
def name_an_app_by_a_path(_):
    names = ["../hatch", "../../../home/mia/own", "hatch/../hatch", "Hatch", "hatch.", "hatch\n", "a" * 200, ""]
    return each_is_refused("bad-request", [["1", name, NOBODYS] for name in names])


@attack("after", on=())
def name_an_app_that_is_not_guarded(_):
    return refused_with("not-guarded", ["1", "petris", NOBODYS])


@attack("after", on=())
def guess_a_proof(_):
    return each_is_refused("no-grant", [["1", "hatch", proof] for proof in (NOBODYS, "f" * 32, "00", "ab" * 64)])


@attack("after", on=())
def send_a_proof_that_is_no_number(_):
    return each_is_refused("bad-request", [["1", "hatch", proof] for proof in ("", "0", "xyz0", "AB" * 16, "00" * 65)])


@attack("after", on=())
def use_the_proof_of_another_app(_):
    asked, proof = proof_of("greed")
    with asked:
        try:
            return refused_with("no-grant", ["1", "hatch", proof])
        finally:
            asked.kill()


@attack("after", on=())
def use_a_proof_for_somebody_else_to_redeem(_):
    asked, proof = proof_of("hatch", redeemer="mia")
    with asked:
        try:
            return refused_with("no-grant", ["1", "hatch", proof])
        finally:
            asked.kill()


@attack("after", on=())
def use_the_proof_of_a_brother(_):
    # 05-apps has him write one there.
    with open("/tmp/brothers-proof", encoding="ascii") as file:
        return refused_with("no-grant", ["1", "hatch", proof_in(file.read())])


@attack("after", on=())
def use_a_proof_twice(_):
    asked, proof = proof_of("hatch")
    with asked:
        try:
            if send(["1", "hatch", proof]) != "started":
                raise RuntimeError("the first time it did not start")
            return refused_with("no-grant", ["1", "hatch", proof])
        finally:
            asked.kill()
            for process in HATCH.processes():
                # The first one's end is that of the others.
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, 15)


@attack("after", on=())
def set_variables_by_hand(_):
    wrong = ["LD_PRELOAD=/home/mia/x.so", "PATH=/home/mia", "HOME=/root", "LD_AUDIT=x", "PYTHONPATH=/home/mia", "x", "=x", "", "LC_=C", "DISPLAY"]
    twice = [["1", "hatch", NOBODYS, "LANG=C", "LANG=C"], ["1", "hatch", NOBODYS, *[f"LANG{i}=C" for i in range(60)]]]
    return each_is_refused("bad-request", [["1", "hatch", NOBODYS, word] for word in wrong] + twice)


@attack("after", on=())
def send_descriptors_along(_):
    files = [os.open("/dev/null", os.O_RDWR) for _ in range(200)]
    try:
        for count in (1, 2, 3, 4, 200):
            try:
                return refused_with("bad-request", ["1", "greed", NOBODYS], descriptors=files[:count])
            except Refused:
                pass
    finally:
        for descriptor in files:
            os.close(descriptor)
    raise Refused("of none to two hundred")


@attack("after", on=())
def hold_all_connections(_):
    held = []
    for _ in range(300):
        one = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        one.settimeout(0.2)
        try:
            one.connect(LAUNCHER)
        except OSError:
            break
        held.append(one)
    try:
        begin = time.monotonic()
        # Her brother is served all the same. 05-apps lets her start this one as him, and nothing else.
        ran = subprocess.run(["sudo", "-n", "-u", "tim", "/usr/local/bin/brother"], capture_output=True, timeout=60, check=False)
        seconds = time.monotonic() - begin
        said = ran.stdout.decode()
        if "not-guarded" in said and seconds < 5:
            raise Refused(f"{len(held)} connections, and he is answered after {seconds:.1f} s")
        return f"he waits for {seconds:.1f} s: {said} {ran.stderr.decode()}"
    finally:
        for one in held:
            one.close()
        time.sleep(6)


@attack("during", on=())
def start_it_with_an_environment_of_her_own(_):
    # 05-apps has started hatch with these, among others.
    said, _ = ask_inside("variables")
    known = {"HOME", "USER", "LOGNAME", "SHELL", "PATH", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "PYTHONNOUSERSITE", "TERM", "DISPLAY", "LANG"}
    systemds = {"INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_EXEC_PID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE", "PWD", "LC_CTYPE"}
    more = set(said) - known - systemds
    if more or "mia" in said["PATH"] or said.get("DISPLAY", ":7") != ":7" or "/" in said.get("LANG", ""):
        return {name: said[name] for name in more or said}
    raise Refused("nothing of it arrives")


@attack("during", "after", on=())
def have_python_load_modules_of_her_own(_):
    # Each of those modules leaves the group with which it was loaded.
    try:
        loaded = (kit.HOME / "loaded").read_text().split()
    except FileNotFoundError as error:
        raise Refused("none was loaded") from error
    ours = [group for group in loaded if int(group) in {game.group for game in kit.GAMES}]
    if ours:
        return ours
    raise Refused("none was loaded with a group of an app")


@attack("after", on=())
def use_the_group_once_more_when_it_is_over(_):
    left = [str(path) for path in ROOM.iterdir() if path.stat().st_mode & 0o2000 and path.stat().st_gid == HATCH.group and path.is_file()]
    if left:
        return left
    raise Refused("no file has kept it")
