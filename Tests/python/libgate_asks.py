"""The calls of gateclient about questions that wait, through the functions of gate-asks.h."""

import libgate_binding as binding
from gateclient import Ask, AskState


def _ask(one):
    states = {1: AskState.WAITING, 2: AskState.ALLOWED, 3: AskState.REFUSED, 4: AskState.CLOSED}
    text = binding.text
    return Ask(
        one.number, one.uid, text(one.person), text(one.gated_action), text(one.title), text(one.details),
        states.get(one.state), one.until_unix_ms, text(one.device), choice=text(one.choice),
        is_until_tomorrow=one.is_until_tomorrow, refusal=text(one.refusal), is_more_time=one.is_more_time,
    )


class LibgateAsks:
    """The part of `LibgateCalls` for questions that wait. libgate tells no revision."""

    async def asks(self):
        return self.handle.answer_to(
            "gate_list_asks", binding.AsksHandler, lambda every: [_ask(one) for one in binding.each(every)]
        )

    async def answer_ask(self, number, is_allowed, choice=""):
        named = choice.encode() or None
        self.handle.answer_to("gate_answer_ask", binding.DoneHandler, lambda: None, number, int(is_allowed), named)

    async def withdraw_ask(self, number):
        self.handle.answer_to("gate_withdraw_ask", binding.DoneHandler, lambda: None, number)

    async def more_time(self, gated_action, choice=""):
        asks = self.handle.answer_to(
            "gate_ask_more_time", binding.AsksHandler, lambda every: [_ask(one) for one in binding.each(every)],
            gated_action.encode(), choice.encode() or None,
        )
        return asks[0]
