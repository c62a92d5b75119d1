"""The status page: everything that is not the page of a living daemon reads as child mode."""

import os
import stat
import struct
import tempfile
import time
import unittest
from unittest import mock

from gateclient import Mode, Options, StatusPage

FOREVER = 2**64 - 1


def page(mode=2, deadline=FOREVER, paid=1, owner=1, magic=b"gatestat", version=1, boot=None, sequence=0):
    """The bytes of a page in parent mode."""
    with open("/proc/sys/kernel/random/boot_id", "rb") as identifier:
        boot = boot or identifier.read(36)
    made = bytearray(4096)
    struct.pack_into("=8sII36s", made, 0, magic, version, 4096, boot)
    struct.pack_into("=I", made, 64, owner)
    struct.pack_into("=I", made, 128, sequence)
    struct.pack_into("=QQQQII", made, 256 if sequence & 1 else 192, 7, 5, deadline, deadline, mode, paid)
    return bytes(made)


class StatusTests(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gate."))
        self.path = os.path.join(folder, "status")

    def status(self, made, mode=0o644):
        with open(self.path, "wb") as file:
            file.write(made)
        os.chmod(self.path, mode)
        return StatusPage(Options(status_path=self.path, server_user=os.getuid())).status()

    def test_a_page_of_a_living_daemon_is_believed(self):
        for sequence in (0, 1, 2**32 - 1):
            status = self.status(page(sequence=sequence))
            self.assertTrue(status.is_live and status.is_subscription_active)
            self.assertEqual((status.mode, status.revision), (Mode.PARENT, (7, 5)))

    def test_whatever_is_wrong_reads_as_child(self):
        for title, made in {
            "nobody": page(owner=0),
            "died": page(owner=0x40000001),
            "another file": page(magic=b"gatestaT"),
            "another version": page(version=2),
            "another boot": page(boot=b"0" * 36),
            "shorter": page()[:4095],
            "longer": page() + b"x",
            "empty": b"",
        }.items():
            with self.subTest(title):
                status = self.status(made)
                self.assertEqual((status.mode, status.is_subscription_active, status.is_live), (Mode.CHILD, False, False))

    def test_a_mode_that_nobody_knows_and_a_deadline_that_has_passed_are_child(self):
        self.assertEqual(self.status(page(mode=3)).mode, Mode.CHILD)
        now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        past = self.status(page(deadline=now))
        self.assertEqual((past.mode, past.is_subscription_active, past.is_live), (Mode.CHILD, False, True))
        self.assertEqual(self.status(page(deadline=now + 60_000_000_000)).mode_deadline, now + 60_000_000_000)

    def test_a_page_that_others_may_write_to_is_not_believed(self):
        for bit in (stat.S_IWGRP, stat.S_IWOTH):
            self.assertFalse(self.status(page(), 0o644 | bit).is_live)

    def test_links_pipes_and_folders_are_not_followed(self):
        target = self.path + ".target"
        with open(target, "wb") as file:
            file.write(page())
        for make in (lambda: os.symlink(target, self.path), lambda: os.mkfifo(self.path), lambda: os.mkdir(self.path)):
            make()
            self.assertFalse(StatusPage(Options(status_path=self.path, server_user=os.getuid())).status().is_live)
            os.rmdir(self.path) if os.path.isdir(self.path) else os.unlink(self.path)

    def test_a_page_beside_gate_portal_is_not_believed(self):
        # gate-portal has none: an app that may write to its folder has put it there.
        self.assertTrue(self.status(page()).is_live)
        options = Options(socket_path=os.path.join(os.path.dirname(self.path), "portal"))
        with mock.patch("gateclient.server._portal_path", return_value=options.socket_path):
            self.assertFalse(StatusPage(options).status().is_live)

    @unittest.skipUnless(os.getuid() == 0, "needs root, to give a file away")
    def test_a_page_of_another_user_is_not_believed(self):
        self.assertTrue(self.status(page()).is_live)
        os.chown(self.path, 12345, 12345)
        self.assertFalse(StatusPage(Options(status_path=self.path)).status().is_live)


if __name__ == "__main__":
    unittest.main()
