#!/usr/bin/python3
"""Attacks the relay as apps do that are hostile, slow, or many, with a server in place of gated that tells what it got. Tests/portal/relay/run
runs it.

usage: attack.py APPS [WORD-OF-A-TEST ...]
"""

import array
import contextlib
import os
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../libgate"))
from programs import Failed, field, frame, step  # noqa: E402

APPS, ONLY = os.path.abspath(sys.argv[1]), sys.argv[2:]
FOLDER = tempfile.mkdtemp(prefix="relay.")
RELAY, GATED = f"{FOLDER}/portal", f"{FOLDER}/gated"
MODE = field(1, "gate.v1.Mode") + field(2, "GetMode")
TOGGLE = field(1, "gate.v1.Mode") + field(2, "Toggle")
SECONDS = 20


def check(is_true, what):
    if not is_true:
        raise Failed(what)


def named(app, data):
    return data + field(5, field(1, "program") + field(2, app))


def read(peer, size):
    data = b""
    while len(data) < size:
        some = peer.recv(min(size - len(data), 1 << 20))
        if not some:
            raise EOFError(f"the end after {len(data)} bytes of {size}")
        data += some
    return data


def read_frame(peer):
    head = read(peer, 10)
    return int.from_bytes(head[4:8], "big"), head[8], read(peer, int.from_bytes(head[:4], "big"))


def is_closed(peer):
    try:
        return not peer.recv(1)
    except ConnectionResetError:
        return True


class Gated:
    """A server on gated's socket. The test accepts and answers itself."""

    def __enter__(self):
        self.server = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(GATED)
        self.server.bind(GATED)
        self.server.listen(1024)
        self.server.settimeout(SECONDS)
        return self

    def __exit__(self, *_):
        self.server.close()

    def accept(self):
        peer = self.server.accept()[0]
        peer.settimeout(SECONDS)
        return peer


