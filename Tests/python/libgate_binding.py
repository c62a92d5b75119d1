"""Sources/clients/libgate/gate.h for Python: its structures, its handlers and its functions."""

import ctypes
import functools
import os
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint32, c_uint64, c_void_p


def _structure(structure_name, **fields):
    return type(structure_name, (Structure,), {"_fields_": list(fields.items())})


def _list_of(element):
    """The type of a list of pointers that ends with NULL."""
    return POINTER(POINTER(element))


def each(pointers):
    """The elements of such a list."""
    index = 0
    while pointers[index]:
        yield pointers[index].contents
        index += 1


def text(pointer):
    return (pointer or b"").decode()


Parameter = _structure("Parameter", name=c_char_p, value=c_char_p)
Issue = _structure("Issue", place=c_char_p, kind=c_int, message=c_char_p)
Error = _structure(
    "Error", code=c_int, reason=c_int, message=c_char_p, retry_after_ms=c_int64, parameters=_list_of(Parameter),
    issues=_list_of(Issue),
)
Update = _structure("Update", event=c_int, changed=c_uint, epoch=c_uint64, number=c_uint64, error=POINTER(Error))
Session = _structure("Session", name=c_char_p, is_child=c_bool, deadline_boottime_ns=c_int64)
Text = _structure("Text", language=c_char_p, text=c_char_p)
Entitlement = _structure(
    "Entitlement", name=c_char_p, title=c_char_p, is_active=c_bool, until_unix_ms=c_int64, titles=_list_of(Text)
)
Draft = _structure("Draft", name=c_char_p, draft_id=c_uint64, revision=c_uint64, label=c_char_p)
Outlook = _structure(
    "Outlook", outcome=c_int, explanation=c_char_p, need=c_int, challenge=c_int, name=c_char_p, title=c_char_p,
    refusal=POINTER(Error),
)
Grant = _structure("Grant", proof=c_void_p, proof_size=c_size_t, deadline_boottime_ns=c_int64)
Shape = _structure("Shape", form=c_int, colour=c_int)
Quiz = _structure("Quiz", language=c_char_p, question=c_char_p, choices=POINTER(c_char_p))
Offer = _structure(
    "Offer", product=c_char_p, titles=_list_of(Text), period=c_char_p, price=c_char_p, url=c_char_p
)
Feature = _structure("Feature", title=c_char_p, subtitle=c_char_p, titles=_list_of(Text), subtitles=_list_of(Text))
Presentation = _structure(
    "Presentation", id=c_uint64, purpose=c_int, kind=c_int, style=c_int, is_dismissible=c_bool, deadline_boottime_ns=c_int64,
    uid=c_uint32, pid=c_int, program=c_char_p, has_broker=c_bool, broker_uid=c_uint32, broker=c_char_p,
    gated_action=c_char_p, action_title=c_char_p, details=c_char_p,
    duration_ms=c_int64, action_titles=_list_of(Text), details_in_languages=_list_of(Text), left=c_uint32, right=c_uint32,
    operation=c_int, choices=POINTER(c_uint32), choice_count=c_size_t, left_shapes=_list_of(Shape),
    right_shapes=_list_of(Shape), quiz=_list_of(Quiz), calendar=c_int, hold_ms=c_int64, direction=c_int, fingers=c_uint32,
    name=c_char_p, title=c_char_p, titles=_list_of(Text), version=c_char_p, is_for_grown_ups=c_bool, offers=_list_of(Offer),
    features=_list_of(Feature), primary=c_char_p, secondary=c_char_p, secondary_url=c_char_p, is_apps_own=c_bool,
    device=c_char_p,
)
Person = _structure(
    "Person", name=c_char_p, kind=c_int, born=c_char_p, user=c_char_p, uid=c_uint32, has_password=c_bool, is_unconfirmed=c_bool,
    is_user_unknown=c_bool,
)
Rule = _structure(
    "Rule", gated_action=c_char_p, title=c_char_p, titles=_list_of(Text), requirement=c_char_p, keep_ms=c_int64, origin=c_char_p,
    has_odds=c_bool, guessed_per_million=c_uint32, program_passes=c_bool, is_without_question=c_bool,
)
AgeRange = _structure("AgeRange", is_told=c_bool, low=c_uint32, high=c_uint32, source=c_int)
Ask = _structure(
    "Ask", number=c_uint64, state=c_int, until_unix_ms=c_int64, uid=c_uint32, person=c_char_p, gated_action=c_char_p, title=c_char_p,
    titles=_list_of(Text), details=c_char_p, device=c_char_p, choices=POINTER(c_char_p), choice=c_char_p,
    is_more_time=c_bool, is_until_tomorrow=c_bool, refusal=c_char_p,
)

