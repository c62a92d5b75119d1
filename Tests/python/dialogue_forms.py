"""The commands about forms, and about drafts, responses and parts."""

from dialogue_text import seconds_of
from dialogue_words import answer_lines
from gateclient import GateError, messages, text_of
from gateclient.answers import item_at, parsed

STATUSES = {"IN_PROGRESS": "saved", "COMPLETED": "completed", "ENTERED_IN_ERROR": "withdrawn"}


class Target:
    """A draft, and the revision that it has to have: `insurance#2 at 7`."""

    def __init__(self, words):
        """Takes the target from the front of the words."""
        self.name, _, draft = words.pop(0).partition("#")
        self.draft = int(draft or 0)
        self.revision = None
        if words[0] == "at":
            self.revision = int(words[1])
            del words[:2]

    def read(self, gate):
        draft = gate.read_form(self.name, draft=self.draft)
        if self.revision is not None:
            draft.revision = self.revision
        return draft


def split(words):
    """The words before `as NAME`, and the name."""
    return words[:-2], words[-1]


def typed(draft, path, words):
    """The answers that a person types. If the question takes several, they are separated by bars."""
    texts = " ".join(words).split(" | ") if words else []
    if texts and not item_at(draft.questionnaire(), path).get("repeats"):
        texts = [" ".join(words)]
    return draft.typed(path, *texts)


