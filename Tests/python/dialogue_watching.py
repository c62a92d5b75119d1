"""The commands about watchers."""

from dialogue import PATIENCE
from gateclient import Topic, messages

#: The kinds of journal entries that set the deadline of the mode.
SETS_DEADLINE = [messages.AuditKind.Value(f"AUDIT_KIND_{name}") for name in ("PARENT_ENTERED", "EXTENDED", "OVERRIDDEN")]


class Watcher:
    """A watcher of one subject."""

    def __init__(self, stream, told_by):
        #: `told_by`: a function that prints an event; None: it prints nothing.
        self.stream, self.told_by = stream, told_by
        self.unread, self.last, self.number = [], None, -1

    def hear(self):
        """Receives the next event."""
        event = self.stream.next(PATIENCE)
        if event is None:
            raise RuntimeError("a watcher hears nothing more")
        # What a reader assumes while the daemon is away does not come from Gate.
        if event.update is None:
            return
        self.number = event.update.revision.number
        told = self.told_by(event)
        if told is not None and told != self.last:
            self.last = told
            self.unread.append(told)

    def read(self):
        """Returns the events that were not returned before."""
        unread, self.unread = self.unread, []
        return "\n".join(unread) or "nothing new"


class Watching:
    """The commands about watchers of the mode, of the sign-in, of entitlements, and of forms."""

    def __init__(self, programs, script, clients):
        self.watchers = {topic: {} for topic in (Topic.MODE, Topic.SIGN_IN, Topic.ENTITLEMENTS, Topic.FORMS)}
        super().__init__(programs, script, clients)

    def watcher(self, topic, person, told_by):
        if person not in self.watchers[topic]:
            self.watchers[topic][person] = Watcher(self.gate(person).watch([topic]), told_by)
        return self.watchers[topic][person]

    def do_watch(self, line, words):
        person = words[-1]
        match words[0]:
            case "sign-in":
                watcher = self.watcher(Topic.SIGN_IN, person, self.told_sign_in)
            case "entitlements":
                watcher = self.watcher(Topic.ENTITLEMENTS, person, self.told_entitlements)
            case "forms":
                watcher = self.watcher(Topic.FORMS, person, self.told_forms)
            case _:
                watcher = self.watcher(Topic.MODE, person, lambda event: event.mode and self.shown(event.mode))
        self.settle()
        return watcher.read()

    def told_sign_in(self, event):
        return event.sign_in and self.shown_sign_in(event.sign_in)

    def told_entitlements(self, event):
        return event.entitlements and self.shown_entitlements(event.entitlements)

    def told_forms(self, event):
        return None if event.forms is None else "\n".join(map(self.form_text, event.forms)) or "no form"

    def settle(self):
        """Waits until programs and presenters have done what they do by themselves, and watchers were told of it. The
        daemon tells a watcher of two changes at once if the second comes before its turn, so the next command waits."""
        self.settle_screens()
        self.catch_up_all()
        for topic, now in ((Topic.SIGN_IN, self.sign_in_now), (Topic.ENTITLEMENTS, self.entitlements_now)):
            shown = now() if self.watchers[topic] else None
            for watcher in self.watchers[topic].values():
                while watcher.last != shown:
                    watcher.hear()
        for person, watcher in self.watchers[Topic.FORMS].items():
            gate = self.gate(person)
            # A watcher that begins now gets the newest state.
            fresh = Watcher(gate.watch([Topic.FORMS]), self.told_forms)
            fresh.hear()
            self.close(gate)
            while watcher.last != fresh.last:
                watcher.hear()

    def catch_up_all(self):
        """Waits until the watchers of the mode have received the last change in the journal."""
        if not self.watchers[Topic.MODE]:
            return
        last_change, mode = 0, None
        for entry in self.journal():
            if entry.mode != mode or entry.kind in SETS_DEADLINE:
                last_change = entry.number
            mode = entry.mode
        for watcher in self.watchers[Topic.MODE].values():
            while watcher.number < last_change:
                watcher.hear()
