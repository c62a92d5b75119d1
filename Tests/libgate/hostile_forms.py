#!/usr/bin/python3
"""Connects libgate to servers that answer calls about forms, lists, news, people and ages as no daemon does.
Tests/libgate/run runs it.

usage: hostile_forms.py TALK
"""

import shutil
import time

from hostile import FOLDER, PATH, talk
from programs import Failed, field, frame, impostor, received, response, run, step

SUMMARY = field(1, "trip") + field(3, 5) + field(4, 1) + field(5, "label")
DRAFT = field(2, field(1, SUMMARY) + field(2, "{}"))
CHANGE = field(2, field(1, SUMMARY) + field(2, 1) + field(3, "name") + field(4, 1))
REFUSED = field(1, 9) + field(2, "No.")
GRANT = field(2, field(1, 1) + field(2, "proof"))


def answering(*payloads, refusing=None):
    """A server that answers the requests with these payloads, one after the other, and refuses the method
    `refusing`."""

    def serve(peer):
        for payload in payloads:
            stream, _, method, _ = received(peer)
            peer.sendall(response(stream, status=REFUSED) if method == refusing else response(stream, payload))
        time.sleep(60)

    return serve


def hears(what, serve, words, *patterns, never=None):
    with impostor(PATH, serve), talk() as program:
        program.hears("screen")
        program.hears(*words)
        try:
            for pattern in patterns:
                program.says(pattern)
            if never:
                program.quiet(never, 0.1)
        except Failed as error:
            raise Failed(f"beside a daemon that {what}: {error}") from None
        program.ends()


def single_answers():
    none = r"refused code=13 reason=0 "
    cases = [
        ("opens no draft", ("open", "trip"), b"", none),
        ("opens a draft without a summary", ("open", "trip"), field(2, field(2, "{}")), none),
        ("sends no UTF-8", ("open", "trip"), field(2, field(1, SUMMARY) + field(2, b"\xff")), none),
        ("sends a NUL", ("open", "trip"), field(2, field(1, SUMMARY) + field(2, b"{\0}")), none),
        ("sends a suggestion that is no text", ("open", "trip"), field(2, field(1, SUMMARY) + field(3, field(1, "p") + field(2, b"\xc0\x80"))), none),
        ("sends no questionnaire", ("questionnaire", "trip"), b"", r"size=0 $"),
        ("sends a questionnaire with a NUL", ("questionnaire", "trip"), field(1, b"a\0b"), none),
        ("sends a response that is no text", ("response", "7"), field(2, b"\x80"), none),
        ("shows no news and says nothing", ("show-news", "a", "1", 0), b"", none),
        ("shows news in an unknown way", ("show-news", "a", "1", 0), field(2, 99), none),
        ("sends news that are none", ("show-news", "a", "1", 2), field(3, field(2, "cookie")), none),
        ("keeps a response of no number", ("request-form", "trip"), b"", r"response=0$"),
        ("sends a count of all that there are", ("open", "trip"), DRAFT, r"form=1 .*cleared=0 \{\}$"),
        ("sends a list that is none", ("forms",), b"\x0a\xff", none),
        ("sends an element that is none", ("drafts",), field(1, b"\xff"), none),
        ("lists nobody's response", ("responses",), field(1, field(1, 7)), r"count=1$"),
    ]
    for what, words, payload, pattern in cases:
        hears(what, answering(payload), words, f"^{words[0]} {pattern}" if pattern != none or words[0] not in ("forms", "drafts") else f"^{words[0]} refused code=13 ")
    step(f"{len(cases)} answers about forms that no daemon gives")


