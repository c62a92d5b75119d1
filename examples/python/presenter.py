#!/usr/bin/env python3
"""A presenter on a terminal: it shows the questions that other programs ask, and takes a grown-up's answers.

usage: presenter.py [--server-user UID]

Its user needs the role presenter in the policy. The end of the input ends the program, and what is on the screen goes to the next
presenter.
"""

import asyncio
import sys

from gateclient import GateError, Options, aio

KINDS = ["arithmetic-choice", "arithmetic-entry", "shapes", "quiz", "confirm", "birthdate"]


def options() -> Options:
    if sys.argv[1:2] == ["--server-user"] and len(sys.argv) == 3:
        return Options(server_user=int(sys.argv[2]))
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    return Options()


class Screen:
    """One question at a time. What is typed while there is none is no answer."""

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

    async def show(self, question: aio.OpenPresentation) -> str:
        """Shows a question, and returns what was typed. It is cancelled when the question is gone."""
        asked = question.asked
        # Others' text: what could move a cursor is shown as what it is.
        print(ascii(f"{asked.program} (unverified), user {asked.uid}: {asked.title} {asked.details}")[1:-1])
        if question.refusal is not None:
            print(question.refusal)
        choices = getattr(question.content, "choices", [])
        if question.kind == "quiz":
            # The answer is the number of the choice.
            choices = [f"{number}) {choice}" for number, choice in enumerate(question.content.texts[0].choices, 1)]
        print(question.text, *choices, sep="  ", flush=True)
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
