#!/usr/bin/env python3
"""Prints the mode of this device whenever it changes: child, verifying, parent. With --once: once, and ends with 0, or with
69 where no living daemon says so.

    mode.py [--once] [PAGE]      (PAGE: of a private run, which is yours; default: /run/gated/status)

Everything is here that a reader has to do: docs/status-page.md is the reference. Python can't tell a processor to keep the
order of its reads. x86-64 keeps it; elsewhere call the C header.
"""
import mmap
import os
import pwd
import stat
import struct
import sys
import time

PATH = "/run/gated/status"
BYTES = 4096
VERSION = 1
HEAD = struct.Struct("=8sII36s")  # magic, version, size of the page, boot that it was written in
WORD = struct.Struct("=I")
OWNER, SEQUENCE, COPIES = 64, 128, (192, 256)
STATE = struct.Struct("=QQQQII")  # epoch, number, the two deadlines, mode, whether a subscription is active
OWNER_ID, OWNER_DIED = 0x3FFFFFFF, 0x40000000
MODES = {1: "verifying", 2: "parent"}
FOREVER = 2**64 - 1


def trusted_uids(path):
    """Root and the daemon's user; of a private run, root and who runs this."""
    if path != PATH:
        return {0, os.geteuid()}
    try:
        return {0, pwd.getpwnam("gate").pw_uid}
    except KeyError:
        return {0}


def opened(path):
    """The page, mapped; None where there is none to be trusted."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return None
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_size != BYTES:
            return None
        if found.st_uid not in trusted_uids(path) or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return None
        page = mmap.mmap(file, BYTES, mmap.MAP_SHARED, mmap.PROT_READ)
        with open("/proc/sys/kernel/random/boot_id", "rb") as identifier:
            boot = identifier.read(36)
    except OSError:
        return None
    finally:
        os.close(file)
    return page if HEAD.unpack_from(page) == (b"gatestat", VERSION, BYTES, boot) else None


def state(page):
    """(mode, whether a subscription is active); None where no living daemon says anything."""
    for _ in range(1000):
        sequence = WORD.unpack_from(page, SEQUENCE)[0]
        copy = STATE.unpack_from(page, COPIES[sequence & 1])
        if WORD.unpack_from(page, SEQUENCE)[0] == sequence:
            break
    else:
        return None
    # The owner last: it lived when what was read was valid.
    owner = WORD.unpack_from(page, OWNER)[0]
    if owner & OWNER_ID == 0 or owner & OWNER_DIED:
        return None
    _, _, mode_deadline, subscription_deadline, mode, is_active = copy
    now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return (
        MODES.get(mode, "child") if mode_deadline == FOREVER or now < mode_deadline else "child",
        is_active == 1 and (subscription_deadline == FOREVER or now < subscription_deadline),
    )


def main(words):
    is_once = words[:1] == ["--once"]
    words = words[is_once:]
    if len(words) > 1:
        print("usage: mode.py [--once] [PAGE]", file=sys.stderr)
        return 64
    path = words[0] if words else PATH
    page, shown = None, None
    while True:
        said = state(page) if page else None
        if said is None:
            page = opened(path)
            said = state(page) if page else None
        mode = said[0] if said else "child"
        if mode != shown:
            print(mode, flush=True)
            shown = mode
        if is_once:
            return 0 if said else 69
        # A frame; where there is no daemon, nobody looks for it more often than ten times a second.
        time.sleep(0.016 if said else 0.1)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (KeyboardInterrupt, BrokenPipeError):
        # Nothing is left to be written.
        os._exit(1)
