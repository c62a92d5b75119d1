#!/usr/bin/python3
"""Fills in forms and shows news through libgate, with a real gated. Tests/libgate/run runs it.

usage: forms.py FOLDER-OF-PROGRAMS TALK
"""

import json
import os
import sys

from programs import Device, Failed, Program, run, step
from with_gated import ITSELF, KINDS, POLICY, SHOW

PROGRAMS, TALK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ME = os.getuid()
PARENTS = "https://gate.example/fhir/StructureDefinition/parents"
TRIP = {
    "resourceType": "Questionnaire",
    "id": "trip",
    "status": "active",
    "title": "A trip",
    "item": [
        {"linkId": "name", "type": "string", "text": "Name", "required": True},
        {"linkId": "swims", "type": "boolean", "text": "Can swim"},
        {"linkId": "badge", "type": "string", "text": "Badge", "enableWhen": [{"question": "swims", "operator": "=", "answerBoolean": True}]},
        {"linkId": "nickname", "type": "string", "text": "Nickname", "extension": [{"url": PARENTS, "valueString": "name"}]},
        {"linkId": "friend", "type": "group", "repeats": True, "item": [{"linkId": "friend-name", "type": "string", "text": "Friend"}]},
    ],
}
PLAN = {"resourceType": "Questionnaire", "id": "plan", "status": "active", "title": "My week", "item": [{"linkId": "monday", "type": "string", "text": "Monday"}]}
FORM = r"^{} form=(?P<form>\d+) name=(?P<name>\S+) draft=(?P<draft>\d+) revision=(?P<revision>\d+) label=(?P<label>.*) cleared=(?P<cleared>\d+)(?P<more>.*?) (?P<json>\{{.*\}})$"
FORM_SHOWN = SHOW.format(13)


def talk():
    return Program(TALK, str(ME))


def string(text):
    return json.dumps([{"valueString": text}])


def items(told):
    """The answers of the enabled items, by linkId."""
    found = {}

    def walk(some):
        for item in some:
            answers = item.get("answer", [])
            found.setdefault(item["linkId"], []).extend(list(answer.values())[0] for answer in answers)
            walk(item.get("item", []))

    walk(json.loads(told["json"]).get("item", []))
    return found


def expect(truth, what):
    if not truth:
        raise Failed(what)


