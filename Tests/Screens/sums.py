"""Sums and their results."""
import re

from screen import everything, until


def the_sum():
    """The result of the sum on the screen."""
    name = until("there is a sum", lambda: next(
        (node.get_name() for node in everything() if re.fullmatch(r"\d+ [+−×÷] \d+ = \?", node.get_name() or "")), None))
    left, sign, right, *_ = name.split()
    left, right = int(left), int(right)
    return {"+": left + right, "−": left - right, "×": left * right, "÷": left // right}[sign]


def choices():
    return [node.get_name() for node in everything() if re.fullmatch(r"\d+", node.get_name() or "") and "button" in node.get_role_name()]
