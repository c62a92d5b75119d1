"""Gate in Python: who is in charge of this device, and whether something may be done.

The calls of `Gate` block; `aio.Gate` is for asyncio. Both fail closed: without a trusted daemon the mode is child,
nobody is signed in, nothing is paid for, and nothing is granted.
"""

from . import aio, messages, sentences
from .ages import AgeApp, AgeChoice, AgeRange, AgeSettings, AgeSource
from .answers import JSON, text_of
from .asks import Ask, AskState, ScheduleState
from .errors import Asked, Code, GateError
from .form_calls import WhatsNewOutcome
from .forms import FormChange, Suggestion
from .people import ChangedGate, ChangedTimeRule, GateRule, GateStrength, Person, PersonKind, TimeRule, TimeRuleKind
from .plain import Gate, PresenterEvent, Stream
from .plain_forms import FormDraft
from .plain_questions import OpenPresentation
from .questions import STATE_CLOSES, Answer
from .server import Options
from .status import DeviceStatus, StatusPage
from .values import (
    Entitlement,
    EntitlementSource,
    EntitlementsState,
    Grant,
    Kind,
    Mode,
    ModeState,
    Outcome,
    Outlook,
    PaywallOutcome,
    Requester,
    Revision,
    Session,
    SignInState,
    StateUpdate,
    Subject,
)
from .watching import Topic, WatchEvent

__all__ = [
    "AgeApp", "AgeChoice", "AgeRange", "AgeSettings", "AgeSource", "Answer", "Ask", "AskState", "Asked",
    "ChangedGate", "ChangedTimeRule", "Code", "DeviceStatus", "Entitlement", "EntitlementSource",
    "EntitlementsState", "FormChange", "FormDraft", "Gate", "GateError", "GateRule", "GateStrength", "Grant",
    "JSON", "Kind", "Mode", "ModeState", "OpenPresentation", "Options", "Outcome", "Outlook", "PaywallOutcome",
    "Person", "PersonKind", "PresenterEvent", "Requester", "Revision", "STATE_CLOSES", "ScheduleState", "Session",
    "SignInState", "StateUpdate", "StatusPage", "Stream", "Subject", "Suggestion", "TimeRule", "TimeRuleKind",
    "Topic", "WatchEvent", "WhatsNewOutcome", "aio", "messages", "sentences", "text_of",
]
