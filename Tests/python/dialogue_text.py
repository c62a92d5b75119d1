"""The words of the dialogues in Tests/Scripts: their worlds, their questions, their answers."""

import re

from gateclient import messages

NO_ACCOUNT = 2**32 - 2  # the owner of all users that have none
OPERATORS = {1: "+", 2: "\u2212", 3: "\u00d7", 4: "\u00f7"}
VERBS = (
    "mode toggle extend cancel lock override answer dismiss hang-up press advance restart reboot audit watch check authorize "
    "redeem grants revoke passcode ask result present screen leave login logout register password reset accounts remove confirm who"
).split()


class Unknown(Exception):
    """A dialogue has something that this does not play."""


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


class Script:
    """The world of a dialogue, and its paragraphs: commands, and what is said to them."""

    def __init__(self, path):
        self.people = {"anna": ("1001", ""), "ben": ("1002", ""), "root": ("0", "administrator")}
        self.seed, self.files, self.exchanges = "1", {"policy.yaml": "mode: {challenge: arithmetic-choice}\n"}, []
        for paragraph in path.read_text().strip("\n").split("\n\n"):
            lines = paragraph.split("\n")
            if "----" in lines:
                commands = [line for line in lines[: lines.index("----")] if not line.startswith("#")]
                self.exchanges.append((commands, lines[lines.index("----") + 1 :]))
                continue
            lines = [line for line in lines if not line.startswith("#")]
            while lines:
                lines = self.take(lines)
        for commands, _ in self.exchanges:
            for command in commands:
                if command.split()[0] not in VERBS:
                    raise Unknown(command.split()[0])
                if match := re.match(r"ask (paywall|form|whats-new)|watch (entitlements|forms)|reset form", command):
                    raise Unknown(match[0])

    def owner_of(self, name):
        """The number of the owner who is billed."""
        uid, words = self.people[name]
        whose = re.search(r"of (\w+)", words)
        if whose is None:
            return uid
        return NO_ACCOUNT if whose[1] == "nobody" else whose[1]

    def take(self, lines):
        """Takes what the first lines say of the world, and returns the others."""
        word, _, rest = lines[0].partition(" ")
        match word:
            case "seed":
                self.seed = rest
            case "people":
                people = [person.split() for person in rest.split(", ")]
                self.people = {name: (uid, " ".join(words)) for name, uid, *words in people}
            case "challenge":
                self.files["policy.yaml"] = f"mode: {{challenge: {rest}}}\n"
            case "policy" | "questions":
                name = "policy.yaml" if word == "policy" else "questions.d/script.yaml"
                self.files[name] = "\n".join(lines[1:]) + "\n"
                return []
            case _:
                raise Unknown(word)
        return lines[1:]


def challenge_text(question):
    content = question.content

    def lettered(choices):
        return "".join(f"  {letter}) {choice}" for letter, choice in zip("abcdefgh", choices))

    match question.kind:
        case "arithmetic_choice" | "arithmetic_entry":
            problem = f"{content.left} {OPERATORS[content.operation]} {content.right} = ?"
            return problem + lettered(getattr(content, "choices", []))
        case "shapes":
            left, right = (
                "(" + " ".join(messages.Shape.Form.Name(one.form).removeprefix("FORM_").lower() for one in side) + ")"
                for side in (content.left, content.right)
            )
            return f"corners of {left} {OPERATORS[content.operation]} {right} = ?{lettered(content.choices)}"
        case "quiz":
            text = next((one for one in content.texts if one.language == "en"), content.texts[0])
            return text.question + lettered(text.choices)
        case "confirm":
            return "may they?"
        case "birthdate":
            calendar = messages.Birthdate.Calendar.Name(content.calendar).removeprefix("CALENDAR_").lower()
            return f"born when? ({calendar})"
        case "passcode":
            return "passcode?"
        case "totp":
            return "code?"
        case "hold":
            return f"hold for {short_text(content.duration_milliseconds / 1000)}"
        case "swipe":
            way = messages.Swipe.Direction.Name(content.direction).removeprefix("DIRECTION_").lower()
            return f"swipe {way} with {content.fingers} fingers"
    raise Unknown(question.kind)


def answer_of(question, text):
    """What a person means by the words of a dialogue."""
    content, choices = question.content, []
    if question.kind == "quiz":
        choices = [str(number) for number in range(1, len(content.texts[0].choices) + 1)]
    elif question.kind in ("arithmetic_choice", "shapes"):
        choices = [str(choice) for choice in content.choices]
    if len(text) == 1 and text in "abcdefgh" and "abcdefgh".index(text) < len(choices):
        return choices["abcdefgh".index(text)]
    if question.kind in ("passcode", "totp"):
        return text.encode()
    if question.kind == "hold" and text == "release":
        return messages.Released()
    if question.kind == "swipe" and (match := re.fullmatch(r"(\w+) with (\d+)(?: fingers)?", text)):
        return messages.Swipe(direction=f"DIRECTION_{match[1].upper()}", fingers=int(match[2]))
    return text