def filling(device):
    with device.gated() as daemon, talk() as app, talk() as other:
        app.hears("forms")
        app.says(r'^listed trip items=6 grown-ups=0 "A trip"\nforms count=1$')
        app.hears("questionnaire", "trip")
        questionnaire = json.loads(app.says(r"^questionnaire size=\d+ (\{.*\})$")[1])
        expect(questionnaire["id"] == "trip", f"another form: {questionnaire}")
        app.hears("questionnaire", "nothing")
        app.says(r"^questionnaire refused code=5 reason=27 ")
        app.hears("open", "nothing")
        app.says(r"^open refused code=5 reason=27 ")
        app.hears("open", "trip")
        told = app.says(FORM.format("open"))
        form = told["form"]
        expect(told["name"] == "trip" and told["draft"] == "0" and set(items(told)) == {"name", "swims", "nickname", "friend", "friend-name"}, told[0])

        app.hears("set", form, "name", string("Pippi"))
        app.hears("set", form, "swims", "[]")
        app.says(r"^set EBUSY")
        told = app.says(FORM.format("set"))
        expect(items(told)["name"] == ["Pippi"], told[0])
        app.hears("set", form, "swims", '[{"valueBoolean": true}]')
        expect("badge" in items(app.says(FORM.format("set"))), "what is enabled by an answer is there at once")
        app.hears("set", form, "badge", string("Gold"))
        app.says(FORM.format("set"))
        app.hears("set", form, "swims", '[{"valueBoolean": false}]')
        told = app.says(FORM.format("set"))
        expect("badge" not in items(told), told[0])
        app.hears("set", form, "nickname", string("Pip"))
        app.says(FORM.format("set"))
        app.hears("set", form, "name", string("Pippi Longstocking"))
        told = app.says(FORM.format("set"))
        expect(told["cleared"] == "1" and " cleared=nickname" in told["more"] and not items(told)["nickname"], told[0])
        app.hears("set", form, "name", string("Pippi"))
        app.says(FORM.format("set"))
        for words, pattern in [
            (("set", form, "nothing", "[]"), r"^set refused code=5 reason=27 "),
            (("set", form, "name", "[{}]"), r"^set refused code=3 reason=\d+ "),
            (("set", form, "name", "no JSON"), r"^set refused code=3 reason=\d+ "),
            (("set", form, "badge", string("Gold")), r"^set refused code=9 reason=33 "),
            (("set", form, "-", "[]"), r"^set EINVAL"),
            (("set", 99999, "name", "[]"), r"^set ENOENT"),
            (("suggest", form, "name", string("x"), 100), r"^suggest EINVAL"),
        ]:
            app.hears(*words)
            app.says(pattern)
        app.hears("suggest", form, "name", string("Annika"))
        told = app.says(FORM.format("suggest"))
        expect(items(told)["name"] == ["Pippi"] and " pending=name/" in told["more"] and "Annika" in told["more"], told[0])
        app.hears("suggest", form, "name", "-", 5000)
        expect(" pending=name/ " in app.says(FORM.format("suggest"))[0], "it is being looked up")
        app.hears("set", form, "friend[1]/friend-name", string("Tommy"))
        expect(items(app.says(FORM.format("set")))["friend-name"] == ["Tommy"], "the first friend")
        app.hears("set", form, "friend[2]/friend-name", string("Annika"))
        expect(items(app.says(FORM.format("set")))["friend-name"] == ["Tommy", "Annika"], "two friends")
        app.hears("remove", form, "friend[1]")
        expect(items(app.says(FORM.format("remove")))["friend-name"] == ["Annika"], "one friend")

        # Another program is faster.
        other.hears("open", "trip")
        theirs = other.says(FORM.format("open"))["form"]
        other.hears("set", theirs, "name", string("Ronja"))
        other.says(FORM.format("set"))
        app.hears("set", form, "name", string("Pippi"))
        app.says(r"^set refused code=10 reason=32 ")
        app.hears("complete", form)
        app.says(r"^complete refused code=10 reason=32 ")
        app.hears("read", form)
        expect(items(app.says(FORM.format("read")))["name"] == ["Ronja"], "what the other has entered")
        app.hears("set", form, "name", "-")
        expect(items(app.says(FORM.format("set")))["name"] == [], "cleared")
        app.hears("validate", form)
        app.says(r'^validate valid=0 \{.*OperationOutcome')
        app.hears("complete", form)
        app.says(r"^complete refused code=9 reason=34 (.*\n)+issue name kind=\d+ ")

        # A daemon that dies loses no draft, and the form can be used further by its number.
        app.hears("set", form, "name", string("Pippi"))
        app.says(FORM.format("set"))
        daemon.kill()
        daemon.wait()
        app.hears("read", form)
        app.says(r"^read refused code=14 ")
        with device.gated():
            app.hears("read", form)
            expect(items(app.says(FORM.format("read")))["name"] == ["Pippi"], "the answers outlive the daemon")
            app.hears("save", form)
            saved = app.says(r"^save response=(\d+)")[1]
            app.hears("complete", form)
            kept = app.says(r"^complete response=(\d+)")[1]
            app.hears("read", form)
            app.says(r"^read ENOENT")
            app.hears("responses", "trip")
            app.says(rf"^response {saved} trip status=1 uid={ME} .*\nresponse {kept} trip status=2 uid={ME} .*\nresponses count=2$")
            app.hears("response", kept)
            app.says(r'^response size=\d+ \{.*Pippi')
            app.hears("withdraw", kept)
            app.says(r"^withdraw done")
            app.hears("responses")
            app.says(rf"^response {kept} trip status=3 ")
            app.hears("response", 99999)
            app.says(r"^response refused code=5 ")
            app.ends()
            other.ends()
    step("a form is opened, filled in, changed by two, kept over a restart, and completed")


