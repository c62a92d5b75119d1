"""Gate in Python: who is in charge of this device, and whether something may be done.

`Gate` blocks; `aio.Gate` is for asyncio. Both fail closed: without a daemon that can be believed the mode is child, nobody is
signed in, nothing is paid for, and nothing is granted.
"""

from . import aio, messages
from .errors import Code, GateError
from .forms import JSON
from .plain import FormDraft, Gate, OpenPresentation, PresenterEvent, Stream
from .questions import STATE_CLOSES, Answer
from .server import Options
from .status import DeviceStatus, StatusPage
from .values import (
    Entitlement,
    EntitlementsState,
    Grant,
    Mode,
    ModeState,
    Outcome,
    Outlook,
    Requester,
    Revision,
    Session,
    SignInState,
    StateUpdate,
)
from .watching import Topic, WatchEvent

__all__ = [
    "Answer", "Code", "DeviceStatus", "Entitlement", "EntitlementsState", "FormDraft", "Gate", "GateError", "Grant", "JSON",
    "Mode", "ModeState", "OpenPresentation", "Options", "Outcome", "Outlook", "PresenterEvent", "Requester", "Revision",
    "STATE_CLOSES", "Session", "SignInState", "StateUpdate", "StatusPage", "Stream", "Topic", "WatchEvent", "aio", "messages",
]
