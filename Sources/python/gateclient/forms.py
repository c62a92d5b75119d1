"""Forms as JSON: FHIR's Questionnaire and QuestionnaireResponse as dictionaries."""

from __future__ import annotations

import json
from typing import Any, Sequence

from .errors import unreadable
from .links import Face, Link

JSON = dict[str, Any]


def parsed(data: bytes) -> Any:
    """The JSON that the daemon sent."""
    try:
        return json.loads(data)
    except ValueError as error:
        raise unreadable("no JSON") from error


class FormDraft:
    """A form that is being filled in. Its items say what is to be asked now; what is not in `response` is not.

    Each change names the revision that was seen. ABORTED (CHANGED_MEANWHILE): somebody else was quicker, so `read` it again.
    """

    def __init__(self, face: Face, link: Link | None, target: JSON, draft: Any) -> None:
        self._face = face
        self._link = link  # that the presentation is bound to; None: any
        self._target = target
        self._take(draft)

    @classmethod
    async def opened(cls, face: Face, link: Link | None, target: JSON, options: JSON) -> FormDraft:
        """Opens a draft."""
        where = link or await face.connected()
        response = await where.call("Questionnaires/OpenForm", {"target": target, **options}, face.timeout)
        return cls(face, link, {**target, "draft_id": response.draft.summary.draft_id}, response.draft)

    @property
    def name(self) -> str:
        """The name of the form."""
        return str(self._target["name"])

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

    async def read(self) -> JSON:
        """Reads the draft as it is now, and returns the response."""
        self._take((await self._call("ReadForm")).draft)
        return self.response

    async def set(self, path: str, *values: Any) -> JSON:
        """Sets all answers of one question, and returns the response as it is then. Without values: clears it.

        A value is FHIR's: `{"valueString": "Pippi"}`. For bool, int and str, the plain Python value will do for a boolean, an
        integer, and a string or text.
        """
        answers = json.dumps([_answer(value) for value in values]).encode()
        await self._change("SetAnswer", path=path, answers=answers)
        return await self.read()

    async def reset(self) -> JSON:
        """Clears all answers."""
        await self._change("ResetForm")
        return await self.read()

    async def complete(self) -> int:
        """Completes the form, and returns the number of the response. FAILED_PRECONDITION (INCOMPLETE): `issues` say what lacks."""
        return int((await self._call("CompleteForm", at_revision=self.revision)).response_id)

    async def save(self) -> int:
        """Keeps the draft as a response in progress, and returns its number."""
        return int((await self._call("SaveForm")).response_id)

    async def discard(self) -> None:
        """Throws the draft away."""
        await self._call("DiscardForm")

    def _take(self, draft: Any) -> None:
        self.revision = int(draft.summary.revision)
        self.label = str(draft.summary.label)
        #: The QuestionnaireResponse.
        self.response: JSON = parsed(draft.response)

    async def _change(self, method: str, **fields: Any) -> None:
        change = (await self._call(method, at_revision=self.revision, **fields)).change
        self.revision = int(change.summary.revision)

    async def _call(self, method: str, **fields: Any) -> Any:
        link = self._link or await self._face.connected()
        return await link.call(f"Questionnaires/{method}", {"target": self._target, **fields}, self._face.timeout)


def _answer(value: Any) -> JSON:
    match value:
        case dict():
            return value
        case bool():
            return {"valueBoolean": value}
        case int():
            return {"valueInteger": value}
        case str():
            return {"valueString": value}
    raise TypeError(f"write {value!r} as FHIR does, like {{'valueDecimal': 1.5}}")
