"""Accounts, and who is signed in."""

import re
import time

from dialogue_text import clock_text
from gateclient import Topic

PATIENCE = 30.0


class People:
    """The commands about people."""

    def shown_sign_in(self, state):
        session = state.session
        if session is None:
            return "nobody is signed in" + (", somebody has to be" if state.needs_authentication else "")
        until = clock_text(self.elapsed + session.deadline / 1e9 - self.now)
        return f"{session.name} is signed in until {until}"

    def who(self, line, words):
        return self.once(self.administrator(), lambda gate: self.shown_sign_in(gate.sign_in()))

    def login(self, line, words):
        return self.once(words[-1], lambda gate: self.shown_sign_in(gate.log_in(words[0], words[1])))

    def logout(self, line, words):
        return self.once(words[-1], lambda gate: self.shown_sign_in(gate.log_out()))

    def register(self, line, words):
        account = {"name": words[0], "grown_up": {}}
        if born := re.search(r" born (\S+)", line):
            account = {"name": words[0], "child": {"born": born[1]}}
        fields = {"account": account, "password": words[1].encode()}
        return self.said("registered", words[-1], "SignIn/RegisterAccount", fields)

    def password(self, line, words):
        fields = {"name": words[0], "old_password": words[1].encode(), "new_password": words[2].encode()}
        return self.said("password changed", words[-1], "SignIn/ChangePassword", fields)

    def reset(self, line, words):
        fields = {"name": words[0], "new_password": words[1].encode()}
        return self.said("password changed", words[-1], "SignIn/ChangePassword", fields)

    def remove(self, line, words):
        return self.said("removed", words[-1], "SignIn/RemoveAccount", {"name": words[0]})

    def accounts(self, line, words):
        def call(gate):
            lines = []
            for one in gate.raw("SignIn/ListAccounts").accounts:
                born = f", a child born {one.child.born}" if one.HasField("child") else ""
                lines.append(one.name + born + (", not confirmed" if one.is_unconfirmed else ""))
            return "\n".join(lines) or "none"

        return self.once(words[-1], call)

    def watch_sign_in(self, person):
        """Reads until it has seen who is signed in now."""
        watcher = self.sign_in_watchers.setdefault(
            person, {"stream": None, "unread": [], "last": None}
        )
        if watcher["stream"] is None:
            watcher["stream"] = self.gate(person).watch([Topic.SIGN_IN])
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            event = watcher["stream"].next(0.1)
            if event is not None and event.sign_in is not None:
                shown = self.shown_sign_in(event.sign_in)
                if shown != watcher["last"]:
                    watcher["last"] = shown
                    watcher["unread"].append(shown)
            elif event is None and watcher["last"] == self.who("", []):
                break
        unread, watcher["unread"] = watcher["unread"], []
        return "\n".join(unread) or "nothing new"
