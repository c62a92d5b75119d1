"""The commands about the news of apps, and about the files with their release notes."""

import yaml

from gateclient import WhatsNewOutcome

OUTCOMES = {
    WhatsNewOutcome.NOTHING_NEW: "nothing new",
    WhatsNewOutcome.SHOWN: "shown",
    WhatsNewOutcome.SECONDARY_CHOSEN: "shown, and more is wanted",
}


class News:
    """The commands about the news of apps, and who has seen them."""

    def notes(self, app):
        """The notes that an app brings with a call."""
        if app not in self.script.brought:
            return []
        versions = yaml.safe_load(self.script.brought[app])["versions"]
        return [
            {"app": app, "version": version, "primary": {"title": "Continue"}, **entry} for version, entry in versions.items()
        ]

    def showing(self, app, version):
        """The request that shows the news of an app."""
        return lambda gate, present: gate.show_whats_new(
            app, version, notes=self.notes(app), present=present, presents_itself=present is not None
        )

    def do_whats_new(self, line, words):
        return self.ask_self(words[-1], self.showing(words[0], words[1]), self.outcome_text)

    def outcome_text(self, outcome):
        return OUTCOMES[outcome]

    def do_seen(self, line, words):
        def call(gate):
            gate.acknowledge_news(words[0], words[1], notes=self.notes(words[0]))
            return "seen"

        return self.once(words[-1], call)

    def do_forget(self, line, words):
        app = "" if words[0] == "as" else words[0]
        return self.once(words[-1], lambda gate: f"{gate.forget_news(app)} forgotten")

    def do_news(self, line, words):
        def call(gate):
            lines = []
            for one in gate.news():
                seen = "seen " + ", ".join(one.seen) if one.seen else "nothing seen"
                lines.append(f"{one.app}: newest {one.newest}, {seen}")
            return "\n".join(lines) or "none"

        return self.once(words[-1], call)

    def do_reload(self, line, words):
        self.files |= self.later_files
        self.later_files = {}
        self.write_files()
        answer = self.said("reloaded", words[-1], "Control/Reload", {})
        return answer.replace(f"{self.folder}/etc/", "")
