"""The examples, used as a person uses them, and the code on the page about Python."""

import os
import re
import select
import subprocess
import sys
import threading
import time
import unittest
from dataclasses import replace

from gateclient import Gate, GateError, Mode, messages
from support import ROOT, Daemon
from support_gate import DaemonTestCase


class Program:
    """A program whose output is read and answered."""

    def __init__(self, test, name, daemon):
        command = [sys.executable, str(ROOT / "examples/python" / name), "--server-user", str(os.getuid())]
        environment = {**os.environ, "GATE_SOCKET": daemon.socket}
        self.test, self.text = test, ""
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
        )
        test.addCleanup(self.end)

    def says(self, pattern):
        end = time.monotonic() + 10
        while not (match := re.search(pattern, self.text)):
            left = end - time.monotonic()
            ready = left > 0 and select.select([self.process.stdout], [], [], left)[0]
            some = os.read(self.process.stdout.fileno(), 4096).decode() if ready else ""
            self.test.assertTrue(some, f"it should say {pattern!r} and has said {self.text!r}")
            self.text += some
        self.text = self.text[match.end() :]
        return match

    @staticmethod
    def is_registered(gate):
        """Whether there is a presenter: a request without a screen of its own is then not refused at once."""
        try:
            gate.raw("Authorization/Authorize", {"gated_action": "link.open", "details": "?"}, timeout=0.2)
        except GateError as error:
            return error.reason != "NO_PRESENTER"
        return True

    def hears(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def end(self):
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def solution(match):
    left, sign, right = match.groups()
    left, right = int(left), int(right)
    return {"+": left + right, "\u2212": left - right, "\u00d7": left * right, "\u00f7": left // max(right, 1)}[sign]


NEWS = """
app: org.example.draw
versions:
  1.2.0: {title: What's new in Draw, features: [{title: Layers}]}
"""
WARNING = "The app has written all of this itself. Type no passcode and no password here."
PROBLEM = r"(\d+) ([+\u2212\u00d7\u00f7]) (\d+) = \?"


class ExampleTests(DaemonTestCase):
    def test_the_launcher_greys_its_shop_and_opens_after_the_answer(self):
        launcher = Program(self, "launcher.py", self.daemon)
        launcher.says("the shop is grey")
        launcher.hears("https://example.org/")
        launcher.hears(solution(launcher.says(PROBLEM)))
        launcher.says("opening https://example.org/")
        launcher.hears("toggle")
        launcher.hears(solution(launcher.says(PROBLEM)))
        launcher.says("the shop is open")
        self.daemon.kill()
        launcher.says("the shop is grey")
        launcher.hears("https://example.org/")
        launcher.says("can't be reached")
        launcher.process.stdin.close()
        self.assertEqual(launcher.process.wait(10), 0)

    def test_the_presenter_answers_what_the_launcher_asks(self):
        presenter = Program(self, "presenter.py", self.daemon)
        launcher = Program(self, "launcher.py", self.daemon)
        launcher.says("the shop is grey")
        launcher.hears("https://example.org/\x07")
        launcher.says("one line|control")
        while not presenter.is_registered(self.gate):
            time.sleep(0.02)
        launcher.hears("https://example.org/")
        presenter.says(r"launcher.py \(unverified\), user \d+: Open a web page https://example.org/")
        presenter.hears("what?")
        presenter.says(PROBLEM)
        presenter.hears(solution(presenter.says(PROBLEM)))
        presenter.says("the screen is clear")
        launcher.says("opening https://example.org/")
        presenter.process.stdin.close()
        self.assertEqual(presenter.process.wait(10), 0)

    def test_the_presenter_warns_of_news_that_an_app_has_written_itself(self):
        daemon = self.enterContext(Daemon(files={"release-notes.d/org.example.draw.yaml": NEWS}))
        presenter = Program(self, "presenter.py", daemon)
        with Gate(replace(self.options, socket_path=daemon.socket)) as gate:
            while not presenter.is_registered(gate):
                time.sleep(0.02)
        # The app's title contains a character that would reverse the line.
        own = {"title": "News\u202e of \u00c5sa", "features": [{"title": "Weeks", "subtitle": "Seven days"}]}
        own |= {"primary": {"title": "Continue"}, "secondary": {"title": "Learn more"}}
        text, outcome = self.answered_news(presenter, daemon, "org.example.plan", own, "Learn more")
        lines = [r"test \(unverified\), user \d+:  org.example.plan 1.2.0", r"News\\u202e of \u00c5sa", r"- Weeks  Seven days"]
        self.assertRegex(text, re.escape(WARNING) + r"\n" + r"\n".join(lines) + r"\n\[Continue\]  \[Learn more\]\n")
        self.assertEqual(outcome, "WHATS_NEW_OUTCOME_SECONDARY_CHOSEN")

        text, outcome = self.answered_news(presenter, daemon, "org.example.draw", own, "")
        self.assertRegex(text, r"What's new in Draw\n- Layers\n\[Continue\]\n")
        self.assertNotIn(WARNING, text)
        self.assertEqual(outcome, "WHATS_NEW_OUTCOME_SHOWN")

    def answered_news(self, presenter, daemon, app, own, answer):
        """Asks for an app's news with notes of its own, and answers. Returns what was on the screen, and the result."""
        outcomes = []

        def ask():
            with Gate(replace(self.options, socket_path=daemon.socket)) as gate:
                request = {"app": app, "version": "1.2.0", "notes": [{"version": "1.2.0", **own}]}
                outcomes.append(gate.raw("ReleaseNotes/ShowReleaseNotes", request, timeout=10).outcome)

        asking = threading.Thread(target=ask)
        asking.start()
        text = presenter.says(r"(?s).*\[Continue\].*?\n")[0]
        presenter.hears(answer)
        presenter.says("the screen is clear")
        asking.join(10)
        return text, messages.WhatsNewOutcome.Name(*outcomes)

    def test_the_code_of_the_page_does_what_it_says(self):
        page = (ROOT / "docs/python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 3)
        for block in blocks:
            compile(block, "docs/python.md", "exec")

    def test_a_launcher_without_a_daemon_is_grey(self):
        self.daemon.kill()
        launcher = Program(self, "launcher.py", self.daemon)
        launcher.says("the shop is grey")
        with Gate(self.options) as gate:
            self.assertEqual(gate.status().mode, Mode.CHILD)


if __name__ == "__main__":
    unittest.main()