def beginning(device):
    with device.gated(), talk() as app, talk() as watcher:
        watcher.hears("watch", 16)
        watcher.says(r"^watch snapshot")
        app.hears("open", "trip")
        form = app.says(FORM.format("open"))["form"]
        app.hears("fill", form, json.dumps({"resourceType": "QuestionnaireResponse", "status": "in-progress", "item": [{"linkId": "name", "answer": [{"valueString": "Anna"}]}]}))
        expect(items(app.says(FORM.format("fill")))["name"] == ["Anna"], "filled in")
        app.hears("complete", form)
        kept = app.says(r"^complete response=(\d+)")[1]

        app.hears("begin", "trip", "For Ben", "-", 0)
        ben = app.says(FORM.format("begin"))
        expect(ben["draft"] != "0" and ben["label"] == "For Ben" and items(ben)["name"] == [], ben[0])
        app.hears("begin", "trip", "-", "-", kept)
        again = app.says(FORM.format("begin"))
        expect(again["draft"] not in ["0", ben["draft"]] and items(again)["name"] == ["Anna"], again[0])
        app.hears("label", again["form"], "For Anna")
        expect(app.says(FORM.format("label"))["label"] == "For Anna", "another label")
        app.hears("drafts", "trip")
        app.says(rf"^draft trip/{ben['draft']} account= uid={ME} label=For Ben\ndraft trip/{again['draft']} .*\ndrafts count=2$")
        watcher.text = ""
        watcher.hears("state")
        watcher.says(rf"^state current .*draft=trip/{ben['draft']} draft=trip/{again['draft']}$")
        # If the response does not exist, no draft is begun, not even for a moment.
        app.hears("begin", "trip", "-", "-", 99999)
        app.says(r"^begin refused code=5 ")
        app.hears("drafts")
        app.says(r"^drafts count=2$")
        app.hears("open-draft", "trip", ben["draft"])
        told = app.says(FORM.format("open-draft"))
        expect(told["label"] == "For Ben" and told["form"] != ben["form"], told[0])
        app.hears("load", told["form"], 0)
        expect(items(app.says(FORM.format("load")))["name"] == ["Anna"], "the newest that was completed")
        app.hears("reset", told["form"])
        expect(items(app.says(FORM.format("reset")))["name"] == [], "reset")
        app.hears("close-form", told["form"])
        app.hears("read", told["form"])
        app.says(r"^read ENOENT")
        app.hears("read", ben["form"])
        expect(items(app.says(FORM.format("read")))["name"] == [], "the draft stays")
        # The call is cancelled before the form is opened, so no handler is called.
        app.hears("open", "trip")
        number = app.says(r"^number (\d+)")[1]
        app.hears("cancel", number)
        app.quiet(r"^open ")
        app.hears("read", number)
        app.says(r"^read ENOENT")
        for one in [ben, again]:
            app.hears("discard", one["form"])
            app.says(r"^discard done")
            app.hears("read", one["form"])
            app.says(r"^read ENOENT")
        for _ in range(260):
            app.hears("open", "trip")
        for _ in range(256):
            app.says(FORM.format("open"))
        app.says(r"^(open EAGAIN\n){4}") if "EAGAIN" in app.text else None
        app.hears("open", "trip")
        app.says(r"^open EAGAIN")
        app.ends()
        watcher.ends()
    step("drafts are begun, begun with what was said before, labelled, found again and thrown away")


