"""The commands about people, and about who is signed in."""

from dialogue_text import option
from dialogue_words import sign_in_text


class People:
    """The commands about people and signing in."""

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

    def do_register(self, line, words):
        born = option(words, "born")
        account = {"name": words[0]} | ({"child": {"born": born}} if born else {"grown_up": {}})
        fields = {"account": account, "password": words[1].encode()}
        return self.said("registered", words[-1], "SignIn/RegisterAccount", fields)

    def do_password(self, line, words):
        fields = {"name": words[0], "old_password": words[1].encode(), "new_password": words[2].encode()}
        return self.said("password changed", words[-1], "SignIn/ChangePassword", fields)

    def do_reset(self, line, words):
        if words[0] == "form":
            return self.reset_form(words[1:])
        fields = {"name": words[0], "new_password": words[1].encode()}
        return self.said("password changed", words[-1], "SignIn/ChangePassword", fields)

    def do_remove(self, line, words):
        if words[1] != "as":
            return self.remove_group(words)
        return self.said("removed", words[-1], "People/RemovePerson", {"name": words[0]})

    def do_confirm(self, line, words):
        def call(gate):
            every = gate.raw("SignIn/ListAccounts").accounts
            account = next((one for one in every if one.name == words[0]), {"name": words[0], "grown_up": {}})
            gate.raw("SignIn/ConfirmAccount", {"account": account, "new_password": words[1].encode()}, timeout=40)
            return "confirmed"

        return self.once(words[-1], call)

    def do_person(self, line, words):
        born, user = option(words, "born"), option(words, "user")
        kind = {"child": {"child": {"born": born or ""}}, "grown-up": {"grown_up": {}}, "shared": {"shared": {}}}[words[1]]
        person = {"name": words[0]} | kind
        if user:
            person["user"] = {"name": f"user{self.script.people[user][0]}"}
        return self.said("set", words[-1], "People/SetPerson", {"person": person})

    def do_people(self, line, words):
        def call(gate):
            lines = []
            for one in gate.raw("People/ListPeople").people:
                kind = ", shared" if one.HasField("shared") else ""
                if one.HasField("child"):
                    kind = f", a child born {one.child.born}" if one.child.born else ", a child"
                user = f", {one.user.name}" if one.HasField("user") else ""
                lines.append(one.name + kind + user + (", not confirmed" if one.is_unconfirmed else ""))
            return "\n".join(lines) or "none"

        return self.once(words[-1], call)
