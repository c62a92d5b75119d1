"""The English texts of refusals, by which Gate's catalogues find the translations. They are the texts in
Sources/clients/GateTexts/RefusalText*.swift.

Values stand in braces.
"""

from . import messages

#: By reason: the whole sentence, whatever the parameters are.
REASONS = {
    "WRONG_ANSWER": "Wrong answer.",
    "LOCKED_OUT": "Too many answers were wrong or missing.",
    "NOT_PARENT": "This needs parent mode. Enter it first.",
    "DISMISSED": "It was closed without an answer.",
    "EXPIRED": "There was no answer in time. Try again.",
    "CLOSED": "This is no longer open. Ask again if you still need it.",
    "WRONG_COOKIE": "Only the program that shows this question can answer it.",
    "STORE_FAILED": "This could not be saved, so nothing was changed. Is the disk full?",
    "STORE_DAMAGED": "Gate's data is damaged. An administrator recovers it: `sudo gatectl recover`.",
    "STOPPING": "Gate is being stopped. Try again in a moment.",
    "COMPACTED": "The journal no longer reaches back so far.",
    "DENIED": "The rules of this device do not allow this.",
    "REFUSED": "A grown-up said no.",
    "NO_GRANT": "This permission has ended. Ask again.",
    "WRONG_PASSWORD": "Wrong name or password.",
    "AUTHENTICATING": "Another password is being checked. Try again in a moment.",
    "NOT_SIGNED_IN": "Nobody is signed in.",
    "EXISTS": "This name is taken. Choose another one.",
    "NOT_DISMISSIBLE": "This can't be closed before it is answered.",
    "OUTDATED": "Gate already has something newer, so nothing was changed.",
    "OTHERS_PURCHASE": "This purchase belongs to somebody else.",
    "CHANGED_MEANWHILE": "Somebody else has changed this meanwhile. Look at it again.",
    "INCOMPLETE": "The form is not complete. Answer what is missing.",
    "BAD_COMMAND": "The command could not be verified.",
    "NOT_BUILT": "This version of Gate can't do that yet.",
    "ENDED_BY_PEER": "The request was taken back.",
    "FAILED": "Something went wrong in Gate itself. Its log says more: `journalctl -u gated`.",
    "UNMAPPED_SERVER": (
        "Inside this sandbox the program can't tell whether Gate itself answers. Run it outside of the sandbox."
    ),
    "NOT_DAMAGED": "Gate's data is not damaged. There is nothing to recover from.",
    "GUESSES_USED_UP": (
        "There were too many wrong answers. An administrator has to clear them: `sudo gatectl lockouts clear`."
    ),
    "ASKED": "This waits for a grown-up's answer. Ask again later: `gatectl asks` shows what became of it.",
}

#: By the parameter `what`; "" stands for all other values.
BY_WHAT = {
    "VERIFYING": {
        "answer": "An answer is being checked. Wait for the result.",
        "own-question": "Another program of yours is being asked. Answer there.",
        "others-question": (
            "Somebody else is answering the question for parent mode. Wait, or ask them or an administrator to end it."
        ),
        "other-duration": "A question for another length of time is open. Answer or close it first.",
        "other-screen": "The question is open on another screen. Answer it there.",
        "": "A question for parent mode is open already. Answer it first.",
    },
    "NO_PRESENTER": {
        "grown-up": "A grown-up has to answer this on their own screen, but none is connected. Ask a grown-up.",
        "sign-in": "Somebody has to sign in first: `gatectl login`.",
        "paywall": "This has to be bought, but no screen can show how. Try again on a terminal.",
        "form": "A form has to be filled in, but no screen can show it. Fill it in with `gatectl form fill`.",
        "whats-new": "No screen can show what is new. Try again on a terminal.",
        "": "A grown-up has to answer a question, but no screen can show it. Try again on a terminal.",
    },
    "NOT_PERMITTED": {
        "administrator": "Only an administrator may do this.",
        "grown-up": "Only a grown-up may do this. Enter parent mode first.",
        "grown-up-presenter": "Only a grown-up may do this, in the session of their own user, or an administrator.",
        "grown-ups-account": "Only an administrator may do this to a grown-up, or to somebody with a Unix user.",
        "guardian": (
            "This device can't command others, because it belongs to no guardian. `gatectl household devices` shows "
            "which devices can."
        ),
        "household-grant": "A grown-up has to allow this first.",
        "answer-grant": "A grown-up has to allow this first.",
        "change-grant": "A grown-up has to allow this first.",
        "home-assistant": "Home Assistant may not do this on this device.",
        "": "You are not allowed to do this.",
    },
    "NOT_SET_UP": {
        "passcode": "No passcode is set yet. An administrator sets one: `sudo gatectl setup`.",
        "totp": "No authenticator is set up yet. An administrator does it: `sudo gatectl setup`.",
        "processes": (
            "Gate can't see the processes of other users, so it can't check for whom a program asks. docs/security.md "
            "tells an administrator what to do."
        ),
        "household": "This device belongs to no household. An administrator joins one: `sudo gatectl household join`.",
        "broker": "The other devices can't be reached just now. `gatectl household doctor` says why.",
        "household-policy": (
            "This device does not take the household's policy. An administrator can change that: `policy: true` in "
            "household.yaml."
        ),
        "provider": (
            "No store can be asked on this device now, so Gate did not look for the purchase. `gatectl doctor` says "
            "what is wrong."
        ),
        "person": (
            "Nobody on the list of people has this user, so no time can be counted. An administrator adds them: "
            "`gatectl people set`."
        ),
        "more-time": "Nobody can ask for more time here. An administrator can change that in the policy.",
        "": "This is not set up yet.",
    },
    "NOT_ANSWERABLE": {
        "read-only": "This can't be changed.",
        "parent-missing": "Another question has to be answered before this one.",
        "": "This question is not asked now.",
    },
}

