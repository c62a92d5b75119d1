"""Another program of the session, on its accessibility bus, that wants to know a secret while it is typed."""
import re

from screen import Atspi, Failure, GLib, everything, text_of, windows

EVENTS = ["object", "focus", "window"]


class Eavesdropper:
    """It hears events from now on, and reads all that stands in each window when it is told to."""

    def __init__(self):
        # What the windows say anyway tells nothing of what is typed.
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
        """Names, descriptions, texts, values and attributes, of everything that there is."""
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
        """All words that it has read or heard."""
        for _ in range(200):
            GLib.MainContext.default().iteration(False)
        if not self.heard:
            raise Failure("no events come, so nothing is tried")
        # What was inserted piece by piece is read as one.
        inserted = "".join(words for kind, _, words in self.heard if kind.startswith("object:text-changed"))
        return [*self.read(), *(text for event in self.heard for text in event[1:]), inserted]

    def learns_no_key(self):
        """A key stands in a window, in letters and as a code: nothing that is known looks like one."""
        for words in self.knows():
            if re.search("[A-Z2-7]{4} ?[A-Z2-7]{4}|otpauth", words):
                raise Failure(f"another program reads {words!r} while a key is shown")

    def learns_nothing(self, secret, field):
        """So much of the secret is typed now. Nothing of it may be known, but how long it is."""
        known = self.knows()
        parts = {secret[start:start + 3] for start in range(len(secret) - 2)}
        for words in known:
            found = [part for part in parts if part in words and part not in self.anyway]
            if found or secret in words:
                raise Failure(f"another program reads {words!r} while a secret is typed")
        # With how much is typed, an event of a key of the keypad would tell which one it was.
        told = [event for event in self.heard if len(event[1]) == 1]
        if told:
            raise Failure(f"events tell of keys: {told}")
        said = next(node.get_description() for node in self.nodes() if node.get_name() == field and node.get_role() == Atspi.Role.TEXT)
        if f"{len(secret)} character" not in said:
            raise Failure(f"a screen reader is not told how much is typed: {said!r}")

    def ends(self):
        for event in EVENTS:
            Atspi.EventListener.deregister(self.listener, event)
