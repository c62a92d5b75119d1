"""Presentations of libgate, in the form that dialogues use."""

import queue

import libgate_binding as binding
from gateclient import STATE_CLOSES, messages
from gateclient.forms import FormDraft
from libgate_handle import ENOENT, PATIENCE, error_of

#: The fields of a content that gate.h leaves out. The dialogues show the products and the provider of a paywall.
LEFT_OUT = {"paywall": ("provider", "products", "features"), "form": ("holder",)}


def texts(pointers):
    return [{"language": binding.text(one.language), "text": binding.text(one.text)} for one in binding.each(pointers)]


def _strings(pointer):
    every, index = [], 0
    while pointer[index] is not None:
        every.append(pointer[index].decode())
        index += 1
    return every


def _shapes(pointers):
    return [{"form": one.form, "colour": one.colour} for one in binding.each(pointers)]


def _summary(shown):
    fields = {
        "id": shown.id, "purpose": shown.purpose, "kind": shown.kind, "style": shown.style,
        "is_dismissible": shown.is_dismissible,
        "asked": {
            "uid": shown.uid, "pid": shown.pid, "program": binding.text(shown.program),
            "gated_action": binding.text(shown.gated_action), "title": binding.text(shown.action_title),
            "details": binding.text(shown.details), "duration_milliseconds": shown.duration_ms,
            "titles": texts(shown.action_titles), "translated_details": texts(shown.details_in_languages),
            "is_apps_own": shown.is_apps_own, "device": binding.text(shown.device),
        },
    }
    if shown.has_broker:
        fields["asked"]["broker"] = {"uid": shown.broker_uid, "program": binding.text(shown.broker)}
    if shown.deadline_boottime_ns != binding.NEVER:
        fields["deadline_boottime_nanoseconds"] = shown.deadline_boottime_ns
    return fields


def _content(kind, shown):
    """The fields of the content in gate_presentation."""
    choices = shown.choices[: shown.choice_count]
    named = {"title": binding.text(shown.title), "titles": texts(shown.titles)}
    match kind:
        case "arithmetic_choice":
            return {"left": shown.left, "operation": shown.operation, "right": shown.right, "choices": choices}
        case "arithmetic_entry":
            return {"left": shown.left, "operation": shown.operation, "right": shown.right}
        case "shapes":
            sides = {"left": _shapes(shown.left_shapes), "right": _shapes(shown.right_shapes)}
            return sides | {"operation": shown.operation, "choices": choices}
        case "quiz":
            return {
                "texts": [
                    {
                        "language": binding.text(one.language), "question": binding.text(one.question),
                        "choices": _strings(one.choices),
                    }
                    for one in binding.each(shown.quiz)
                ]
            }
        case "birthdate":
            return {"calendar": shown.calendar}
        case "hold":
            return {"duration_milliseconds": shown.hold_ms}
        case "swipe":
            return {"direction": shown.direction, "fingers": shown.fingers}
        case "paywall":
            offers = [
                {
                    "product": binding.text(one.product), "titles": texts(one.titles), "period": binding.text(one.period),
                    "price": binding.text(one.price), "url": binding.text(one.url),
                }
                for one in binding.each(shown.offers)
            ]
            return named | {"entitlement": binding.text(shown.name), "offers": offers}
        case "form":
            return named | {"name": binding.text(shown.name), "is_for_grown_ups": shown.is_for_grown_ups}
        case "whats_new":
            features = [
                {
                    "title": binding.text(one.title), "subtitle": binding.text(one.subtitle), "titles": texts(one.titles),
                    "subtitles": texts(one.subtitles),
                }
                for one in binding.each(shown.features)
            ]
            fields = {"app": binding.text(shown.name), "version": binding.text(shown.version), "features": features}
            fields["primary"] = {"title": binding.text(shown.primary)}
            if shown.secondary:
                fields["secondary"] = {"title": binding.text(shown.secondary), "url": binding.text(shown.secondary_url)}
            return named | fields
    return {}


def _without_what_is_left_out(tapped, kind):
    """The presentation that the daemon sent, without the fields that gate.h does not have."""
    plain = messages.Presentation.FromString(tapped.SerializeToString())
    plain.ClearField("cookie")
    for name in ("stage", "restore_count", "provider"):
        plain.summary.ClearField(name)
    content = getattr(plain, kind)
    for name in LEFT_OUT.get(kind, ()):
        content.ClearField(name)
    if kind == "whats_new":
        for action in [content.primary] + ([content.secondary] if content.HasField("secondary") else []):
            for name in ("haptic", "colour", "titles"):
                action.ClearField(name)
        content.primary.ClearField("url")
        for feature in content.features:
            feature.ClearField("image")
            feature.ClearField("colour")
    return plain


