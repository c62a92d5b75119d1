"""Questions and answers in the words of the dialogues."""

import re

from dialogue_text import Unknown, clock_text, short_text
from gateclient import messages, text_of
from gateclient.values import provider_name

OPERATORS = {1: "+", 2: "\u2212", 3: "\u00d7", 4: "\u00f7"}
CLOSED_BY_STATE = ("sign_in", "paywall", "form")
#: By the number of a purpose: the first two, and those whose words do not depend on what is asked for.
WISHES = {1: "parent mode", 2: "more time in parent mode", 4: "somebody to sign in", 6: "a form filled in"}


def name_in(enum, number):
    """The last word of a constant in small letters: FORM_CIRCLE becomes "circle"."""
    return enum.Name(number).rpartition("_")[2].lower()


# MARK: what is shown


def challenge_text(question):
    content = question.content

    def lettered(choices):
        return "".join(f"  {letter}) {choice}" for letter, choice in zip("abcdefgh", choices))

    match question.kind:
        case "arithmetic_choice" | "arithmetic_entry":
            problem = f"{content.left} {OPERATORS[content.operation]} {content.right} = ?"
            return problem + lettered(getattr(content, "choices", []))
        case "shapes":
            left, right = (
                "(" + " ".join(name_in(messages.Shape.Form, one.form) for one in side) + ")"
                for side in (content.left, content.right)
            )
            return f"corners of {left} {OPERATORS[content.operation]} {right} = ?{lettered(content.choices)}"
        case "quiz":
            text = next((one for one in content.texts if one.language == "en"), content.texts[0])
            return text.question + lettered(text.choices)
        case "confirm":
            return "may they?"
        case "birthdate":
            return f"born when? ({name_in(messages.Birthdate.Calendar, content.calendar)})"
        case "passcode":
            return "passcode?"
        case "totp":
            return "code?"
        case "hold":
            return f"hold for {short_text(content.duration_milliseconds / 1000)}"
        case "swipe":
            return f"swipe {name_in(messages.Swipe.Direction, content.direction)} with {content.fingers} fingers"
    raise Unknown(question.kind)


def paywall_text(paywall):
    products = ": " + ", ".join(paywall.products) if paywall.products else ""
    offers = [
        one.product
        + (f" at {one.price}" if one.price else "")
        + (f" for {one.period}" if one.period else "")
        + (f", {one.url}" if one.url else "")
        for one in paywall.offers
    ]
    return "; ".join([f"through {provider_name(paywall.provider)}{products}", *offers])


def news_text(news):
    buttons = [news.primary.title] + ([news.secondary.title] if news.HasField("secondary") else [])
    features = ", ".join(one.title for one in news.features)
    return f"{news.title} ({news.app} {news.version}): {features} [{', '.join(buttons)}]"


def own_text(question):
    """The text that a requester shows on its own screen."""
    number, content = question.number, question.content
    match question.kind:
        case "sign_in":
            return f"sign-in {number}"
        case "paywall":
            return f"paywall {number}: {content.title}, {paywall_text(content)}"
        case "form":
            return f"form {number}: {content.title}"
        case "whats_new":
            return f"what's new {number}: {news_text(content)}"
    return f"challenge {number}: {challenge_text(question)}"


def screen_text(question, who):
    """The text that a presenter shows on its screen."""
    number, asked, purpose = question.number, question.asked, question.summary.purpose
    wish = f"{asked.title}, {asked.details}" if asked.details else asked.title
    wish = WISHES.get(purpose, asked.details if purpose in (5, 7) else wish)
    match question.kind:
        case "sign_in":
            return f"sign-in {number}: {who} wants {wish}" if question.summary.is_dismissible else f"sign-in {number}: cover"
        case "paywall":
            return f"paywall {number}: {who} wants {wish}: {paywall_text(question.content)}"
        case "form":
            return f"form {number}: {who} wants {wish}: {question.content.title}"
        case "whats_new":
            return f"what's new {number}: {news_text(question.content)}"
    return f"challenge {number}: {who} wants {wish}: {challenge_text(question)}"


# MARK: what is answered


def answer_of(question, text, code):
    """The answer that a person means. `code`: the code that the person's authenticator shows."""
    content, choices = question.content, []
    if question.kind == "quiz":
        choices = [str(number) for number in range(1, len(content.texts[0].choices) + 1)]
    elif question.kind in ("arithmetic_choice", "shapes"):
        choices = [str(choice) for choice in content.choices]
    if len(text) == 1 and text in "abcdefgh" and "abcdefgh".index(text) < len(choices):
        return choices["abcdefgh".index(text)]
    if question.kind == "totp" and text == "code":
        return code.encode()
    if question.kind in ("passcode", "totp"):
        return text.encode()
    if question.kind == "hold" and text == "release":
        return messages.Released()
    if question.kind == "swipe" and (match := re.fullmatch(r"(\w+) with (\d+)(?: fingers)?", text)):
        return messages.Swipe(direction=f"DIRECTION_{match[1].upper()}", fingers=int(match[2]))
    if question.kind == "whats_new":
        if text not in ("continue", "more"):
            raise Unknown(f"a button called {text}")
        return messages.Acknowledged(action="ACTION_SECONDARY" if text == "more" else "ACTION_PRIMARY")
    return text


# MARK: the state


def sign_in_text(state, clock):
    """`clock` converts a deadline to seconds since the dialogue began."""
    if state.session is None:
        return "nobody is signed in" + (", somebody has to be" if state.needs_authentication else "")
    return f"{state.session.name} is signed in until {clock_text(clock(state.session.deadline / 1e9))}"


def entitlements_text(state, wall_clock):
    """`wall_clock` converts milliseconds since 1970 to seconds since the dialogue began."""
    lines = []
    for one in state.entitlements:
        if one.source is None:
            lines.append(f"{one.name}: not claimed")
            continue
        until = f" until {clock_text(wall_clock(one.until))}" if one.until is not None else ""
        lines.append(f"{one.name}: {one.source.status}{until}, says {one.source.provider} of {one.source.product}")
    return "\n".join([*lines, f"subscription {'active' if state.is_subscription_active else 'not active'}"])


def answer_lines(questionnaire, response, path=None):
    """The answers, one on each line: `driver[1]/driver-name: Ben Lind`. `path`: only of this question or group."""
    lines = []

    def collect(items, answered, before):
        for item in items:
            times = [one for one in answered if one.get("linkId") == item["linkId"]]
            repeats = item.get("repeats", False)
            for index, time in enumerate(times):
                given = time.get("answer", [])
                values = [text_of(one) for one in given if any(key.startswith("value") for key in one)]
                if values:
                    text = " | ".join(value.replace("\n", " / ") for value in values)
                    lines.append(("/".join([*before, item["linkId"]]), text))

                def place(number):
                    return [*before, f"{item['linkId']}[{number}]"] if repeats else before

                for number, answer in enumerate(given):
                    collect(item.get("item", []), answer.get("item", []), place(number))
                collect(item.get("item", []), time.get("item", []), place(index))

    collect(questionnaire.get("item", []), response.get("item", []), [])
    wanted = [f"{at}: {text}" for at, text in lines if path is None or at == path or at.startswith(f"{path}/")]
    return "\n".join(wanted) or "nothing"
