"""Writes what is made from proto/ into gateclient/: the descriptors, and the types of the messages. Needs protoc.

usage: generate.py [FOLDER-OF-THE-PACKAGE]
"""

import pathlib
import re
import subprocess
import sys

from google.protobuf import descriptor_pb2

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
HEAD = '''"""Generated from proto/ by generate.py."""

from typing import Any, Iterable, Sequence

class DecodeError(Exception): ...

class Message:
    def SerializeToString(self) -> bytes: ...
    @classmethod
    def FromString(cls, data: bytes) -> Any: ...
    def HasField(self, name: str) -> bool: ...
    def WhichOneof(self, name: str) -> str | None: ...
    def CopyFrom(self, other: Message) -> None: ...

class Enum:
    def Name(self, number: int) -> str: ...
    def Value(self, name: str) -> int: ...
    def keys(self) -> list[str]: ...
    def values(self) -> list[int]: ...

pool: Any
streams: set[str]

def class_named(full_name: str) -> Any: ...
'''
Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {Field.TYPE_BOOL: "bool", Field.TYPE_STRING: "str", Field.TYPE_BYTES: "bytes", Field.TYPE_ENUM: "int"}


def version() -> str:
    """The version of Gate, from the one place that has it."""
    text = (ROOT / "Sources/core/GateModel/GateRelease.swift").read_text()
    found = re.search(r'static let version = "([^"]+)"', text)
    if not found:
        sys.exit("Sources/core/GateModel/GateRelease.swift has no version.")
    return found.group(1)


def name_of(type_name: str, prefix: str) -> str:
    return prefix + type_name.split(".", 3)[3] if type_name.startswith(".gate.") else prefix + type_name.split(".", 2)[2]


def types(field: Field, prefix: str) -> tuple[str, str]:
    """The types of a field as it is read, and as it is set."""
    if field.type == Field.TYPE_MESSAGE:
        read = name_of(field.type_name, prefix)
        written = f"{read} | dict[str, Any] | None"
    else:
        read = SCALARS.get(field.type, "int")
        written = f"{'int | str' if field.type == Field.TYPE_ENUM else read} | None"
    if field.label == Field.LABEL_REPEATED:
        return f"Sequence[{read}]", f"Iterable[{written.removesuffix(' | None')}] | None"
    return read, written


def lines_of(message: descriptor_pb2.DescriptorProto, prefix: str, indent: str) -> list[str]:
    lines = [f"{indent}class {prefix if not indent else ''}{message.name}(Message):"]
    inner = indent + "    "
    for nested in message.nested_type:
        lines += lines_of(nested, prefix, inner)
    for enum in message.enum_type:
        lines += [f"{inner}{enum.name}: Enum"] + [f"{inner}{value.name}: int" for value in enum.value]
    for field in message.field:
        lines.append(f"{inner}{field.name}: {types(field, prefix)[0]}")
    settable = "".join(f", {field.name}: {types(field, prefix)[1]} = ..." for field in message.field)
    lines.append(f"{inner}def __init__(self{', *' + settable if settable else ''}) -> None: ...")
    return lines


def stubs(described: bytes) -> str:
    lines = []
    for file in descriptor_pb2.FileDescriptorSet.FromString(described).file:
        prefix = "Envelope" if file.package == "ttrpc" else ""
        for enum in file.enum_type:
            lines += [f"class _{enum.name}(Enum):"] + [f"    {value.name}: int" for value in enum.value]
            lines.append(f"{enum.name}: _{enum.name}")
        for message in file.message_type:
            lines += lines_of(message, prefix, "")
    return HEAD + "\n" + "\n".join(lines) + "\n"


def generate(folder: pathlib.Path) -> None:
    """Writes wire.binpb and messages.pyi into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    protos = sorted(str(path.relative_to(ROOT / "proto")) for path in (ROOT / "proto").glob("*/**/*.proto"))
    target = folder / "wire.binpb"
    try:
        subprocess.run(
            ["protoc", f"-I{ROOT / 'proto'}", "--include_imports", f"--descriptor_set_out={target}", *protos], check=True
        )
    except FileNotFoundError:
        sys.exit("There is no protoc here. Install it: apt install protobuf-compiler")
    (folder / "messages.pyi").write_text(stubs(target.read_bytes()))


if __name__ == "__main__":
    generate(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "gateclient")
