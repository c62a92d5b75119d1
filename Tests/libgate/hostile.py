#!/usr/bin/python3
"""Connects libgate to servers that are no daemon, or that send what no daemon sends. Whatever they do, no program
believes parent that should not, nothing crashes or hangs, and memory is freed. Tests/libgate/run runs it.

usage: hostile.py TALK
"""

import contextlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from programs import Failed, Program, boottime, field, frame, impostor, received, response, run, step, varint, watch_message

TALK = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp(prefix="libgate.", dir=os.environ.get("XDG_RUNTIME_DIR", "/tmp"))
PATH = f"{FOLDER}/gate.sock"
LOST, PARENT = r"^watch lost .*mode=child", r"mode=parent"
PARENT_SNAPSHOT = watch_message(5, mode=3)


def talk():
    return Program(TALK, str(os.getuid()), env={"GATE_SOCKET": PATH})


def answering(*answers, hold=60):
    """A server that sends these bytes after the first request, and closes the connection `hold` seconds later."""

    def serve(peer):
        received(peer)
        for answer in answers:
            peer.sendall(answer)
        time.sleep(hold)

    return serve


def data(message, stream=1):
    return frame(stream, 3, 0, message)


def watcher_hears(serve, *patterns, never=None, seconds=10):
    with impostor(PATH, serve), talk() as program:
        program.hears("watch", 7)
        for pattern in patterns:
            program.says(pattern, seconds)
        if never:
            program.quiet(never)
        program.ends()


def cut_at_every_byte():
    whole = data(PARENT_SNAPSHOT)
    for cut in range(len(whole)):
        watcher_hears(answering(whole[:cut], hold=0), LOST, never=PARENT)
    watcher_hears(answering(whole), PARENT)
    # A message that arrives byte by byte, with pauses, is read, too.
    def drip(peer):
        received(peer)
        for byte in whole:
            peer.sendall(bytes([byte]))
            time.sleep(0.002)
        time.sleep(60)

    watcher_hears(drip, PARENT)
    step(f"a snapshot that is cut at each of its {len(whole)} bytes is none")


def named(name):
    """A field of a snapshot: a person with this name is signed in."""
    return field(6, field(1, field(1, name) + field(3, boottime(1000))))


def what_no_daemon_says():
    nested = b""
    for _ in range(64):
        nested = field(9, nested)
    titles = b"".join(field(5, field(1, "en") + field(2, "x")) for _ in range(200000))
    hours = 1000
    cases = [
        ("hangs up", [data(PARENT_SNAPSHOT)], 0.2, [PARENT, LOST]),
        ("says nothing when the lease ends", [data(watch_message(5, mode=3, seconds=1))], 60, [PARENT, LOST]),
        ("sends a lease that is over", [data(watch_message(5, mode=3, seconds=-5))], 60, [LOST]),
        ("sends a deadline long before the world", [data(watch_message(5) + field(4, field(1, 3) + field(2, -(1 << 63))))], 60, [LOST]),
        ("sends a deadline at the end of time", [data(watch_message(5) + field(4, field(1, 3) + field(2, (1 << 63) - 1)))], 60, [PARENT]),
        ("answers what nobody has asked", [frame(99, 2, 0, b"\xff\xff"), data(PARENT_SNAPSHOT)], 60, [PARENT]),
        ("sends frames of other types", [frame(1, 9, 0, b"x"), data(PARENT_SNAPSHOT)], 60, [PARENT]),
        ("sends a mode that nobody knows", [data(watch_message(5, mode=9))], 60, [r"snapshot .*mode=child"]),
        ("sends a frame that is too large", [data(PARENT_SNAPSHOT), struct.pack(">IIBB", 5 << 20, 1, 3, 0)], 60, [LOST]),
        ("promises 4 MiB and stays silent", [data(PARENT_SNAPSHOT), struct.pack(">IIBB", 4 << 20, 1, 3, 0)], 0.3, [PARENT, LOST]),
        ("sends a message that is none", [data(PARENT_SNAPSHOT), data(b"\xff\xff")], 60, [LOST]),
        ("sends strings that are no text", [data(PARENT_SNAPSHOT + named(b"\xff"))], 60, [LOST]),
        ("sends a NUL in a string", [data(PARENT_SNAPSHOT + named(b"a\0b"))], 60, [LOST]),
        ("nests too deep", [data(PARENT_SNAPSHOT + field(5, nested))], 60, [PARENT]),  # unknown fields are ignored
        ("sends too many fields", [data(PARENT_SNAPSHOT + field(7, field(1, titles)))], 60, [LOST]),
        ("ends the stream", [data(PARENT_SNAPSHOT), frame(1, 3, 5, b"")], 60, [LOST]),
        ("refuses the stream", [data(PARENT_SNAPSHOT), response(1, status=field(1, 7) + field(2, "No."))], 60, [LOST]),
        ("ends the stream well", [data(PARENT_SNAPSHOT), response(1)], 60, [LOST]),
        ("begins with a change", [data(watch_message(5, snapshot=False, mode=3))], 60, [LOST]),
        ("changes the epoch", [data(PARENT_SNAPSHOT), data(watch_message(6, epoch=8, snapshot=False, mode=3))], 60, [LOST]),
        ("tells an older revision", [data(PARENT_SNAPSHOT), data(watch_message(4, snapshot=False, mode=1))], 60, [PARENT]),
        ("sends no revision", [data(field(3, 1) + field(4, field(1, 3) + field(2, boottime(hours))))], 60, [PARENT]),
        ("sends garbage", [os.urandom(4096)], 1, [LOST]),
    ]
    for what, answers, hold, patterns in cases:
        never = None if any(PARENT in pattern for pattern in patterns) else None if patterns == [LOST] and answers[0] == data(PARENT_SNAPSHOT) else PARENT
        try:
            watcher_hears(answering(b"".join(answers), hold=hold), *patterns, never=never)
        except Failed as error:
            raise Failed(f"beside a daemon that {what}: {error}") from None
    step(f"{len(cases)} daemons that say what no daemon says")


