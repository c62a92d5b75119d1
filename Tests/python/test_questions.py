"""What a program does about a question that it leaves."""

import unittest

from gateclient import Code, GateError, messages
from gateclient.questions import OpenPresentation


class Link:
    """A connection that only notes what is called."""

    def __init__(self):
        self.calls = []

    def start(self, name, fields):
        self.calls.append(name)


class LeavingTests(unittest.TestCase):
    def calls(self, error, origin="claimed", kind=None):
        """What is called when somebody leaves a question after this error."""
        link = Link()
        presentation = messages.Presentation()
        if kind:
            getattr(presentation, kind).SetInParent()
        OpenPresentation(presentation, origin, link, None).leave(error)
        return link.calls

    def test_what_may_still_be_open_is_dismissed(self):
        for error in [
            GateError(Code.INVALID_ARGUMENT, "", "INVALID_REQUEST"),
            GateError(Code.UNAVAILABLE, "", "FAILED"),
            GateError(Code.DEADLINE_EXCEEDED, "", "UNSPECIFIED"),
            GateError(Code.RESOURCE_EXHAUSTED, "", "GUESSES_USED_UP"),
        ]:
            for origin in ["claimed", "requested"]:
                self.assertEqual(self.calls(error, origin), ["Presentations/Dismiss"], f"{error!r}, {origin}")

    def test_what_is_closed_is_left_alone(self):
        for error in [
            GateError(Code.FAILED_PRECONDITION, "", "WRONG_ANSWER"),
            GateError(Code.DEADLINE_EXCEEDED, "", "EXPIRED"),
            GateError(Code.RESOURCE_EXHAUSTED, "", "LOCKED_OUT"),
            GateError(Code.RESOURCE_EXHAUSTED, "", "LIMIT"),
            GateError(Code.ABORTED, "", "CLOSED"),
        ]:
            for origin in ["claimed", "requested"]:
                self.assertEqual(self.calls(error, origin), [], f"{error!r}, {origin}")

    def test_what_only_the_state_closes_is_dismissed_by_the_program_that_requested_it(self):
        full = GateError(Code.RESOURCE_EXHAUSTED, "", "LIMIT")
        self.assertEqual(self.calls(full, "requested", "paywall"), ["Presentations/Dismiss"])
        self.assertEqual(self.calls(full, "claimed", "paywall"), [])


if __name__ == "__main__":
    unittest.main()
