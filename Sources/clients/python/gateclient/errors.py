"""The one exception of this package, and advice on what to do about it."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Mapping, Sequence

if TYPE_CHECKING:
    from . import messages


class Code(enum.IntEnum):
    """A status code, with gRPC's numbers. Programs act on the code and the reason."""

    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16

    @classmethod
    def _missing_(cls, value: object) -> Code:
        return cls.UNKNOWN


_ADVICE = {
    Code.CANCELLED: "Do nothing: the person did not want to, or you took the call back.",
    Code.UNKNOWN: "Report it.",
    Code.INVALID_ARGUMENT: "Mend the program, or what was typed: the question stays open.",
    Code.DEADLINE_EXCEEDED: "Ask again, if somebody is there.",
    Code.NOT_FOUND: "Look at what there is.",
    Code.ALREADY_EXISTS: "Look at what there is.",
    Code.PERMISSION_DENIED: "Do nothing: this program may not.",
    Code.RESOURCE_EXHAUSTED: "Wait as long as retry_after says; where it is None, the reason says what else helps.",
    Code.FAILED_PRECONDITION: "Tell the person.",
    Code.ABORTED: "Show the question yourself, enter parent mode, or read again: the reason says which.",
    Code.OUT_OF_RANGE: "Start the journal from the oldest entry kept.",
    Code.UNIMPLEMENTED: "Do without: Control/GetVersion lists what the daemon does.",
    Code.INTERNAL: "Report it.",
    Code.UNAVAILABLE: "Behave as in child mode, and try again.",
    Code.DATA_LOSS: "Report it.",
    Code.UNAUTHENTICATED: "Ask for the name and the password again.",
}


class GateError(Exception):
    """A refusal of the daemon, or no daemon that can be trusted. Nothing was granted.

    Programs act on `code` and `reason`. `message` is an English sentence for logs, and `sentence` is one for people, in
    their language. The reason is the name on the wire without its prefix, for example "NO_PRESENTER"; "UNSPECIFIED" if
    the code says everything.
    """

    def __init__(
        self,
        code: Code,
        message: str,
        reason: str = "UNSPECIFIED",
        retry_after: float | None = None,
        parameters: Mapping[str, str] | None = None,
        issues: Sequence[messages.Issue] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        #: Seconds until another attempt can help; None if waiting does not help.
        self.retry_after = retry_after
        #: The values that the sentence names.
        self.parameters = dict(parameters or {})
        #: Every mistake in an answer, a form or the policy; at most 20.
        self.issues = tuple(issues)

    @property
    def sentence(self) -> str:
        """What is wrong and what to do, in the person's language: that of LC_ALL, LC_MESSAGES, LANG and LANGUAGE, or
        the one set with `gateclient.sentences.use`."""
        from . import sentences  # imported late: it imports the messages, which import these errors

        return sentences.sentence(self)

    @property
    def advice(self) -> str:
        """What the program should do, in a sentence for its author."""
        return _ADVICE[self.code]

    @property
    def leaves_question_open(self) -> bool:
        """Whether the question remains open, and is to be shown again with this error: the answer could not be read or
        was not checked, the secret takes no more answers, or the person tried to dismiss what can't be dismissed."""
        if self.code == Code.INVALID_ARGUMENT:
            return True
        return (self.code, self.reason) in {
            (Code.FAILED_PRECONDITION, "NOT_DISMISSIBLE"),
            (Code.UNAVAILABLE, "FAILED"),
            (Code.UNAVAILABLE, "UNSPECIFIED"),
            (Code.RESOURCE_EXHAUSTED, "GUESSES_USED_UP"),
        }

    @property
    def is_of_another_state(self) -> bool:
        """Whether the question was closed because the state has changed. The new state may decide otherwise."""
        return self.reason == "CLOSED" and self.parameters.get("what") != "put-away"

    @property
    def is_lasting(self) -> bool:
        """Whether registering again would get the same answer until somebody changes something."""
        if self.code == Code.ABORTED:
            return self.reason == "CLOSED"
        return self.code in {
            Code.PERMISSION_DENIED,
            Code.UNAUTHENTICATED,
            Code.INVALID_ARGUMENT,
            Code.FAILED_PRECONDITION,
            Code.UNIMPLEMENTED,
            Code.NOT_FOUND,
        }

    def __repr__(self) -> str:
        return f"GateError({self.code.name}, {self.reason}, {self.message!r})"


class Asked(GateError):
    """A question was asked, and not answered yet: neither granted nor refused. It waits for a grown-up, even after the
    program has ended or the device was turned off.

    Make the same request again later, with exactly the same details. Only requests with `may_wait` raise this.
    """

    @property
    def number(self) -> int | None:
        """The number of the question, as people type it; None if the daemon does not tell."""
        return self._parameter("ask")

    @property
    def until(self) -> int | None:
        """When it stops waiting, in milliseconds since 1970; None if the daemon does not tell."""
        return self._parameter("ends")

    def _parameter(self, name: str) -> int | None:
        text = self.parameters.get(name, "")
        return int(text) if text.isascii() and text.isdigit() else None


def unreadable(what: str) -> GateError:
    return GateError(Code.INTERNAL, f"The daemon sent a message that this client can't read: {what}.")


def lost() -> GateError:
    """The error after the connection has ended. A call that was under way may have had an effect, or not."""
    return GateError(
        Code.UNAVAILABLE,
        "The connection to the daemon was lost. Is gated running (`systemctl status gated`)? "
        "Whether a call that was under way had an effect is not known: look at the mode.",
    )


def timed_out() -> GateError:
    return GateError(Code.DEADLINE_EXCEEDED, "The daemon did not answer in time.")


def client_closed() -> GateError:
    """The error of a call after `close`."""
    return GateError(Code.CANCELLED, "This client was closed.")
