"""Forms through the client: typed answers and their texts, several drafts, suggestions, parts, documents, and news."""

import asyncio
import os
import unittest
from decimal import Decimal

from gateclient import GateError, Options, WhatsNewOutcome, aio, messages, text_of
from gateclient.answers import encoded, labels, options, parsed, typed
from gateclient.masks import TextMask
from support import Daemon
from support_gate import DaemonTestCase
from support_server import TimedTestCase

ORDER = """
resourceType: Questionnaire
id: order
title: An order
status: active
contained:
  - resourceType: ValueSet
    id: colours
    status: active
    compose: {include: [{system: "https://example.org/colours", concept: [{code: r, display: Red}, {code: g, display: Green}]}]}
item:
  - {linkId: name, type: string, text: Name, required: true}
  - {linkId: colour, type: choice, text: Colour, answerValueSet: "#colours"}
  - {linkId: price, type: decimal, text: Price}
  - {linkId: papers, type: attachment, text: Papers, repeats: true}
  - linkId: driver
    type: group
    text: Driver
    repeats: true
    definition: https://example.org/driver
    item: [{linkId: driver-name, type: string, text: Name}]
"""
NOTES = """
app: org.example.draw
versions:
  1.2.0: {title: News in Draw, features: [{title: Layers}], secondary: {title: Learn more}}
"""
OWN = {
    "resourceType": "Questionnaire", "id": "plan", "url": "https://app.example/plan", "status": "active", "title": "My week",
    "item": [{"linkId": "monday", "type": "string", "text": "On Monday"}],
}


def form(**item):
    return {"item": [{"linkId": "group", "item": [{"linkId": "x", "text": "X", **item}]}]}