def presenter():
    """The stream ends while a question is open, but the connection goes on: the question is closed once, and the
    presenter registers again."""
    summary = lambda stage: field(1, 4) + field(3, 1) + field(4, boottime(60)) + field(7, stage)  # noqa: E731

    def serve(peer):
        stream, _, method, _ = received(peer)
        peer.sendall(data(field(1, summary(2)), stream))
        claim, _, method, _ = received(peer)
        peer.sendall(data(field(1, summary(3)), stream) + response(claim, field(1, field(1, summary(3)) + field(2, b"cookie"))))
        time.sleep(0.3)
        peer.sendall(frame(stream, 3, 5, b""))
        while method != "RegisterPresenter":
            stream, _, method, _ = received(peer)
        peer.sendall(data(b"", stream))
        time.sleep(60)

    with impostor(PATH, serve), talk() as program:
        program.hears("screen")
        program.hears("present", 2)
        program.says(r"^present done\nshow 4 ")
        program.says(r"^close 4\npresent refused code=14")
        program.says(r"^present done")
        program.quiet(r"^(close|show)")
        program.ends()
    step("a presenter whose stream ends takes its question from the screen, and registers again")


def past_deadlines():
    """Within the second in which a daemon has to report a deadline, no program believes what has expired."""
    session = field(1, field(1, "Anna") + field(3, boottime(1.2)))
    paid = field(1, field(1, "premium") + field(3, 1) + field(4, field(3, 1) + field(6, int(time.time() * 1000) + 1200))) + field(2, 1)
    state = watch_message(5, mode=3, seconds=1.2, fields=[(6, session), (7, paid)])
    with impostor(PATH, answering(data(state))), talk() as program:
        program.hears("watch", 7)
        program.says(r"^watch snapshot .*mode=parent deadline=yes session=Anna paid=1 premium=1$")
        time.sleep(1.4)
        program.hears("state")
        program.says(r"^state away mode=child deadline=no session=- paid=0$")
        program.says(LOST)
        program.ends()
    # Of schedules, the first that closes ends them all.
    closing = field(1, field(1, "after-school") + field(2, 1) + field(3, int(time.time() * 1000) + 1200))
    others = field(1, field(1, "never")) + field(1, field(1, "whole-day") + field(2, 1))
    with impostor(PATH, answering(data(watch_message(5, fields=[(10, closing + others)])))), talk() as program:
        program.hears("watch", 64)
        program.says(r"^watch snapshot .* schedule=after-school/open schedule=never/closed/for-good schedule=whole-day/open/for-good$")
        time.sleep(1.4)
        program.hears("state")
        program.says(r"^state away mode=child deadline=no session=- paid=0$")
        program.says(LOST)
        program.ends()
    # The lease ends while a call waits, for longer than that second and for longer than one read may wait.
    with impostor(PATH, answering(data(watch_message(5, mode=3, seconds=1.2)))), talk() as program:
        program.hears("watch", 1)
        program.says(r"^watch snapshot .*mode=parent")
        program.hears("call-sync", "gate.v1.Mode", "GetMode", "-", 2600000)
        program.hears("state")
        program.says(r"^call-sync (4|14) ")
        program.says(r"^state away mode=child")
        program.quiet(PARENT)
        program.ends()
    step("past a deadline nothing counts, before the daemon counts as lost")


