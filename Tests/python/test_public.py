"""The public names of the package, which only grow: Sources/clients/python/public.txt lists them.

usage: PYTHONPATH=Sources/clients/python /usr/bin/python3 Tests/python/test_public.py --write   (after names were added)
"""

import dataclasses
import enum
import inspect
import pathlib
import re
import sys
import unittest

import gateclient
from gateclient import aio, links, sentences

LIST = pathlib.Path(__file__).resolve().parents[2] / "Sources/clients/python/public.txt"
#: Classes whose objects only the package makes.
MADE_HERE = {"FormDraft", "Kind", "OpenPresentation", "PresenterEvent", "Stream"}
#: What the calls of a client are made of.
INNER = {name for name, value in vars(links.Face).items() if callable(value) or isinstance(value, property)}


def signature(function):
    """The parameters with their defaults, without types."""
    found = inspect.signature(function)
    named = [one for one in found.parameters.values() if one.name not in ("self", "cls")]
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in named]
    return str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def members(kind):
    """The public members of a class and of its bases in this package, sorted."""
    lines = set()
    for base in kind.__mro__:
        if not base.__module__.startswith("gateclient"):
            continue
        fields = {field.name for field in dataclasses.fields(base)} if dataclasses.is_dataclass(base) else set()
        made = inspect.getsource(base.__init__) if "__init__" in vars(base) and not fields else ""
        for name in fields | set(re.findall(r"self\.([a-z]\w*)(?:: [^=\n]*)? = ", made)):
            lines.add(name)
        for name, value in vars(base).items():
            is_reader = name == "read" and isinstance(value, classmethod)  # of a message of the wire
            if not name.startswith("_") and name not in INNER and not is_reader:
                value = inspect.unwrap(getattr(value, "__func__", value))
                lines.add(name + (signature(value) if inspect.isfunction(value) else ""))
    return sorted(lines)


def listing():
    """A line for each public name: functions and classes with their parameters, and the members of classes."""
    lines = []
    for prefix, module, names in [
        ("", gateclient, gateclient.__all__), ("aio.", aio, ["Gate"]), ("sentences.", sentences, ["use"]),
    ]:
        for name in names:
            value = getattr(module, name)
            is_called = callable(value) and getattr(value, "__module__", "").startswith("gateclient") and name not in MADE_HERE
            if inspect.isclass(value) and issubclass(value, enum.Enum):
                is_called = False  # how enums are made is Python's
            lines.append(f"{prefix}{name}" + (signature(value) if is_called else ""))
            if inspect.isclass(value):
                lines += [f"{prefix}{name}.{member}" for member in members(value)]
    return lines


class PublicTests(unittest.TestCase):
    def test_the_public_names_are_those_of_the_list(self):
        listed, found = LIST.read_text().splitlines(), listing()
        gone = [line for line in listed if line not in found]
        self.assertEqual(gone, [], "programs use this: keep it, and give new parameters a default")
        self.assertEqual([line for line in found if line not in listed], [], "new: decide on it, and write the list with --write")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        LIST.write_text("\n".join(listing()) + "\n")
    else:
        unittest.main()