Handle = c_void_p
_error = POINTER(Error)
DoneHandler = CFUNCTYPE(None, Handle, _error, c_void_p)
ModeHandler = CFUNCTYPE(None, Handle, c_int, c_int64, _error, c_void_p)
OutlookHandler = CFUNCTYPE(None, Handle, POINTER(Outlook), _error, c_void_p)
GrantHandler = CFUNCTYPE(None, Handle, POINTER(Grant), _error, c_void_p)
RequesterHandler = CFUNCTYPE(None, Handle, c_uint32, c_int, _error, c_void_p)
SessionHandler = CFUNCTYPE(None, Handle, POINTER(Session), _error, c_void_p)
BytesHandler = CFUNCTYPE(None, Handle, c_void_p, c_size_t, _error, c_void_p)
WatchHandler = CFUNCTYPE(None, Handle, POINTER(Update), c_void_p)
ShowHandler = CFUNCTYPE(None, Handle, POINTER(Presentation), _error, c_void_p)
PeopleHandler = CFUNCTYPE(None, Handle, _list_of(Person), _error, c_void_p)
RulesHandler = CFUNCTYPE(None, Handle, POINTER(Rule), POINTER(Rule), _error, c_void_p)
GatesHandler = CFUNCTYPE(None, Handle, _list_of(Rule), _error, c_void_p)
AgeRangeHandler = CFUNCTYPE(None, Handle, POINTER(AgeRange), _error, c_void_p)
AsksHandler = CFUNCTYPE(None, Handle, _list_of(Ask), _error, c_void_p)
CloseHandler = CFUNCTYPE(None, Handle, c_uint64, c_void_p)

MODES = ("child", "verifying", "parent")
OUTCOMES = ("denied", "granted", "person needed")
TOPICS = {"mode": 1, "sign-in": 2, "entitlements": 4, "presentations": 8, "forms": 16}
AGE_SOURCES = ("", "guardian", "self")
PERSON_KINDS = ("", "grown-up", "child", "shared")
NOBODY = 2**32 - 1
EVENTS = {1: "snapshot", 2: "change", 3: "resumed", 4: "lost"}
PRESENTS_ITSELF, MAY_WAIT = 2, 4
INPUTS = {"shown": 1, "pressed": 2, "restore": 3}
NEVER = 2**63 - 1

