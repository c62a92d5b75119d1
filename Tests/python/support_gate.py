"""Tests with a real gated, and the answers of a grown-up."""

import os

from gateclient import Gate, GateError, Options, messages
from support import Daemon
from support_server import TimedTestCase

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


class DaemonTestCase(TimedTestCase):
    def setUp(self):
        self.daemon = self.enterContext(Daemon(files={"questionnaires.d/trip.yaml": FORM}))
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
