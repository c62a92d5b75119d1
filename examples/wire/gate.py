#!/usr/bin/python3
"""A client of Gate in Python: it watches the mode, asks for a gated action, presents questions, and signs in.

Written from docs/wire.md. It needs python3-protobuf and, beside this file, wire.binpb, which README.md says how to
make.

usage: gate.py [--server-user UID] watch | open URL | present | sign-in NAME

Exit status: 0 done, 1 refused, 2 this program can't show the question, 64 wrong usage, 69 no trusted daemon.
"""

import getpass
import os
import pwd
import select
import socket
import struct
import sys
import time

from google.protobuf import descriptor_pb2, message_factory
from google.protobuf.message import DecodeError

REQUEST, RESPONSE, DATA = 1, 2, 3  # types of frames
REMOTE_CLOSED, NO_DATA = 1, 4  # flags of frames
HEADER = struct.Struct(">IIBB")  # length, stream, type, flags
LARGEST = 4 << 20
INVALID_ARGUMENT = 3  # the one status code that this program acts on
STAGE_OFFERED = 2
REFUSED, NOT_SHOWN, USAGE, NO_DAEMON = 1, 2, 64, 69  # exit statuses

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "wire.binpb"), "rb") as descriptors:
    messages = message_factory.GetMessages(descriptor_pb2.FileDescriptorSet.FromString(descriptors.read()).file)


# MARK: the connection


class Lost(Exception):
    """There is no connection to a trusted daemon. What a daemon has said before counts for nothing now."""


class Refused(Exception):
    """The daemon refuses the call."""

    def __init__(self, status):
        self.code, reason = status.code, "no reason"
        for any_message in status.details:
            if any_message.type_url == "type.googleapis.com/gate.v1.ErrorDetail":
                detail = messages["gate.v1.ErrorDetail"].FromString(any_message.value)
                names = detail.DESCRIPTOR.fields_by_name["reason"].enum_type.values_by_number
                reason = names[detail.reason].name if detail.reason in names else str(detail.reason)
        super().__init__(f"{status.message} ({reason})")


class Gate:
    """One connection with any number of calls and one stream."""

    def __init__(self, server_user):
        """Connects, and checks that the server is Gate. Raises Lost."""
        self.bytes, self.last, self.awaited, self.answer = bytearray(), -1, None, None
        self.streamed, self.messages, self.has_begun = None, [], False
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path = os.environ.get("GATE_SOCKET") or "/run/gated/gate.sock"
        try:
            self.socket.connect(path)
        except OSError as error:
            raise Lost(f"{path}: {error.strerror}") from error
        peer = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        _, uid, _ = struct.unpack("iII", peer)
        if uid not in (0, server_user):
            unmapped = is_unmapped(uid)
            raise Lost(f"{path}: {'in this user namespace nobody can tell who' if unmapped else 'somebody else'} listens")

    def call(self, name, /, **fields):
        """Calls a method, like "gate.v1.Mode/Toggle", and waits for its answer. Raises Refused and Lost."""
        self.awaited, answer = self.request(name, 0, fields)
        while self.answer is None:
            self.wait()
        response, self.awaited, self.answer = self.answer, None, None
        if response.HasField("status"):
            raise Refused(response.status)
        return decoded(answer, response.payload)

    def stream(self, name, /, **fields):
        """Opens a stream, whose messages are collected in `messages`."""
        self.streamed, self.streamed_type = self.request(name, REMOTE_CLOSED, fields)

    def request(self, name, flags, fields):
        service, method = name.split("/")
        pool = messages["gate.v1.Revision"].DESCRIPTOR.file.pool
        types = pool.FindServiceByName(service).FindMethodByName(method)
        envelope = messages["ttrpc.Request"](
            service=service,
            method=method,
            payload=messages[types.input_type.full_name](**fields).SerializeToString(),
            metadata=[{"key": "program", "value": "example"}],
        ).SerializeToString()
        self.last += 2
        try:
            self.socket.sendall(HEADER.pack(len(envelope), self.last, REQUEST, flags) + envelope)
        except OSError as error:
            raise Lost("The connection is lost.") from error
        return self.last, messages[types.output_type.full_name]

    def wait(self, *others, seconds=None):
        """Waits until the daemon sends something or one of `others` can be read. Returns the latter. Raises Refused
        and Lost."""
        ready = select.select([self.socket, *others], [], [], seconds)[0]
        if self.socket in ready:
            ready.remove(self.socket)
            try:
                some = self.socket.recv(1 << 16)
            except OSError:
                some = b""
            if not some:
                raise Lost("The connection is lost.")
            self.bytes += some
            while len(self.bytes) >= HEADER.size:
                size, stream, kind, flags = HEADER.unpack_from(self.bytes)
                if size > LARGEST:
                    raise Lost("This is no ttrpc.")
                if len(self.bytes) < HEADER.size + size:
                    break
                data = bytes(self.bytes[HEADER.size : HEADER.size + size])
                del self.bytes[: HEADER.size + size]
                self.heard(stream, kind, flags, data)
        return ready

    def heard(self, stream, kind, flags, data):
        if kind == DATA and stream == self.streamed:
            self.has_begun = True
            if not flags & NO_DATA:
                self.messages.append(decoded(self.streamed_type, data))
            if flags & REMOTE_CLOSED:
                raise Lost("The stream has ended.")
        elif kind == RESPONSE and stream == self.streamed:
            refusal = Refused(decoded(messages["ttrpc.Response"], data).status)
            raise Lost(str(refusal)) if self.has_begun else refusal
        elif kind == RESPONSE and stream == self.awaited:
            self.answer = decoded(messages["ttrpc.Response"], data)


