"""Forms and release notes in the plain client: calls that block."""

from __future__ import annotations

import abc
from typing import Any, Callable, Coroutine, Iterable, TypeVar

from . import messages
from .answers import JSON
from .blocking import BlockingCalls, run
from .forms import FormChange, FormDraft as _FormDraft, Suggestion

T = TypeVar("T")
Notes = Iterable["messages.WhatsNew | dict[str, Any]"]


class FormDraft:
    """A form that is being filled in; see `gateclient.forms.FormDraft`."""

    def __init__(self, core: _FormDraft) -> None:
        self._core = core

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def number(self) -> int:
        """The number of the draft; 0 for the draft that is opened if none is named."""
        return self._core.number

    @property
    def response(self) -> JSON:
        """The draft's QuestionnaireResponse."""
        return self._core.response

    @property
    def revision(self) -> int:
        """The revision of the draft that was seen last. The next change is made to this revision."""
        return self._core.revision

    @revision.setter
    def revision(self, revision: int) -> None:
        self._core.revision = revision

    @property
    def label(self) -> str:
        """The text by which people tell the draft from others."""
        return self._core.label

    @property
    def pending(self) -> list[Suggestion]:
        """The suggestions that wait beside answers, and those that are being fetched."""
        return self._core.pending

    @property
    def change(self) -> FormChange:
        """The result of this program's last change."""
        return self._core.change

    def items(self) -> list[JSON]:
        """The enabled items, in order."""
        return self._core.items()

    def answers(self, path: str) -> list[JSON]:
        """The answers to a question, for example "driver[1]/driver-name", as they were last seen."""
        return self._core.answers(path)

    def read(self) -> JSON:
        """Reads the draft, and returns its response."""
        return run(self._core.read())

    def questionnaire(self) -> JSON:
        """The form as it was written. The daemon is asked for it only once."""
        return run(self._core.questionnaire())

    def validate(self) -> JSON:
        """The faults that the draft would have if it were completed, as FHIR's OperationOutcome."""
        return run(self._core.validate())

    def typed(self, path: str, *texts: str) -> list[JSON]:
        """The answers that a person means by these texts: `draft.set(path, *draft.typed(path, "75 kW"))`."""
        return run(self._core.typed(path, *texts))

    def set(self, path: str, *values: Any) -> JSON:
        """Sets all answers to a question, and returns the new response. Without values, it clears the question."""
        return run(self._core.set(path, *values))

    def suggest(self, path: str, *values: Any) -> JSON:
        """Answers a question that has no answer. Without values, it withdraws a suggestion that waits or was
        announced."""
        return run(self._core.suggest(path, *values))

    def announce(self, path: str, seconds: float) -> JSON:
        """Announces that the answers to a question are being fetched, for a minute at most."""
        return run(self._core.announce(path, seconds))

    def attach(self, path: str, content: bytes, media_type: str, title: str = "") -> JSON:
        """Answers a question with a document of at most 3 MiB."""
        return run(self._core.attach(path, content, media_type, title))

    def remove(self, path: str) -> JSON:
        """Removes one instance of a repeating group, for example "driver[1]"."""
        return run(self._core.remove(path))

    def fill(self, response: JSON) -> JSON:
        """Replaces all answers with those of a QuestionnaireResponse, or changes nothing."""
        return run(self._core.fill(response))

    def reset(self) -> JSON:
        """Restores the initial values, and clears everything else."""
        return run(self._core.reset())

    def load(self, number: int = 0) -> JSON:
        """Replaces all answers with those of a kept response; 0: the newest completed response."""
        return run(self._core.load(number))

    def take(self, path: str, *parts: int) -> JSON:
        """Takes parts, given by their numbers, into an item of the same `definition`."""
        return run(self._core.take(path, *parts))

    def complete(self) -> int:
        """Completes the form, and returns the number of the response."""
        return run(self._core.complete())

    def save(self) -> int:
        """Keeps the draft as a response in progress, and returns the number of the response."""
        return run(self._core.save())

    def save_part(self, path: str, label: str = "", *, over: int = 0) -> int:
        """Keeps the answers at an item as a part, for use in other forms. Returns the number of the part."""
        return run(self._core.save_part(path, label, over=over))

    def set_label(self, label: str) -> None:
        """Gives the draft a label; "": its answers make the label again."""
        run(self._core.set_label(label))

    def discard(self) -> None:
        run(self._core.discard())


