"""The state machines for watching, reconnecting and presenting: events go in, answers come out."""

import copy
import pathlib
import re
import unittest

from gateclient import Ask, AskState, Code, GateError, ScheduleState, messages
from gateclient.frames import ConnectionStateMachine
from gateclient.presenting import PresenterStateMachine
from gateclient.reconnecting import ReconnectStateMachine
from gateclient.values import (
    NEVER,
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

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "Tests/ClientMachines"
LOST = GateError(Code.UNAVAILABLE, "lost")


class Reconnecting:
    """The state machine for reconnecting, with the words of the tables."""

    def __init__(self):
        self.machine = ReconnectStateMachine()

    def hear(self, event, words):
        options = dict(word.split("=") for word in words)
        wait = None
        match event:
            case "failed":
                for _ in range(int(options.get("times", 1))):
                    wait = self.machine.failed(float(options["chance"]))
                    if "times" in options:
                        self.machine.waited()
            case "waited":
                self.machine.waited()
            case "caught-up":
                self.machine.caught_up()
            case _:
                raise ValueError(f"there is no event {event}")
        return "none" if wait is None else f"wait {round(wait * 1e6)}"


class Watching:
    """The state machine for watching, with the words of the tables."""

    #: The answers if nothing is known.
    CLOSED = {
        "mode": ModeState(),
        "presentations": (),
        "sign-in": SignInState(),
        "entitlements": EntitlementsState(),
        "forms": (),
        "asks": (),
        "schedules": (),
    }

    def __init__(self):
        self.machine = None
        self.heard = []  # the values received so far, as (topic, word, value)

    def hear(self, event, words):
        told = None
        options = dict(word.split("=") for word in words if "=" in word)
        at = int(options.pop("at", "0"))
        now = Reading(boot_nanoseconds=at, wall_milliseconds=at)
        match event:
            case "watches":
                self.machine = WatchStateMachine([Topic(topic) for topic in words])
            case "opened":
                self.machine.stream_opened()
            case "snapshot" | "change":
                told = self.machine.message_received(self.message(event, words[0], options), now, 1)
            case "failed":
                told = self.machine.failed(LOST, 1)
            case "waited":
                self.machine.waited()
            case "stopped":
                self.machine.stopped()
            case "left":
                left = self.machine.time_left(now)
                return "none" if left is None else str(left)
            case _:
                raise ValueError(f"there is no event {event}")
        return " ".join([*self.said(told), self.next()])

    def message(self, kind, revision, options):
        epoch, number = map(int, revision.split("."))
        parts = {}
        for topic, word in options.items():
            value = self.value(topic, *word.split("@"))
            self.heard.append((topic, word, value))
            parts[topic.replace("-", "_")] = value
        return StateUpdate(number, Revision(epoch, number), is_snapshot=kind == "snapshot", **parts)

    def value(self, topic, name, deadline=None):
        until = None if deadline is None else int(deadline)
        if topic == "mode":
            return ModeState(Mode(name), until)
        if name in ("nobody", "none"):
            return self.CLOSED[topic]
        match topic:
            case "presentations":
                asked = messages.Asked(title=name)
                return (messages.PresentationSummary(asked=asked, deadline_boottime_nanoseconds=until),)
            case "sign-in":
                return SignInState(Session(name, is_child=False, deadline=NEVER if until is None else until))
            case "entitlements":
                return EntitlementsState((Entitlement("premium", "Premium", True, until),), True)
            case "forms":
                return (messages.FormSummary(name=name),)
            case "asks":
                return (Ask(1, 1, "ben", name, name, "", AskState.WAITING, 1),)
            case "schedules":
                return (ScheduleState("after-school", name == "open", until),)
        raise ValueError(f"there is no topic {topic}")

    def said(self, told):
        """What a watcher is told, in words. An answer without an event is among them, and fails the test."""
        if told is None:
            return
        revision = f" {told.update.revision.epoch}.{told.update.revision.number}" if told.update else ""
        yield f"told {told.kind}{revision}"
        for topic, closed in self.CLOSED.items():
            name = topic.replace("-", "_")
            answer = getattr(told, name)
            if told.update and getattr(told.update, name) is not None:
                words = [word for heard, word, value in self.heard if heard == topic and value == answer]
                yield f"{topic}={words[0] if words else answer}"
            elif answer != (None if told.kind == "change" else closed):
                yield f"{topic}={answer}"

    def next(self):
        action = self.machine.action
        if action.name == "wait":
            return f"wait {round(action.seconds * 1000)}"
        return f"{action.name} after {action.after.epoch}.{action.after.number}" if action.after else action.name


class TableTests(unittest.TestCase):
    def play(self, name, kind):
        """Plays a table of Tests/ClientMachines. The README there says how to read it."""
        subject, kept, sentences = None, {}, []
        for number, line in enumerate((TABLES / name).read_text().splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            if line.startswith("test "):
                sentences.append(line.removeprefix("test "))
                subject = kind()
                continue
            with self.subTest(sentences[-1], line=f"{name}:{number}"):
                event, _, expected = (part.strip() for part in line.partition("=>"))
                event, *words = event.split()
                if event == "copies":
                    kept[words[0]] = copy.deepcopy(subject)
                elif event == "from":
                    subject = copy.deepcopy(kept[words[0]])
                elif event == "left" and expected != "none":
                    # This machine counts in seconds.
                    self.assertEqual(subject.hear(event, words), str(int(expected) / 1e9))
                else:
                    self.assertEqual(subject.hear(event, words), expected)
        self.assertTrue(sentences)

    def test_watching_is_as_the_table_of_all_clients_says(self):
        self.play("watching.txt", Watching)

    def test_reconnecting_is_as_the_table_of_all_clients_says(self):
        self.play("reconnecting.txt", Reconnecting)


class WatchingTests(unittest.TestCase):
    def test_without_a_clock_that_is_shared_nothing_is_too_late(self):
        # The tables have no word for this, since libgate always compares with the clocks of its device.
        machine = WatchStateMachine()
        machine.stream_opened()
        parent = ModeState(Mode.PARENT, 60)
        told = machine.message_received(StateUpdate(5, Revision(7, 5), parent, is_snapshot=True), None, 1)
        self.assertEqual((told.kind, told.mode, machine.action.name), ("snapshot", parent, "receive"))

    def test_what_is_not_paid_for_has_no_end(self):
        machine, now = WatchStateMachine([Topic.ENTITLEMENTS]), Reading(5000, 5000)
        machine.stream_opened()
        ended = EntitlementsState((Entitlement("premium", "Premium", False, 4000),))
        message = StateUpdate(5, Revision(7, 5), entitlements=ended, is_snapshot=True)
        self.assertEqual(machine.message_received(message, now, 1).entitlements, ended)
        self.assertIsNone(machine.time_left(now))

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
        """Plays events, and returns whether all of them were possible. Checks that parent is believed only if it may
        be."""
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
        root = ROOT / "Sources/clients/GateClient"
        for path, machine in {
            "Watching/WatchStateMachine.swift": WatchStateMachine,
            "Connecting/ReconnectStateMachine.swift": ReconnectStateMachine,
            "Presenting/PresenterStateMachine.swift": PresenterStateMachine,
        }.items():
            swift = re.findall(r"^    mutating func (\w+)", (root / path).read_text(), re.MULTILINE)
            self.assertTrue(swift)
            names = [re.sub("([A-Z])", lambda match: "_" + match[0].lower(), name) for name in swift]
            self.assertEqual([name for name in names if not hasattr(machine, name)], [])


class ConnectionTests(unittest.TestCase):
    """The state machine of one connection."""

    def test_it_ends_while_another_thread_is_sending(self):
        machine = ConnectionStateMachine("test")
        machine.outgoing += b"on its way"
        # The bytes that a socket holds while it sends.
        with memoryview(machine.outgoing) as sending:
            machine.lost(LOST)
            self.assertEqual(bytes(sending), b"on its way")
        self.assertFalse(machine.outgoing)
