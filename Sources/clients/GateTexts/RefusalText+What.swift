import GateModel

/// Refusals because there is too much of something, something does not exist, or a request is not valid.
extension RefusalText {
    static func limit(_ error: GateError) -> String {
        let maximum = error.parameters["maximum"] ?? ""
        switch error.parameters["what"] {
        case "drafts-of-holder":
            return localized(
                "{maximum} forms are being filled in already. Complete or discard one first.", ["maximum": maximum])
        case "pending-suggestions":
            return localized(
                "At most {maximum} suggestions can wait for a decision in one form, and they may not be long. Take some back.",
                ["maximum": maximum])
        case "app-forms":
            return localized(
                "Apps bring at most {maximum} forms of their own at a time. Complete or discard the drafts of one first.",
                ["maximum": maximum])
        case "apps-with-notes":
            return localized(
                "News of {maximum} apps that bring their own were seen already. Forget some first: `gatectl whatsnew reset`.",
                ["maximum": maximum])
        case "drafts": return localized("Too many forms are being filled in on this device. Complete or discard some.")
        case "responses-of-holder":
            return localized(
                "{maximum} responses are kept already. Withdraw some that are not needed.", ["maximum": maximum])
        case "responses":
            return localized("Too many responses are kept on this device. Ask an administrator to withdraw some.")
        case "parts-of-holder":
            return localized(
                "{maximum} parts are kept already, or they are too large together. Remove some that are not needed.",
                ["maximum": maximum])
        case "parts": return localized("Too many parts are kept on this device. Remove some that are not needed.")
        case "documents":
            return localized("There is no room for more documents. Withdraw responses that are not needed.")
        case "documents-of-connection":
            return localized(
                "Too many documents were uploaded that no answer names yet. Name them in answers, or begin anew.")
        case "answer-bytes", "document-bytes", "part-bytes", "response-bytes":
            guard let count = Int(maximum) else { break }
            return localized("This is too much: at most {maximum}.", ["maximum": FormSizeWords.text(count)])
        case "items", "repeated-items": return localized("This form has no room for more of these groups.")
        case "pattern": return localized("The answers are too long to be checked. Shorten some.")
        case "questions":
            return localized(
                "{maximum} questions of yours are open already. Answer or close one first.", ["maximum": maximum])
        case "asks":
            return localized(
                "{maximum} questions of yours wait for an answer already. Take one back: `gatectl withdraw`.",
                ["maximum": maximum])
        case "asks-of-day":
            return localized("You have asked {maximum} things today. Ask again tomorrow.", ["maximum": maximum])
        case "lasting-answers":
            return localized(
                "{maximum} things are allowed to this person for longer than once already. Take one back with `gatectl refuse`, or allow this once.",
                ["maximum": maximum])
        case "lasting-answers-of-device":
            return localized(
                "{maximum} things are allowed on this device for longer than once already. Take one back with `gatectl refuse`, or allow this once.",
                ["maximum": maximum])
        case "own-presentations": return localized("This program shows a question already. Answer or close it first.")
        case "presenters":
            return localized("{maximum} programs of yours show questions already. End one first.", ["maximum": maximum])
        case "uses":
            return localized("Too many programs are being used at the same time. Close some.")
        case "counted-things":
            return localized(
                "Gate already counts the time of {maximum} things. It forgets what was not used for ten weeks.",
                ["maximum": maximum])
        case "queue": return localized("Too many questions wait to be shown. Try again when some are answered.")
        case "restores": return localized("Gate has just looked for the purchase.")
        case "backup-restores": return localized("Another backup is being restored. Try again when it is done.")
        case "backups": return localized("Another backup is being made. Try again when it is done.")
        case "interruptions":
            return localized("You have ended parent mode or the sign-in of others too often. Ask them to end it.")
        case "accounts":
            return localized("There are {maximum} people, and no room for more. Remove one.", ["maximum": maximum])
        case "unconfirmed-accounts":
            return localized(
                "Too many people wait until an administrator confirms them: `sudo gatectl people confirm NAME`.")
        case "gate-choices":
            return localized(
                "{maximum} gates were chosen on this device, and no more can be. Take a choice back with `gatectl gates unset`.",
                ["maximum": maximum])
        case "age-apps":
            return localized(
                "{maximum} apps are on the list of this person, and no more can be. Take one off: `gatectl age set NAME APP ask`.",
                ["maximum": maximum])
        case "gate-choice-bytes": return localized("What is required here is too long. Shorten it.")
        case "gate-change-words":
            return localized(
                "This change is too long for a grown-up to read before saying yes. Require less, or let an administrator make it: `sudo gatectl gates`."
            )
        case "gate-changes":
            return localized("The rules are being changed by others just now. Try again in a moment.")
        case "passwords": return localized("Too many passwords are being checked just now. Try again in a moment.")
        case "forms-at-work": return localized("Too many forms are being worked on just now. Try again in a moment.")
        case _: break
        }
        return detailed(localized("That is too much at once."), error.message)
    }