class AnswerTests(unittest.TestCase):
    """Answers as people type and read them. Only the daemon decides whether a form accepts them."""

    def expect(self, item, table):
        for text, answer in table.items():
            with self.subTest(item=item, text=text):
                if answer is None:
                    with self.assertRaises(GateError) as caught:
                        typed(form(**item), "group[0]/x", text)
                    self.assertEqual(caught.exception.reason, "BAD_ANSWER")
                else:
                    self.assertEqual(typed(form(**item), "group[0]/x", text), answer)

    def test_each_type_is_read_as_it_is_typed(self):
        self.expect({"type": "boolean"}, {"yes": {"valueBoolean": True}, " OFF ": {"valueBoolean": False}, "maybe": None, "": None})
        numbers = {"42": {"valueInteger": 42}, "-7": {"valueInteger": -7}, "4.2": None, "2147483648": None, "٤٢": None}
        self.expect({"type": "integer"}, numbers)
        decimals = {one: {"valueDecimal": Decimal(one)} for one in ("1.50", "1e3", "-0")} | {".5": None, "01": None, "NaN": None}
        self.expect({"type": "decimal"}, decimals)
        dates = {one: {"valueDate": one} for one in ("2015-03-02", "2015-03", "2015")}
        dates |= {"2015-02-29": None, "2015-13": None, "0000": None, "15-3-2": None}
        self.expect({"type": "date"}, dates)
        moments = {
            "2026-01-31 18:30+01:00": {"valueDateTime": "2026-01-31T18:30:00+01:00"},
            "2026-01-31T8:30z": {"valueDateTime": "2026-01-31T08:30:00Z"},
            "2026-01": {"valueDateTime": "2026-01"},
            "2026-01-31 18:30": None,
            "2026-01 18:30Z": None,
        }
        self.expect({"type": "dateTime"}, moments)
        times = {"8:30": {"valueTime": "08:30:00"}, "23:59:59.5": {"valueTime": "23:59:59.5"}, "24:00": None, "8": None}
        self.expect({"type": "time"}, times)
        self.expect({"type": "url"}, {" https://example.org/ ": {"valueUri": "https://example.org/"}, "a b": None, "": None})
        self.expect({"type": "reference"}, {"Patient/1": {"valueReference": {"reference": "Patient/1"}}})
        self.expect({"type": "text"}, {"  as it is ": {"valueString": "  as it is "}})
        for kind in ("group", "display", "attachment"):
            self.expect({"type": kind}, {"anything": None})
        with self.assertRaises(GateError) as caught:
            typed(form(type="string"), "y", "text")
        self.assertEqual(caught.exception.reason, "UNKNOWN")

    def test_options_are_chosen_by_code_text_and_number(self):
        red, green = {"valueCoding": {"code": "r", "display": "Red"}}, {"valueCoding": {"code": "g", "display": "Green"}}
        choice = {"answerOption": [red, green]}
        self.expect({"type": "choice", **choice}, {"r": red, "GREEN": green, "2": green, "3": None, "blue": None, "": None})
        self.expect({"type": "open-choice", **choice}, {"red": red, "2": {"valueString": "2"}, "Blue": {"valueString": "Blue"}})
        months = {"answerOption": [{"valueInteger": 3}, {"valueInteger": 12}]}
        self.expect({"type": "integer", **months}, {"3": {"valueInteger": 3}, "b": {"valueInteger": 12}})
        twice = {"answerOption": [{"valueString": "Sofa"}, {"valueString": "sofa"}]}
        self.expect({"type": "choice", **twice}, {"sofa": {"valueString": "sofa"}, "SOFA": None})
        self.assertEqual(labels(months["answerOption"]), ["a", "b"])

    def test_quantities_have_the_units_that_are_offered(self):
        base = "http://hl7.org/fhir/StructureDefinition/questionnaire-"
        watts = {"system": "http://unitsofmeasure.org", "code": "kW"}
        power = {"type": "quantity", "extension": [
            {"url": f"{base}unitOption", "valueCoding": watts},
            {"url": f"{base}unitOption", "valueCoding": {"code": "hp", "display": "HP"}},
        ]}
        self.expect(power, {
            "75kW": {"valueQuantity": {"value": Decimal(75), "unit": "kW", **watts}},
            "<= 1.5 hp": {"valueQuantity": {"value": Decimal("1.5"), "comparator": "<=", "unit": "HP"}},
            "75": None, "75 eggs": None, "many kW": None, "": None,
        })
        minutes = {"type": "quantity", "extension": [{"url": f"{base}unit", "valueCoding": {"code": "min"}}]}
        self.expect(minutes, {"90": {"valueQuantity": {"value": Decimal(90), "unit": "min"}}})
        self.expect({"type": "quantity"}, {"1e3 m": {"valueQuantity": {"value": Decimal("1e3"), "unit": "m"}}, "m": None})

    def test_a_mask_is_completed_as_it_is_typed(self):
        for source, text, whole in [
            ("AA 999 AA", "ab123cd", "AB 123 CD"), ("AA 999 AA", "AB 123 CD", "AB 123 CD"), ("AA 999 AA", "ab12cd", "ab12cd"),
            ("AA 999 AA", "ab-123-cd", "AB 123 CD"), ("+4\\9 999", "123", "+49 123"), ("+4\\9 999", "+49 123", "+49 123"), ("+4\\9 999", "49123", "+49 123"),
            ("a*-9", "xy٣", "xy-3"), ("AA", "ß1", "ß1"), ("AA", "", ""), ("9", "12", "12"),
        ]:
            with self.subTest(source=source, text=text):
                self.assertEqual(TextMask(source).completed(text), whole)

    def test_answers_are_told_as_people_read_them(self):
        for answer, text in [
            ({"valueBoolean": False}, "No"), ({"valueTime": "10:30:00"}, "10:30"), ({"valueTime": "10:30:05"}, "10:30:05"),
            ({"valueDateTime": "2024-05-17T10:30:00+02:00"}, "2024-05-17 10:30 +02:00"),
            ({"valueDateTime": "2024-05-17T10:30:00Z"}, "2024-05-17 10:30 UTC"), ({"valueDateTime": "2024-05"}, "2024-05"),
            ({"valueQuantity": {"comparator": "<", "value": Decimal("5.0"), "unit": "mg"}}, "< 5.0 mg"),
            ({"valueReference": {"reference": "Patient/1", "display": "Anna"}}, "Anna [Patient/1]"),
            ({"valueAttachment": {"title": "a.png", "size": 1}}, "a.png (1 byte)"),
            ({"valueAttachment": {"contentType": "image/png", "size": 1500}}, "image/png (1.5 kB)"),
            ({"valueAttachment": {"size": 2_400_000}}, "document (2.4 MB)"),
            ({"valueAttachment": {"size": 120_400}}, "document (120 kB)"),
            ({}, ""),
        ]:
            with self.subTest(answer=answer):
                self.assertEqual(text_of(answer), text)

    def test_decimal_numbers_keep_their_digits(self):
        written = b'{"a": [1.50, -0.0, 1e3, 7], "b": {"c": "\\u00fc"}, "d": null}'
        read = parsed(written)
        self.assertEqual([str(one) for one in read["a"]], ["1.50", "-0.0", "1E+3", "7"])
        self.assertEqual(parsed(encoded(read)), read)
        self.assertIn(b"1.50", encoded(read))
        for bad in (b"", b"{", b"\xff", b"1.5e99999999999999999999", b"[" * 100_000, b"7" * 10_000):
            with self.assertRaises(GateError):
                parsed(bad)
        with self.assertRaises(ValueError):
            encoded({"a": Decimal("NaN")})


