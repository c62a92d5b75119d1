"""A proxy between clients and a daemon. It passes on each byte, and records the presentations.

The answer to a request for a presentation contains its cookie, which libraries do not reveal. A thief may have read it
here.
"""

import contextlib
import pathlib
import selectors
import shutil
import socket
import struct
import tempfile
import threading

from gateclient import messages, wire

HEADER = struct.Struct(">IIBB")
REQUEST, RESPONSE = 1, 2


class _Frames:
    """The frames of one direction."""

    def __init__(self):
        self.buffer = b""

    def received(self, data):
        self.buffer += data
        while len(self.buffer) >= HEADER.size:
            length, stream, kind, _ = HEADER.unpack_from(self.buffer)
            end = HEADER.size + length
            if len(self.buffer) < end:
                return
            yield stream, kind, self.buffer[HEADER.size : end]
            self.buffer = self.buffer[end:]


class _Pair:
    """A client's connection, and the proxy's connection to the daemon."""

    def __init__(self, client, daemon):
        self.sockets = {client: daemon, daemon: client}
        self.daemon = daemon
        self.frames = {client: _Frames(), daemon: _Frames()}
        self.methods = {}


class WireTap:
    """A socket in front of a daemon's socket."""

    def __init__(self, daemon):
        self.daemon, self.folder = str(daemon), tempfile.mkdtemp(prefix="gate-tap-")
        self.path = pathlib.Path(self.folder) / "gate.sock"
        #: By its number, each presentation that a client received.
        self.presentations = {}
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen(64)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ, None)
        self.is_ending = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def end(self):
        self.is_ending = True
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as waker:
            waker.connect(str(self.path))
        self.thread.join()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()
        shutil.rmtree(self.folder)

    def _run(self):
        while not self.is_ending:
            for key, _ in self.selector.select():
                if key.data is None:
                    self._accept()
                elif key.fileobj in key.data.sockets:
                    self._hand_on(key.data, key.fileobj)

    def _accept(self):
        client, daemon = self.listener.accept()[0], socket.socket(socket.AF_UNIX)
        try:
            daemon.connect(self.daemon)
        except OSError:
            client.close()
            daemon.close()
            return
        pair = _Pair(client, daemon)
        for one in (client, daemon):
            self.selector.register(one, selectors.EVENT_READ, pair)

    def _hand_on(self, pair, source):
        try:
            data = source.recv(1 << 16)
            for stream, kind, content in pair.frames[source].received(data):
                self._note(pair, source is pair.daemon, stream, kind, content)
            if data:
                pair.sockets[source].sendall(data)
        except OSError:
            data = b""
        if not data:
            for one in list(pair.sockets):
                self.selector.unregister(one)
                one.close()
            pair.sockets.clear()

    def _note(self, pair, is_from_daemon, stream, kind, content):
        if not is_from_daemon and kind == REQUEST:
            request = messages.EnvelopeRequest.FromString(content)
            pair.methods[stream] = wire.method(f"{request.service}/{request.method}")
        elif is_from_daemon and kind == RESPONSE and stream in pair.methods:
            payload = messages.EnvelopeResponse.FromString(content).payload
            response = pair.methods.pop(stream).response.FromString(payload)
            for name in ("presentation", "next"):
                field = response.DESCRIPTOR.fields_by_name.get(name)
                if field is not None and field.message_type.name == "Presentation" and response.HasField(name):
                    shown = getattr(response, name)
                    self.presentations[shown.summary.id] = shown
