"""Tests with a real gated, and the answers of a grown-up."""

import os
import pwd
import traceback

from gateclient import Gate, GateError, Options, messages
from support import POLICY, Daemon
from support_server import TimedTestCase

#: Users that every Debian has. The tests make them people.
GRANNY, LITTLE = pwd.getpwnam("games"), pwd.getpwnam("news")
FORM = """
resourceType: Questionnaire
id: trip
title: A school trip
status: active
item:
  - {linkId: name, type: string, text: The child's name, required: true, maxLength: 20}
  - {linkId: swims, type: boolean, text: Can the child swim?, required: true}
  - linkId: badge
    type: string
    text: Which badge?
    enableWhen: [{question: swims, operator: "=", answerBoolean: true}]
"""


def solve(question):
    """The right answer to an arithmetic problem."""
    content = question.content
    plus, minus, times = (messages.Operator.Value(f"OPERATOR_{name}") for name in ("PLUS", "MINUS", "TIMES"))
    return str(
        {
            plus: content.left + content.right,
            minus: content.left - content.right,
            times: content.left * content.right,
        }.get(content.operation, content.left // max(content.right, 1))
    )


def wrong(question):
    return next(str(choice) for choice in question.content.choices if str(choice) != solve(question))


async def solved(question):
    return solve(question)


def run_as(user, work):
    """Calls `work` in a process of another user. Raises AssertionError with its traceback if it has failed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
            os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
            work()
            os._exit(0)
        except BaseException:
            os.write(writing, traceback.format_exc().encode()[-4000:])
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        raise AssertionError(f"as {user.pw_name}: {said}")


class DaemonTestCase(TimedTestCase):
    POLICY = POLICY

    def setUp(self):
        self.daemon = self.enterContext(Daemon(self.POLICY, files={"questionnaires.d/trip.yaml": FORM}))
        self.options = Options(socket_path=self.daemon.socket, server_user=os.getuid(), program="test")
        self.gate = self.enterContext(Gate(self.options))

    def refused(self, code, reason):
        return _Refused(self, code, reason)


class _Refused:
    def __init__(self, test, code, reason):
        self.test, self.expected = test, (code, reason)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        self.test.assertIsInstance(error, GateError)
        self.test.assertEqual((error.code, error.reason), self.expected, error.message)
        self.error = error
        return True