def steps():
    """Calls that take several answers. Each answer is refused, left out, or cut off."""
    load = ("begin", "trip", "-", "-", 7)
    hears("loads nothing", answering(DRAFT, b"", b"", refusing="LoadForm"), load, r"^begin refused code=9 ", never=r"^begin form")
    hears("does not throw away", answering(DRAFT, b"", b"", refusing="DiscardForm"), load, r"^begin refused code=13 ", never=r"^begin form")
    hears("cannot read what it has loaded", answering(DRAFT, CHANGE, b"", b"", refusing="ReadForm"), load, r"^begin refused code=9 ", never=r"^begin form")
    with impostor(PATH, answering(DRAFT, CHANGE, DRAFT, CHANGE, b"")), talk() as program:
        program.hears("open", "trip")
        program.says(r"^open form=(\d+)")
        program.hears("set", 1, "name", "[]")
        program.says(r"^set form=1 .*cleared=1 cleared=name ")
        # This answer can't be read, so the call fails, and the form can be used further.
        program.hears("set", 1, "name", "[]")
        program.says(r"^set refused code=13 ")
        program.hears("close-form", 1)
        program.hears("close-form", 1)
        program.says(r"^close-form ENOENT")
        program.ends()

    def silent(peer):
        stream, _, _, _ = received(peer)
        peer.sendall(response(stream, DRAFT))
        stream, _, _, _ = received(peer)
        peer.sendall(response(stream, CHANGE))
        received(peer)  # the form is to be read again, and the connection ends

    for ways in ["hangs up", "is taken back", "is closed"]:
        with impostor(PATH, silent), talk() as program:
            program.hears("open", "trip")
            program.says(r"^open form=1")
            program.hears("set", 1, "name", "[]")
            if ways == "is taken back":
                program.hears("cancel", program.says(r"^number (\d+)")[1])
                program.hears("set", 1, "name", "[]")
            elif ways == "is closed":
                program.hears("close-form", 1)
                program.quiet(r"^set ", 0.2)
            else:
                program.says(r"^set refused code=14 ")
                program.hears("read", 1)
                program.says(r"^read (form=1|refused code=14)")
            program.ends()
    step("a call of several steps that is refused, cut off, taken back or closed at each of them")


def pages():
    one = field(1, SUMMARY)
    hears("sends two pages", answering(one * 2 + field(2, "more"), one), ("drafts",), r"^(draft trip/1 .*\n){3}drafts count=3$")
    hears("sends an empty page on the way", answering(one + field(2, "a"), field(2, "b"), one), ("drafts",), r"^drafts count=2$")
    hears("refuses the second page", lambda peer: [answer(peer, one + field(2, "a")), answer(peer, None), time.sleep(60)], ("drafts",), r"^drafts refused code=9 ")
    hears("hangs up before the second page", lambda peer: answer(peer, one + field(2, "a")), ("drafts",), r"^drafts refused code=14 ")

    def endless(peer, page):
        while True:
            answer(peer, page)

    hears("never ends", lambda peer: endless(peer, field(2, "more")), ("forms",), r"^forms refused code=8 reason=15 ")
    large = field(1, field(1, "x" * 1000000))
    hears("sends large pages and never ends", lambda peer: endless(peer, large * 3 + field(2, "more")), ("drafts",), r"^drafts refused code=8 reason=15 ")
    with impostor(PATH, lambda peer: endless(peer, one + field(2, "more"))), talk() as program:
        program.hears("drafts")
        program.hears("cancel", program.says(r"^number (\d+)")[1])
        program.quiet(r"^drafts ", 0.2)
        program.ends()
    step("lists of many pages, and of pages without an end")


def answer(peer, payload):
    request = received(peer)
    if not request:
        raise OSError("it has hung up")
    peer.sendall(response(request[0], status=REFUSED) if payload is None else response(request[0], payload))


def shown():
    """A form that a presenter shows. It is closed during the call, and never becomes another presentation's."""
    summary = lambda stage: field(1, 4) + field(3, 13) + field(7, stage)  # noqa: E731

    def serve(peer):
        register, _, _, _ = received(peer)
        peer.sendall(frame(register, 3, 0, field(1, summary(2))))
        claim, _, _, _ = received(peer)
        peer.sendall(frame(register, 3, 0, field(1, summary(3))) + response(claim, field(1, field(1, summary(3)) + field(2, "cookie") + field(15, field(1, "trip")))))
        opening, _, method, payload = received(peer)
        if method != "OpenForm" or b"cookie" not in payload or b"trip" not in payload:
            return
        peer.sendall(response(opening, DRAFT))
        setting, _, _, payload = received(peer)
        if b"cookie" not in payload:
            return
        # The presentation is closed, and then the answer arrives: reading the form again would read another holder's.
        peer.sendall(frame(register, 3, 0, b"") + response(setting, CHANGE))
        if received(peer)[2] == "ReadForm":
            return
        time.sleep(60)

    with impostor(PATH, serve), talk() as program:
        program.hears("screen")
        program.hears("present", 1 << 13)
        program.says(r"^show 4 kind=13 .*name=trip")
        program.hears("open-shown", 4, 0)
        form = program.says(r"^open-shown form=(\d+)")[1]
        program.hears("set", form, "name", "[]")
        # The order of the two depends on the loop, but both arrive.
        program.says(r"^set refused code=10 reason=9 ")
        program.hears("read", form)
        program.says(r"^read ENOENT")
        program.ends()
    step("a form whose presentation is closed under a call")