def resuming():
    """The second connection names the known revision, and is answered in all possible ways."""
    ways = [
        ("it is current", watch_message(5, snapshot=False), r"^watch resumed changed=\d+ revision=7.5 .*mode=parent"),
        ("a change", watch_message(6, snapshot=False), r"^watch resumed changed=\d+ revision=7.6 .*mode=parent"),
        ("a snapshot", watch_message(9, mode=1), r"^watch snapshot .*mode=child"),
        ("another epoch's snapshot", watch_message(1, epoch=8, mode=3), r"^watch snapshot changed=\d+ revision=8.1 .*mode=parent"),
        ("an older revision is current", watch_message(4, snapshot=False), None),
        ("another epoch is current", watch_message(5, epoch=8, snapshot=False), None),
    ]
    for what, second, pattern in ways:
        count = 0

        def serve(peer):
            nonlocal count
            count += 1
            stream, _, method, payload = received(peer)
            after = field(2, field(1, 7) + field(2, 5))
            if method != "Watch" or payload.endswith(after) != (count == 2):
                return  # and this connection has no effect
            peer.sendall(data(PARENT_SNAPSHOT if count == 1 else second if count == 2 else watch_message(20, mode=2), stream))
            time.sleep(0.2 if count == 1 else 60)

        with impostor(PATH, serve), talk() as program:
            program.hears("watch", 1)
            program.says(r"^watch snapshot .*mode=parent")
            program.says(LOST)
            if pattern:
                program.says(pattern)
            else:
                # The answer is not believed. The stream begins again on the same connection, without a known revision.
                program.quiet(PARENT, 1)
            program.ends()
    step(f"a watch is resumed, and answered in {len(ways)} ways")


def calls():
    grant = field(2, field(1, 1) + field(2, b"proof") + field(3, "link.open"))
    presentation = field(1, field(1, 3) + field(3, 1) + field(4, boottime(60)) + field(7, 3)) + field(2, b"cookie")
    cases = [
        ("neither yes nor no", lambda: [response(1, b""), response(3, b"")], r"^authorize refused code=13"),
        ("takes no grant", lambda: [response(1, grant), response(3, status=field(1, 9) + field(2, "No."))], r"^authorize refused code=9"),
        ("hangs up before it has taken the grant", lambda: [response(1, grant)], r"^authorize refused code=14"),
        ("an answer that is none", lambda: [frame(1, 2, 0, b"\xff\xff")], r"^authorize refused code=13"),
        ("a payload that is none", lambda: [response(1, b"\xff\xff")], r"^authorize refused code=13"),
        ("data in place of a response", lambda: [frame(1, 3, 0, grant)], r"^authorize refused code=13"),
        ("a question though nobody presents", lambda: [response(1, field(3, presentation))], r"^(show|authorize refused)"),
        ("a question that is none", lambda: [response(1, field(3, field(2, b"cookie")))], r"^authorize refused code=13"),
        ("a refusal without words", lambda: [response(1, status=field(1, 99))], r"^authorize refused code=2 reason=0"),
        ("takes it", lambda: [response(1, grant), response(3, b"")], r"^authorize done"),
    ]
    for what, answers, pattern in cases:

        def serve(peer):
            for answer in answers():
                if received(peer):
                    peer.sendall(answer)
            time.sleep(0.3)

        with impostor(PATH, serve), talk() as program:
            program.hears("screen")
            program.hears("authorize", "link.open", "https://example.org/", 0)
            try:
                program.says(pattern)
                if pattern != r"^authorize done":
                    program.quiet(r"^authorize done")
            except Failed as error:
                raise Failed(f"beside a daemon that says {what}: {error}") from None
            program.ends()

    def another_grant(peer):
        """Grants another action than was requested, and accepts it when it is redeemed as that."""
        received(peer)
        peer.sendall(response(1, field(2, field(2, b"proof") + field(3, "other") + field(4, "another page"))))
        _, _, method, payload = received(peer)
        is_own = method == "Redeem" and b"link.open" in payload and b"https://example.org/" in payload and b"another" not in payload
        peer.sendall(response(3, status=field(1, 9) + field(2, "No grant.")) if is_own else response(3))
        time.sleep(0.3)

    # A question that waits is no grant, whatever comes with it.
    asked = field(1, "type.googleapis.com/gate.v1.ErrorDetail") + field(2, field(1, 43) + field(3, field(1, "ask") + field(2, "12")))
    for code, words in [(9, r"asked ask=12 until=0$"), (14, r"refused code=14 reason=43 ")]:
        with impostor(PATH, answering(response(1, grant, status=field(1, code) + field(3, asked)))), talk() as program:
            program.hears("ask", "link.open", "https://example.org/", 0)
            program.says(f"^ask {words}")
            program.quiet("^ask granted")
            program.ends()
    with impostor(PATH, another_grant), talk() as program:
        program.hears("authorize", "link.open", "https://example.org/", 0)
        program.says(r"^authorize refused code=9 .*No grant")
        program.ends()
    with impostor(PATH, answering(b"", hold=60)), talk() as program:
        started = time.monotonic()
        program.hears("call-sync", "gate.v1.Mode", "GetMode", "-", 300000)
        program.says(r"^call-sync 4 ")
        if not 0.2 < time.monotonic() - started < 3:
            raise Failed("a call ends when its time is over")
        program.ends()
    step(f"{len(cases) + 4} daemons that answer calls badly")


