"""A real daemon for tests, and processes of other users that use it."""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("GATE_PROGRAMS", ROOT / ".build/debug")).resolve()
ME = pwd.getpwuid(os.getuid()).pw_name

POLICY = f"""
mode: {{challenge: arithmetic-choice}}
lockout: {{after: 100}}
roles: {{presenter: {{users: [{ME}]}}}}
entitlements: {{premium: {{title: Premium}}}}
paywall: {{entitlement: premium}}
gated-actions:
  link.open: {{title: Open a web page, requires: {{challenge: arithmetic-entry}}}}
  photos.delete: {{title: Delete photos, requires: {{mode: parent}}}}
"""


# Begins a command that is killed when the thread that has started it ends. Popen's `preexec_fn` could ask the kernel for that,
# too, but it runs Python in a forked copy of this process, which waits for ever if another thread was allocating memory: the
# address sanitizer does not let go of its locks for a fork.
DYING_WITH_PARENT = ["setpriv", "--pdeathsig", "KILL"]


class Daemon:
    """A daemon with folders of its own. It lives as long as the block, and can be killed and started again."""

    def __init__(self, policy: str = POLICY, files: dict[str, str] | None = None) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gate."))
        self.folder.chmod(0o755)
        self.socket = str(self.folder / "gate.sock")
        configuration = self.folder / "config"
        for name, text in {"policy.yaml": policy, **(files or {})}.items():
            path = configuration / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [str(PROGRAMS / "gated"), "--socket", self.socket, "--runtime-directory", str(self.folder)]
        command += ["--state-directory", str(self.folder / "state"), "--log-level", "error"]
        command += ["--config-directory", str(self.folder / "config")]
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
        # It inherits none of the tests' streams, and ends with the tests, however they end.
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                DYING_WITH_PARENT + command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        for _ in range(600):
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
                probe.connect(self.socket)
                return
            if self.process.poll() is not None:
                raise RuntimeError(f"gated does not start: {(self.folder / 'log').read_text()}")
            time.sleep(0.02)
        raise RuntimeError("gated does not listen")

    def kill(self, how: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def __enter__(self) -> "Daemon":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self.folder)