def grant_wanted(*parameters):
    """A refusal that wants a grant for a change of Gate, with these further parameters."""
    named = [("what", "change-grant"), *parameters]
    detail = field(1, 10) + b"".join(field(3, field(1, name) + field(2, value)) for name, value in named)
    return field(1, 7) + field(2, "A grant!") + field(3, field(1, "type.googleapis.com/gate.v1.ErrorDetail") + field(2, detail))


def people():
    mia = field(1, "mia")
    hears("lists people of no kind", answering(field(1, mia) * 2), ("people",), r"^(person mia kind=0 born= user= uid=-1 .*\n){2}people count=2$")
    hears("lists a child of nothing", answering(field(1, mia + field(3, field(1, "\0")))), ("people",), r"^people refused code=13 ")
    hears("lists a gate of nothing", answering(field(1, b"")), ("gates",), r'^rule action= title= .*odds=0 .*""\ngates count=1$')
    hears("lists a gate whose name is no text", answering(field(1, field(1, "\0"))), ("gates",), r"^gates refused code=13 ")
    hears("says nothing of a gate", answering(b""), ("set-gate", "a", "b", 0, "-", 0), r"^before nothing\nafter nothing\nset-gate done")
    hears("says nothing of an action", answering(field(2, b"")), ("set-gate", "a", "b", 0, "-", 0), r'^after action= title= .*odds=0 guessed=0 .*""$')

    hears("tells an age of nothing", answering(field(1, b"")), ("age",), r"^age told=1 low=0 high=0 source=0$")
    hears("tells an age of an unknown source", answering(field(1, field(1, 13) + field(3, 9))), ("age",), r"^age told=1 low=13 high=0 source=0$")
    hears("tells an age that is a text", answering(field(1, field(1, "13"))), ("age-sync",), r"^age-sync 13\nage-sync told=0 low=0 high=0 source=0$")
    # The range that was told before does not count any more.
    answers = answering(field(1, field(1, 18) + field(3, 2)), b"", b"\xff")
    with impostor(PATH, answers), talk() as program:
        for outcome in ["0\nage-sync told=1 low=18 high=0 source=2", "0\nage-sync told=0 low=0", "13\nage-sync told=0 low=0"]:
            program.hears("age-sync")
            program.says(rf"^age-sync {outcome}")
        program.ends()

    details, change = ("details", "set mia"), ("set-person", "mia", 1, "-", "-", 0)

    def serve(*answers, until=None):
        """A server that answers one request after the other with a payload, or with a status. `until`: the last proof
        that it expects."""

        def answer_all(peer):
            for payload, status in answers:
                stream, _, method, sent = received(peer)
                if method == "Authorize" and (b"gate.change" not in sent or b"set mia" not in sent):
                    return
                peer.sendall(response(stream, payload, status=status))
            if until and until not in sent:
                return
            time.sleep(60)

        return answer_all

    wanted = (b"", grant_wanted(details))
    hears("wants a grant for nothing", serve((b"", grant_wanted())), change, r"^set-person refused code=7 reason=10 ")
    hears("gives no grant", serve(wanted, (b"", None)), change, r"^set-person refused code=13 ")
    hears("refuses the grant", serve(wanted, (b"", REFUSED)), change, r"^set-person refused code=9 ")
    hears("wants a grant again", serve(wanted, (GRANT, None), wanted), change, r"^set-person refused code=7 reason=10 ")
    hears("takes the grant", serve(wanted, (GRANT, None), (b"", None), until=b"proof"), change, r"^set-person done")
    hears("hangs up at the grant", serve(wanted), change, never=r"^set-person done")
    hears("asks a question for the grant", serve(wanted, (field(3, field(2, "cookie")), None)), change, r"^set-person refused code=13 ")
    for answers in [(), (wanted,), (wanted, (GRANT, None))]:
        with impostor(PATH, serve(*answers)), talk() as program:
            program.hears(*change)
            number = program.says(r"^number (\d+)")[1]
            program.quiet(r"^set-person ", 0.1)
            program.hears("cancel", number)
            program.quiet(r"^set-person ", 0.1)
            program.hears("cancel", number)
            program.says(r"^cancel ENOENT")
            program.ends()
    step("people, gates and ages that no daemon has, and grants for changes that are refused, cut off or taken back")


def main():
    try:
        for part in [single_answers, steps, pages, shown, people]:
            part()
    finally:
        shutil.rmtree(FOLDER)


if __name__ == "__main__":
    run(main)
