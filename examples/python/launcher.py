#!/usr/bin/env python3
"""A launcher on a terminal. In child mode its shop is disabled, and it asks before it opens a link.

usage: launcher.py [--server-user UID]

A line on standard input is an address to open; the word "toggle" enters or leaves parent mode. If no presenter of the
device can show a question, this program asks it on the terminal. Where the policy lets a question wait, the same line
opens the address later, after a grown-up has said yes. It ends at the end of its input.
"""

import asyncio
import sys

from gateclient import Asked, GateError, Mode, Options, aio


def options() -> Options:
    if sys.argv[1:2] == ["--server-user"] and len(sys.argv) == 3:
        return Options(server_user=int(sys.argv[2]))
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    return Options()


class Terminal:
    """The lines that a person types. Readers take turns."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[str | None] = asyncio.Queue(maxsize=100)
        asyncio.get_running_loop().add_reader(sys.stdin, self.read)

    def read(self) -> None:
        line = sys.stdin.readline()
        if not line:
            asyncio.get_running_loop().remove_reader(sys.stdin)
        if not self.lines.full():
            self.lines.put_nowait(line.removesuffix("\n") if line else None)

    async def ask(self, question: aio.OpenPresentation) -> str | None:
        """Shows a question, and returns what was typed. It is cancelled when the question is closed."""
        if question.refusal is not None:
            print(question.refusal.sentence)
        print(f"{question.text} {' '.join(map(str, getattr(question.content, 'choices', [])))}", flush=True)
        return await self.lines.get()


async def grey_shop(gate: aio.Gate) -> None:
    async for mode in gate.modes():
        print("the shop is open" if mode is Mode.PARENT else "the shop is grey", flush=True)


async def main() -> None:
    terminal = Terminal()
    async with aio.Gate(options()) as gate:
        shop = asyncio.create_task(grey_shop(gate))
        while (line := await terminal.lines.get()) is not None:
            try:
                if line == "toggle":
                    await gate.toggle(terminal.ask)
                    continue
                async with gate.authorize("link.open", line, present=terminal.ask, may_wait=True):
                    print(f"opening {line}", flush=True)
            except Asked as asked:
                print(f"question {asked.number} waits for a grown-up", flush=True)
            except GateError as error:
                print(error, flush=True)
        shop.cancel()


if __name__ == "__main__":
    asyncio.run(main())
