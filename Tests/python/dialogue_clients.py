"""The Python client as dialogues use it: what they need beside the calls of `gateclient.Gate`.

A dialogue talks to clients that have the calls of `gateclient.Gate`. Another kind of client, like
`dialogue_libgate.LibgateClients`, has the functions of `PythonClients`.
"""

import os

from gateclient import Gate, Options


class PythonClients:
    """Clients of Python's."""

    name = "gateclient"

    def gate(self, socket):
        """A client of its own, which has not connected yet."""
        return Gate(Options(socket_path=str(socket), server_user=os.getuid(), program="script", shares_clock=False))

    def clock_turned(self, boot_seconds, wall_milliseconds):
        """The clocks of the device show this now."""

    def cookie(self, question):
        """The right to answer a question."""
        return question._core._presentation.cookie

    def report(self, gate, question, what):
        """Says what happens on the screen, while another thread of the program waits for the answer, and leaves the connection
        alone."""
        gate._core._link.limit = None
        question.report(what)

    def hang_up(self, gate):
        """Ends the connection, as when the program dies."""
        gate._core.close()

    def end(self):
        """Ends what belongs to no client."""
