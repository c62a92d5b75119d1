"""Finds the daemon, and checks that the server is Gate."""

from __future__ import annotations

import errno
import os
import pwd
import socket
import stat
import struct
import sys
import time
from dataclasses import dataclass, field
from typing import Awaitable, Callable

from .errors import Code, GateError

_CREDENTIALS = struct.Struct("iII")  # pid, uid, gid


def _portal_path() -> str | None:
    """The socket of gate-portal, which stands in for the daemon in a sandbox of Flatpak's; None outside of one, and if
    GATE_SOCKET is set. The daemon's user is not mapped in such a sandbox, so nobody there can tell who the daemon is.
    gate-portal runs as the same user as the app, in the person's own session."""
    if os.environ.get("GATE_SOCKET"):
        return None
    try:
        if not stat.S_ISREG(os.lstat("/.flatpak-info").st_mode):
            return None
    except OSError:
        return None
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return os.path.join(folder if folder.startswith("/") else f"/run/user/{os.geteuid()}", "gate/portal")


def _default_path() -> str:
    return os.environ.get("GATE_SOCKET") or _portal_path() or "/run/gated/gate.sock"


@dataclass(frozen=True)
class Options:
    """How a client finds the daemon, and which server it trusts. Times are in seconds."""

    #: The path of the socket. In a sandbox of Flatpak's it is gate-portal's.
    socket_path: str = field(default_factory=_default_path)
    #: The user that the daemon runs as, by name or uid. Root is trusted, too; no other user is. If the socket is
    #: gate-portal's, the default means this program's own user.
    server_user: str | int = "gate"
    #: How this program names itself. The daemon does not trust the name.
    program: str = field(default_factory=lambda: os.path.basename(sys.argv[0]) or "python")
    #: The seconds within which the daemon has to accept a connection.
    connect_timeout: float = 5.0
    #: The seconds that a call may take; None: no limit. The time in which a person answers a question does not count.
    call_timeout: float | None = 10.0
    #: The path of the status page; None: the file `status` beside the socket.
    status_path: str | None = None
    #: Whether the daemon's deadlines are on the clock of this device. In tests the daemon may have a clock of its own;
    #: then only the daemon judges deadlines.
    shares_clock: bool = True

    def trusted_uids(self) -> set[int]:
        """The uids of root and the daemon's user. A name that the device does not know adds none."""
        if isinstance(self.server_user, int):
            return {0, self.server_user}
        if self.server_user == "gate" and uses_portal(self):
            return {0, os.geteuid()}
        try:
            return {0, pwd.getpwnam(self.server_user).pw_uid}
        except KeyError:
            return {0}

    @property
    def page_path(self) -> str:
        return self.status_path or os.path.join(os.path.dirname(self.socket_path), "status")


async def connect(options: Options, sleep: Callable[[float], Awaitable[None]]) -> socket.socket:
    """Connects, and checks the server before anything is sent. The socket does not block.

    Raises UNAVAILABLE if no server listens; PERMISSION_DENIED if the server is not Gate, or can't be identified
    (UNMAPPED_SERVER).
    """
    path = options.socket_path
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        link.setblocking(False)
        end = time.monotonic() + options.connect_timeout
        while True:
            try:
                # The kernel accepts at once, or says EAGAIN if the server's queue is full.
                link.connect(path)
                break
            except BlockingIOError:
                if time.monotonic() >= end:
                    raise _unreachable(path, os.strerror(errno.ETIMEDOUT)) from None
                await sleep(0.01)
            except (OSError, ValueError) as error:
                raise _unreachable(path, getattr(error, "strerror", None) or str(error)) from error
        _, uid, _ = _CREDENTIALS.unpack(link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
        if is_unmapped(uid):
            raise GateError(
                Code.PERMISSION_DENIED,
                "This program runs in a user namespace that does not know the user of the server at "
                f"{path}: the kernel says uid {uid}, which it says of all such users. So nobody can tell whether that is the "
                "daemon, and nothing is believed. Run it outside of the sandbox (bubblewrap, Flatpak, a container), or in one "
                "that maps the daemon's user.",
                "UNMAPPED_SERVER",
            )
        if uid not in options.trusted_uids():
            raise GateError(
                Code.PERMISSION_DENIED,
                f"The server at {path} runs as uid {uid}, which is not trusted. If that is the daemon of a private run, name "
                f"its user (server_user={uid}).",
                "NOT_PERMITTED",
            )
        return link
    except BaseException:
        link.close()
        raise


def uses_portal(options: Options) -> bool:
    """Whether the server is gate-portal, and not the daemon."""
    return options.socket_path == _portal_path()


def is_unmapped(uid: int) -> bool:
    """Whether the kernel shows this uid in place of users that our user namespace does not map."""
    try:
        with open("/proc/sys/kernel/overflowuid") as overflow, open("/proc/self/uid_map") as mapped:
            if uid != int(overflow.read()):
                return False
            # The first user namespace maps every user.
            return [int(number) for number in mapped.readline().split()] != [0, 0, 2**32 - 1]
    except (OSError, ValueError):
        return uid == 65534


def _unreachable(path: str, why: str) -> GateError:
    if path == _portal_path():
        return GateError(
            Code.UNAVAILABLE,
            f"This app runs in a sandbox, and Gate can't be reached at {path}: {why}. Add --filesystem=xdg-run/gate:ro to its "
            "manifest, and install gate-portal on the device.",
            parameters={"what": "sandbox"},
        )
    return GateError(
        Code.UNAVAILABLE,
        f"The daemon can't be reached at {path}: {why}. Is gated running (`systemctl status gated`)? "
        "Does it listen elsewhere (GATE_SOCKET)?",
    )
