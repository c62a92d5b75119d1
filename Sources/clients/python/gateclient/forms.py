"""Forms as JSON: FHIR's Questionnaire and QuestionnaireResponse as dictionaries. Decimal numbers in them are `decimal.Decimal`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Sequence

from . import answers, messages
from .answers import JSON, encoded, parsed
from .errors import Code, GateError
from .links import Face, Link

#: As many bytes of a document go in one call.
_PIECE = 48 << 10
#: Before the SHA-256 of a document, in 64 hexadecimal digits.
DIGEST = "urn:sha256:"


@dataclass(frozen=True)
class FormChange:
    """The result of a change: whether anything is other than before, and the paths of the answers that were cleared with it."""

    is_changed: bool = False
    cleared: tuple[str, ...] = ()

    @classmethod
    def read(cls, message: messages.FormChange) -> FormChange:
        """Reads a message."""
        return cls(message.is_changed, tuple(message.cleared))


@dataclass(frozen=True)
class Suggestion:
    """Answers that wait beside others, or are being fetched. Then they are None, until the deadline (nanoseconds of
    CLOCK_BOOTTIME) at most."""

    path: str
    answers: tuple[JSON, ...] | None
    deadline: int | None = None


class FormDraft:
    """A form that is being filled in. Its items say what is to be asked now; what is not in `response` is not.

    Each change names the revision that was seen. ABORTED (CHANGED_MEANWHILE): somebody else was quicker, so `read` it again.
    """

    def __init__(self, face: Face, link: Link | None, target: JSON, draft: Any) -> None:
        self._face = face
        self._link = link  # that the presentation is bound to; None: any
        self._target = target
        self._questionnaire: JSON | None = None
        #: The result of the last change that this program has made.
        self.change = FormChange()
        self._take(draft)

    @classmethod
    async def opened(cls, face: Face, link: Link | None, target: JSON, options: JSON, method: str = "OpenForm") -> FormDraft:
        """Opens a draft."""
        where = link or await face.connected()
        response = await where.call(f"Questionnaires/{method}", {"target": target, **options}, face.timeout)
        return cls(face, link, {**target, "draft_id": response.draft.summary.draft_id}, response.draft)

    @property
    def name(self) -> str:
        """The name of the form."""
        return str(self._target["name"])

    @property
    def number(self) -> int:
        """The number of the draft; 0: the one that is opened when none is named."""
        return int(self._target["draft_id"])

    # MARK: reading

    def items(self) -> list[JSON]:
        """The items that are enabled, in order, those of groups behind their group; each has its `linkId`."""
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
        """The answers to one question, like "driver[1]/driver-name", as they were seen last. `text_of` tells each as people read
        it."""
        nodes: list[JSON] = [self.response]
        for step in path.split("/"):
            parts = re.fullmatch(r"([^\[\]]+)(?:\[([0-9]{1,4})\])?", step)
            found = [item for node in nodes for item in _matching(node, parts[1])] if parts else []
            nodes = found[int(parts[2]) :][:1] if parts and parts[2] else found
        return [answer for node in nodes for answer in node.get("answer", [])]

    async def read(self) -> JSON:
        """Reads the draft as it is now, and returns the response."""
        self._take((await self._call("ReadForm")).draft)
        return self.response

    async def questionnaire(self) -> JSON:
        """The form as it was written. Asked for once."""
        if self._questionnaire is None:
            fields = {"name": self.name, "cookie": self._target.get("cookie", b"")}
            response = await (await self._where()).call("Questionnaires/GetQuestionnaire", fields, self._face.timeout)
            self._questionnaire = dict(parsed(response.questionnaire))
        return self._questionnaire

    async def validate(self) -> JSON:
        """The faults that the draft would have if it were completed: FHIR's OperationOutcome."""
        return dict(parsed((await self._call("ValidateForm")).outcome))

    # MARK: answering

    async def typed(self, path: str, *texts: str) -> list[JSON]:
        """The answers that a person means who has typed these texts: `await draft.set(path, *await draft.typed(path, "75 kW"))`."""
        questionnaire = await self.questionnaire()
        answers.item_at(questionnaire, path)
        return [answers.typed(questionnaire, path, text) for text in texts]

    async def set(self, path: str, *values: Any) -> JSON:
        """Sets all answers of one question, and returns the response as it is then. Without values: clears it.

        A value is FHIR's: `{"valueString": "Pippi"}`. For bool, int, Decimal and str, the plain Python value will do for a boolean,
        an integer, a decimal, and a string or text.
        """
        await self._change("SetAnswer", path=path, answers=encoded([_answer(value) for value in values]))
        return await self.read()

    async def suggest(self, path: str, *values: Any) -> JSON:
        """Answers a question where nothing is answered: for what a server knows. Beside another answer it waits, in `pending`.

        Without values: takes back what waits, or was announced."""
        await self._change("SuggestAnswer", path=path, answers=encoded([_answer(value) for value in values]))
        return await self.read()

    async def announce(self, path: str, seconds: float) -> JSON:
        """Says that the answers to a question are being fetched, for a minute at most. `suggest` ends it, and so does closing the
        client."""
        await self._change("SuggestAnswer", path=path, pending_milliseconds=round(seconds * 1000))
        return await self.read()

    async def attach(self, path: str, content: bytes, media_type: str, title: str = "") -> JSON:
        """Answers a question with a document of at most 3 MiB: in place of the one that is there, or behind those that are, where
        the question takes several."""
        item = answers.item_at(await self.questionnaire(), path)
        # A document that no answer names is forgotten with the connection.
        url = await uploaded(await self._where(), content, self._face.timeout)
        attachment = {"contentType": media_type, "url": url, "size": len(content)} | ({"title": title} if title else {})
        there = self.answers(path) if item.get("repeats") else []
        return await self.set(path, *there, {"valueAttachment": attachment})

    async def remove(self, path: str) -> JSON:
        """Removes one of several groups, like "driver[1]". Those behind it move up; the last one left is emptied."""
        await self._change("RemoveGroup", path=path)
        return await self.read()

    # MARK: all answers at once

    async def fill(self, response: JSON) -> JSON:
        """Puts a QuestionnaireResponse in place of all answers, or changes nothing."""
        await self._change("FillForm", response=encoded(response))
        return await self.read()

    async def reset(self) -> JSON:
        """Restores the initial values, and clears the rest."""
        await self._change("ResetForm")
        return await self.read()

    async def load(self, number: int = 0) -> JSON:
        """Puts a response that was kept in place of all answers, as far as it still fits; 0: the newest that was completed."""
        await self._change("LoadForm", response_id=number)
        return await self.read()

    async def take(self, path: str, *parts: int) -> JSON:
        """Takes parts, by their numbers, into an item of the same `definition`: one, or several where it repeats."""
        await self._change("TakeParts", path=path, part_ids=parts)
        return await self.read()

    # MARK: keeping

    async def complete(self) -> int:
        """Completes the form, and returns the number of the response. FAILED_PRECONDITION (INCOMPLETE): `issues` say what lacks."""
        return int((await self._call("CompleteForm", at_revision=self.revision)).response_id)

    async def save(self) -> int:
        """Keeps the draft as a response in progress, and returns its number."""
        return int((await self._call("SaveForm")).response_id)

    async def save_part(self, path: str, label: str = "", *, over: int = 0) -> int:
        """Keeps the answers at an item that has a `definition` as a part, for other forms, and returns its number.

        `over`: the part in whose place it is kept."""
        return int((await self._call("SavePart", path=path, label=label, part_id=over)).part_id)

    async def set_label(self, label: str) -> None:
        """Gives the draft a label, for people to tell it from others; "": its answers make one again."""
        await self._call("LabelDraft", label=label)
        self.label = label

    async def discard(self) -> None:
        """Throws the draft away."""
        await self._call("DiscardForm")

    # MARK: what was seen

    def _take(self, draft: Any) -> None:
        self.revision = int(draft.summary.revision)
        self.label = str(draft.summary.label)
        #: The QuestionnaireResponse.
        self.response: JSON = parsed(draft.response)
        #: The answers that wait beside others, and those that are being fetched.
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
        raise GateError(Code.INTERNAL, "The daemon took a document and did not name it.")
    return DIGEST + digest


def _matching(node: JSON, link_id: str) -> list[JSON]:
    """The items of this linkId in a node, through groups that are not named in paths."""
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
