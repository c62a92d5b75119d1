"""Runs the Python client in sandboxes as Flatpak makes them: what it connects to there, whom it believes, and what it says if nobody is
there."""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import gateclient
from support_server import parent_answer

sys.path.append(os.path.join(os.path.dirname(__file__), "../libgate"))
from programs import Sandbox, impostor, received  # noqa: E402

SOURCE = """
from gateclient import Gate, GateError, Options
import sys
try:
    with Gate(Options(**eval(sys.argv[1]))) as gate: print("mode", gate.mode().mode.value)
except GateError as error:
    print(error.code.name, error.reason, error.parameters, error.message)
    print("sentence", error.sentence)
"""


def serve(peer):
    while request := received(peer):
        stream, service, method, _ = request
        peer.sendall(parent_answer(stream, f"{service.removeprefix('gate.v1.')}/{method}"))


class SandboxTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="gate.")
        self.addCleanup(shutil.rmtree, self.folder)
        os.chmod(self.folder, 0o755)
        os.makedirs(f"{self.folder}/gate")
        os.chmod(f"{self.folder}/gate", 0o777)
        # The sandboxes' user can perhaps not reach where the sources are.
        source = pathlib.Path(gateclient.__file__).parent
        shutil.copytree(source, f"{self.folder}/python/gateclient", ignore=shutil.ignore_patterns("__pycache__"))
        self.portal = f"{self.folder}/gate/portal"
        if not Sandbox.is_possible(self.folder):
            self.skipTest("bubblewrap is not here, or may make no user namespace")

    def says(self, *patterns, options="{}", gate=True, info=("--ro-bind", None), env=None):
        sandbox = Sandbox(self.folder, gate=f"{self.folder}/gate" if gate else None, info=info)
        environment = {"PYTHONPATH": f"{self.folder}/python", "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
        with sandbox.program("/usr/bin/python3", "-uc", SOURCE, options, env=environment) as program:
            for pattern in patterns:
                program.says(pattern)

    def server(self, uid=Sandbox.UID):
        return impostor(self.portal, serve, uid)

    def test_it_talks_with_gate_portal(self):
        with self.server():
            self.says(r"^mode parent$")
            self.says(r"^mode parent$", env={"XDG_RUNTIME_DIR": ""})
            self.says(r"^mode parent$", env={"XDG_RUNTIME_DIR": self.folder}, gate=False)

    @unittest.skipIf(os.getuid() != 0, "only root can make a server of another user")
    def test_it_believes_nobody_else(self):
        with self.server(uid=4713):
            self.says(r"^PERMISSION_DENIED UNMAPPED_SERVER ")
        with self.server():
            self.says(r"^PERMISSION_DENIED NOT_PERMITTED ", options="{'server_user': 1}")

    def test_it_says_what_is_missing(self):
        advice = r"^UNAVAILABLE UNSPECIFIED \{'what': 'sandbox'\} .*/gate/portal: .*--filesystem=xdg-run/gate:ro.*install gate-portal"
        self.says(advice, r"^sentence .*--filesystem=xdg-run/gate:ro")
        self.says(advice, gate=False)

    def test_a_sandbox_is_known_by_a_regular_file(self):
        with self.server():
            for info in [(), ("--symlink", f"{self.folder}/flatpak-info"), ("--dir",)]:
                self.says(r"^UNAVAILABLE .*/run/gated/gate.sock", info=info)

    def test_the_variable_wins(self):
        with self.server():
            self.says(r"^UNAVAILABLE .*/elsewhere", env={"GATE_SOCKET": f"{self.folder}/elsewhere"})
            self.says(r"^PERMISSION_DENIED NOT_PERMITTED ", env={"GATE_SOCKET": self.portal})
            self.says(r"^UNAVAILABLE .*/elsewhere", options=f"{{'socket_path': '{self.folder}/elsewhere'}}")
