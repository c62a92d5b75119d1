"""A program of a person in a dialogue, on a thread of its own."""

import queue
import threading

from gateclient import Code, GateError

PATIENCE = 30.0


class Program:
    """A program that makes a request and shows the questions itself, until the request ends."""

    def __init__(self, gate, person, request, describe):
        self.gate, self.person, self.request, self.describe = gate, person, request, describe
        self.question, self.is_over = None, False
        self.told: queue.Queue = queue.Queue()
        self.answers: queue.Queue = queue.Queue()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def begin(self):
        self.thread.start()
        return self.heard()

    def heard(self):
        """The next event of the program. Raises exceptions that are no refusals."""
        kind, value = self.told.get(timeout=PATIENCE)
        if kind == "failed":
            raise value
        return kind, value

    def run(self):
        try:
            self.told.put(("done", self.request(self.gate, self.present)))
        except GateError as error:
            self.told.put(("refused", error))
        except queue.Empty:
            self.told.put(("refused", GateError(Code.CANCELLED, "nobody has answered")))
        except Exception as error:
            self.told.put(("failed", error))

    def present(self, question):
        self.question = question
        self.told.put(("asked", question))
        while True:
            answer = self.answers.get(timeout=PATIENCE)
            if not callable(answer):
                return answer
            # A step that may fail, like signing in. The question stays open then.
            try:
                return answer(question)
            except GateError as error:
                self.told.put(("stays", error))

    def answer(self, what):
        """Gives an answer, or calls a function that does something and returns the answer. Returns the result."""
        self.answers.put(what)
        return self.heard()
