"""Servers that are no daemon. They answer with the bytes that a test wants."""

import contextlib
import os
import socket
import struct
import tempfile
import threading
import unittest

from gateclient import Options, messages
from gateclient import wire

HEADER = struct.Struct(">IIBB")
REVISION = {"epoch": 7, "number": 1}
PARENT = {"mode": "MODE_PARENT", "deadline_boottime_nanoseconds": 2**62}


def response(stream, message=None, code=0):
    """A response frame with a message or a refusal."""
    status = {"code": code, "message": "no"} if code else None
    payload = message.SerializeToString() if message is not None else b""
    data = messages.EnvelopeResponse(payload=payload, status=status).SerializeToString()
    return HEADER.pack(len(data), stream, 2, 0) + data


def data(stream, message, flags=0):
    """A data frame."""
    encoded = message.SerializeToString() if message is not None else b""
    return HEADER.pack(len(encoded), stream, 3, flags) + encoded


def parent_answer(stream, method):
    """The answer of a daemon in parent mode."""
    if method == "Watch/Watch":
        return data(stream, messages.WatchResponse(first_number=1, revision=REVISION, is_snapshot=True, mode=PARENT))
    if method == "Authorization/Authorize":
        grant = {"id": 1, "proof": b"proof", "gated_action": "link.open", "details": "x"}
        return response(stream, messages.AuthorizeResponse(revision=REVISION, grant=grant))
    if method == "Authorization/Redeem":
        return response(stream, messages.RedeemResponse(revision=REVISION))
    output = wire.method(method).response
    fields = {"revision": REVISION, "state": PARENT} if method.startswith("Mode/") else {}
    return response(stream, output(**fields))


class Server:
    """A server on a socket of its own. `answer(stream, method)` returns the bytes for a request; None: close the
    connection."""

    def __init__(self, answer, greeting=b""):
        self.folder = tempfile.TemporaryDirectory(prefix="gate.")
        self.path = os.path.join(self.folder.name, "gate.sock")
        self.answer, self.greeting, self.connections = answer, greeting, 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(self.path)
        self.socket.listen(64)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        self.socket.close()
        self.folder.cleanup()

    def options(self, **named):
        return Options(socket_path=self.path, server_user=os.getuid(), program="test", **named)

    def serve(self):
        peers = []
        while True:
            try:
                peer = self.socket.accept()[0]
            except OSError:
                break
            self.connections += 1
            peers.append(threading.Thread(target=self.talk, args=(peer,), daemon=True))
            peers[-1].start()
        for one in peers:
            one.join(10)

    def talk(self, peer):
        with peer, contextlib.suppress(OSError):
            peer.settimeout(20)
            peer.sendall(self.greeting)
            buffer = b""
            while some := peer.recv(65536):
                buffer += some
                while len(buffer) >= HEADER.size:
                    length, stream, _, _ = HEADER.unpack_from(buffer)
                    if len(buffer) < HEADER.size + length:
                        break
                    request = messages.EnvelopeRequest.FromString(buffer[HEADER.size : HEADER.size + length])
                    buffer = buffer[HEADER.size + length :]
                    answer = self.answer(stream, f"{request.service.removeprefix('gate.v1.')}/{request.method}")
                    if answer is None:
                        return
                    peer.sendall(answer)


class TimedTestCase(unittest.TestCase):
    """Tests that may not hang: each has to end within some seconds."""

    seconds = 30

    def run(self, result=None):
        import faulthandler

        faulthandler.dump_traceback_later(self.seconds, exit=True)
        try:
            return super().run(result)
        finally:
            faulthandler.cancel_dump_traceback_later()


def open_files():
    return len(os.listdir("/proc/self/fd"))
