"""Forms as JSON: FHIR's Questionnaire and QuestionnaireResponse as dictionaries, with decimal numbers as
`decimal.Decimal`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Sequence

from . import answers, messages
from .answers import JSON, encoded, parsed
from .errors import Code, GateError
from .links import Face, Link

#: The most bytes of a document that one call uploads.
_PIECE = 48 << 10
#: Stands before the SHA-256 of a document, which has 64 hexadecimal digits.
DIGEST = "urn:sha256:"


@dataclass(frozen=True)
class FormChange:
    """What a change did: whether it changed anything, and the paths of the answers that were cleared with it."""

    is_changed: bool = False
    cleared: tuple[str, ...] = ()

    @classmethod
    def read(cls, message: messages.FormChange) -> FormChange:
        return cls(message.is_changed, tuple(message.cleared))


@dataclass(frozen=True)
class Suggestion:
    """Suggested answers to the question at `path`, which wait because it has other answers. `answers` is None while a
    program is still fetching them, until the deadline (nanoseconds of CLOCK_BOOTTIME) at the latest."""

    path: str
    answers: tuple[JSON, ...] | None
    deadline: int | None = None


class FormDraft:
    """A form that is being filled in. `response` holds the items that are to be asked now, and no others.

    Each change names the revision of the draft that was seen last. If somebody else has changed the draft since, it
    raises ABORTED (CHANGED_MEANWHILE); then `read` it again.
    """

    def __init__(self, face: Face, link: Link | None, target: JSON, draft: Any) -> None:
        self._face = face
        self._link = link  # the connection to which the presentation is bound; None: any connection
        self._target = target
        self._questionnaire: JSON | None = None
        #: The result of this program's last change.
        self.change = FormChange()
        self._take(draft)

    @classmethod
    async def opened(cls, face: Face, link: Link | None, target: JSON, options: JSON, method: str = "OpenForm") -> FormDraft:
        """Opens a draft with a method of Questionnaires: OpenForm or ReadForm."""
        where = link or await face.connected()
        response = await where.call(f"Questionnaires/{method}", {"target": target, **options}, face.timeout)
        return cls(face, link, {**target, "draft_id": response.draft.summary.draft_id}, response.draft)

    @property
    def name(self) -> str:
        return str(self._target["name"])

    @property
    def number(self) -> int:
        """The number of the draft; 0 for the draft that is opened if none is named."""
        return int(self._target["draft_id"])

    # MARK: reading

    def items(self) -> list[JSON]:
        """The enabled items, in order. The items of a group follow the group. Each has its `linkId`."""
        found: list[JSON] = []

        def walk(items: Sequence[JSON]) -> None:
            for item in items:
                found.append(item)
                walk(item.get("item", []))
                for answer in item.get("answer", []):
                    walk(answer.get("item", []))

        walk(self.response.get("item", []))
        return found

    def answers(self, path: str) -> list[JSON]:
        """The answers to a question, for example "driver[1]/driver-name", as they were last seen. `text_of` writes one
        for people."""
        nodes: list[JSON] = [self.response]
        for step in path.split("/"):
            parts = re.fullmatch(r"([^\[\]]+)(?:\[([0-9]{1,4})\])?", step)
            found = [item for node in nodes for item in _matching(node, parts[1])] if parts else []
            nodes = found[int(parts[2]) :][:1] if parts and parts[2] else found
        return [answer for node in nodes for answer in node.get("answer", [])]

    async def read(self) -> JSON:
        """Reads the draft, and returns its response."""
        self._take((await self._call("ReadForm")).draft)
        return self.response

    async def questionnaire(self) -> JSON:
        """The form as it was written. The daemon is asked for it only once."""
        if self._questionnaire is None:
            fields = {"name": self.name, "cookie": self._target.get("cookie", b"")}
            response = await (await self._where()).call("Questionnaires/GetQuestionnaire", fields, self._face.timeout)
            self._questionnaire = dict(parsed(response.questionnaire))
        return self._questionnaire

    async def validate(self) -> JSON:
        """The faults that the draft would have if it were completed, as FHIR's OperationOutcome."""
        return dict(parsed((await self._call("ValidateForm")).outcome))

    # MARK: answering

    async def typed(self, path: str, *texts: str) -> list[JSON]:
        """The answers that a person means by these texts, for `set`:

        `await draft.set(path, *await draft.typed(path, "75 kW"))`
        """
        questionnaire = await self.questionnaire()
        answers.item_at(questionnaire, path)
        return [answers.typed(questionnaire, path, text) for text in texts]

    async def set(self, path: str, *values: Any) -> JSON:
        """Sets all answers to a question, and returns the new response. Without values, it clears the question.

        A value is written as in FHIR: `{"valueString": "Pippi"}`. A plain bool, int, Decimal or str also serves for a
        boolean, an integer, a decimal, or a string or text.
        """
        await self._change("SetAnswer", path=path, answers=encoded([_answer(value) for value in values]))
        return await self.read()

    async def suggest(self, path: str, *values: Any) -> JSON:
        """Answers a question that has no answer, for example with what a server knows. If there is another answer, the
        suggestion waits in `pending`.

        Without values, it withdraws a suggestion that waits or was announced.
        """
        await self._change("SuggestAnswer", path=path, answers=encoded([_answer(value) for value in values]))
        return await self.read()

    async def announce(self, path: str, seconds: float) -> JSON:
        """Announces that the answers to a question are being fetched, for a minute at most. `suggest` ends the
        announcement, and so does closing the client."""
        await self._change("SuggestAnswer", path=path, pending_milliseconds=round(seconds * 1000))
        return await self.read()

    async def attach(self, path: str, content: bytes, media_type: str, title: str = "") -> JSON:
        """Answers a question with a document of at most 3 MiB. It replaces the answer, or is added to the answers if
        the question takes several."""
        item = answers.item_at(await self.questionnaire(), path)
        # A document that no answer names is forgotten when the connection ends.
        url = await uploaded(await self._where(), content, self._face.timeout)
        attachment = {"contentType": media_type, "url": url, "size": len(content)} | ({"title": title} if title else {})
        there = self.answers(path) if item.get("repeats") else []
        return await self.set(path, *there, {"valueAttachment": attachment})

    async def remove(self, path: str) -> JSON:
        """Removes one instance of a repeating group, for example "driver[1]". Later instances move up; the last one
        left is only emptied."""
        await self._change("RemoveGroup", path=path)
        return await self.read()

    # MARK: all answers at once

    async def fill(self, response: JSON) -> JSON:
        """Replaces all answers with those of a QuestionnaireResponse, or changes nothing."""
        await self._change("FillForm", response=encoded(response))
        return await self.read()

    async def reset(self) -> JSON:
        """Restores the initial values, and clears everything else."""
        await self._change("ResetForm")
        return await self.read()

    async def load(self, number: int = 0) -> JSON:
        """Replaces all answers with those of a kept response, as far as they still fit; 0: the newest completed
        response."""
        await self._change("LoadForm", response_id=number)
        return await self.read()

    async def take(self, path: str, *parts: int) -> JSON:
        """Takes parts, given by their numbers, into an item of the same `definition`: one part, or several if the item
        repeats."""
        await self._change("TakeParts", path=path, part_ids=parts)
        return await self.read()

    # MARK: keeping

    async def complete(self) -> int:
        """Completes the form, and returns the number of the response. Raises FAILED_PRECONDITION (INCOMPLETE) if
        answers are missing; its `issues` say which."""
        return int((await self._call("CompleteForm", at_revision=self.revision)).response_id)

    async def save(self) -> int:
        """Keeps the draft as a response in progress, and returns the number of the response."""
        return int((await self._call("SaveForm")).response_id)

    async def save_part(self, path: str, label: str = "", *, over: int = 0) -> int:
        """Keeps the answers at an item that has a `definition` as a part, for use in other forms. Returns the number of
        the part.

        `over`: the part that is replaced.
        """
        return int((await self._call("SavePart", path=path, label=label, part_id=over)).part_id)

    async def set_label(self, label: str) -> None:
        """Gives the draft a label by which people tell it from others; "": its answers make the label again."""
        await self._call("LabelDraft", label=label)
        self.label = label

    async def discard(self) -> None:
        await self._call("DiscardForm")

    # MARK: what was seen

    def _take(self, draft: Any) -> None:
        self.revision = int(draft.summary.revision)
        self.label = str(draft.summary.label)
        #: The draft's QuestionnaireResponse.
        self.response: JSON = parsed(draft.response)
        #: The suggestions that wait beside answers, and those that are being fetched.
        self.pending = [
            Suggestion(
                one.path, tuple(parsed(one.answers)) if one.answers else None, one.deadline_boottime_nanoseconds or None
            )
            for one in draft.pending
        ]

    async def _change(self, method: str, **fields: Any) -> None:
        change = (await self._call(method, at_revision=self.revision, **fields)).change
        self.revision = int(change.summary.revision)
        self.change = FormChange.read(change)

    async def _call(self, method: str, **fields: Any) -> Any:
        where = await self._where()
        return await where.call(f"Questionnaires/{method}", {"target": self._target, **fields}, self._face.timeout)

    async def _where(self) -> Link:
        return self._link or await self._face.connected()