class Forms:
    """The commands about drafts, responses and parts."""

    def holder_name(self, holder):
        return holder.account if holder.HasField("account") else f"user {self.name(holder.uid)}"

    def form_text(self, summary):
        which = f"{summary.name}#{summary.draft_id}" if summary.draft_id else summary.name
        label = f": {summary.label}" if summary.label else ""
        return f"{which} of {self.holder_name(summary.holder)}, revision {summary.revision}{label}"

    def with_draft(self, words, call):
        """Returns the answer to a call about an existing draft. `words` are its name, the words for the call, and
        `as NAME`."""
        target = Target(words)
        rest, person = split(words)
        return self.once(person, lambda gate: call(target.read(gate), rest))

    def changed(self, words, change):
        """The result of a change of a draft, in words."""

        def call(draft, rest):
            change(draft, rest)
            return self.change_text(draft)

        return self.with_draft(words, call)

    def change_text(self, draft):
        what = f"revision {draft.revision}" if draft.change.is_changed else f"as it was, revision {draft.revision}"
        return what + (f"; cleared: {', '.join(draft.change.cleared)}" if draft.change.cleared else "")

    # MARK: drafts

    def do_open(self, line, words):
        name, _, draft = words[1].partition("#")
        return self.once(words[-1], lambda gate: f"open, revision {gate.open_form(name, draft=int(draft or 0)).revision}")

    def do_bring(self, line, words):
        form = parsed(self.script.brought[words[1]].encode())
        return self.once(words[-1], lambda gate: f"open, revision {gate.open_form(words[1], bringing=form).revision}")

    def do_begin(self, line, words):
        label, person = split(words[2:])

        def call(gate):
            draft = gate.open_form(words[1], begins_another=True, label=" ".join(label))
            return f"open, draft {draft.number}, revision {draft.revision}"

        return self.once(person, call)

    def do_label(self, line, words):
        def call(draft, label):
            draft.set_label(" ".join(label))
            return "labelled"

        return self.with_draft(words[1:], call)

    def do_drafts(self, line, words):
        return self.once(words[-1], lambda gate: "\n".join(map(self.form_text, gate.drafts())) or "none")

    def do_read(self, line, words):
        def call(draft, rest):
            return answer_lines(draft.questionnaire(), draft.response, rest[0] if rest else None)

        return self.with_draft(words, call)

    def do_missing(self, line, words):
        def call(draft, rest):
            errors = [one["diagnostics"] for one in draft.validate()["issue"] if one["severity"] == "error"]
            return "\n".join(errors) or "nothing is missing"

        return self.with_draft(words, call)

    # MARK: answers

    def do_set(self, line, words):
        return self.changed(words, lambda draft, rest: draft.set(rest[0], *typed(draft, rest[0], rest[1:])))

    def do_clear(self, line, words):
        return self.changed(words, lambda draft, rest: draft.set(rest[0]))

    def do_suggest(self, line, words):
        return self.changed(words, lambda draft, rest: draft.suggest(rest[0], *typed(draft, rest[0], rest[1:])))

    def do_take_away(self, line, words):
        return self.changed(words, lambda draft, rest: draft.suggest(rest[0]))

    def do_announce(self, line, words):
        """The program runs on as long as it fetches the answers."""
        target = Target(words)
        rest, person = split(words)

        gate = self.gate(person)
        try:
            draft = target.read(gate)
            draft.announce(rest[0], seconds_of(rest[1]))
            return self.change_text(draft)
        except GateError as error:
            return f"refused: {error.message}"

    def do_suggestions(self, line, words):
        def call(draft, rest):
            lines = []
            for one in draft.pending:
                texts = " | ".join(map(text_of, one.answers or []))
                lines.append(f"{one.path}: {texts} waits" if one.answers else f"{one.path}: being looked up")
            return "\n".join(lines) or "nothing"

        return self.with_draft(words, call)

    def remove_group(self, words):
        return self.changed(words, lambda draft, rest: draft.remove(rest[0]))

    def do_fill(self, line, words):
        return self.changed(
            words, lambda draft, rest: draft.fill(parsed(self.script.responses[rest[1]].encode()))
        )

    def reset_form(self, words):
        return self.changed(words, lambda draft, rest: draft.reset())

    def do_load(self, line, words):
        return self.loaded(words[1:], int(words[2]))

    def do_reuse(self, line, words):
        return self.loaded(words[1:], 0)

    def loaded(self, words, number):
        name, _, draft = words[0].partition("#")
        return self.once(
            words[-1], lambda gate: self.change_text(gate.load_form(name, number, draft=int(draft or 0)))
        )

    # MARK: what is kept

    def do_save(self, line, words):
        return self.with_draft(words[1:], lambda draft, rest: f"response {draft.save()}")

    def do_complete(self, line, words):
        return self.with_draft(words[1:], lambda draft, rest: f"response {draft.complete()}")

    def do_discard(self, line, words):
        def call(draft, rest):
            draft.discard()
            return "discarded"

        return self.with_draft(words[1:], call)

    def do_responses(self, line, words):
        def text(one):
            form = f"{one.name} {one.version}" if one.version else one.name
            status = STATUSES[messages.ResponseSummary.Status.Name(one.status).removeprefix("STATUS_")]
            label = f": {one.label}" if one.label else ""
            return f"{one.id}: {form} of {self.holder_name(one.holder)}, {status}{label}"

        return self.once(words[-1], lambda gate: "\n".join(map(text, gate.responses())) or "none")

    def do_response(self, line, words):
        number = int(words[0])

        def call(gate):
            response = gate.response(number)
            name = next(one.name for one in gate.responses() if one.id == number)
            return answer_lines(gate.questionnaire(name), response)

        return self.once(words[-1], call)

    def do_withdraw(self, line, words):
        def call(gate):
            gate.withdraw_response(int(words[0]))
            return "withdrawn"

        return self.once(words[-1], call)

    # MARK: parts

    def do_parts(self, line, words):
        def text(one):
            definition = one.definition.rpartition("/")[2]
            return f"{one.id}: {definition} of {self.holder_name(one.holder)}: {one.label}"

        return self.once(words[-1], lambda gate: "\n".join(map(text, gate.parts())) or "none")

    def do_keep(self, line, words):
        return self.with_draft(
            words[1:], lambda draft, rest: f"part {draft.save_part(rest[0], ' '.join(rest[1:]))}"
        )

    def do_take(self, line, words):
        return self.changed(words, lambda draft, rest: draft.take(rest[0], *map(int, rest[1:])))

    def do_drop(self, line, words):
        def call(gate):
            gate.remove_part(int(words[0]))
            return "removed"

        return self.once(words[-1], call)
