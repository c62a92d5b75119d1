"""Python clients as dialogues use them, with functions that `gateclient.Gate` does not have.

A dialogue uses clients that have the calls of `gateclient.Gate`. Other clients, like `dialogue_libgate.LibgateClients`,
have the functions of `PythonClients`, too.
"""

import os

from gateclient import Gate, Options


class PythonClients:
    """Clients of the Python library."""

    name = "gateclient"

    def gate(self, socket, program):
        """A new client, which is not connected yet, in a program of this name."""
        return Gate(Options(socket_path=str(socket), server_user=os.getuid(), program=program, shares_clock=False))

    def clock_turned(self, boot_seconds, wall_milliseconds):
        """Called when the device's clocks were set to these times."""

    def cookie(self, question):
        """The cookie of a question."""
        return question._core._presentation.cookie

    def report(self, gate, question, what):
        """Reports what happens on the screen. Another thread of the program waits for the answer, and does not use
        the connection meanwhile."""
        gate._core._link.limit = None
        question.report(what)

    def hang_up(self, gate):
        """Ends the connection, as when the program dies."""
        gate._core.close()

    def end(self):
        """Ends what belongs to none of the clients."""