async def uploaded(link: Link, content: bytes, timeout: float | None) -> str:
    """Uploads a document in pieces, and returns the `url` by which an answer names it."""
    number, digest = 0, ""
    for start in range(0, max(len(content), 1), _PIECE):
        piece, is_last = content[start : start + _PIECE], start + _PIECE >= len(content)
        fields = {"upload_id": number, "piece": piece, "is_last": is_last}
        response = await link.call("Questionnaires/Upload", fields, timeout)
        number, digest = response.upload_id, response.digest
    if not digest:
        raise GateError(Code.INTERNAL, "The daemon took a document but did not name it. Are gated and this program of the same version?")
    return DIGEST + digest


def _matching(node: JSON, link_id: str) -> list[JSON]:
    """The items with this linkId in a node, also those in groups that paths do not name."""
    found: list[JSON] = []
    for item in [*node.get("item", []), *(inner for one in node.get("answer", []) for inner in one.get("item", []))]:
        found += [item] if item.get("linkId") == link_id else _matching(item, link_id)
    return found


def _answer(value: Any) -> JSON:
    match value:
        case dict():
            return value
        case bool():
            return {"valueBoolean": value}
        case int():
            return {"valueInteger": value}
        case Decimal():
            return {"valueDecimal": value}
        case str():
            return {"valueString": value}
    raise TypeError(f"write {value!r} as FHIR does, like {{'valueDecimal': Decimal('1.5')}}")