class Relay:
    def __init__(self, apps="a1", uid=None, files=None):
        self.apps, self.uid, self.files = apps, os.getuid() if uid is None else uid, files

    def __enter__(self):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(RELAY)
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))) if self.files else None
        self.process = subprocess.Popen([APPS, RELAY, GATED, str(self.uid), self.apps], stdout=subprocess.PIPE, preexec_fn=limit)
        check(self.process.stdout.readline() == b"ready\n", "the relay does not begin")
        self.files_before = self.open_files()
        return self

    def __exit__(self, kind, *_):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(SECONDS)
        self.process.stdout.close()
        if kind is None:
            check(code == 0, f"the relay ends with {code}")

    def connect(self):
        app = socket.socket(socket.AF_UNIX)
        app.connect(RELAY) # waits while the queue is full, as it could not with a time limit
        app.settimeout(SECONDS)
        return app

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory(self):
        """What it uses, in KiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s*(\d+)", status.read()).group(1))

    def rests(self, why):
        """It computes next to nothing for half a second."""

        def computed():
            with open(f"/proc/{self.process.pid}/schedstat") as stat:
                return int(stat.read().split()[0]) / 1e9

        before = computed()
        time.sleep(0.5)
        check(computed() - before < 0.02, f"{why} should cost no time: {computed() - before:.3f} s")

    def keeps_no_files(self):
        end = time.monotonic() + SECONDS
        while self.open_files() > self.files_before:
            check(time.monotonic() < end, f"{self.open_files() - self.files_before} files stay open")
            time.sleep(0.01)


def serves(relay, gated, app="org.example.App1"):
    """Whether somebody new is served."""
    with relay.connect() as client:
        client.sendall(frame(1, 1, 0, MODE))
        with gated.accept() as server:
            check(read_frame(server) == (1, 1, named(app, MODE)), "gated should get the request")
            server.sendall(frame(1, 2, 0, b"\x12\x00"))
            check(read_frame(client) == (1, 2, b"\x12\x00"), "the app should get the answer")


def bytes_in_pieces():
    with Gated() as gated, Relay() as relay, relay.connect() as app, gated.accept() as server:
        for byte in frame(9, 1, 1, MODE):
            app.sendall(bytes([byte]))
        check(read_frame(server) == (9, 1, named("org.example.App1", MODE)), "gated should get the request")
        answer = frame(9, 3, 0, b"one") + frame(9, 3, 0, b"") + frame(9, 3, 5, b"")
        for byte in answer:
            server.sendall(bytes([byte]))
        check(read(app, len(answer)) == answer, "the app should get all frames as they are")
        # A refusal comes between two frames of gated's, not in one.
        server.sendall(frame(11, 3, 0, b"x" * 100)[:50])
        check(len(read(app, 50)) == 50, "the app should get what is there of a frame")
        app.sendall(frame(13, 1, 0, TOGGLE) + frame(15, 1, 0, MODE))
        check(not select.select([app, server], [], [], 0.2)[0], "nothing should come in the middle of a frame")
        server.sendall(frame(11, 3, 0, b"x" * 100)[50:])
        read(app, 60)
        stream, kind, data = read_frame(app)
        check((stream, kind) == (13, 2) and b"may not call gate.v1.Mode/Toggle" in data, f"a refusal should come: {data}")
        check(read_frame(server)[0] == 15, "the next request should go on")
    step("frames in pieces of a byte, both ways")


def not_for_everybody():
    with Gated() as gated, Relay("a1h0u0l65l255l64a2") as relay:
        serves(relay, gated)
        for _ in range(4):
            with relay.connect() as other:
                check(is_closed(other), "a program outside of a sandbox, or with an id that is too long, should be turned away")
        serves(relay, gated, "org.example." + "0" * 52)
        serves(relay, gated, "org.example.App2")
        relay.keeps_no_files()
    with Relay() as relay, relay.connect() as app:
        check(is_closed(app), "without gated the connection should be closed")
    os.unlink(GATED)
    with Relay() as relay, relay.connect() as app:
        check(is_closed(app), "without gated's socket the connection should be closed")
    if os.getuid() == 0:
        # A server of another user: the kernel remembers who called listen.
        os.chmod(FOLDER, 0o777)
        code = f"import os, socket, time; os.setuid(65533); s = socket.socket(1); s.bind({GATED!r}); s.listen(); os.chmod({GATED!r}, 0o666); time.sleep(60)"
        with subprocess.Popen([sys.executable, "-c", code]) as other, Relay(uid=4711) as relay:
            while not os.path.exists(GATED) or os.stat(GATED).st_mode & 0o777 != 0o666:
                time.sleep(0.01)
            with relay.connect() as app:
                check(is_closed(app), "a server that is not gated should not be believed")
            other.kill()
        # An app of another user, even if the socket let it in.
        os.unlink(GATED)
        with Gated() as gated, Relay() as relay:
            os.chmod(RELAY, 0o666)
            code = f"import os, socket; os.setuid(65533); s = socket.socket(1); s.connect({RELAY!r}); print(s.recv(1))"
            said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=SECONDS).stdout
            check(said == b"b''\n", "another user's app should be turned away")
    step("only apps in sandboxes, of this user, and only with the real gated")


def a_thousand_connections():
    with Gated() as gated, Relay("n1") as relay:
        # Two of each app, so that it is the limit for all that counts.
        apps = [relay.connect() for _ in range(1000)]
        end = time.monotonic() + SECONDS
        while sum(not is_open for is_open in (bool(select.select([app], [], [], 0)[0]) for app in apps)) > 256:
            check(time.monotonic() < end, "of 1,000 connections, 256 should be left")
            time.sleep(0.05)
        left = [app for app in apps if not select.select([app], [], [], 0)[0]]
        check(len(left) == 256, f"256 connections should be left, not {len(left)}")
        check(relay.open_files() <= relay.files_before + 512, "each connection should have two files")
        with gated.accept() as server:
            left[0].sendall(frame(1, 1, 0, MODE))
            check(read_frame(server) == (1, 1, named("org.example.App1", MODE)), "the first of them should be served")
        for app in apps:
            app.close()
        relay.keeps_no_files()
        for _ in range(255):
            gated.accept().close()
        serves(relay, gated, "org.example.App501")
    with Gated() as gated, Relay("a1" * 100 + "a2") as relay:
        apps = [relay.connect() for _ in range(100)]
        other = relay.connect()
        time.sleep(0.2)
        left = [app for app in apps if not select.select([app], [], [], 0)[0]]
        check(len(left) == 32, f"one app should have 32 connections, not {len(left)}")
        other.sendall(frame(1, 1, 0, MODE))
        for _ in range(33):
            server = gated.accept()
        check(read_frame(server) == (1, 1, named("org.example.App2", MODE)), "another app should be served")
    step("1,000 connections, and one app with all that it may have")


def no_descriptors_left():
    with Gated() as gated, Relay(files=40) as relay:
        apps = [relay.connect() for _ in range(100)]
        time.sleep(0.5)
        relay.rests("waiting for descriptors")
        for app in apps:
            app.close()
        relay.keeps_no_files()
        end = time.monotonic() + SECONDS
        # While the last of the apps above are being closed, the relay may have no descriptor for gated, and hangs up on whoever comes.
        while time.monotonic() < end:
            gated.server.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True: # of apps that are gone
                    gated.server.accept()[0].close()
            gated.server.settimeout(1)
            with contextlib.suppress(Failed, OSError, EOFError):
                serves(relay, gated)
                break
        else:
            raise Failed("whoever comes later should be served")
    step("no descriptors are left, and then some are")


def slow_reader():
    with Gated() as gated, Relay("a1a2") as relay, relay.connect() as app, gated.accept() as server:
        content = os.urandom(1 << 20)
        answers = b"".join(frame(1, 3, 0, content) for _ in range(16))
        before, sent = relay.memory(), 0
        server.settimeout(0.5)
        with contextlib.suppress(socket.timeout):
            while sent < len(answers):
                sent += server.send(answers[sent : sent + 65536])
        check(sent < 4 << 20, f"gated should have to wait for an app that does not read, after {sent} bytes")
        check(relay.memory() - before < 2048, "an app that does not read should cost no memory")
        relay.rests("an app that does not read")
        serves(relay, gated, "org.example.App2")
        # It may ask meanwhile, and be refused.
        app.sendall(frame(3, 1, 0, MODE) + frame(5, 1, 0, TOGGLE))
        check(read_frame(server) == (3, 1, named("org.example.App1", MODE)), "a request should pass")
        server.settimeout(SECONDS)
        child = os.fork()
        if child == 0:
            server.sendall(answers[sent:])
            server.close()
            os._exit(0)
        server.close()
        frames = [read_frame(app) for _ in range(17)]
        check([data for stream, _, data in frames if stream == 1] == [content] * 16, "everything should come, in order")
        check([kind for stream, kind, _ in frames if stream == 5] == [2], "the refusal should come, too")
        check(is_closed(app), "and then the end")
        os.waitpid(child, 0)
        relay.keeps_no_files()
    step("a slow reader waits alone, and misses nothing")


def slow_gated():
    with Gated() as gated, Relay("a1a2") as relay, relay.connect() as app, gated.accept() as server:
        request = frame(1, 1, 0, MODE + field(3, bytes(60000)))
        before, sent = relay.memory(), 0
        app.settimeout(0.5)
        with contextlib.suppress(socket.timeout):
            while sent < 16 << 20:
                at = sent % len(request)
                sent += app.send(request[at:])
        check(sent < 4 << 20, f"the app should have to wait for gated, after {sent} bytes")
        check(relay.memory() - before < 2048, "that should cost no memory")
        serves(relay, gated, "org.example.App2")
        got = 0
        while got < sent // len(request):
            check(read_frame(server)[2] == named("org.example.App1", MODE + field(3, bytes(60000))), "each request should come whole")
            got += 1
        # An app that goes while its requests wait is gone for gated, too.
        app.sendall(request[sent % len(request) :])
        with contextlib.suppress(socket.timeout):
            while True:
                app.sendall(request)
        app.close()
        relay.keeps_no_files()
    step("a slow gated makes the app wait")


def flood_of_refusals():
    with Gated() as gated, Relay("a1a2") as relay, relay.connect() as app, gated.accept():
        before, sent, requests = relay.memory(), 0, b"".join(frame(2 * number + 1, 1, 0, TOGGLE) for number in range(100000))
        app.settimeout(0.5)
        with contextlib.suppress(socket.timeout):
            while sent < len(requests):
                sent += app.send(requests[sent : sent + 65536])
        check(sent < len(requests), "an app that does not read its refusals should have to wait")
        check(relay.memory() - before < 2048, "refusals should cost no memory")
        serves(relay, gated, "org.example.App2")
        app.settimeout(SECONDS)
        for number in range(sent // len(frame(1, 1, 0, TOGGLE))):
            stream, kind, _ = read_frame(app)
            check((stream, kind) == (2 * number + 1, 2), "the refusals should come in order")
    step("a flood of refused requests")


def ends():
    with Gated() as gated, Relay() as relay:
        # gated goes: what it has said comes first. It can hear nothing more.
        with relay.connect() as app, gated.accept() as server:
            server.sendall(frame(1, 3, 0, b"the last word"))
            server.close()
            with contextlib.suppress(OSError):
                app.sendall(frame(3, 1, 0, MODE) * 100)
            check(read_frame(app) == (1, 3, b"the last word") and is_closed(app), "the last word should come, and then the end")
        # The app goes: gated hears of it at once, also in the middle of a frame.
        for cut in [0, 5, 30]:
            app = relay.connect()
            with gated.accept() as server:
                app.sendall(frame(1, 1, 0, MODE)[:cut])
                app.close()
                check(is_closed(server), "gated should hear of the end, and of nothing else")
        # What is no frame ends the connection.
        for header in [b"\xff" * 10, b"\x00\x40\x00\x01" + b"\x00\x00\x00\x01" + b"\x01\x00"]:
            with relay.connect() as app, gated.accept() as server:
                app.sendall(header)
                check(is_closed(app) and is_closed(server), "a frame that is longer than any should end the connection")
        with relay.connect() as app, gated.accept() as server:
            server.sendall(b"\xff" * 10)
            check(not app.recv(1) if select.select([app], [], [], SECONDS)[0] else False, "whatever gated says, no such frame should come")
        relay.keeps_no_files()
        # An app that reads nothing, and a gated that has gone: that costs nothing.
        with relay.connect() as app, gated.accept() as server:
            server.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    server.send(frame(1, 3, 0, bytes(60000)))
            server.close()
            time.sleep(0.2)
            relay.rests("a gated that is gone, while the app does not read,")
        relay.keeps_no_files()
        serves(relay, gated)
    step("both sides end as they like")


def descriptors():
    with Gated() as gated, Relay() as relay:
        for _ in range(50):
            with relay.connect() as app, gated.accept() as server, open("/dev/null") as null:
                with contextlib.suppress(PermissionError):  # Linux 6.16 refuses them
                    app.sendmsg([frame(1, 1, 0, MODE)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [null.fileno()] * 200))])
                    check(read_frame(server)[2] == named("org.example.App1", MODE), "the request should pass without its descriptors")
                    check(not server.recvmsg(1, 4096, socket.MSG_DONTWAIT)[1] if select.select([server], [], [], 0)[0] else True, "no descriptor should")
        relay.keeps_no_files()
        serves(relay, gated)
    step("descriptors that an app sends along go nowhere")


TESTS = [bytes_in_pieces, not_for_everybody, a_thousand_connections, no_descriptors_left, slow_reader, slow_gated, flood_of_refusals, ends, descriptors]

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, max(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    try:
        for test in TESTS:
            if not ONLY or any(word in test.__name__ for word in ONLY):
                test()
    finally:
        shutil.rmtree(FOLDER)