#: By the parameter `what` of LIMIT.
LIMITS = {
    "drafts-of-holder": "{maximum} forms are being filled in already. Complete or discard one first.",
    "pending-suggestions": (
        "At most {maximum} suggestions can wait for a decision in one form, and they may not be long. Take some back."
    ),
    "app-forms": (
        "Apps bring at most {maximum} forms of their own at a time. Complete or discard the drafts of one first."
    ),
    "apps-with-notes": (
        "News of {maximum} apps that bring their own were seen already. Forget some first: `gatectl whatsnew reset`."
    ),
    "drafts": "Too many forms are being filled in on this device. Complete or discard some.",
    "responses-of-holder": "{maximum} responses are kept already. Withdraw some that are not needed.",
    "responses": "Too many responses are kept on this device. Ask an administrator to withdraw some.",
    "parts-of-holder": (
        "{maximum} parts are kept already, or they are too large together. Remove some that are not needed."
    ),
    "parts": "Too many parts are kept on this device. Remove some that are not needed.",
    "documents": "There is no room for more documents. Withdraw responses that are not needed.",
    "documents-of-connection": (
        "Too many documents were uploaded that no answer names yet. Name them in answers, or begin anew."
    ),
    "items": "This form has no room for more of these groups.",
    "repeated-items": "This form has no room for more of these groups.",
    "pattern": "The answers are too long to be checked. Shorten some.",
    "questions": "{maximum} questions of yours are open already. Answer or close one first.",
    "asks": "{maximum} questions of yours wait for an answer already. Take one back: `gatectl withdraw`.",
    "asks-of-day": "You have asked {maximum} things today. Ask again tomorrow.",
    "lasting-answers": (
        "{maximum} things are allowed to this person for longer than once already. Take one back with "
        "`gatectl refuse`, or allow this once."
    ),
    "lasting-answers-of-device": (
        "{maximum} things are allowed on this device for longer than once already. Take one back with "
        "`gatectl refuse`, or allow this once."
    ),
    "own-presentations": "This program shows a question already. Answer or close it first.",
    "presenters": "{maximum} programs of yours show questions already. End one first.",
    "uses": "Too many programs are being used at the same time. Close some.",
    "counted-things": (
        "Gate already counts the time of {maximum} things. It forgets what was not used for ten weeks."
    ),
    "queue": "Too many questions wait to be shown. Try again when some are answered.",
    "restores": "Gate has just looked for the purchase.",
    "backup-restores": "Another backup is being restored. Try again when it is done.",
    "backups": "Another backup is being made. Try again when it is done.",
    "interruptions": "You have ended parent mode or the sign-in of others too often. Ask them to end it.",
    "accounts": "There are {maximum} people, and no room for more. Remove one.",
    "unconfirmed-accounts": (
        "Too many people wait until an administrator confirms them: `sudo gatectl people confirm NAME`."
    ),
    "gate-choices": (
        "{maximum} gates were chosen on this device, and no more can be. "
        "Take a choice back with `gatectl gates unset`."
    ),
    "age-apps": "{maximum} apps are on the list of this person, and no more can be. Take one off: `gatectl age set NAME APP ask`.",
    "gate-choice-bytes": "What is required here is too long. Shorten it.",
    "gate-change-words": (
        "This change is too long for a grown-up to read before saying yes. "
        "Require less, or let an administrator make it: `sudo gatectl gates`."
    ),
    "gate-changes": "The rules are being changed by others just now. Try again in a moment.",
    "passwords": "Too many passwords are being checked just now. Try again in a moment.",
    "forms-at-work": "Too many forms are being worked on just now. Try again in a moment.",
}
BYTES = ("answer-bytes", "document-bytes", "part-bytes", "response-bytes")