def presentation_of(shown, tapped):
    """The presentation that libgate shows, after comparing it with the one that the daemon sent. The fields that
    gate.h leaves out are added."""
    kind = tapped.WhichOneof("content")
    read = messages.Presentation(**{"summary": _summary(shown), kind: _content(kind, shown)})
    sent = _without_what_is_left_out(tapped, kind)
    if read != sent:
        raise AssertionError(f"libgate shows\n{read}\nwhere the daemon has sent\n{sent}")
    whole = messages.Presentation.FromString(read.SerializeToString())
    for name in LEFT_OUT.get(kind, ()):
        field = getattr(tapped, kind).DESCRIPTOR.fields_by_name[name]
        if field.label == field.LABEL_REPEATED:
            getattr(getattr(whole, kind), name).extend(getattr(getattr(tapped, kind), name))
        elif field.message_type is not None:
            getattr(getattr(whole, kind), name).CopyFrom(getattr(getattr(tapped, kind), name))
        else:
            setattr(getattr(whole, kind), name, getattr(getattr(tapped, kind), name))
    return whole


class LibgateQuestion:
    """The counterpart of `gateclient.questions.OpenPresentation`."""

    def __init__(self, calls, presentation, cookie, refusal):
        self._calls, self._presentation, self.cookie, self.refusal = calls, presentation, cookie, refusal
        self.summary, self.asked = presentation.summary, presentation.summary.asked
        self.number, self.kind = self.summary.id, presentation.WhichOneof("content")
        self.content = getattr(presentation, self.kind)

    async def report(self, what):
        self._calls.report(self.number, what)

    def give(self, answer):
        """Gives an answer. If the presentation was closed meanwhile, nothing happens, and the handlers get the
        reason."""
        calls, number = self._calls, self.number
        match answer:
            case None:
                result = calls.answer("gate_dismiss", number)
            case str():
                result = calls.answer("gate_answer_text", number, answer.encode())
            case bytes():
                result = calls.answer("gate_answer_secret", number, answer, len(answer))
            case messages.Released():
                result = calls.answer("gate_answer_released", number)
            case messages.Swipe():
                result = calls.answer("gate_answer_swipe", number, answer.direction, answer.fingers)
            case messages.Acknowledged():
                result = calls.answer("gate_answer_acknowledged", number, answer.action == messages.Acknowledged.ACTION_SECONDARY)
            case _:
                assert answer is STATE_CLOSES
                result = 0
        if result < 0 and result != -ENOENT:
            raise RuntimeError(f"an answer to presentation {number} returns {result}")

    async def complete(self, answer):
        """Answers a presentation that a presenter shows, and waits until it is closed or asked again."""
        self.give(answer)
        self._calls.wait_for_end_of(self.number)

    async def dismiss(self):
        await self.complete(None)

    async def log_in(self, name, password):
        return await self._calls.log_in(name, password)

    async def open_form(self):
        """Takes the cookie from the wire, since libgate does not reveal it."""
        target = {"name": self.content.name, "cookie": self.cookie}
        return await FormDraft.opened(self._calls, await self._calls.connected(), target, {})


class PresenterEvents:
    """The counterpart of `gateclient.streams.PresenterStream`."""

    def __init__(self, calls, kinds, styles, has_own_screen):
        self._calls, self._heard = calls, calls.screen_events
        calls.handle.ask(
            "gate_start_presenting", kinds, styles, has_own_screen, calls.handle.handler(binding.DoneHandler, self._told), None
        )

    def _told(self, error):
        self._heard.put(("told", error_of(error)))

    async def next(self):
        try:
            return PresenterNews(*self._calls.next_on_screen(self._calls.time_left(PATIENCE)))
        except queue.Empty:
            self._calls.not_yet()
            return None

    def stop(self):
        self._calls.handle.ask("gate_stop_presenting")


class PresenterNews:
    """An event for a presenter, as in gateclient."""

    def __init__(self, kind, value=None):
        self.kind, self.number, self.presentation, self.elsewhere, self.error = kind, 0, None, None, None
        match kind:
            case "show":
                self.presentation, self.number = value, value.number
            case "close":
                self.number = value
            case "told":
                self.kind = "registered" if value is None else "lost" if value.code.name == "UNAVAILABLE" else "refused"
                self.error = value if self.kind == "refused" else None
