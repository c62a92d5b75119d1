"""People, gates and age ranges in the plain client: calls that block."""

from __future__ import annotations

import abc
from typing import Any, Callable, Collection, Coroutine, TypeVar

from .ages import AgeApp, AgeChoice, AgeRange, AgeSettings
from .blocking import BlockingCalls
from .people import ChangedGate, ChangedTimeRule, GateRule, Person, TimeRule, TimeRuleKind
from .plain_questions import Present, wrapped
from .values import Revision

T = TypeVar("T")


class PlainPeople(abc.ABC):
    """The list of people, what stands before gated actions, and what apps are told of a person's age; see
    `gateclient.people_calls.PeopleCalls`.

    Administrators change them at once. A grown-up is asked for the passcode first, in the session of their own Unix
    user: by a presenter of the device; if none can, by `present`, and with `presents_itself` by `present` in any case.
    """

    _core: BlockingCalls

    @abc.abstractmethod
    def _do(self, call: Callable[..., Coroutine[Any, Any, T]], *args: Any, **named: Any) -> T:
        """Runs a call to its end."""

    # MARK: people

    def people(self) -> list[Person]:
        """All people, by name. For administrators and grown-ups with a Unix user of their own; for everyone in parent
        mode."""
        return self._do(self._core.people)

    def set_person(self, person: Person, present: Present | None = None, *, presents_itself: bool = False) -> Revision:
        """Puts a person on the list, or replaces everything about the person of this name except the password."""
        return self._do(self._core.set_person, person, wrapped(present), presents_itself=presents_itself)

    def remove_person(self, name: str, present: Present | None = None, *, presents_itself: bool = False) -> Revision:
        """Removes a person with their purchases and forms, and signs them out. Raises NOT_FOUND if nobody has this
        name."""
        return self._do(self._core.remove_person, name, wrapped(present), presents_itself=presents_itself)

    def register_person(self, person: Person, password: str | bytes) -> Revision:
        """Puts a grown-up, or a child with a date of birth, on the list, with a password of 4 to 128 bytes and without
        a Unix user. For administrators, and for everyone in parent mode."""
        return self._do(self._core.register_person, person, password)

    def change_password(self, name: str, old: str | bytes | None, new: str | bytes) -> Revision:
        """Gives a person another password, or a first one. Administrators may leave out the present password, `old`; in
        parent mode everyone may for a child without a Unix user."""
        return self._do(self._core.change_password, name, old, new)

    def confirm_person(self, person: Person, password: str | bytes) -> Revision:
        """Makes the age of an unconfirmed person count, and gives the person another password. For administrators."""
        return self._do(self._core.confirm_person, person, password)

    # MARK: gates

    def gates(self) -> list[GateRule]:
        """What stands before each gated action that the policy names, by name and without odds. For everyone."""
        return self._do(self._core.gates)

    def set_gate(
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
        """Changes what stands before a gated action, durably. `requirement` is in the notation of policy files:
        "{challenge: passcode}", or a kind of challenge alone. `keep`: for how many seconds a user is not asked again,
        a whole number. `only_checks`: changes nothing, and only tells what would change."""
        named: dict[str, Any] = {"keep": keep, "title": title, "only_checks": only_checks}
        named |= {"present": wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.set_gate, gated_action, requirement, **named)

    def unset_gate(
        self,
        gated_action: str,
        *,
        only_checks: bool = False,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> ChangedGate:
        """Takes back what was chosen with `set_gate`, so that the shipped defaults count again. Raises NOT_FOUND if
        nothing was chosen."""
        named: dict[str, Any] = {"only_checks": only_checks, "present": wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.unset_gate, gated_action, **named)

    def time_rules(self) -> list[TimeRule]:
        """All allowances, and then all schedules, with the gated actions that need them. For everyone."""
        return self._do(self._core.time_rules)

    def set_time_rule(
        self,
        kind: TimeRuleKind,
        name: str,
        notation: str,
        *,
        only_checks: bool = False,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> ChangedTimeRule:
        """Changes an allowance or a schedule, durably, as `set_gate` changes a gate. `notation` is that of policy
        files: "{mon-fri: 1h, sat-sun: 2h}" for an allowance, "{mon-fri: 15:00-19:00}" for a schedule."""
        named: dict[str, Any] = {"only_checks": only_checks, "present": wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.set_time_rule, kind, name, notation, **named)

    def unset_time_rule(
        self,
        kind: TimeRuleKind,
        name: str,
        *,
        only_checks: bool = False,
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> ChangedTimeRule:
        """Takes back what was chosen with `set_time_rule`. Raises FAILED_PRECONDITION while gated actions need it."""
        named: dict[str, Any] = {"only_checks": only_checks, "present": wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.unset_time_rule, kind, name, **named)

    # MARK: age ranges

    def age_range(self) -> AgeRange | None:
        """How old the person is who uses this program, as one of the device's ranges. None: nothing is told, and nobody
        learns why. Nobody is shown a question."""
        return self._do(self._core.age_range)

    def age_settings(self) -> AgeSettings:
        """Whether apps are told age ranges, and which. For administrators and grown-ups with a Unix user of their own;
        for everyone in parent mode."""
        return self._do(self._core.age_settings)

    def set_age_settings(
        self,
        is_on: bool,
        gates: Collection[int] = (),
        present: Present | None = None,
        *,
        presents_itself: bool = False,
    ) -> Revision:
        """Turns age ranges on or off, durably. `gates`: the ages at which a new range begins, one to three from 2 to
        25, ascending and at least two years apart; empty: they stay as they are."""
        return self._do(self._core.set_age_settings, is_on, gates, wrapped(present), presents_itself=presents_itself)

    def age_apps(self) -> list[AgeApp]:
        """The apps that have asked how old a person is or about which a grown-up has decided, for the same users as
        `age_settings`."""
        return self._do(self._core.age_apps)

    def set_age_choice(
        self,
        person: str,
        app: str,
        choice: AgeChoice,
        present: Present | None = None,
        *,
        presents_itself: bool = False,
    ) -> Revision:
        """Decides what an app is told about a person, durably. Raises NOT_FOUND if nobody on the list has this name."""
        named: dict[str, Any] = {"present": wrapped(present), "presents_itself": presents_itself}
        return self._do(self._core.set_age_choice, person, app, choice, **named)
