"""The calls of gateclient about people, gates and the age range, through the functions of gate-people.h."""

import datetime

import libgate_binding as binding
from gateclient import AgeRange, AgeSource, ChangedGate, GateRule, GateStrength, Person, PersonKind


def _person(one):
    return Person(
        binding.text(one.name),
        PersonKind(binding.PERSON_KINDS[one.kind]) if one.kind else None,
        datetime.date.fromisoformat(one.born.decode()) if one.born else None,
        binding.text(one.user) or None,
        None if one.uid == binding.NOBODY else one.uid,
        one.has_password,
        one.is_unconfirmed,
        one.is_user_unknown,
    )


def _rule(one):
    strength = GateStrength(one.guessed_per_million, one.program_passes, one.is_without_question)
    text = binding.text
    return GateRule(
        text(one.gated_action), text(one.title), text(one.requirement), one.keep_ms / 1000 if one.keep_ms else None,
        text(one.origin), strength if one.has_odds else None,
    )


def _age_range(one):
    if not one.is_told:
        return None
    return AgeRange(one.low or None, one.high or None, AgeSource(binding.AGE_SOURCES[one.source]))


def _bytes(text):
    return text.encode() if isinstance(text, str) else text


def _kind_of(person):
    return binding.PERSON_KINDS.index(person.kind.value), person.born.isoformat().encode() if person.born else None


class LibgatePeople:
    """The part of `LibgateCalls` for people, gates and the age range. libgate tells no revision."""

    async def people(self):
        return self.handle.answer_to(
            "gate_list_people", binding.PeopleHandler, lambda every: [_person(one) for one in binding.each(every)]
        )

    async def set_person(self, person, present=None, *, presents_itself=False):
        user = None if person.user is None else person.user.encode()
        arguments = person.name.encode(), *_kind_of(person), user
        self.requested("gate_set_person", binding.DoneHandler, lambda: None, present, *arguments)

    async def remove_person(self, name, present=None, *, presents_itself=False):
        self.requested("gate_remove_person", binding.DoneHandler, lambda: None, present, name.encode())

    async def register_person(self, person, password):
        arguments = person.name.encode(), *_kind_of(person), _bytes(password), len(_bytes(password))
        self.handle.answer_to("gate_register_person", binding.DoneHandler, lambda: None, *arguments)

    async def change_password(self, name, old, new):
        before = (None, 0) if old is None else (_bytes(old), len(_bytes(old)))
        arguments = name.encode(), *before, _bytes(new), len(_bytes(new))
        self.handle.answer_to("gate_change_password", binding.DoneHandler, lambda: None, *arguments)

    async def confirm_person(self, person, password):
        arguments = person.name.encode(), *_kind_of(person), _bytes(password), len(_bytes(password))
        self.handle.answer_to("gate_confirm_person", binding.DoneHandler, lambda: None, *arguments)

    async def gates(self):
        return self.handle.answer_to(
            "gate_list_gates", binding.GatesHandler, lambda every: [_rule(one) for one in binding.each(every)]
        )

    async def set_gate(
        self, gated_action, requirement, *, keep=None, title="", only_checks=False, present=None, presents_itself=False
    ):
        arguments = gated_action.encode(), requirement.encode(), round((keep or 0) * 1000), title.encode(), only_checks
        return self._gate_changed("gate_set_gate", present, *arguments)

    async def unset_gate(self, gated_action, *, only_checks=False, present=None, presents_itself=False):
        return self._gate_changed("gate_unset_gate", present, gated_action.encode(), only_checks)

    async def age_range(self):
        return self.handle.answer_to(
            "gate_query_age_range", binding.AgeRangeHandler, lambda told: _age_range(told.contents)
        )

    def _gate_changed(self, name, present, *arguments):
        def read(before, after):
            return ChangedGate(*(_rule(one.contents) if one else None for one in (before, after)), None)

        return self.requested(name, binding.RulesHandler, read, present, *arguments)