    static func unknown(_ error: GateError) -> String {
        let name = error.parameters["name"] ?? ""
        switch error.parameters["what"] {
        case "account":
            return localized("There is no person '{name}'. See them with `gatectl people`.", ["name": name])
        case "form": return localized("There is no form '{name}'. See them with `gatectl form list`.", ["name": name])
        case "draft":
            return localized(
                "Nobody is filling in '{name}'. Begin with `gatectl form open {name}`.", ["name": name])
        case "draft-unnamed":
            return localized(
                "Say which draft of '{name}' you mean, like `--draft {number}`. `gatectl form drafts` lists them.",
                ["name": name, "number": error.parameters["number"] ?? ""])
        case "draft-number":
            return localized(
                "There is no draft {number} of '{form}'. See which there are with `gatectl form drafts`.",
                ["number": name, "form": error.parameters["form"] ?? ""])
        case "response":
            return localized("There is no response {number}. See them with `gatectl form responses`.", ["number": name])
        case "response-to-form":
            return localized(
                "Response {number} belongs to the form '{form}'. Name that form.",
                ["number": name, "form": error.parameters["form"] ?? ""])
        case "part":
            return localized("There is no part {number}. See them with `gatectl form parts`.", ["number": name])
        case "completed-response":
            return localized(
                "'{name}' was never completed, so there is nothing to reuse. Complete it once first.", ["name": name])
        case "item":
            return localized(
                "There is nothing at '{path}' in this form. See what is there with `gatectl form show`.",
                ["path": name])
        case "document":
            return localized(
                "There is no such document. Upload it first with `gatectl form attach`, or see which your answers name."
            )
        case "release-notes":
            return localized(
                "This device has no release notes of '{app}'. `gatectl whatsnew list` shows which it has.",
                ["app": name])
        case "request":
            return localized(
                "Question {number} is not open, or no longer open. `gatectl household requests` lists those that are.",
                ["number": name])
        case "ask":
            return localized(
                "Question {number} does not wait, or not any more. `gatectl asks` lists those that do.",
                ["number": name])
        case "gate-choice":
            return localized("Nothing was chosen for '{name}', so there is nothing to take back.", ["name": name])
        case "entitlement":
            return localized(
                "The policy names no entitlement '{name}'. See them with `gatectl entitlements`.", ["name": name])
        case "subscription":
            return localized(
                "The rules don't say what can be bought. An administrator can set `paywall.entitlement`.")
        case "claim": return localized("There is no such claim. See them with `gatectl entitlements claims`.")
        case "presentation":
            return localized("Nothing with this number is open. It may have been answered or closed meanwhile.")
        case "process":
            return localized(
                "The process {number} has ended, or its number belongs to another one now.", ["number": name])
        case "transaction":
            return localized("The transaction that this belongs to was never submitted. Submit that first.")
        case _: break
        }
        guard !name.isEmpty else { return detailed(localized("This does not exist."), error.message) }
        return localized("There is no “{name}” here.", ["name": name])
    }

