"""The machines for watching, reconnecting and presenting: events in, what they answer out."""

import pathlib
import re
import unittest

from gateclient import Code, GateError, messages
from gateclient.presenting import PresenterStateMachine
from gateclient.reconnecting import ReconnectStateMachine
from gateclient.values import (
    Entitlement,
    EntitlementsState,
    Mode,
    ModeState,
    Reading,
    Revision,
    Session,
    SignInState,
    StateUpdate,
)
from gateclient.watching import Topic, WatchStateMachine

HERE = pathlib.Path(__file__).resolve().parent
LOST = GateError(Code.UNAVAILABLE, "lost")


def cases(name):
    """The cases of a table: a title, and its lines as (place, event, answer)."""
    found = []
    for number, line in enumerate((HERE / name).read_text().splitlines(), 1):
        if line.startswith("= "):
            found.append((line[2:], []))
        elif line and not line.startswith("#"):
            event, _, answer = line.partition("->")
            found[-1][1].append((f"{name}:{number}", event.split(), answer.strip()))
    return found


def options(words):
    return {key: value for key, _, value in (word.partition("=") for word in words if "=" in word)}


class ReconnectingTests(unittest.TestCase):
    def test_each_event_is_answered_as_the_table_says(self):
        for title, lines in cases("reconnecting.txt"):
            machine = ReconnectStateMachine()
            for place, (event, *words), answer in lines:
                with self.subTest(title, place=place):
                    if event == "failed":
                        wait = machine.failed(float(options(words).get("jitter", 1)))
                        self.assertEqual("nothing" if wait is None else f"{wait * 1000:g}", answer)
                    else:
                        getattr(machine, event)()


class Watched:
    """A watch machine that speaks the words of the table."""

    def __init__(self, topics):
        self.topics = topics
        self.machine = WatchStateMachine([Topic(topic) for topic in topics])

    def hear(self, event, words):
        given = options(words)
        now = None
        if "at" in given:
            now = Reading(int(float(given["at"]) * 1e9), int(float(given["at"]) * 1000))
        match event:
            case "time_left":
                left = self.machine.time_left(now)
                return "nothing" if left is None else f"{left:g}"
            case "failed":
                told = self.machine.failed(LOST, 1)
            case "message_received":
                told = self.machine.message_received(self.message(words, given), now, 1)
            case _:
                told = getattr(self.machine, event)()
        action = self.machine.action
        after = f" {action.after.epoch}:{action.after.number}" if action.after else ""
        wait = f" {action.seconds * 1000:g}" if action.name == "wait" else ""
        return (f"{self.said(told)}; " if told else "") + action.name + after + wait

    def said(self, told):
        words = [told.kind]
        if "mode" in self.topics and told.mode:
            words.append(told.mode.mode.value)
        if "sign-in" in self.topics and told.sign_in:
            words.append(told.sign_in.session.name if told.sign_in.session else "nobody")
        if "entitlements" in self.topics and told.entitlements:
            words.append("premium" if told.entitlements.is_subscription_active else "no-premium")
        return " ".join(words)

    @staticmethod
    def message(words, given):
        def nanoseconds(name):
            return int(float(given[name]) * 1e9) if name in given else None

        kind, revision, *parts = words
        told = {}
        for part in parts:
            match part:
                case "child" | "verifying" | "parent":
                    told["mode"] = ModeState(Mode(part), nanoseconds("until"))
                case "premium" | "no-premium":
                    until = int(float(given["paid-until"]) * 1000) if "paid-until" in given else None
                    one = Entitlement("premium", "Premium", part == "premium", until)
                    told["entitlements"] = EntitlementsState((one,), part == "premium")
                case "nobody":
                    told["sign_in"] = SignInState()
                case str() if "=" not in part:
                    told["sign_in"] = SignInState(Session(part, False, nanoseconds("session-until") or 2**62))
        epoch, number = map(int, revision.split(":"))
        return StateUpdate(number, Revision(epoch, number), is_snapshot=kind == "snapshot", **told)


class WatchingTests(unittest.TestCase):
    def test_each_event_is_answered_as_the_table_says(self):
        for title, lines in cases("watching.txt"):
            watched = Watched(["mode"])
            for place, words, answer in lines:
                with self.subTest(title, place=place):
                    if words and words[0] == "watch":
                        watched = Watched(words[1:])
                    elif words:
                        self.assertEqual(watched.hear(words[0], words[1:]), answer)
                    else:
                        self.assertEqual(watched.machine.action.name, answer)

    def test_events_that_nobody_asked_for_are_mistakes_of_the_program(self):
        machine = WatchStateMachine()
        for event in (machine.waited, lambda: machine.message_received(StateUpdate(1, Revision(7, 1)), None, 1)):
            with self.assertRaises(RuntimeError):
                event()
        machine.stream_opened()
        with self.assertRaises(RuntimeError):
            machine.stream_opened()

    def test_no_order_of_events_makes_it_tell_parent_after_a_loss(self):
        # Every order of seven events, with messages of a daemon that says parent whenever it may.
        events = ["open", "snapshot", "change", "old", "fail", "wait"]

        def walk(path, depth):
            told = self.play(path)
            if told and depth:
                for event in events:
                    walk(path + [event], depth - 1)

        walk([], 6)

    def play(self, path):
        """Plays events, and returns whether they all could come. What is believed is parent only where it may be."""
        machine, believed, number = WatchStateMachine(), "child", 0
        for event in path:
            wanted = machine.action.name
            told = None
            if event == "open" and wanted == "open":
                machine.stream_opened()
            elif event == "wait" and wanted == "wait":
                machine.waited()
            elif event in ("snapshot", "change", "old") and wanted == "receive":
                number += event != "old"
                parent = ModeState(Mode.PARENT, None)
                update = StateUpdate(number, Revision(7, number), parent, is_snapshot=event == "snapshot")
                told = machine.message_received(update, None, 1)
            elif event == "fail" and wanted in ("open", "receive"):
                told = machine.failed(LOST, 1)
            else:
                return False
            if told is not None and told.mode is not None:
                believed = told.mode.mode.value
            if machine.action.name in ("open", "wait"):
                self.assertEqual(believed, "child", path)
        return True