def one_that_does_not_read():
    with impostor(PATH, lambda peer: time.sleep(60)), talk() as program:
        for _ in range(280):
            program.hears("call", "gate.v1.Control", "Ping", "00" * 30000)
        program.says(r"^call EAGAIN", 30)
        program.ends()
    step("a daemon that does not read costs bounded memory")


def one_that_floods():
    """Streams may be interleaved, and the bytes that wait while the program is busy are limited."""
    many = data(b"", 1) * 3000

    def serve(peer):
        received(peer)
        peer.sendall(many)
        received(peer)
        peer.sendall(many + response(3, b"ok"))
        time.sleep(60)

    with impostor(PATH, serve), talk() as program:
        program.hears("stream", "gate.v1.Watch", "Watch")
        program.says(r"^stream bytes=0")
        # Six thousand messages arrive while no handler is called: the connection and the call end.
        program.hears("call-sync", "gate.v1.Mode", "GetMode", "-", 5000000)
        program.says(r"^call-sync (0|8|14) ")
        program.ends()
    step("a daemon that floods a stream")


def somebody_else():
    if os.getuid() != 0:
        step("skipped: a server of another user (only root can make one)")
        return
    os.chmod(FOLDER, 0o777)
    with contextlib.suppress(OSError):
        os.unlink(PATH)
    child = os.fork()
    if child == 0:
        import socket

        os.setuid(12345)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(PATH)
            server.listen()
            while True:
                peer = server.accept()[0]
                with contextlib.suppress(OSError):
                    peer.sendall(data(PARENT_SNAPSHOT))
                time.sleep(0.05)
                peer.close()
    try:
        while not os.path.exists(PATH):
            time.sleep(0.02)
        with talk() as program:
            program.hears("watch", 1)
            program.says(LOST)
            program.says(r"^watch refused code=7 reason=10 .*uid 12345")
            program.quiet(PARENT)
            program.ends()
        with Program(TALK, "12345", env={"GATE_SOCKET": PATH}) as program:
            program.hears("watch", 1)
            program.says(PARENT)
            program.ends()
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.unlink(PATH)
    step("a server of another user is believed nothing, unless the program names that user")


def somebody_unmapped():
    """In a user namespace without the daemon's user, the kernel shows the same number for all users. It is not believed,
    even if the program trusts a user of that number."""
    with open("/proc/sys/kernel/overflowuid") as file:
        overflow = file.read().strip()
    if subprocess.run(["unshare", "--user", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        step("skipped: a user namespace without the daemon's user (none can be made here)")
        return
    for trusted in ("0", overflow):
        with impostor(PATH, answering(data(PARENT_SNAPSHOT))), Program("unshare", "--user", TALK, trusted, env={"GATE_SOCKET": PATH}) as program:
            program.hears("watch", 1)
            program.says(LOST)
            program.says(r"^watch refused code=7 reason=40 .*user namespace")
            program.quiet(PARENT)
            program.ends()
    step("in a user namespace without the daemon's user no server is believed")


def main():
    try:
        for part in [cut_at_every_byte, what_no_daemon_says, past_deadlines, presenter, resuming, calls, one_that_does_not_read, one_that_floods]:
            part()
        for part in [somebody_else, somebody_unmapped]:
            part()
    finally:
        shutil.rmtree(FOLDER)


if __name__ == "__main__":
    assert varint(300) == b"\xac\x02"
    run(main)