    static func badPolicy(_ error: GateError) -> String? {
        if let gates = error.parameters["needed-by"] {
            return localized(
                "'{name}' can't be taken back while these gates need it: {gates}. Change them first.",
                ["name": error.parameters["name"] ?? "", "gates": gates])
        }
        guard let place = error.parameters["overruled-by"] else {
            return beforeIssues(localized("The policy has mistakes."), error)
        }
        return localized(
            "'{name}' is set in {file}, which takes precedence. Change it there.",
            ["name": error.parameters["name"] ?? "", "file": place])
    }

    static func invalidRequest(_ error: GateError) -> String {
        if let sentence = sentence(field: error.parameters["field"] ?? "", error.parameters) { return sentence }
        return detailed(localized("Something about the request is wrong."), error.message)
    }

    /// What is wrong with a field that a person has filled in; `nil` if there is no better sentence than the daemon's.
    private static func sentence(field: String, _ parameters: [String: String]) -> String? {
        switch field {
        case "duration_milliseconds":
            guard let maximum = parameters["maximum"].flatMap({ Int64($0) }) else { return nil }
            return localized(
                "Parent mode lasts at most {duration}.", ["duration": DurationWords.text(.milliseconds(maximum))])
        case "account.name", "person.name", "name":
            return localized(
                "A name is one line of at most 64 bytes, without spaces at its ends and without hidden characters.")
        case "account.child.born", "person.child.born":
            return localized("A child's date of birth is a day of the past. Is the clock of this device right?")
        case "person.user.name":
            return localized(
                "This device has no user '{user}' who can be a person's.", ["user": parameters["user"] ?? ""])
        case "person.user.uid":
            return localized(
                "The Unix user '{user}' is the system's own, and no person's. Name the user that the person logs in as.",
                ["user": parameters["user"] ?? ""])
        case "person.user":
            return localized(
                "The Unix user '{user}' is {name}'s already. A user belongs to one person.",
                ["user": parameters["user"] ?? "", "name": parameters["name"] ?? ""])
        case "person.shared": return localized("A shared entry needs a Unix user, and has no password.")
        case "password", "new_password": return localized("A password is text of 4 to 128 bytes. Choose another one.")
        case "passcode": return localized("A passcode is text of 4 to 128 bytes. Choose another one.")
        case "details":
            return localized("What a grown-up is shown is one line, not too long and without hidden characters.")
        case "label":
            return localized("A label is one line of at most 200 bytes, without hidden characters.")
        case "expires_at_unix_milliseconds": return localized("That date is in the past. Give a future date.")
        case "part_ids": return localized("At most 64 parts can be put into a form at a time, each once. Name fewer.")
        case "answer":
            return parameters["challenge"].flatMap(Challenge.Kind.init(rawValue:)).map(ChallengeWords.noAnswer)
        case "choice":
            guard let choice = parameters["choice"], let choices = parameters["choices"] else { return nil }
            return localized(
                "“{choice}” can't be chosen here. These can: {choices}.", ["choice": choice, "choices": choices])
        case "path": return path(parameters)
        case _: return nil
        }
    }

    private static func path(_ parameters: [String: String]) -> String? {
        switch parameters["rule"] {
        case "ambiguous":
            localized(
                "There are several '{path}', from '{first}' to '{last}'. Say which one you mean.",
                [
                    "path": parameters["name"] ?? "", "first": parameters["minimum"] ?? "",
                    "last": parameters["maximum"] ?? "",
                ])
        case "no-index": localized("This question takes all its answers at once. Leave out the number in brackets.")
        case "not-repeating": localized("Nothing repeats here. Clear the answers instead.")
        case "no-definition": localized("This shares no answers with other forms.")
        case "nothing-answered": localized("Nothing is answered here. Answer something first.")
        case "other-definition":
            localized("This part is of something else. See what there is with `gatectl form parts`.")
        case "one-part": localized("This takes exactly one part. Name one.")
        case _: nil
        }
    }
}