def bringing(device):
    with device.gated(), talk() as app, talk() as screen:
        app.hears("open", "plan")
        app.says(r"^open refused code=5 ")
        app.hears("open", "plan", json.dumps(PLAN))
        told = app.says(FORM.format("open"))
        expect(told["name"] == f"plan@{ME}", told[0])
        app.hears("form-questionnaire", told["form"])
        app.says(r'^form-questionnaire size=\d+ \{.*My week')
        app.hears("set", told["form"], "monday", string("Swimming"))
        expect(items(app.says(FORM.format("set")))["monday"] == ["Swimming"], "the app's own form")
        app.hears("open", "plan", "{}")
        app.says(r"^open refused code=3 reason=1 ")
        app.hears("complete", told["form"])
        app.says(r"^complete response=\d+")

        # On a presenter's screen, by any person who sits there.
        app.hears("request-form", "plan", json.dumps(PLAN))
        app.says(r"^request-form refused code=10 reason=6 ")
        screen.hears("screen")
        screen.hears("present", KINDS)
        screen.says(r"^present done")
        app.hears("request-form", "trip")
        shown = screen.says(FORM_SHOWN + ".* name=trip title=A trip own=0$")
        screen.hears("open-shown", 77, 0)
        screen.says(r"^open-shown ENOENT")
        screen.hears("open-shown", shown["id"], 0)
        form = screen.says(FORM.format("open-shown"))["form"]
        screen.hears("set", form, "name", string("Pippi"))
        expect(items(screen.says(FORM.format("set")))["name"] == ["Pippi"], "on the screen")
        screen.hears("form-questionnaire", form)
        screen.says(r'^form-questionnaire size=\d+ \{.*A trip')
        screen.hears("complete", form)
        screen.says(r"^complete response=\d+")
        app.says(r"^request-form response=\d+")
        if shown["id"] not in screen.text:
            screen.says(rf"^close {shown['id']}\n")

        # The presentation is withdrawn while the form is being filled in, so the form's number is not valid any more.
        app.hears("request-form", "plan", json.dumps(PLAN))
        number = app.says(r"^number (\d+)")[1]
        shown = screen.says(FORM_SHOWN + rf".* name=plan@{ME} title=My week own=1$")
        screen.hears("begin-shown", shown["id"], 0)
        form = screen.says(FORM.format("begin-shown"))["form"]
        app.hears("cancel", number)
        screen.says(rf"^close {shown['id']}\n")
        screen.hears("set", form, "monday", "-")
        screen.says(r"^set ENOENT")
        app.ends()
        screen.ends()
    step("an app brings its own form, and a presenter's person fills it in")


def news(device):
    with device.gated(), talk() as app, talk() as screen:
        app.hears("add-feature", "Weeks")
        app.says(r"^add-feature ENOENT")
        app.hears("show-news", "org.example.plan", "1.0.0", 0)
        app.says(r"^show-news outcome=1$")
        app.hears("add-news", "1.0.0", "What is new", "Go on", "Learn more", "https://example.org/new")
        app.hears("add-feature", "Weeks", "A week on one page", "weeks")
        app.hears("show-news", "org.example.plan", "1.0.0", 0)
        app.says(r"^show-news refused code=10 reason=6 ")
        app.hears("screen")
        for words, outcome in [(("acknowledge", 1), 3), (("acknowledge", 0), 2), (("dismiss",), 2)]:
            app.hears("show-news", "org.example.plan", "1.0.0", ITSELF)
            shown = app.says(SHOW.format(14) + ".* name=org.example.plan title=What is new own=1$")
            app.hears(words[0], shown["id"], *words[1:])
            app.says(rf"^close {shown['id']}\n")
            app.says(rf"^show-news outcome={outcome}$")
            app.hears("show-news", "org.example.plan", "1.0.0", ITSELF)
            app.says(r"^show-news outcome=1$")
            app.hears("reset-news", "org.example.plan")
            app.says(r"^reset-news done")
        app.hears("acknowledge-news", "org.example.plan", "1.0.0")
        app.says(r"^acknowledge-news done")
        app.hears("show-news", "org.example.plan", "1.0.0", 0)
        app.says(r"^show-news outcome=1$")
        app.hears("reset-news", "-")
        app.says(r"^reset-news done")
        screen.hears("screen")
        screen.hears("present", KINDS)
        screen.says(r"^present done")
        app.hears("show-news", "org.example.plan", "1.0.0", 0)
        shown = screen.says(SHOW.format(14))
        screen.hears("acknowledge", shown["id"], 1)
        app.says(r"^show-news outcome=3$")
        for _ in range(15):
            app.hears("add-news", "0.0.1", "Older", "-", "-", "-")
        app.hears("add-news", "0.0.1", "Too many", "-", "-", "-")
        app.says(r"^add-news EMSGSIZE")
        app.ends()
        screen.ends()
    step("news are shown once, by the app itself and by a presenter")


def main():
    for part in [filling, beginning, bringing, news]:
        with Device(PROGRAMS, POLICY) as device:
            os.mkdir(f"{device.folder}/config/questionnaires.d", 0o700)
            with open(f"{device.folder}/config/questionnaires.d/trip.json", "w") as file:
                json.dump(TRIP, file)
            part(device)


if __name__ == "__main__":
    run(main)
