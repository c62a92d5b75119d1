#!/usr/bin/env python3
"""A presenter on a terminal: it shows the questions that other programs ask, and the news of apps, and takes a person's
answers.

usage: presenter.py [--server-user UID]

Its user needs the role presenter in the policy. It ends at the end of its input; a question on its screen then goes to
the next presenter.
"""

import asyncio
import sys

from gateclient import Answer, GateError, Options, aio, messages

KINDS = ["arithmetic-choice", "arithmetic-entry", "shapes", "quiz", "confirm", "birthdate", "whats-new"]
WARNING = "The app has written all of this itself. Type no passcode and no password here."


def options() -> Options:
    if sys.argv[1:2] == ["--server-user"] and len(sys.argv) == 3:
        return Options(server_user=int(sys.argv[2]))
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    return Options()


def harmless(text: str) -> str:
    """A text of another program, in which characters that could move the cursor or reverse the line are made
    visible."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def lines_of(question: aio.OpenPresentation) -> list[str]:
    """The question in words, and the choices."""
    content = question.content
    if question.kind == "whats-new":
        features = [f"- {one.title}  {one.subtitle}".rstrip() for one in content.features]
        buttons = [content.primary.title] + [content.secondary.title] * content.HasField("secondary")
        return [question.text, *features, "  ".join(f"[{title}]" for title in buttons)]
    if question.kind == "quiz":
        # The answer is the number of the choice.
        choices = [f"{number}) {choice}" for number, choice in enumerate(content.texts[0].choices, 1)]
    else:
        choices = [str(choice) for choice in getattr(content, "choices", [])]
    return ["  ".join([question.text, *choices])]


def button(question: aio.OpenPresentation, typed: str) -> Answer:
    """The button that the person means: the second one if its words were typed, otherwise the first."""
    secondary = question.content.secondary.title
    action = "ACTION_SECONDARY" if secondary and typed == secondary else "ACTION_PRIMARY"
    return messages.Acknowledged(action=action)


class Screen:
    """Shows one question at a time. Lines that are typed while no question is shown are ignored."""

    def __init__(self) -> None:
        self.answer: asyncio.Future[str] | None = None
        self.ended = asyncio.Event()
        asyncio.get_running_loop().add_reader(sys.stdin, self.read)

    def read(self) -> None:
        line = sys.stdin.readline()
        if not line:
            self.ended.set()
            asyncio.get_running_loop().remove_reader(sys.stdin)
        elif self.answer is not None and not self.answer.done():
            self.answer.set_result(line.removesuffix("\n"))

    async def show(self, question: aio.OpenPresentation) -> Answer:
        """Shows a question, and returns the answer. It is cancelled when the question is closed."""
        asked = question.asked
        if asked.is_apps_own:
            # No administrator has read the following words, so the person is told.
            print(WARNING)
        through = f", through user {asked.broker.uid}" if asked.HasField("broker") else ""
        # Another device of the household has its own users, so its name is shown instead.
        asker = f"on {asked.device}" if asked.device else f"user {asked.uid}{through}"
        print(harmless(f"{asked.program} (unverified), {asker}: {asked.title} {asked.details}"))
        if question.refusal is not None:
            print(question.refusal.sentence)
        print(*map(harmless, lines_of(question)), sep="\n", flush=True)
        typed = await self.typed()
        return button(question, typed) if question.kind == "whats-new" else typed

    async def typed(self) -> str:
        """Waits for a line, and then clears the screen."""
        self.answer = asyncio.get_running_loop().create_future()
        try:
            return await self.answer
        finally:
            self.answer = None
            print("the screen is clear", flush=True)


async def main() -> int:
    screen = Screen()
    async with aio.Gate(options()) as gate:
        presenting = asyncio.create_task(gate.present(screen.show, KINDS))
        ended = asyncio.create_task(screen.ended.wait())
        await asyncio.wait([presenting, ended], return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not presenting.done():
            presenting.cancel()
            return 0
        try:
            presenting.result()
        except GateError as error:
            print(error, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