def summary(number, stage):
    return messages.PresentationSummary(id=number, stage=f"STAGE_{stage.upper()}")


class PresentingTests(unittest.TestCase):
    def setUp(self):
        self.machine = PresenterStateMachine()

    def names(self, news):
        return [f"{one.name} {one.number}" if one.number else one.name for one in news]

    def registered(self):
        self.machine.stream_opened()
        self.assertEqual(self.names(self.machine.message_received(None)), ["registered"])

    def showing(self, number):
        self.machine.message_received(summary(number, "offered"))
        self.assertEqual((self.machine.action.name, self.machine.action.number), ("claim", number))
        presentation = messages.Presentation(summary=summary(number, "claimed"))
        self.assertEqual(self.names(self.machine.claimed(presentation, 1)), [f"show {number}"])

    def test_what_is_offered_is_claimed_shown_and_closed_once(self):
        self.registered()
        self.showing(3)
        self.assertEqual(self.machine.message_received(summary(3, "claimed")), [])
        self.assertEqual(self.machine.message_received(summary(3, "shown")), [])
        self.assertEqual(self.names(self.machine.message_received(None)), ["close 3"])
        self.assertEqual(self.machine.message_received(None), [])

    def test_the_same_on_offer_again_is_closed_and_claimed_again(self):
        self.registered()
        self.showing(3)
        self.assertEqual(self.names(self.machine.message_received(summary(3, "offered"))), ["close 3"])
        self.assertEqual(self.machine.action.name, "claim")

    def test_a_claim_that_came_late_is_dropped(self):
        self.registered()
        self.machine.message_received(summary(3, "offered"))
        self.assertEqual(self.machine.claim_failed(GateError(Code.ABORTED, "", "CLOSED"), 1), [])
        self.assertEqual(self.machine.action.name, "receive")

    def test_a_claim_whose_answer_is_missing_lets_the_stream_go(self):
        self.registered()
        self.machine.message_received(summary(3, "offered"))
        self.assertEqual(self.names(self.machine.claim_failed(LOST, 1)), ["lost"])
        self.assertEqual(self.machine.action.name, "wait")

    def test_another_presentation_than_was_claimed_is_not_shown(self):
        self.registered()
        self.machine.message_received(summary(3, "offered"))
        wrong = messages.Presentation(summary=summary(4, "claimed"))
        self.assertEqual(self.names(self.machine.claimed(wrong, 1)), ["lost"])

    def test_a_loss_closes_what_is_shown_and_is_told_once(self):
        self.registered()
        self.showing(3)
        self.assertEqual(self.names(self.machine.failed(LOST, 1)), ["close 3", "lost"])
        self.machine.waited()
        self.assertEqual(self.machine.failed(LOST, 1), [])

    def test_a_refusal_that_lasts_is_the_end(self):
        self.machine.stream_opened()
        refused = GateError(Code.PERMISSION_DENIED, "", "NOT_PERMITTED")
        self.assertEqual(self.names(self.machine.failed(refused, 1)), ["refused"])
        self.assertEqual(self.machine.action.name, "end")

    def test_what_is_elsewhere_is_told_when_it_changes_and_taken_back_with_the_loss(self):
        self.registered()
        there = messages.Elsewhere(presentation=summary(5, "shown"), place="PLACE_GROWN_UP")
        self.assertEqual(self.names(self.machine.message_received(None, there)), ["elsewhere"])
        self.assertEqual(self.machine.message_received(None, there), [])
        self.assertEqual(self.names(self.machine.failed(LOST, 1)), ["elsewhere", "lost"])


class NamesTests(unittest.TestCase):
    def test_the_machines_have_the_events_of_the_swift_machines(self):
        root = HERE.parents[1] / "Sources/GateClient"
        for path, machine in {
            "Watching/WatchStateMachine.swift": WatchStateMachine,
            "Connecting/ReconnectStateMachine.swift": ReconnectStateMachine,
            "Presenting/PresenterStateMachine.swift": PresenterStateMachine,
        }.items():
            swift = re.findall(r"^    mutating func (\w+)", (root / path).read_text(), re.MULTILINE)
            self.assertTrue(swift)
            names = [re.sub("([A-Z])", lambda match: "_" + match[0].lower(), name) for name in swift]
            self.assertEqual([name for name in names if not hasattr(machine, name)], [])