#: By the parameter `what` of UNKNOWN. `{name}`, `{number}`, `{path}` and `{app}` all stand for the parameter `name`.
UNKNOWNS = {
    "account": "There is no person '{name}'. See them with `gatectl people`.",
    "form": "There is no form '{name}'. See them with `gatectl form list`.",
    "draft": "Nobody is filling in '{name}'. Begin with `gatectl form open {name}`.",
    "draft-unnamed": "Say which draft of '{name}' you mean, like `--draft {number}`. `gatectl form drafts` lists them.",
    "draft-number": "There is no draft {number} of '{form}'. See which there are with `gatectl form drafts`.",
    "response": "There is no response {number}. See them with `gatectl form responses`.",
    "response-to-form": "Response {number} belongs to the form '{form}'. Name that form.",
    "part": "There is no part {number}. See them with `gatectl form parts`.",
    "completed-response": "'{name}' was never completed, so there is nothing to reuse. Complete it once first.",
    "item": "There is nothing at '{path}' in this form. See what is there with `gatectl form show`.",
    "document": (
        "There is no such document. Upload it first with `gatectl form attach`, or see which your answers name."
    ),
    "release-notes": "This device has no release notes of '{app}'. `gatectl whatsnew list` shows which it has.",
    "request": "Question {number} is not open, or no longer open. `gatectl household requests` lists those that are.",
    "ask": "Question {number} does not wait, or not any more. `gatectl asks` lists those that do.",
    "gate-choice": "Nothing was chosen for '{name}', so there is nothing to take back.",
    "entitlement": "The policy names no entitlement '{name}'. See them with `gatectl entitlements`.",
    "subscription": "The rules don't say what can be bought. An administrator can set `paywall.entitlement`.",
    "claim": "There is no such claim. See them with `gatectl entitlements claims`.",
    "presentation": "Nothing with this number is open. It may have been answered or closed meanwhile.",
    "process": "The process {number} has ended, or its number belongs to another one now.",
    "transaction": "The transaction that this belongs to was never submitted. Submit that first.",
}

#: By the parameter `field` of INVALID_REQUEST.
_NAME = "A name is one line of at most 64 bytes, without spaces at its ends and without hidden characters."
_PASSWORD = "A password is text of 4 to 128 bytes. Choose another one."
FIELDS = {
    "account.name": _NAME,
    "person.name": _NAME,
    "name": _NAME,
    "account.child.born": "A child's date of birth is a day of the past. Is the clock of this device right?",
    "person.child.born": "A child's date of birth is a day of the past. Is the clock of this device right?",
    "password": _PASSWORD,
    "new_password": _PASSWORD,
    "passcode": "A passcode is text of 4 to 128 bytes. Choose another one.",
    "details": "What a grown-up is shown is one line, not too long and without hidden characters.",
    "label": "A label is one line of at most 200 bytes, without hidden characters.",
    "expires_at_unix_milliseconds": "That date is in the past. Give a future date.",
    "person.user.name": "This device has no user '{user}' who can be a person's.",
    "person.user.uid":
        "The Unix user '{user}' is the system's own, and no person's. Name the user that the person logs in as.",
    "person.user": "The Unix user '{user}' is {name}'s already. A user belongs to one person.",
    "person.shared": "A shared entry needs a Unix user, and has no password.",
    "part_ids": "At most 64 parts can be put into a form at a time, each once. Name fewer.",
}

#: By the parameter `rule`, if `field` is `path`.
PATHS = {
    "ambiguous": "There are several '{path}', from '{first}' to '{last}'. Say which one you mean.",
    "no-index": "This question takes all its answers at once. Leave out the number in brackets.",
    "not-repeating": "Nothing repeats here. Clear the answers instead.",
    "no-definition": "This shares no answers with other forms.",
    "nothing-answered": "Nothing is answered here. Answer something first.",
    "other-definition": "This part is of something else. See what there is with `gatectl form parts`.",
    "one-part": "This takes exactly one part. Name one.",
}