def is_unmapped(user):
    """Whether the kernel uses this uid for users that our user namespace does not map."""
    with open("/proc/sys/kernel/overflowuid") as overflow, open("/proc/self/uid_map") as mapped:
        return user == int(overflow.read()) and int(mapped.readline().split()[2]) != 2**32 - 1


def decoded(message, data):
    try:
        return message.FromString(data)
    except DecodeError as error:
        raise Lost("This is no ttrpc.") from error


# MARK: watching


def watch(server_user):
    """Prints the mode and who is signed in, whenever they change. Without a connection the mode is child, and nobody
    is."""
    seen = mode = sign_in = printed = None

    def tell(line):
        nonlocal printed
        if line != printed:
            print(line, flush=True)
        printed = line

    while True:
        try:
            gate = Gate(server_user)
            gate.stream("gate.v1.Watch/Watch", topics=["TOPIC_MODE", "TOPIC_SIGN_IN"], after=seen)
            told = False
            while True:
                # The time limit of select does not run while the device sleeps, so it is short.
                gate.wait(seconds=1)
                for change in gate.messages:
                    if change.is_snapshot:
                        mode = sign_in = None
                    mode = change.mode if change.HasField("mode") else mode
                    sign_in = change.sign_in if change.HasField("sign_in") else sign_in
                    seen, told = change.revision, True
                gate.messages.clear()
                if told:
                    tell(line(mode, sign_in))
        except (Lost, Refused) as error:
            if printed != "child (no connection)":
                print(error, file=sys.stderr, flush=True)
        tell("child (no connection)")
        time.sleep(1)


def line(mode, sign_in):
    if mode is None:
        return "child"
    words = {mode.MODE_VERIFYING: "verifying", mode.MODE_PARENT: "parent"}
    name = "child" if is_over(mode) else words.get(mode.mode, "child")
    if sign_in is not None and sign_in.HasField("session") and not is_over(sign_in.session):
        name += f", signed in: {sign_in.session.name}"
    return name


def is_over(told):
    """Whether the deadline has passed, even if the daemon has not said so. A deadline of 0 means none."""
    deadline = told.deadline_boottime_nanoseconds
    return 0 < deadline <= time.clock_gettime_ns(time.CLOCK_BOOTTIME)


# MARK: questions


def show(question):
    """Shows a sum. Returns False if it is another question, which this program can't show."""
    if question.WhichOneof("content") != "arithmetic_choice":
        return False
    asked, problem = question.summary.asked, question.arithmetic_choice
    sign = ["?", "+", "−", "×", "÷"][problem.operation if problem.operation < 5 else 0]
    print(f"{asked.program} (unverified), user {asked.uid}: {asked.title} {asked.details}")
    print(f"{problem.left} {sign} {problem.right} = ?", *problem.choices, sep="  ", flush=True)
    return True