_number = POINTER(c_uint64)
_FUNCTIONS = {
    "gate_new": [POINTER(c_void_p)],
    "gate_set_socket": [Handle, c_char_p],
    "gate_set_server_uid": [Handle, c_uint32],
    "gate_set_program": [Handle, c_char_p],
    "gate_get_fd": [Handle],
    "gate_get_timeout": [Handle, _number],
    "gate_process": [Handle],
    "gate_watch": [Handle, c_uint, WatchHandler, c_void_p],
    "gate_get_mode": [Handle],
    "gate_cancel": [Handle, c_uint64],
    "gate_query_mode": [Handle, ModeHandler, c_void_p, _number],
    "gate_toggle": [Handle, c_uint, ModeHandler, c_void_p, _number],
    "gate_extend": [Handle, c_int64, c_uint, ModeHandler, c_void_p, _number],
    "gate_lock": [Handle, ModeHandler, c_void_p, _number],
    "gate_cancel_verifying": [Handle, ModeHandler, c_void_p, _number],
    "gate_override_mode": [Handle, c_int, c_int64, c_char_p, ModeHandler, c_void_p, _number],
    "gate_check": [Handle, c_char_p, OutlookHandler, c_void_p, _number],
    "gate_authorize": [Handle, c_char_p, c_char_p, c_uint, DoneHandler, c_void_p, _number],
    "gate_request_grant": [Handle, c_char_p, c_char_p, c_uint32, c_uint, GrantHandler, c_void_p, _number],
    "gate_redeem": [Handle, c_char_p, c_size_t, c_char_p, c_char_p, RequesterHandler, c_void_p, _number],
    "gate_log_in": [Handle, c_char_p, c_char_p, c_size_t, SessionHandler, c_void_p, _number],
    "gate_log_out": [Handle, DoneHandler, c_void_p, _number],
    "gate_require_premium": [Handle, c_char_p, c_uint, DoneHandler, c_void_p, _number],
    "gate_list_people": [Handle, PeopleHandler, c_void_p, _number],
    "gate_set_person": [Handle, c_char_p, c_int, c_char_p, c_char_p, c_uint, DoneHandler, c_void_p, _number],
    "gate_remove_person": [Handle, c_char_p, c_uint, DoneHandler, c_void_p, _number],
    "gate_register_person": [Handle, c_char_p, c_int, c_char_p, c_char_p, c_size_t, DoneHandler, c_void_p, _number],
    "gate_change_password": [Handle, c_char_p, c_char_p, c_size_t, c_char_p, c_size_t, DoneHandler, c_void_p, _number],
    "gate_confirm_person": [Handle, c_char_p, c_int, c_char_p, c_char_p, c_size_t, DoneHandler, c_void_p, _number],
    "gate_list_gates": [Handle, GatesHandler, c_void_p, _number],
    "gate_set_gate": [Handle, c_char_p, c_char_p, c_int64, c_char_p, c_bool, c_uint, RulesHandler, c_void_p, _number],
    "gate_unset_gate": [Handle, c_char_p, c_bool, c_uint, RulesHandler, c_void_p, _number],
    "gate_query_age_range": [Handle, AgeRangeHandler, c_void_p, _number],
    "gate_list_asks": [Handle, AsksHandler, c_void_p, _number],
    "gate_answer_ask": [Handle, c_uint64, c_int, c_char_p, DoneHandler, c_void_p, _number],
    "gate_ask_more_time": [Handle, c_char_p, c_char_p, AsksHandler, c_void_p, _number],
    "gate_withdraw_ask": [Handle, c_uint64, DoneHandler, c_void_p, _number],
    "gate_set_screen": [Handle, ShowHandler, CloseHandler, c_void_p],
    "gate_start_presenting": [Handle, c_uint, c_uint, c_bool, DoneHandler, c_void_p],
    "gate_stop_presenting": [Handle],
    "gate_answer_text": [Handle, c_uint64, c_char_p],
    "gate_answer_secret": [Handle, c_uint64, c_char_p, c_size_t],
    "gate_answer_released": [Handle, c_uint64],
    "gate_answer_swipe": [Handle, c_uint64, c_int, c_uint32],
    "gate_answer_acknowledged": [Handle, c_uint64, c_bool],
    "gate_dismiss": [Handle, c_uint64],
    "gate_report": [Handle, c_uint64, c_int, DoneHandler, c_void_p],
    "gate_call": [Handle, c_char_p, c_char_p, c_char_p, c_size_t, c_uint64, BytesHandler, c_void_p, _number],
    "gate_stream": [Handle, c_char_p, c_char_p, c_char_p, c_size_t, BytesHandler, c_void_p, _number],
}
_RESULTS = {
    "gate_free": (c_void_p, [Handle]),
    "gate_get_mode_deadline": (c_int64, [Handle]),
    "gate_get_session": (POINTER(Session), [Handle]),
    "gate_error_is_asked": (c_bool, [_error, _number, POINTER(c_int64)]),
    "gate_needs_sign_in": (c_bool, [Handle]),
    "gate_is_subscription_active": (c_bool, [Handle]),
    "gate_is_entitled": (c_bool, [Handle, c_char_p]),
    "gate_get_entitlements": (_list_of(Entitlement), [Handle]),
    "gate_get_drafts": (_list_of(Draft), [Handle]),
}


@functools.cache
def library():
    """Loads the library that GATE_LIBRARY names."""
    loaded = ctypes.CDLL(os.environ["GATE_LIBRARY"])
    for name, arguments in _FUNCTIONS.items():
        function = getattr(loaded, name)
        function.argtypes, function.restype = arguments, c_int
    for name, (result, arguments) in _RESULTS.items():
        function = getattr(loaded, name)
        function.argtypes, function.restype = arguments, result
    return loaded


@functools.cache
def clock():
    """The function that sets the preloaded clock of Tests/libgate/scripted-clock.c."""
    try:
        function = ctypes.CDLL(None).scripted_clock_set
    except AttributeError:
        raise RuntimeError("no scripted clock is preloaded: run Tests/libgate/run, or do as it does") from None
    function.argtypes, function.restype = [c_int64, c_int64], None
    return function
