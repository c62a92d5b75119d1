"""Calls about forms and release notes, written once for both clients."""

from __future__ import annotations

import enum
import inspect
from typing import Any, Awaitable, Iterable

from . import messages
from .answers import JSON, encoded, parsed
from .asking import Asking, Present
from .errors import Code, GateError
from .forms import DIGEST, FormChange, FormDraft, uploaded
from .questions import Completion


class WhatsNewOutcome(enum.Enum):
    """How the news of an app were shown."""

    NOTHING_NEW = "nothing new"
    SHOWN = "shown"
    #: Shown, and the person pressed the second button, for example "Learn more".
    SECONDARY_CHOSEN = "secondary chosen"


class FormCalls(Asking):
    """Forms, responses, parts, documents and news. Each call raises GateError."""

    # MARK: forms

    async def forms(self) -> list[messages.ListedQuestionnaire]:
        """The forms of the device, and those that apps of this user have brought, sorted by name."""
        return await self._all("Questionnaires/ListQuestionnaires", "questionnaires")

    async def questionnaire(self, name: str) -> JSON:
        """A form as it was written: FHIR's Questionnaire."""
        return dict(parsed((await self._call("Questionnaires/GetQuestionnaire", name=name)).questionnaire))

    async def open_form(
        self,
        name: str,
        *,
        draft: int = 0,
        begins_another: bool = False,
        label: str = "",
        bringing: JSON | None = None,
    ) -> FormDraft:
        """Opens a draft of a form, or begins one.

        `bringing`: a Questionnaire of the app's own, for a device that has no form of this name. People are told that
        the app has written it.
        """
        options: JSON = {"begins_another": begins_another, "label": label}
        if bringing is not None:
            options["questionnaire"] = encoded(bringing)
        return await FormDraft.opened(self, None, {"name": name, "draft_id": draft}, options)

    async def read_form(self, name: str, *, draft: int = 0) -> FormDraft:
        """Reads an existing draft. Raises NOT_FOUND, and begins none, if nobody is filling in the form."""
        return await FormDraft.opened(self, None, {"name": name, "draft_id": draft}, {}, "ReadForm")

    async def load_form(self, name: str, number: int = 0, *, draft: int = 0) -> FormDraft:
        """Opens a draft, and replaces its answers with those of a kept response, as far as they still fit.

        Number 0 means the newest completed response. If there is no such response, nothing is opened.
        """
        target = {"name": name, "draft_id": draft}
        response = await self._call("Questionnaires/LoadForm", target=target, response_id=number)
        opened = await FormDraft.opened(self, None, target, {}, "ReadForm")
        opened.change = FormChange.read(response.change)
        return opened

    async def drafts(self, name: str = "") -> list[messages.FormSummary]:
        """The drafts of this person, of one form or of all; for administrators, the drafts of everybody."""
        return await self._all("Questionnaires/ListDrafts", "drafts", name=name)

    async def request_form(self, name: str, *, bringing: JSON | None = None) -> int:
        """Asks a person to fill in a form, which a presenter of the device shows, and waits until it is completed.
        Returns the number of the response."""
        fields: dict[str, Any] = {"name": name} if bringing is None else {"name": name, "questionnaire": encoded(bringing)}
        return int((await self.call("Questionnaires/RequestForm", fields, None)).response_id)

    async def validate(self, name: str, response: JSON) -> JSON:
        """The faults that a response would have if it were completed, as FHIR's OperationOutcome. Changes nothing."""
        fields = {"target": {"name": name}, "response": encoded(response)}
        return dict(parsed((await self._call("Questionnaires/ValidateForm", **fields)).outcome))

    # MARK: responses

    async def responses(self, name: str = "") -> list[messages.ResponseSummary]:
        """The kept responses to one form or to all, the oldest first; for administrators, the responses of
        everybody."""
        return await self._all("Questionnaires/ListResponses", "responses", name=name)

    async def response(self, number: int) -> JSON:
        """A kept response, as FHIR's QuestionnaireResponse."""
        return dict(parsed((await self._call("Questionnaires/GetResponse", response_id=number)).response))

    async def withdraw_response(self, number: int) -> None:
        """Withdraws a completed response, which is kept, but counts no more. Deletes a saved one."""
        await self._call("Questionnaires/WithdrawResponse", response_id=number)

    # MARK: parts

    async def parts(self, definition: str = "") -> list[messages.PartSummary]:
        """The answers that forms share, the oldest first: those with this `definition`, or all."""
        return await self._all("Questionnaires/ListParts", "parts", definition=definition)

    async def part(self, number: int) -> JSON:
        """The answers of a part, as a QuestionnaireResponse."""
        return dict(parsed((await self._call("Questionnaires/GetPart", part_id=number)).response))

    async def label_part(self, number: int, label: str) -> None:
        """Gives a part another label; "": its answers make the label."""
        await self._call("Questionnaires/LabelPart", part_id=number, label=label)

    async def remove_part(self, number: int) -> None:
        """Removes a part. Answers that were taken from it remain."""
        await self._call("Questionnaires/RemovePart", part_id=number)

    # MARK: documents

    async def upload(self, content: bytes) -> str:
        """Uploads a document of at most 3 MiB, and returns the `url` by which an attachment names it. A document that
        no answer names is forgotten when the connection ends. `FormDraft.attach` uploads and answers in one step."""
        return await uploaded(await self.connected(), content, self.timeout)

    async def download(self, url: str) -> bytes:
        """The bytes of a document, given the `url` of its attachment."""
        content, digest = b"", url.removeprefix(DIGEST)
        while True:
            response = await self._call("Questionnaires/Download", digest=digest, offset=len(content))
            content += response.piece
            if len(content) >= response.byte_count:
                return content
            if not response.piece:
                raise GateError(Code.INTERNAL, "The daemon sent only a part of the document. Fetch it again.")

    # MARK: news

    async def show_whats_new(
        self,
        app: str,
        version: str,
        *,
        notes: Iterable[messages.WhatsNew | dict[str, Any]] = (),
        present: Present | None = None,
        presents_itself: bool = False,
    ) -> WhatsNewOutcome:
        """Shows what is new in this version, at most once to each person, and waits until it is closed. It then counts
        as seen, however it was closed. `notes`: the app's own release notes, for a device that has none for this
        app."""
        choice = _Choice(present)
        fields = {"app": app, "version": version, "notes": list(notes)}
        show = None if present is None else choice.show
        try:
            outcome: WhatsNewOutcome = await self._asked(
                "ReleaseNotes/ShowReleaseNotes", fields, show, presents_itself, _outcome_of
            )
        except GateError as error:
            # If this program has shown the notes, closing them without a button counts as seen, too.
            if error.reason != "DISMISSED" or not choice.is_made:
                raise
            return WhatsNewOutcome.SHOWN
        return WhatsNewOutcome.SECONDARY_CHOSEN if choice.is_secondary else outcome

    async def unseen_news(
        self, app: str, version: str, *, notes: Iterable[messages.WhatsNew | dict[str, Any]] = ()
    ) -> messages.WhatsNew | None:
        """The news that `show_whats_new` would show, without showing them; None if there are none."""
        fields = {"app": app, "version": version, "notes": list(notes)}
        response = await self._call("ReleaseNotes/GetReleaseNotes", **fields)
        return response.entry if response.HasField("entry") else None

    async def acknowledge_news(
        self, app: str, version: str, *, notes: Iterable[messages.WhatsNew | dict[str, Any]] = ()
    ) -> None:
        """Marks as seen what `show_whats_new` would show."""
        await self._call("ReleaseNotes/AcknowledgeReleaseNotes", app=app, version=version, notes=list(notes))

    async def news(self) -> list[messages.ListedReleaseNotes]:
        """The apps of which the device has news, and what this person has seen of them."""
        return await self._all("ReleaseNotes/ListReleaseNotes", "apps")

    async def forget_news(self, app: str = "") -> int:
        """Marks the news of an app, or of all apps, as not seen. Returns how many had been seen."""
        return int((await self._call("ReleaseNotes/ResetReleaseNotes", app=app)).count)


