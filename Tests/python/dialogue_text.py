"""Reads the dialogues in Tests/Scripts: their worlds, their commands, and the expected answers."""

import re

from support import ROOT

NO_ACCOUNT = 2**32 - 2  # the owner of all uids without a user account
EXAMPLES = ROOT / "examples/device"
#: Paragraphs that are files of the configuration directory, and those that the daemon does not read.
FOLDERS = {"form": "questionnaires.d", "release-notes": "release-notes.d"}
OF_THE_SCRIPT = ("response", "app-form", "app-notes")


class Unknown(Exception):
    """A dialogue has something that this program can't play."""


def seconds_of(text):
    units = {"h": 3600, "m": 60, "s": 1}
    return sum(int(number) * units[unit] for number, unit in re.findall(r"(\d+)([hms])", text))


def short_text(seconds):
    whole = -int(-seconds // 1)
    parts = [(whole // 3600, "h"), (whole // 60 % 60, "m"), (whole % 60, "s")]
    return "".join(f"{count}{unit}" for count, unit in parts if count) or "0s"


def clock_text(seconds):
    whole = -int(-seconds // 1)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def option(words, name, otherwise=None):
    """Removes the option with this name and its value from the words. Returns the value."""
    if name not in words:
        return otherwise
    place = words.index(name)
    value = words[place + 1]
    del words[place : place + 2]
    return value


class Exchange:
    """Some commands, what they print together, and the files that were written before them."""

    def __init__(self, commands, expected, files):
        self.commands, self.expected, self.files = commands, expected, files


class Script:
    """The world of a dialogue, and its paragraphs."""

    def __init__(self, path):
        self.people = {"anna": ("1001", ""), "ben": ("1002", ""), "root": ("0", "administrator")}
        self.seed, self.files = "1", {"policy.yaml": "mode: {challenge: arithmetic-choice}\n"}
        self.products, self.responses, self.brought, self.exchanges = {}, {}, {}, []
        written = {}
        for paragraph in re.split(r"\n\n+", path.read_text().strip("\n")):
            lines = paragraph.split("\n")
            if "----" in lines:
                commands = [line for line in lines[: lines.index("----")] if not line.startswith("#")]
                self.exchanges.append(Exchange(commands, lines[lines.index("----") + 1 :], written))
                written = {}
            elif not self.take_file(lines, written if self.exchanges else self.files):
                for line in lines:
                    if not line.startswith("#"):
                        self.take(line)

    def owner_of(self, name):
        """The number of the owner who is billed."""
        uid, words = self.people[name]
        whose = re.search(r"of (\w+)", words)
        if whose is None:
            return uid
        return NO_ACCOUNT if whose[1] == "nobody" else whose[1]

    def take_file(self, lines, files):
        """Reads a paragraph that is a file. Returns whether it is one."""
        words, text = lines[0].split(), "\n".join(lines[1:]) + "\n"
        match words:
            case ["policy"]:
                files["policy.yaml"] = text
            case ["questions"]:
                files["questions.d/script.yaml"] = text
            case [word, name] if word in FOLDERS:
                path, is_json = f"{FOLDERS[word]}/{name}", text.startswith("{")
                files[f"{path}.{'yaml' if is_json else 'json'}"] = None
                files[f"{path}.{'json' if is_json else 'yaml'}"] = text
            case [word, name] if word in OF_THE_SCRIPT:
                (self.responses if word == "response" else self.brought)[name] = text
            case _:
                return False
        return True

    def take(self, line):
        """Reads a line that describes the world."""
        word, _, rest = line.partition(" ")
        if self.exchanges:
            raise Unknown(f"{word} after the first dialogue")
        match word:
            case "seed":
                self.seed = rest
            case "people":
                people = [person.split() for person in rest.split(", ")]
                self.people = {name: (uid, " ".join(words)) for name, uid, *words in people}
            case "challenge":
                self.files["policy.yaml"] = f"mode: {{challenge: {rest}}}\n"
            case "sells":
                self.products = dict(product.split() for product in rest.split(", "))
            case "forms" | "notes":
                folder = FOLDERS["form" if word == "forms" else "release-notes"]
                for name in rest.split(", "):
                    self.files[f"{folder}/{name}.yaml"] = (EXAMPLES / folder / f"{name}.yaml").read_text()
            case _:
                raise Unknown(word)
