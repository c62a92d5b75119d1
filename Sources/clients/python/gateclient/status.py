"""The mode, and whether a subscription is active, from the page of memory that the daemon shares with every process.

Reading it needs no connection and no system call. Python can't tell a processor to keep the order of reads, but x86-64
keeps it anyway. On other processors a read during a change could, very rarely, return the previous state; use a watch
there, or C.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import stat
import struct
import time
from dataclasses import dataclass

from .server import Options, is_unmapped, uses_portal
from .values import Mode, Revision

_BYTES = 4096
_HEAD = struct.Struct("=8sII36s")  # magic, version, size of the page in bytes, id of the boot in which it was written
# Indices of 32-bit words; `_COPIES` has the offsets of both copies of the state in bytes.
_OWNER, _SEQUENCE, _MODE = 64 // 4, 128 // 4, 32 // 4
_COPIES = (192, 256)
_OWNER_ID, _OWNER_DIED = 0x3FFF_FFFF, 0x4000_0000
_FOREVER = 2**64 - 1
_MODES = {1: Mode.VERIFYING, 2: Mode.PARENT}
_FUSE = 0x65735546  # FUSE_SUPER_MAGIC
#: Seconds between attempts to find a page, while there is none.
_PAUSE = 0.1


@dataclass(frozen=True)
class DeviceStatus:
    """The status that a page holds. Deadlines are nanoseconds of CLOCK_BOOTTIME; None if there is none."""

    mode: Mode = Mode.CHILD
    is_subscription_active: bool = False
    mode_deadline: int | None = None
    subscription_deadline: int | None = None
    revision: Revision | None = None

    @property
    def is_live(self) -> bool:
        """Whether the status comes from a living daemon."""
        return self.revision is not None


_CLOSED = DeviceStatus()


def _may_be_answered_by_a_program(file: int) -> bool:
    """Whether the file is on a FUSE file system, where a program of some user answers, and can claim any owner for a
    file. Also True if the file system's type can't be read, since such a program can refuse to tell it."""
    system = ctypes.create_string_buffer(512)  # struct statfs, which begins with the type as a long
    if ctypes.CDLL(None).fstatfs(file, system) != 0:
        return True
    return ctypes.c_long.from_buffer(system).value == _FUSE


class StatusPage:
    """The status page. Any failure reads as child mode and no subscription, and so does the daemon's death, at once.
    After the daemon came back, its page is found again."""

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()
        self._words: memoryview | None = None
        self._longs: memoryview | None = None
        self._looked = float("-inf")

    def status(self) -> DeviceStatus:
        """The status now. While no living daemon provides one, the page is looked for at most ten times a second."""
        status = self._read()
        if status.is_live or time.monotonic() - self._looked < _PAUSE:
            return status
        self._looked = time.monotonic()
        self._open()
        return self._read()

    def close(self) -> None:
        """Gives the page up. The next `status` looks for it again."""
        self._words = self._longs = None

    def _read(self) -> DeviceStatus:
        # Taken once, because another thread may map another page meanwhile.
        words, longs = self._words, self._longs
        if words is None or longs is None:
            return _CLOSED
        for _ in range(1000):
            sequence = words[_SEQUENCE]
            start = _COPIES[sequence & 1]
            epoch, number, mode_deadline, subscription_deadline = longs[start // 8 : start // 8 + 4]
            mode, is_active = words[start // 4 + _MODE : start // 4 + _MODE + 2]
            if words[_SEQUENCE] == sequence:
                break
        else:
            return _CLOSED
        # The owner is read last, so that the daemon lived when the values above were valid.
        owner = words[_OWNER]
        if owner & _OWNER_ID == 0 or owner & _OWNER_DIED:
            return _CLOSED
        now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        told = _MODES.get(mode, Mode.CHILD) if now < mode_deadline else Mode.CHILD
        is_paid = is_active == 1 and now < subscription_deadline
        return DeviceStatus(
            told,
            is_paid,
            mode_deadline if told is not Mode.CHILD and mode_deadline != _FOREVER else None,
            subscription_deadline if is_paid and subscription_deadline != _FOREVER else None,
            Revision(epoch, number),
        )

    def _open(self) -> None:
        """Maps the page, if there is one that can be trusted."""
        path = self._options.page_path
        # gate-portal has no page. What lies beside its socket is from whoever may write there.
        if uses_portal(self._options) and self._options.status_path is None:
            return
        with contextlib.suppress(OSError, ValueError):
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY)
            try:
                found = os.fstat(file)
                if not stat.S_ISREG(found.st_mode) or found.st_size != _BYTES:
                    return
                if is_unmapped(found.st_uid) or found.st_uid not in self._options.trusted_uids():
                    return
                if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or _may_be_answered_by_a_program(file):
                    return
                page = mmap.mmap(file, _BYTES, mmap.MAP_SHARED, mmap.PROT_READ)
            finally:
                os.close(file)
            with open("/proc/sys/kernel/random/boot_id", "rb") as identifier:
                boot = identifier.read(36)
            if _HEAD.unpack_from(page) == (b"gatestat", 1, _BYTES, boot):
                self._words, self._longs = memoryview(page).cast("I"), memoryview(page).cast("Q")
