"""Calls about people, gates and age ranges, written once for both clients."""

from __future__ import annotations

from typing import Any, Collection

from . import messages
from .ages import AgeApp, AgeChoice, AgeRange, AgeSettings, choice_number
from .asking import Asking, Present, grant_of
from .errors import GateError
from .people import ChangedGate, ChangedTimeRule, GateRule, Person, TimeRule, TimeRuleKind
from .people import account_fields, person_fields, revision_of, time_rule_fields
from .values import Grant, Revision


class PeopleCalls(Asking):
    """The list of people, what stands before gated actions, and what apps are told of a person's age. Each call raises
    GateError.

    The calls that set, unset and remove something change Gate itself. Administrators may do that.
    Grown-ups may, too, from the session of their own Unix user: they are asked for the passcode, with the change in
    words. The presenters of the device ask; if none can, `present` does, and with `presents_itself` it does in any
    case. Everybody else gets PERMISSION_DENIED.
    """

    # MARK: people

    async def people(self) -> list[Person]:
        """All people, by name. For administrators and grown-ups with a Unix user of their own; for everyone in parent
        mode."""
        return [Person.read(one) for one in await self._all("People/ListPeople", "people")]

    async def set_person(
        self, person: Person, present: Present | None = None, *, presents_itself: bool = False
    ) -> Revision:
        """Puts a person on the list, or replaces everything about the person of this name except the password. Somebody
        who is unconfirmed loses it and is signed out, since nobody can say who chose it. Returns the revision from
        which on that holds.

        Raises INVALID_ARGUMENT if the name or the date is not possible, the device has no such user, or the user is
        the system's own or somebody else's; FAILED_PRECONDITION (EXISTS) if somebody has this name in another spelling;
        RESOURCE_EXHAUSTED (LIMIT) if the list is full.
        """
        fields = {"person": person_fields(person)}
        return revision_of(await self._changed("People/SetPerson", fields, present, presents_itself))

    async def remove_person(
        self, name: str, present: Present | None = None, *, presents_itself: bool = False
    ) -> Revision:
        """Removes a person with their purchases and forms, and signs them out. In parent mode everyone may remove
        children who have no Unix user. Raises NOT_FOUND if nobody has this name."""
        return revision_of(await self._changed("People/RemovePerson", {"name": name}, present, presents_itself))

    async def register_person(self, person: Person, password: str | bytes) -> Revision:
        """Puts a grown-up, or a child with a date of birth, on the list, with a password of 4 to 128 bytes and without
        a Unix user. For administrators, and for everyone in parent mode, where the person is unconfirmed. Raises
        FAILED_PRECONDITION (EXISTS) if somebody has this name."""
        fields = {"account": account_fields(person), "password": _secret(password)}
        return revision_of(await self.call("SignIn/RegisterAccount", fields, self.hashing_timeout))

    async def change_password(self, name: str, old: str | bytes | None, new: str | bytes) -> Revision:
        """Gives a person another password, or a first one. `old` is the present password; a wrong one counts as in
        `log_in`. Administrators may leave it out (None). In parent mode everyone may do so for a child without a Unix
        user, who is unconfirmed from then on."""
        fields: dict[str, Any] = {"name": name, "new_password": _secret(new)}
        if old is not None:
            fields["old_password"] = _secret(old)
        return revision_of(await self.call("SignIn/ChangePassword", fields, self.hashing_timeout))

    async def confirm_person(self, person: Person, password: str | bytes) -> Revision:
        """Makes the age of an unconfirmed person count, and gives the person another password, since anybody may know
        the old one. `person` is as `people` has returned them. For administrators. Raises ABORTED (CHANGED_MEANWHILE)
        if the person was changed since."""
        fields = {"account": account_fields(person) | {"is_unconfirmed": person.is_unconfirmed}, "new_password": _secret(password)}
        return revision_of(await self.call("SignIn/ConfirmAccount", fields, self.hashing_timeout))

    # MARK: gates

    async def gates(self) -> list[GateRule]:
        """What stands before each gated action that the policy names, by name and without odds. For everyone.
        `set_gate` with `only_checks` tells the odds."""
        listed = await self._all("Authorization/ListGatedActions", "gated_actions")
        return [GateRule.read(messages.GateRule(gated_action=one)) for one in listed]

    async def set_gate(
        self,
        gated_action: str,
        requirement: str,
        *,
        keep: float | None = None,
        title: str = "",
        only_checks: bool = False,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> ChangedGate:
        """Changes what stands before a gated action, durably. The choice counts more than the shipped defaults, and
        less than the household's policy and the files in /etc/gate.

        `requirement` is in the notation of policy files, at most 4,096 bytes: "{challenge: passcode}". A kind of
        challenge alone, or "parent", is enough. `keep`: for how many seconds a user is not asked again after a person
        has answered, a whole number; None: the user is asked every time. `title`: what people read; "": the title that
        it has now, or its name. `only_checks`: changes nothing, and only tells what would change.

        Raises FAILED_PRECONDITION (BAD_POLICY) if the requirement has mistakes, which are the `issues`, or if the
        policy says otherwise in a place that counts more: the parameter "overruled-by".
        """
        fields = {
            "gated_action": gated_action,
            # An empty text would take the choice back.
            "requirement": requirement or "{}",
            "keep_milliseconds": round((keep or 0) * 1000),
            "title": title,
            "check_only": only_checks,
        }
        return ChangedGate.read(await self._changed("Control/SetGate", fields, present, presents_itself))

    async def unset_gate(
        self,
        gated_action: str,
        *,
        only_checks: bool = False,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> ChangedGate:
        """Takes back what was chosen with `set_gate`, so that the shipped defaults count again. Raises NOT_FOUND if
        nothing was chosen."""
        fields = {"gated_action": gated_action, "check_only": only_checks}
        return ChangedGate.read(await self._changed("Control/SetGate", fields, present, presents_itself))

    async def time_rules(self) -> list[TimeRule]:
        """All allowances, and then all schedules, with the gated actions that need them. For everyone."""
        return [TimeRule.read(one) for one in (await self._call("Control/GetPolicy")).policy.time_rules]

    async def set_time_rule(
        self,
        kind: TimeRuleKind,
        name: str,
        notation: str,
        *,
        only_checks: bool = False,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> ChangedTimeRule:
        """Changes an allowance or a schedule, durably, as `set_gate` changes a gate. Gated actions that are chosen can
        need it: "{allowance: games}".

        `notation` is that of policy files, at most 4,096 bytes: "{mon-fri: 1h, sat-sun: 2h}" for an allowance,
        "{mon-fri: 15:00-19:00}" for a schedule. Raises FAILED_PRECONDITION (BAD_POLICY) as `set_gate` does.
        """
        # An empty text would take the choice back.
        fields = time_rule_fields(kind, name) | {"notation": notation or "{}", "check_only": only_checks}
        return ChangedTimeRule.read(await self._changed("Control/SetTimeRule", fields, present, presents_itself))

    async def unset_time_rule(
        self,
        kind: TimeRuleKind,
        name: str,
        *,
        only_checks: bool = False,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> ChangedTimeRule:
        """Takes back what was chosen with `set_time_rule`. Raises NOT_FOUND if nothing was chosen, and
        FAILED_PRECONDITION (BAD_POLICY) with the parameter "needed-by" while gated actions need it."""
        fields = time_rule_fields(kind, name) | {"check_only": only_checks}
        return ChangedTimeRule.read(await self._changed("Control/SetTimeRule", fields, present, presents_itself))

    # MARK: age ranges

    async def age_range(self) -> AgeRange | None:
        """How old the person is whose own Unix user this process has or, if several people share the user, the person
        who is signed in. For every program, and nobody is shown a question. The range is one of the device's, and
        changes only on 1 January and on 1 July, so that nobody finds the date of birth out by asking often.

        None: nothing is told, and nobody learns why. A grown-up has to turn age ranges on and to allow it for this
        program, which the grown-up finds on a list by its name (`Options.program`) once it has asked. The answer does
        not wait for that: ask again when the program starts the next time.
        """
        answer = await self._call("Age/QueryAgeRange")
        return AgeRange.read(answer.range) if answer.HasField("range") else None

    async def age_settings(self) -> AgeSettings:
        """Whether apps are told age ranges, and which. For administrators and grown-ups with a Unix user of their own;
        for everyone in parent mode."""
        answer = await self._call("Age/GetAgeSettings")
        return AgeSettings(answer.is_on, tuple(answer.gates))

    async def set_age_settings(
        self,
        is_on: bool,
        gates: Collection[int] = (),
        present: Present | None = None,
        *,
        presents_itself: bool = False,
    ) -> Revision:
        """Turns age ranges on or off, durably. `gates`: the ages at which a new range begins, one to three from 2 to
        25, ascending and at least two years apart; empty: they stay as they are. Returns the revision from which on
        that holds."""
        fields = {"is_on": is_on, "gates": list(gates)}
        return revision_of(await self._changed("Age/SetAgeSettings", fields, present, presents_itself))

    async def age_apps(self) -> list[AgeApp]:
        """The apps that have asked how old a person is or about which a grown-up has decided, for the same users as
        `age_settings`."""
        return [AgeApp.read(one) for one in await self._all("Age/ListAgeApps", "apps")]

    async def set_age_choice(
        self,
        person: str,
        app: str,
        choice: AgeChoice,
        present: Present | None = None,
        *,
        presents_itself: bool = False,
    ) -> Revision:
        """Decides what an app is told about a person, durably. Returns the revision from which on that holds. Raises
        NOT_FOUND if nobody on the list has this name."""
        fields = {"person": person, "app": app, "choice": choice_number(choice)}
        return revision_of(await self._changed("Age/SetAgeChoice", fields, present, presents_itself))

    async def _changed(
        self, name: str, fields: dict[str, Any], present: Present | None, presents_itself: bool
    ) -> Any:
        """Makes a change of Gate. If the daemon wants a grant for it, requests the grant and makes the change with
        it."""
        try:
            return await self._call(name, **fields)
        except GateError as error:
            details = error.parameters.get("details")
            if error.parameters.get("what") != "change-grant" or details is None:
                raise
            wanted = {"gated_action": "gate.change", "details": details}
        grant: Grant = await self._asked("Authorization/Authorize", wanted, present, presents_itself, grant_of)
        return await self._call(name, **fields, grant_proof=grant.proof)


def _secret(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