class PlainForms(abc.ABC):
    """The calls about forms and release notes."""

    _core: BlockingCalls

    @abc.abstractmethod
    def _do(self, call: Callable[..., Coroutine[Any, Any, T]], *args: Any, **named: Any) -> T:
        """Runs a call to its end."""

    # MARK: forms

    def forms(self) -> list[messages.ListedQuestionnaire]:
        """The forms of the device, and those that apps of this user have brought, sorted by name."""
        return self._do(self._core.forms)

    def questionnaire(self, name: str) -> JSON:
        """A form as it was written: FHIR's Questionnaire."""
        return self._do(self._core.questionnaire, name)

    def open_form(
        self,
        name: str,
        *,
        draft: int = 0,
        begins_another: bool = False,
        label: str = "",
        bringing: JSON | None = None,
    ) -> FormDraft:
        """Opens a draft of a form, or begins one. `bringing`: a Questionnaire of the app's own."""
        named = {"draft": draft, "begins_another": begins_another, "label": label, "bringing": bringing}
        return FormDraft(self._do(self._core.open_form, name, **named))

    def read_form(self, name: str, *, draft: int = 0) -> FormDraft:
        """Reads an existing draft, and begins none."""
        return FormDraft(self._do(self._core.read_form, name, draft=draft))

    def load_form(self, name: str, number: int = 0, *, draft: int = 0) -> FormDraft:
        """Opens a draft, and replaces its answers with those of a kept response; 0: the newest completed response."""
        return FormDraft(self._do(self._core.load_form, name, number, draft=draft))

    def drafts(self, name: str = "") -> list[messages.FormSummary]:
        """The drafts of this person, of one form or of all."""
        return self._do(self._core.drafts, name)

    def request_form(self, name: str, *, bringing: JSON | None = None) -> int:
        """Asks a person to fill in a form, which a presenter of the device shows, and waits until it is completed.
        Returns the number of the response."""
        return self._do(self._core.request_form, name, bringing=bringing)

    def validate(self, name: str, response: JSON) -> JSON:
        """The faults that a response would have if it were completed, as FHIR's OperationOutcome."""
        return self._do(self._core.validate, name, response)

    def responses(self, name: str = "") -> list[messages.ResponseSummary]:
        """The kept responses, the oldest first."""
        return self._do(self._core.responses, name)

    def response(self, number: int) -> JSON:
        """A kept response, as FHIR's QuestionnaireResponse."""
        return self._do(self._core.response, number)

    def withdraw_response(self, number: int) -> None:
        """Withdraws a completed response, which then counts no more. Deletes a saved one."""
        self._do(self._core.withdraw_response, number)

    def parts(self, definition: str = "") -> list[messages.PartSummary]:
        """The answers that forms share, the oldest first: those with this `definition`, or all."""
        return self._do(self._core.parts, definition)

    def part(self, number: int) -> JSON:
        """The answers of a part, as a QuestionnaireResponse."""
        return self._do(self._core.part, number)

    def label_part(self, number: int, label: str) -> None:
        """Gives a part another label; "": its answers make the label."""
        self._do(self._core.label_part, number, label)

    def remove_part(self, number: int) -> None:
        """Removes a part. Answers that were taken from it remain."""
        self._do(self._core.remove_part, number)

    def upload(self, content: bytes) -> str:
        """Uploads a document of at most 3 MiB, and returns the `url` by which an answer names it. `FormDraft.attach`
        uploads and answers in one step."""
        return self._do(self._core.upload, content)

    def download(self, url: str) -> bytes:
        """The bytes of a document, given the `url` of its attachment."""
        return self._do(self._core.download, url)

    # MARK: news

    def unseen_news(self, app: str, version: str, *, notes: Notes = ()) -> messages.WhatsNew | None:
        """The news that `show_whats_new` would show, without showing them; None if there are none."""
        return self._do(self._core.unseen_news, app, version, notes=notes)

    def acknowledge_news(self, app: str, version: str, *, notes: Notes = ()) -> None:
        """Marks as seen what `show_whats_new` would show."""
        self._do(self._core.acknowledge_news, app, version, notes=notes)

    def news(self) -> list[messages.ListedReleaseNotes]:
        """The apps of which the device has news, and what this person has seen of them."""
        return self._do(self._core.news)

    def forget_news(self, app: str = "") -> int:
        """Marks the news of an app, or of all apps, as not seen. Returns how many had been seen."""
        return self._do(self._core.forget_news, app)
