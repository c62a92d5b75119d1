"""Generates what is made from proto/ and takes the version from Gate's one place; pyproject.toml has the rest."""

import pathlib
import re
import sys

from setuptools import setup

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))

import generate  # noqa: E402

if (generate.ROOT / "proto").is_dir():
    generate.generate(here / "gateclient")
    version = generate.version()
else:
    # A source distribution has it generated, and in its own metadata.
    version = re.search(r"^Version: (.+)$", (here / "PKG-INFO").read_text(), re.MULTILINE).group(1)

setup(version=version)
