"""A program of a person in a dialogue, on a thread of its own."""

import queue
import threading

from gateclient import Code, GateError

PATIENCE = 30.0


class Program:
    """A program that asks for something and shows the questions itself, until it has what it wants."""

    def __init__(self, gate, person, request, details):
        self.gate, self.person, self.request = gate, person, request
        self.details, self.question, self.is_over = details, None, False
        self.told: queue.Queue = queue.Queue()
        self.answers: queue.Queue = queue.Queue()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def begin(self):
        self.thread.start()
        return self.told.get(timeout=PATIENCE)

    def run(self):
        try:
            self.told.put(("done", self.request(self.gate, self.present)))
        except GateError as error:
            self.told.put(("refused", error))
        except queue.Empty:
            self.told.put(("refused", GateError(Code.CANCELLED, "nobody has answered")))

    def present(self, question):
        self.question = question
        self.told.put(("asked", question))
        return self.answers.get(timeout=PATIENCE)

    def answer(self, what):
        self.answers.put(what)
        return self.told.get(timeout=PATIENCE)

    @property
    def cookie(self):
        return self.question._core._presentation.cookie
