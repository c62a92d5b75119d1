"""The commands about people, about who is signed in, and about the age ranges that apps are told."""

import datetime

from dialogue_text import option
from dialogue_words import sign_in_text
from gateclient import AgeChoice, AgeSource, Person, PersonKind


class People:
    """The commands about people, signing in and age ranges."""

    def shown_sign_in(self, state):
        return sign_in_text(state, self.since_beginning)

    def sign_in_now(self):
        return self.once(self.anybody(), lambda gate: self.shown_sign_in(gate.sign_in()))

    def do_who(self, line, words):
        return self.sign_in_now()

    def do_login(self, line, words):
        return self.once(words[-1], lambda gate: self.shown_sign_in(gate.log_in(words[0], words[1])))

    def do_logout(self, line, words):
        return self.once(words[-1], lambda gate: self.shown_sign_in(gate.log_out()))

    def person_changed(self, word, user, change):
        """Makes a change of the list as this user of the script. Returns `word`, or the refusal."""
        return self.once(user, lambda gate: [change(gate), word][1])

    def do_register(self, line, words):
        born = option(words, "born")
        person = Person(words[0], PersonKind.CHILD if born else PersonKind.GROWN_UP, date(born))
        return self.person_changed("registered", words[-1], lambda gate: gate.register_person(person, words[1]))

    def do_password(self, line, words):
        return self.person_changed("password changed", words[-1], lambda gate: gate.change_password(*words[:3]))

    def do_reset(self, line, words):
        if words[0] == "form":
            return self.reset_form(words[1:])
        return self.person_changed("password changed", words[-1], lambda gate: gate.change_password(words[0], None, words[1]))

    def do_remove(self, line, words):
        if words[1] != "as":
            return self.remove_group(words)
        return self.person_changed("removed", words[-1], lambda gate: gate.remove_person(words[0]))

    def do_confirm(self, line, words):
        def confirm(gate):
            nobody = Person(words[0], PersonKind.GROWN_UP)
            gate.confirm_person(next((one for one in gate.people() if one.name == words[0]), nobody), words[1])

        return self.person_changed("confirmed", words[-1], confirm)

    def do_person(self, line, words):
        user = option(words, "user")
        name = f"user{self.script.people[user][0]}" if user else None
        person = Person(words[0], PersonKind(words[1]), date(option(words, "born")), name)
        return self.person_changed("set", words[-1], lambda gate: gate.set_person(person))

    def do_people(self, line, words):
        def call(gate):
            lines = []
            for one in gate.people():
                kind = ", shared" if one.kind is PersonKind.SHARED else ""
                if one.kind is PersonKind.CHILD:
                    kind = f", a child born {one.born}" if one.born else ", a child"
                user = f", {one.user}" if one.user else ""
                lines.append(one.name + kind + user + (", not confirmed" if one.is_unconfirmed else ""))
            return "\n".join(lines) or "none"

        return self.once(words[-1], call)

    def do_how_old(self, line, words):
        """Asks as the app whose name is the first word."""

        def call(gate):
            told = gate.age_range()
            # The app is put on the list after its answer. Commands, also those that change nothing, are answered when
            # everything before them has become durable.
            gate.cancel()
            return range_text(told)

        return self.once(words[-1], call, words[0])

    def do_ages(self, line, words):
        gates = [] if words[1] == "as" else [int(age) for age in words[1].split(",")]
        return self.person_changed("set", words[-1], lambda gate: gate.set_age_settings(words[0] == "on", gates))

    def do_age_apps(self, line, words):
        def call(gate):
            lines = [
                f"{one.app} of {one.person}: {one.choice.value}" + (", waits" if one.is_waiting else "") for one in gate.age_apps()
            ]
            return "\n".join(lines) or "none"

        return self.once(words[-1], call)

    def do_choose(self, line, words):
        choice, app, person = AgeChoice(words[0]), words[2], words[4]
        return self.person_changed("set", words[-1], lambda gate: gate.set_age_choice(person, app, choice))


def range_text(told):
    if told is None:
        return "nothing"
    who = ", a grown-up" if told.source is AgeSource.SELF else ""
    if told.low is None:
        return f"{told.high} or younger{who}"
    return (f"{told.low} or older" if told.high is None else f"{told.low} to {told.high}") + who


def date(text):
    return datetime.date.fromisoformat(text) if text else None
