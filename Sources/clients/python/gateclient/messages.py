"""The messages of the wire, under their names in `proto/gate/v1`: `messages.ModeState`, `messages.Topic.TOPIC_MODE`.

The classes are made from descriptors in a file beside this one, in a pool of their own. Code that protoc generates only
works with one major version of protobuf and the next; descriptors are data, and work with all. They do not collide with
code of `gate.v1` that a program has generated for itself.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal import enum_type_wrapper
from google.protobuf import message as _message

DecodeError = _message.DecodeError
Message = _message.Message
pool = descriptor_pool.DescriptorPool()
#: The methods that answer with a stream, for example "gate.v1.Watch/Watch".
streams: set[str] = set()


def _class(descriptor: Any) -> Any:
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return _factory.GetPrototype(descriptor)  # before protobuf 4.22


def _define() -> None:
    described = resources.files(__package__).joinpath("wire.binpb").read_bytes()
    for file in descriptor_pb2.FileDescriptorSet.FromString(described).file:
        pool.AddSerializedFile(file.SerializeToString())
        # The messages of the envelope get a prefix, so that names of the two packages do not collide.
        prefix = "Envelope" if file.package == "ttrpc" else ""
        for message in file.message_type:
            descriptor = pool.FindMessageTypeByName(f"{file.package}.{message.name}")
            globals()[prefix + message.name] = _class(descriptor)
        for enum in file.enum_type:
            descriptor = pool.FindEnumTypeByName(f"{file.package}.{enum.name}")
            globals()[enum.name] = enum_type_wrapper.EnumTypeWrapper(descriptor)
        for service in file.service:
            names = (one.name for one in service.method if one.server_streaming)
            streams.update(f"{file.package}.{service.name}/{name}" for name in names)


_factory = None if hasattr(message_factory, "GetMessageClass") else message_factory.MessageFactory(pool)
_define()


def class_named(full_name: str) -> Any:
    """The class of a message, given its full name, for example "gate.v1.ModeState"."""
    return _class(pool.FindMessageTypeByName(full_name))
