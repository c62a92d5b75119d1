"""Methods by name, and the envelopes in which their messages travel."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Mapping

from . import messages
from .errors import Asked, Code, GateError, unreadable

_DETAIL = "type.googleapis.com/gate.v1.ErrorDetail"
_PROGRAM_BYTES = 64

#: A request: its fields by their names in the `.proto` files, or a message.
Request = Mapping[str, Any] | messages.Message


@dataclass(frozen=True)
class Method:
    service: str
    name: str
    request: Any
    response: Any
    is_stream: bool

    def encoded(self, request: Request) -> bytes:
        """Encodes a request. Raises INVALID_ARGUMENT if there is no such field, or its value does not fit."""
        try:
            if isinstance(request, Mapping):
                request = self.request(**request)
            if not isinstance(request, self.request):
                raise TypeError(f"{self.service}/{self.name} takes a {self.request.DESCRIPTOR.name}")
            return bytes(request.SerializeToString())
        except (TypeError, ValueError) as error:
            raise GateError(Code.INVALID_ARGUMENT, f"The request can't be sent: {error}", "INVALID_REQUEST") from error

    def decoded(self, payload: bytes) -> Any:
        """Decodes an answer, or a message of the stream."""
        return decoded(self.response, payload)


@functools.lru_cache(maxsize=None)
def method(name: str) -> Method:
    """The method with a name like "gate.v1.Mode/Toggle"; "gate.v1." may be left out. Raises UNIMPLEMENTED if this
    client knows none."""
    service, _, short = name.partition("/")
    if "." not in service:
        service = f"gate.v1.{service}"
    try:
        found = messages.pool.FindServiceByName(service).FindMethodByName(short)
    except KeyError:
        found = None
    if found is None:
        raise GateError(Code.UNIMPLEMENTED, f"This client knows no method '{name}': write it like 'Mode/GetMode'.")
    request = messages.class_named(found.input_type.full_name)
    response = messages.class_named(found.output_type.full_name)
    return Method(service, short, request, response, f"{service}/{short}" in messages.streams)


def program_name(name: str) -> str:
    """The first bytes of the name, as many as the daemon takes."""
    return name.encode(errors="replace")[:_PROGRAM_BYTES].decode(errors="ignore")


def request_envelope(method: Method, payload: bytes, timeout: float | None, program: str) -> bytes:
    """Encodes a request's envelope. `timeout` is in seconds."""
    # At most a year, so that the number fits.
    nanoseconds = int(min(timeout, 365 * 86400.0) * 1e9) if timeout is not None else 0
    return messages.EnvelopeRequest(
        service=method.service,
        method=method.name,
        payload=payload,
        timeout_nano=nanoseconds,
        metadata=[{"key": "program", "value": program}],
    ).SerializeToString()


def response(data: bytes) -> tuple[bytes, GateError | None]:
    """The payload of a response's envelope, and the daemon's refusal; None if the call succeeded."""
    envelope: messages.EnvelopeResponse = decoded(messages.EnvelopeResponse, data)
    refused = envelope.HasField("status") and envelope.status.code != 0
    return envelope.payload, _refusal(envelope.status) if refused else None


def _refusal(status: messages.EnvelopeStatus) -> GateError:
    code = Code(status.code)
    for detail in status.details:
        if detail.type_url != _DETAIL:
            continue
        try:
            told: messages.ErrorDetail = messages.ErrorDetail.FromString(detail.value)
        except messages.DecodeError:
            continue  # the code and the message still hold
        return error_of(told, status.message, code)
    return GateError(code, status.message)


def error_of(detail: messages.ErrorDetail, message: str, code: Code | None = None) -> GateError:
    """The error that a detail describes."""
    try:
        reason = messages.Reason.Name(detail.reason).removeprefix("REASON_")
    except ValueError:
        reason = "UNSPECIFIED"  # a reason of a newer daemon: the code says what to do
    wait = detail.retry_after_milliseconds
    parameters = {one.name: one.value for one in detail.parameters}
    code = code or Code(detail.code)
    kind = Asked if (code, reason) == (Code.FAILED_PRECONDITION, "ASKED") else GateError
    return kind(code, message, reason, wait / 1000 if wait > 0 else None, parameters, detail.issues)


def decoded(message: Any, data: bytes) -> Any:
    """Decodes a message of the daemon. Raises INTERNAL if it can't be read: that is the daemon's mistake, not the
    caller's."""
    try:
        return message.FromString(data)
    except messages.DecodeError as error:
        raise unreadable(f"no {message.DESCRIPTOR.name}") from error