#: By the parameter `challenge`, if `field` is `answer`. Such an answer does not count as a wrong one.
_CHOICE = "That is not one of the answers. Try again."
ANSWERS = {
    "arithmetic-entry": "That is not a whole number. Try again.",
    "arithmetic-choice": _CHOICE,
    "shapes": _CHOICE,
    "quiz": _CHOICE,
    "confirm": "Please answer yes or no.",
    "birthdate": "That can't be a date of birth. Try again.",
    "passcode": "That can't be a passcode. Try again.",
    "totp": "The code has six digits. Try again.",
    "hold": "Press and hold, then release. Try again.",
    "swipe": "Swipe in one direction. Try again.",
}


#: By the kind of mistake: the sentence, and whether it says everything.
ISSUES = {
    messages.IssueKind.ISSUE_KIND_REQUIRED: ("This has to be answered.", True),
    messages.IssueKind.ISSUE_KIND_TOO_LONG: ("This is too much. Shorten it.", True),
    messages.IssueKind.ISSUE_KIND_VALUE: ("This can't be the answer here.", False),
    messages.IssueKind.ISSUE_KIND_CODE_INVALID: ("Choose one of the answers that are offered.", True),
    messages.IssueKind.ISSUE_KIND_NOT_FOUND: ("The form has no such question.", True),
    messages.IssueKind.ISSUE_KIND_DUPLICATE: ("This is there already.", True),
    messages.IssueKind.ISSUE_KIND_BUSINESS_RULE: ("This does not fit a rule of the form.", False),
    messages.IssueKind.ISSUE_KIND_INVARIANT: ("This does not fit a rule of the form.", False),
    messages.IssueKind.ISSUE_KIND_STRUCTURE: ("This does not have the shape that the form expects.", False),
    messages.IssueKind.ISSUE_KIND_NOT_SUPPORTED: ("Gate can't do this.", False),
    messages.IssueKind.ISSUE_KIND_SECURITY: ("This file can't be read safely.", True),
}

#: By the parameter `rule` of a mistake in an answer.
RULES = {
    "control-characters": "This has characters in it that nobody sees. Leave them out.",
    "line-break": "Write it in one line.",
    "empty": "This answer is empty. Leave it out instead.",
    "exclusive": "One of these choices can't be combined with others. Keep one or the other.",
    "repeated": "The same choice is there twice. Leave one out.",
    "named-twice": "This is there twice. Keep one of them.",
    "not-enabled": BY_WHAT["NOT_ANSWERABLE"][""],
    "parent-missing": BY_WHAT["NOT_ANSWERABLE"]["parent-missing"],
    "read-only": BY_WHAT["NOT_ANSWERABLE"]["read-only"],
}

#: By the parameter `rule` of a mistake in a file of answers.
FILE_RULES = {
    "no-item": "The form has no question called {name}.",
    "similar-item": "The form has no question called {name}. Did you mean {similar}?",
    "outside": "{name} is not in {group}. Write it outside of that.",
    "below-answer": (
        "{name} belongs to an answer of {group}, which may have several. Write a QuestionnaireResponse for that."
    ),
    "in-list": "{name} is in {group}, which may be there several times. Write it in a list below {group}.",
    "twice": "{name} is there twice. Keep one of them.",
    "display": "{name} is a text to read, and takes no answer.",
    "group": "{name} is a group. Write the answers to the questions in it, with their names.",
    "one-answer": "{name} takes one answer. Keep one of these.",
    "plain-value": "{name} takes a text, a number, or yes and no.",
    "no-mapping": "Write answers like “name: Anna”, each with the name of its question.",
}

#: By the type of a question: how to write an answer to it.
TYPES = {
    "boolean": "Answer yes or no.",
    "integer": "Write a whole number, like 42.",
    "decimal": "Write a number, like {example}.",
    "date": "Write a date, like {example}.",
    "dateTime": "Write the date and the time with its time zone, like {example}.",
    "time": "Write a time, like 18:30.",
    "string": "Write a text.",
    "text": "Write a text.",
    "url": "Write an address without spaces, like https://example.org/.",
    "choice": "Choose one of the answers that are offered.",
    "open-choice": "Choose one of the answers that are offered.",
    "attachment": "The answer here is a document.",
    "reference": "Write what it refers to, like Patient/17.",
    "quantity": "Write a number and its unit.",
    "group": "This is a group. Answer the questions in it.",
    "display": "There is nothing to answer here.",
}
