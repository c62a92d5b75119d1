#!/usr/bin/env python3
"""Prints the mode of this device whenever it changes: child, verifying, parent. With --once it prints it once, and
exits with 0, or with 69 if no living daemon maintains the page.

    mode.py [--once] [PAGE]      (PAGE: the page of a private daemon of yours; default: /run/gated/status)

This is everything that a reader has to do; docs/status-page.md is the reference. Python can't make a processor keep the
order of its reads. x86-64 keeps it; on other processors, call the C header.
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
HEAD = struct.Struct("=8sII36s")  # magic, version, size of the page, id of the boot
WORD = struct.Struct("=I")
OWNER, SEQUENCE, COPIES = 64, 128, (192, 256)
STATE = struct.Struct("=QQQQII")  # epoch, number, the two deadlines, mode, whether a subscription is active
OWNER_ID, OWNER_DIED = 0x3FFFFFFF, 0x40000000
MODES = {1: "verifying", 2: "parent"}
FOREVER = 2**64 - 1


def trusted_uids(path):
    """The uids that are trusted: root and the daemon's user; for a private page, root and the user of this process."""
    if path != PATH:
        return {0, os.geteuid()}
    try:
        return {0, pwd.getpwnam("gate").pw_uid}
    except KeyError:
        return {0}


def opened(path):
    """The mapped page; None if there is no trusted page."""
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
    """(mode, whether a subscription is active); None if no living daemon maintains the page."""
    for _ in range(1000):
        sequence = WORD.unpack_from(page, SEQUENCE)[0]
        copy = STATE.unpack_from(page, COPIES[sequence & 1])
        if WORD.unpack_from(page, SEQUENCE)[0] == sequence:
            break
    else:
        return None
    # The owner is read last. If it is alive now, it was alive when the state was read.
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
        # The time of a frame. Without a daemon, a new page is looked for at most ten times a second.
        time.sleep(0.016 if said else 0.1)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (KeyboardInterrupt, BrokenPipeError):
        # Closes the output, so that Python does not try to write to it again.
        os._exit(1)