def typed():
    """The typed line without its end; other white space may be part of a password. None at the end of the input."""
    text = os.read(0, 4096)
    return text.decode().removesuffix("\n") if text else None


def open_link(gate, url):
    """Asks for the gated action link.open, shows the question itself, and redeems the grant."""
    response = gate.call("gate.v1.Authorization/Authorize", gated_action="link.open", details=url, presents_itself=True)
    question = response.presentation if response.HasField("presentation") else None
    while question:
        if not show(question):
            gate.call("gate.v1.Presentations/Dismiss", cookie=question.cookie)
            return NOT_SHOWN
        while sys.stdin not in gate.wait(sys.stdin):
            pass
        answer = typed()
        if answer is None:
            gate.call("gate.v1.Presentations/Dismiss", cookie=question.cookie)
            return REFUSED
        try:
            response = gate.call("gate.v1.Presentations/Complete", cookie=question.cookie, text=answer)
        except Refused as error:
            if error.code != INVALID_ARGUMENT:
                raise
            print(error, file=sys.stderr)
            continue  # the question is still open
        question = response.next if response.HasField("next") else None
    if not response.HasField("grant"):
        raise Lost("The daemon says neither yes nor no.")
    # The details are the URL that this program is about to open, not what the daemon says it granted.
    gate.call("gate.v1.Authorization/Redeem", proof=response.grant.proof, gated_action="link.open", details=url)
    print(f"granted: {url}")
    return 0


# MARK: presenting


def present(gate):
    """Shows questions of other programs, until the input ends or the connection is lost."""
    gate.stream(
        "gate.v1.Presentations/RegisterPresenter", kinds=["PRESENTATION_KIND_ARITHMETIC_CHOICE"], styles=["STYLE_SHEET"]
    )
    shown, claimed = None, 0  # what is on the screen; the id of what was claimed last
    try:
        while True:
            while gate.messages:
                now = gate.messages.pop().presentation  # the newest; its id is 0 if it is absent
                gate.messages.clear()
                if shown and now.id != claimed:
                    shown = clear()
                if not now.id:
                    claimed = 0  # it may be offered again
                if now.stage == STAGE_OFFERED and now.id != claimed:
                    claimed = now.id
                    shown = claim(gate, claimed)
            if sys.stdin in gate.wait(*[sys.stdin] if shown else []):
                answer = typed()
                if answer is None:
                    gate.call("gate.v1.Presentations/Dismiss", cookie=shown.cookie)
                    return 0
                try:
                    gate.call("gate.v1.Presentations/Complete", cookie=shown.cookie, text=answer)
                except Refused as error:
                    print(error, file=sys.stderr)  # the stream says what comes next
    finally:
        if shown:
            clear()


def clear():
    print("the screen is clear", flush=True)


def claim(gate, number):
    """Claims the presentation on offer, and shows it. Returns None if another presenter was faster."""
    try:
        question = gate.call("gate.v1.Presentations/Claim", id=number).presentation
        show(question)
        gate.call("gate.v1.Presentations/Report", cookie=question.cookie, input="INPUT_SHOWN")
        return question
    except Refused as error:
        print(error, file=sys.stderr)
        return None


# MARK: signing in


def sign_in(gate, name):
    password = getpass.getpass() if sys.stdin.isatty() else typed()
    state = gate.call("gate.v1.SignIn/LogIn", name=name, password=(password or "").encode()).state
    if not state.HasField("session"):
        raise Lost("The daemon does not say who is signed in.")
    print(f"signed in: {state.session.name}{', a child' if state.session.is_child else ''}")
    return 0


def main(arguments):
    try:
        server_user = pwd.getpwnam("gate").pw_uid
    except KeyError:
        server_user = 0
    if arguments[:1] == ["--server-user"] and len(arguments) > 1:  # for a private daemon
        server_user, arguments = int(arguments[1]), arguments[2:]
    try:
        match arguments:
            case ["watch"]:
                return watch(server_user)
            case ["open", url]:
                return open_link(Gate(server_user), url)
            case ["present"]:
                return present(Gate(server_user))
            case ["sign-in", name]:
                return sign_in(Gate(server_user), name)
    except Refused as error:
        print(error, file=sys.stderr)
        return REFUSED
    except Lost as error:
        print(error, file=sys.stderr)
        return NO_DAEMON
    print(__doc__, file=sys.stderr)
    return USAGE


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
