"""Cables between devices and the broker. Each is a pair of network devices (TUN), and this program carries every
packet from one to the other, late or not at all if a test wants that. It uses nothing of the kernel but TUN, so
both ends use real TCP."""

import contextlib
import fcntl
import heapq
import os
import random
import selectors
import struct
import threading
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
PACKET_BYTES = 65536


class Way:
    """One direction of a cable."""

    def __init__(self):
        self.loss = 0.0
        self.delay_seconds = 0.0


class Cable:
    """The cable of a device. `up` leads to the broker, `down` to the device."""

    def __init__(self, cables, name):
        self.cables, self.inner, self.outer = cables, f"in-{name}", f"out-{name}"
        self.up, self.down = Way(), Way()
        inner, outer = cables.open(self.inner), cables.open(self.outer)
        cables.join(inner, outer, self.up)
        cables.join(outer, inner, self.down)

    def cut(self):
        self.up.loss = self.down.loss = 1.0

    def slow(self, delay_seconds, loss):
        """Sets the delay of both directions together, and how many packets are lost."""
        for way in (self.up, self.down):
            way.delay_seconds, way.loss = delay_seconds / 2, loss

    def mend(self):
        for way in (self.up, self.down):
            way.delay_seconds = way.loss = 0.0


class Cables:
    """All cables, on a thread of their own."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.selector = selectors.DefaultSelector()
        self.waiting, self.number = [], 0
        self.thread = threading.Thread(target=self.carry, daemon=True)

    def open(self, name):
        file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
        return file

    def join(self, source, target, way):
        self.selector.register(source, selectors.EVENT_READ, (target, way))

    def start(self):
        self.thread.start()

    def carry(self):
        while True:
            now = time.monotonic()
            while self.waiting and self.waiting[0][0] <= now:
                _, _, target, packet = heapq.heappop(self.waiting)
                self.write(target, packet)
            patience = self.waiting[0][0] - now if self.waiting else 1
            for key, _ in self.selector.select(patience):
                self.take(key.fd, *key.data)

    def take(self, source, target, way):
        # The network device may be down at this moment.
        with contextlib.suppress(BlockingIOError, OSError):
            while packet := os.read(source, PACKET_BYTES):
                if way.loss and self.random.random() < way.loss:
                    continue
                if way.delay_seconds:
                    self.number += 1
                    heapq.heappush(self.waiting, (time.monotonic() + way.delay_seconds, self.number, target, packet))
                else:
                    self.write(target, packet)

    @staticmethod
    def write(target, packet):
        with contextlib.suppress(OSError):
            os.write(target, packet)
