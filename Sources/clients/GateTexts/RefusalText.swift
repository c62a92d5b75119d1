package import GateModel

/// A refusal as a sentence in the person's language, made from its reason and its parameters. In English, the daemon's
/// own message is used, which is more precise.
package enum RefusalText {
    /// What is wrong, what to do, and when to try again.
    package static func sentence(_ error: GateError) -> String {
        guard Localization.isTranslating, !error.isLocalized else { return error.message }
        // The issue of one answer is more precise than the reason, which only says that an answer is refused.
        if let issue = error.issues.first, issue.message == error.message { return named(issue) }
        guard let reason = sentence(for: error) else { return error.message }
        // The sentence about a closed schedule already says when the schedule opens.
        guard let wait = error.retryAfter, wait > .zero, error.reason != .outOfHours else { return reason }
        return "\(reason) \(localized("Try again in {duration}.", ["duration": DurationWords.text(wait)]))"
    }

    /// What is still missing for a gated action, why it is denied, or that it would be granted. If a newer daemon says
    /// something else, its explanation, which is in English.
    package static func sentence(_ outlook: AuthorizationOutlook) -> String {
        guard Localization.isTranslating else { return outlook.explanation }
        if case .granted = outlook.outcome { return localized("This is allowed without a question.") }
        if let refusal = outlook.refusal { return sentence(refusal) }
        return switch outlook.need {
        case .parentMode: localized("This needs parent mode. Enter it first.")
        case .challenge: localized("A grown-up has to answer a question.")
        case .signIn: localized("Somebody has to sign in.")
        case .entitlement(let payment): localized("This needs a purchase: {title}.", ["title": payment.titles.ofPerson])
        case .form(let form): localized("{title} has to be filled in.", ["title": form.titles.ofPerson])
        case .wait: localized("Too many answers were wrong or missing. Wait before you try again.")
        case .unrecognized, nil: outlook.explanation
        }
    }

    /// The sentence, followed by the daemon's message in its own language, because the message says more.
    static func detailed(_ sentence: String, _ message: String) -> String {
        message.isEmpty ? sentence : ListText.noted(sentence, message)
    }

    /// A sentence that introduces the issues. Without issues, the daemon's message follows it and says what is wrong.
    static func beforeIssues(_ sentence: String, _ error: GateError) -> String {
        error.issues.isEmpty ? detailed(sentence, error.message) : sentence
    }

    /// `nil` if there is no better sentence than the daemon's message.
    private static func sentence(for error: GateError) -> String? {
        switch error.reason {
        case .invalidRequest: invalidRequest(error)
        case .wrongAnswer: localized("Wrong answer.")
        case .lockedOut where error.parameters["at"] == "sign-in": localized("There were too many attempts to sign in.")
        case .lockedOut: localized("Too many answers were wrong or missing.")
        case .verifying: verifying(error.parameters["what"])
        case .notParent: localized("This needs parent mode. Enter it first.")
        case .noPresenter: noPresenter(error.parameters["what"])
        case .dismissed: localized("It was closed without an answer.")
        case .expired: localized("There was no answer in time. Try again.")
        case .closed: localized("This is no longer open. Ask again if you still need it.")
        case .notPermitted: notPermitted(error.parameters["what"])
        case .wrongCookie: localized("Only the program that shows this question can answer it.")
        case .storeFailed: localized("This could not be saved, so nothing was changed. Is the disk full?")
        case .storeDamaged: localized("Gate's data is damaged. An administrator recovers it: `sudo gatectl recover`.")
        case .stopping: localized("Gate is being stopped. Try again in a moment.")
        case .limit: limit(error)
        case .compacted: localized("The journal no longer reaches back so far.")
        case .denied: localized("The rules of this device do not allow this.")
        case .refused where error.parameters["until"] == "tomorrow": localized("A grown-up said: not until tomorrow.")
        case .refused: localized("A grown-up said no.")
        case .notSetUp: notSetUp(error.parameters["what"])
        case .noGrant: localized("This permission has ended. Ask again.")
        case .badPolicy: badPolicy(error)
        case .wrongPassword: localized("Wrong name or password.")
        case .authenticating: localized("Another password is being checked. Try again in a moment.")
        case .signedIn: signedIn(error.parameters["account"])
        case .notSignedIn: localized("Nobody is signed in.")
        case .exists: localized("This name is taken. Choose another one.")
        case .unknown: unknown(error)
        case .notDismissible: localized("This can't be closed before it is answered.")
        case .badReceipt: detailed(localized("The receipt could not be verified."), error.message)
        case .outdated: localized("Gate already has something newer, so nothing was changed.")
        case .othersPurchase: localized("This purchase belongs to somebody else.")
        case .changedMeanwhile: localized("Somebody else has changed this meanwhile. Look at it again.")
        case .notAnswerable: notAnswerable(error.parameters["what"], error.parameters)
        case .incomplete: localized("The form is not complete. Answer what is missing.")
        case .badAnswer: beforeIssues(localized("This can't be the answer here."), error)
        case .badCommand: localized("The command could not be verified.")
        case .notBuilt: localized("This version of Gate can't do that yet.")
        case .endedByPeer: localized("The request was taken back.")
        case .failed: localized("Something went wrong in Gate itself. Its log says more: `journalctl -u gated`.")
        case .unmappedServer:
            localized(
                "Inside this sandbox the program can't tell whether Gate itself answers. Run it outside of the sandbox."
            )
        case .notDamaged: localized("Gate's data is not damaged. There is nothing to recover from.")
        case .guessesUsedUp:
            localized(
                "There were too many wrong answers. An administrator has to clear them: `sudo gatectl lockouts clear`.")
        case .asked:
            localized("This waits for a grown-up's answer. Ask again later: `gatectl asks` shows what became of it.")
        case .outOfHours: ScheduleWords.closed(error.parameters)
        case .unspecified: sentence(ofCode: error)
        }
    }

    private static func sentence(ofCode error: GateError) -> String? {
        switch error.code {
        case .unavailable where error.parameters["what"] == "sandbox":
            localized(
                "This app runs in a sandbox, and can't reach Gate. Add --filesystem=xdg-run/gate:ro to its manifest, and install gate-portal on the device."
            )
        case .unavailable: localized("Gate can't be reached. Is it running? `gatectl doctor` says what is wrong.")
        case .deadlineExceeded: localized("It took too long.")
        case .cancelled: localized("The request was taken back.")
        case .permissionDenied: localized("You are not allowed to do this.")
        case .unimplemented: localized("This version of Gate can't do that yet.")
        case .internal, .dataLoss:
            detailed(
                localized("Gate and this program do not understand each other. Are both of the same version?"),
                error.message)
        case .unknown, .invalidArgument, .notFound, .alreadyExists, .resourceExhausted, .failedPrecondition, .aborted,
            .outOfRange, .unauthenticated:
            nil
        }
    }

    // MARK: By what it is about

    private static func verifying(_ what: String?) -> String {
        switch what {
        case "answer": localized("An answer is being checked. Wait for the result.")
        case "own-question": localized("Another program of yours is being asked. Answer there.")
        case "others-question":
            localized(
                "Somebody else is answering the question for parent mode. Wait, or ask them or an administrator to end it."
            )
        case "other-duration": localized("A question for another length of time is open. Answer or close it first.")
        case "other-screen": localized("The question is open on another screen. Answer it there.")
        case _: localized("A question for parent mode is open already. Answer it first.")
        }
    }

    private static func noPresenter(_ what: String?) -> String {
        switch what {
        case "grown-up":
            localized("A grown-up has to answer this on their own screen, but none is connected. Ask a grown-up.")
        case "sign-in": localized("Somebody has to sign in first: `gatectl login`.")
        case "paywall": localized("This has to be bought, but no screen can show how. Try again on a terminal.")
        case "form":
            localized("A form has to be filled in, but no screen can show it. Fill it in with `gatectl form fill`.")
        case "whats-new": localized("No screen can show what is new. Try again on a terminal.")
        case _: localized("A grown-up has to answer a question, but no screen can show it. Try again on a terminal.")
        }
    }

    private static func notPermitted(_ what: String?) -> String {
        switch what {
        case "administrator": localized("Only an administrator may do this.")
        case "grown-up": localized("Only a grown-up may do this. Enter parent mode first.")
        case "grown-up-presenter":
            localized("Only a grown-up may do this, in the session of their own user, or an administrator.")
        case "grown-ups-account":
            localized("Only an administrator may do this to a grown-up, or to somebody with a Unix user.")
        case "guardian":
            localized(
                "This device can't command others, because it belongs to no guardian. `gatectl household devices` shows which devices can."
            )
        case "household-grant", "answer-grant", "change-grant": localized("A grown-up has to allow this first.")
        case "home-assistant": localized("Home Assistant may not do this on this device.")
        case _: localized("You are not allowed to do this.")
        }
    }

    private static func notSetUp(_ what: String?) -> String {
        switch what {
        case "passcode": localized("No passcode is set yet. An administrator sets one: `sudo gatectl setup`.")
        case "totp": localized("No authenticator is set up yet. An administrator does it: `sudo gatectl setup`.")
        case "processes":
            localized(
                "Gate can't see the processes of other users, so it can't check for whom a program asks. docs/security.md tells an administrator what to do."
            )
        case "household":
            localized("This device belongs to no household. An administrator joins one: `sudo gatectl household join`.")
        case "broker": localized("The other devices can't be reached just now. `gatectl household doctor` says why.")
        case "household-policy":
            localized(
                "This device does not take the household's policy. An administrator can change that: `policy: true` in household.yaml."
            )
        case "provider":
            localized(
                "No store can be asked on this device now, so Gate did not look for the purchase. `gatectl doctor` says what is wrong."
            )
        case "more-time":
            localized("Nobody can ask for more time here. An administrator can change that in the policy.")
        case "person":
            localized(
                "Nobody on the list of people has this user, so no time can be counted. An administrator adds them: `gatectl people set`."
            )
        case _: localized("This is not set up yet.")
        }
    }

    private static func signedIn(_ account: String?) -> String {
        guard let account else { return localized("Somebody is signed in already.") }
        return localized("{name} is signed in already. Sign out first.", ["name": account])
    }

    static func notAnswerable(_ what: String?, _ parameters: [String: String]) -> String {
        let question = question(in: parameters)
        if what == "parent-missing", let question,
            let parent = LocalizedText(named: "parent-question", in: parameters)
        {
            return localized(
                "Answer “{parent}” first: “{question}” depends on it.",
                ["parent": parent.ofPerson, "question": question])
        }
        let sentence =
            switch what {
            case "read-only": localized("This can't be changed.")
            case "parent-missing": localized("Another question has to be answered before this one.")
            case _: localized("This question is not asked now.")
            }
        return question.map { ListText.pair($0, sentence) } ?? sentence
    }
}