class _Choice:
    """Remembers the last choice of the person to whom this program shows news."""

    def __init__(self, present: Present | None) -> None:
        self._present = present
        self.is_made = False
        self.is_secondary = False

    def show(self, question: Any) -> Any:
        """Shows the news: at once in the plain client, as a coroutine in the asyncio client."""
        assert self._present is not None
        answer = self._present(question)
        if inspect.isawaitable(answer):
            return self._awaited(answer)
        return self._made(answer)

    async def _awaited(self, answer: Awaitable[Any]) -> Any:
        return self._made(await answer)

    def _made(self, answer: Any) -> Any:
        self.is_made = True
        secondary = messages.Acknowledged.ACTION_SECONDARY
        self.is_secondary = isinstance(answer, messages.Acknowledged) and answer.action == secondary
        return answer


def _outcome_of(result: Any) -> WhatsNewOutcome:
    """An outcome that this version does not know reads as SHOWN, which opens nothing."""
    if isinstance(result, Completion):
        return WhatsNewOutcome.SHOWN
    known = {
        messages.WhatsNewOutcome.WHATS_NEW_OUTCOME_NOTHING_NEW: WhatsNewOutcome.NOTHING_NEW,
        messages.WhatsNewOutcome.WHATS_NEW_OUTCOME_SECONDARY_CHOSEN: WhatsNewOutcome.SECONDARY_CHOSEN,
    }
    return known.get(result.outcome, WhatsNewOutcome.SHOWN)