class FormTests(DaemonTestCase):
    def setUp(self):
        files = {"questionnaires.d/order.yaml": ORDER, "release-notes.d/draw.yaml": NOTES}
        self.daemon = self.enterContext(Daemon(files=files))
        self.options = Options(socket_path=self.daemon.socket, server_user=os.getuid(), program="test")
        self.gate = self.enterContext(self.make())

    def make(self):
        from gateclient import Gate

        return Gate(self.options)

    def test_several_drafts_stand_beside_one_another(self):
        first = self.gate.open_form("order")
        second = self.gate.open_form("order", begins_another=True, label="the lady with the van")
        self.assertEqual([first.number, second.number, second.label], [0, 1, "the lady with the van"])
        second.set("colour", *second.typed("colour", "green"))
        self.assertEqual([text_of(one) for one in second.answers("colour")], ["Green"])
        second.set("price", Decimal("300.50"))
        self.assertEqual(text_of(self.gate.read_form("order", draft=1).answers("price")[0]), "300.50")
        second.set_label("Carla")
        self.assertEqual([one.label for one in self.gate.drafts("order")], ["", "Carla"])
        self.assertEqual([first.answers(path) for path in ("colour", "driver[7]/driver-name", "driver[x]", "[", "")], [[]] * 5)
        with self.refused(3, "BAD_ANSWER"):
            first.typed("price", "dear")
        faults = [one["diagnostics"] for one in first.validate()["issue"]]
        self.assertEqual(faults, ["'Name' needs an answer."])
        second.revision -= 1
        with self.refused(10, "CHANGED_MEANWHILE"):
            second.set("name", "Carla")
        second.discard()
        with self.refused(5, "UNKNOWN"):
            self.gate.read_form("order", draft=1)

    def test_what_is_suggested_waits_beside_what_is_answered(self):
        with self.make() as server:
            draft, theirs = self.gate.open_form("order"), server.open_form("order")
            theirs.announce("name", 20)
            draft.read()
            self.assertEqual([(one.path, one.answers) for one in draft.pending], [("name", None)])
            self.assertIsNotNone(draft.pending[0].deadline)
            draft.set("name", "Anna")
            theirs.read()
            theirs.suggest("name", "Anna Blum")
            self.assertFalse(theirs.change.is_changed)
            draft.read()
            self.assertEqual([one.answers for one in draft.pending], [({"valueString": "Anna Blum"},)])
            theirs.suggest("name")
            draft.read()
            self.assertEqual(draft.pending, [])

    def test_documents_go_up_and_come_down_whole(self):
        draft = self.gate.open_form("order")
        large = os.urandom(200_000)
        draft.attach("papers", large, "image/png", "passport.png")
        draft.attach("papers", b"small", "text/plain")
        answers = draft.answers("papers")
        self.assertEqual([text_of(one) for one in answers], ["passport.png (200 kB)", "text/plain (5 bytes)"])
        urls = [one["valueAttachment"]["url"] for one in answers]
        self.assertEqual([self.gate.download(url) for url in urls], [large, b"small"])
        self.assertEqual(self.gate.upload(b"small"), urls[1])
        with self.refused(5, "UNKNOWN"):
            self.gate.download("urn:sha256:" + "0" * 64)
        with self.assertRaises(GateError):
            self.gate.upload(b"x" * (4 << 20))

    def test_parts_of_one_form_are_there_for_the_next(self):
        draft = self.gate.open_form("order")
        draft.set("driver[0]/driver-name", "Anna")
        draft.set("driver[1]/driver-name", "Tim")
        part = draft.save_part("driver[1]", "my brother")
        self.assertEqual(draft.save_part("driver[1]", "my brother", over=part), part)
        draft.remove("driver[0]")
        draft.set("name", "A")
        number = draft.complete()
        self.assertEqual([one.id for one in self.gate.responses("order")], [number])
        known = {one.label: one.id for one in self.gate.parts("https://example.org/driver")}
        self.assertEqual(known, {"my brother": part})
        self.gate.label_part(part, "Tim himself")
        self.assertEqual(text_of(self.gate.part(part)["item"][0]["item"][0]["answer"][0]), "Tim")
        again = self.gate.open_form("order")
        again.take("driver", part)
        self.assertEqual([text_of(one) for one in again.answers("driver/driver-name")], ["Tim"])
        again.fill({"resourceType": "QuestionnaireResponse", "status": "in-progress"})
        self.assertEqual([one for one in again.items() if "answer" in one], [])
        again.load(number)
        self.assertEqual(text_of(again.answers("name")[0]), "A")
        again.discard()
        self.assertEqual(text_of(self.gate.load_form("order").answers("name")[0]), "A")
        self.gate.remove_part(part)
        self.gate.withdraw_response(number)
        self.assertEqual([len(self.gate.parts()), self.gate.responses()[0].status], [0, 3])

    def test_an_app_brings_its_own_form_and_news(self):
        draft = self.gate.open_form("plan", bringing=OWN)
        draft.set("monday", "Swimming")
        self.assertEqual(self.gate.drafts()[0].name, f"plan@{os.getuid()}")
        self.assertEqual(self.gate.validate("plan", draft.response)["issue"][0]["severity"], "information")
        draft.discard()
        with self.refused(10, "NO_PRESENTER"):
            self.gate.request_form("plan", bringing=OWN)
        notes = [{"app": "own", "version": "1.0.0", "title": "News", "features": [{"title": "All"}], "primary": {"title": "On"}}]
        self.assertEqual(self.gate.unseen_news("own", "1.0.0", notes=notes).title, "News")
        self.gate.acknowledge_news("own", "1.0.0", notes=notes)
        self.assertIsNone(self.gate.unseen_news("own", "1.0.0", notes=notes))

    def test_news_are_shown_once_and_until_they_are_forgotten(self):
        def show(answer):
            return self.gate.show_whats_new("org.example.draw", "1.2.3", present=lambda question: answer, presents_itself=True)

        self.assertEqual(show(messages.Acknowledged(action="ACTION_SECONDARY")), WhatsNewOutcome.SECONDARY_CHOSEN)
        self.assertEqual(show(None), WhatsNewOutcome.NOTHING_NEW)
        self.assertEqual(list(self.gate.news()[0].seen), ["1.2.0"])
        self.assertEqual(self.gate.forget_news("org.example.draw"), 1)
        self.assertEqual(show(None), WhatsNewOutcome.SHOWN)
        self.gate.forget_news()
        with self.refused(10, "NO_PRESENTER"):
            self.gate.show_whats_new("org.example.draw", "1.2.0")

    def test_both_faces_have_the_same(self):
        async def fill():
            async with aio.Gate(self.options) as gate:
                draft = await gate.open_form("order")
                await draft.set("colour", *await draft.typed("colour", "Red"))
                await draft.attach("papers", b"x", "text/plain", "x.txt")
                self.assertEqual([text_of(one) for one in draft.answers("papers")], ["x.txt (1 byte)"])
                offered = options(await draft.questionnaire(), {"answerValueSet": "#colours"})
                self.assertEqual(offered[0]["valueCoding"]["code"], "r")

                async def show(question):
                    return messages.Acknowledged(action="ACTION_SECONDARY")

                outcome = await gate.show_whats_new("org.example.draw", "1.2.0", present=show, presents_itself=True)
                self.assertIs(outcome, WhatsNewOutcome.SECONDARY_CHOSEN)

        asyncio.run(fill())


class FaceTests(TimedTestCase):
    def test_no_call_of_one_face_is_missing_in_the_other(self):
        from gateclient import FormDraft, Gate
        from gateclient.forms import FormDraft as Core

        def names(kind):
            return {name for name in dir(kind) if not name.startswith("_")}

        inner = {"answered", "call", "connected", "hashing_timeout", "is_closed", "sleep", "timeout", "present"}
        self.assertEqual(names(aio.Gate) - inner - names(Gate), set())
        self.assertEqual(names(Core) - {"opened"} - names(FormDraft), set())
