"""The commands about the time that people use gated actions. The clients have no calls for it yet, so these are raw ones."""

from dialogue import PATIENCE
from dialogue_text import short_text
from gateclient import GateError


def left(message):
    """The time that is left, in words; nothing if it has no limit."""
    return f", {short_text(message.left_milliseconds / 1000)} left" if message.is_limited else ""


class Usage:
    """The commands about use, and the programs that are being used."""

    def __init__(self, programs, script, clients):
        #: By person and gated action, the clients that hold a use, with the streams that hold it.
        self.uses = {}
        super().__init__(programs, script, clients)

    def end_programs(self):
        super().end_programs()
        for uses in self.uses.values():
            for gate, _ in uses:
                self.clients.hang_up(gate)
        self.uses = {}

    def do_use(self, line, words):
        action, person = words[0], words[-1]
        gate = self.gate(person)
        stream = gate.stream("Usage/CountUse", {"gated_action": action})
        try:
            first = stream.next(PATIENCE)
        except GateError as error:
            self.close(gate)
            return f"refused: {error.message}"
        self.uses.setdefault((person, action), []).append((gate, stream))
        return f"{person} uses {action}{left(first)}"

    def do_hear(self, line, words):
        _, stream = self.uses[words[-1], words[0]][-1]
        told = stream.next(PATIENCE)
        return f"{words[-1]} hears: " + ("it is over" if told.is_over else left(told).removeprefix(", ") or "no end")

    def do_stop(self, line, words):
        uses, before = self.uses.pop((words[-1], words[0]), []), self.revision()
        for gate, _ in uses:
            self.clients.hang_up(gate)
        # The journal gets an entry for each, so each makes a revision.
        self.wait("the daemon notices", lambda: self.revision() >= before + len(uses))
        return f"{words[-1]} stopped"

    def do_usage(self, line, words):
        def call(gate):
            lines = [
                f"{self.name(one.uid)}: {one.allowance or one.gated_action}, {one.day}, "
                f"{short_text(one.used_milliseconds / 1000)}{left(one)}" + (", running" if one.is_running else "")
                for one in gate.raw("Usage/ListUsage").times
            ]
            return "\n".join(lines) or "none"

        return self.once(words[-1], call)

    def time_rule(self, kind, words):
        name, times = words[0], [time for time in words[1:-2] if time != "none"]
        notation = "{" + ", ".join(time.replace("=", ": ", 1) for time in times) + "}" if times else ""
        fields = {"kind": f"TIME_RULE_KIND_{kind.upper()}", "name": name, "notation": notation}

        def call(gate):
            changed = gate.raw("Control/SetTimeRule", fields)
            before, after = (
                getattr(changed, part).notation if changed.HasField(part) else "none" for part in ["before", "after"]
            )
            return f"{kind} {name}: {after}; before: {before}"

        return self.once(words[-1], call)

    def do_allowance(self, line, words):
        return self.time_rule("allowance", words)

    def do_schedule(self, line, words):
        return self.time_rule("schedule", words)
