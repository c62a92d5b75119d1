"""Another program of the session, on its accessibility bus, that tries to learn a secret while it is typed."""
import re

from screen import Atspi, Failure, GLib, everything, text_of, windows

EVENTS = ["object", "focus", "window"]


class Eavesdropper:
    """It records events from now on, and reads all texts in each window when it is told to."""

    def __init__(self):
        # Texts that the windows always show reveal nothing about what is typed.
        self.anyway = "\n".join(self.read())
        self.heard = []
        self.listener = Atspi.EventListener.new(self.hears)
        for event in EVENTS:
            Atspi.EventListener.register(self.listener, event)

    def hears(self, event):
        try:
            words = event.any_data if isinstance(event.any_data, str) else ""
            name = event.source.get_name() or ""
        except (GLib.Error, TypeError, AttributeError):
            return
        self.heard.append((event.type, name, words))

    def read(self):
        """The names, descriptions, texts, values and attributes of everything that exists."""
        for node in self.nodes():
            yield from [node.get_name() or "", node.get_description() or "", text_of(node) or ""]
            yield from (f"{key} {value}" for key, value in (node.get_attributes() or {}).items())
            value = node.get_value_iface()
            if value is not None:
                yield f"{Atspi.Value.get_current_value(value):g}"

    def nodes(self):
        for top in windows():
            yield from everything(top)

    def knows(self):
        """All words that it has read or received."""
        for _ in range(200):
            GLib.MainContext.default().iteration(False)
        if not self.heard:
            raise Failure("no events come, so nothing is tried")
        # Text that was inserted piece by piece is joined.
        inserted = "".join(words for kind, _, words in self.heard if kind.startswith("object:text-changed"))
        return [*self.read(), *(text for event in self.heard for text in event[1:]), inserted]

    def learns_no_key(self):
        """A window shows a key, in letters and as a code. Nothing that the program knows looks like a key."""
        for words in self.knows():
            if re.search("[A-Z2-7]{4} ?[A-Z2-7]{4}|otpauth", words):
                raise Failure(f"another program reads {words!r} while a key is shown")

    def learns_nothing(self, secret, field):
        """This much of the secret is typed now. The program may know its length, and nothing else."""
        known = self.knows()
        parts = {secret[start:start + 3] for start in range(len(secret) - 2)}
        for words in known:
            found = [part for part in parts if part in words and part not in self.anyway]
            if found or secret in words:
                raise Failure(f"another program reads {words!r} while a secret is typed")
        # With the number of typed characters, an event of a key of the keypad would reveal which key it was.
        told = [event for event in self.heard if len(event[1]) == 1]
        if told:
            raise Failure(f"events tell of keys: {told}")
        said = next(node.get_description() for node in self.nodes() if node.get_name() == field and node.get_role() == Atspi.Role.TEXT)
        if f"{len(secret)} character" not in said:
            raise Failure(f"a screen reader is not told how much is typed: {said!r}")

    def ends(self):
        for event in EVENTS:
            Atspi.EventListener.deregister(self.listener, event)
