import GateModel
import GatePolicy
import GateTexts

/// Shows the questions of a `SetupConversation` on a terminal.
struct SetupDialogue {
    let session: Session
    let prompt: LinePrompt
    private(set) var conversation: SetupConversation
    private(set) var passcode: GateSecret?

    init(_ session: Session, _ prompt: LinePrompt, _ situation: SetupSituation) {
        (self.session, self.prompt) = (session, prompt)
        conversation = SetupConversation(situation, today: CivilDate(WallTime.now()))
    }

    /// Asks until there is no question left.
    mutating func run() async throws(GateError) {
        var before: SetupConversation.Question?
        while let question = conversation.question {
            if let text = Self.explanation(of: question, after: before, in: conversation) { prompt.say(text) }
            try await ask(question)
            before = question
        }
    }

    private mutating func ask(_ question: SetupConversation.Question) async throws(GateError) {
        guard question != .passcode else {
            passcode = try await session.newPasscode(asking: prompt)
            return conversation.passcodeTyped()
        }
        while let problem = conversation.answered(try await prompt.line(request)) { prompt.say(problem) }
    }

    /// The line that the cursor waits behind.
    private var request: String {
        let standing = conversation.standing.map { " [\($0)]" } ?? ""
        switch conversation.question {
        case .role(let user): return user.text + standing
        case .born(let user):
            return localized("Date of birth of {user} (YYYY-MM-DD)", ["user": VisibleText.line(user.name)])
                + (standing.isEmpty ? " [\(localized("not known", context: "a date of birth"))]" : standing)
        case .screenWord: return localized("The word (2 to 40 characters; empty: none)")
        case .anotherPasscode: return decision(localized("A passcode is set. Set another one?"))
        case .authenticator:
            return decision(
                conversation.situation.secrets.contains(.totp)
                    ? localized("An authenticator is set up. Set up another one in its place?")
                    : localized("If the policy asks for `totp`, a phone shows changing codes. Set one up?"))
        case .links: return decision(localized("Ask before links open?"))
        case .software: return decision(localized("Limit installing to parent mode?"))
        case .screen: return decision(localized("Have that screen?"))
        case .passcode, nil: return ""
        }
    }

    private func decision(_ question: String) -> String {
        Self.decision(question, agrees: conversation.agrees ?? false)
    }

    static func decision(_ question: String, agrees: Bool) -> String {
        agrees
            ? localized("{question} [Y/n]", ["question": question])
            : localized("{question} [y/N]", ["question": question])
    }

    /// What is said before a question; `nil` if it needs no words.
    private static func explanation(
        of question: SetupConversation.Question, after before: SetupConversation.Question?,
        in conversation: SetupConversation
    ) -> String? {
        switch question {
        case .role:
            guard before == nil else { return nil }
            return [
                "", localized("Who is who on this device?"), "  1  " + localized("a grown-up"),
                "  2  " + localized("a child"), "  3  " + localized("shared by several people, like a kiosk"),
                "  4  " + localized("nobody in the family"),
            ].joined(separator: "\n")
        case .born: return nil
        case .passcode:
            let isFirst = !conversation.situation.secrets.contains(.passcode)
            return isFirst
                ? "\n" + localized("The passcode is a secret that grown-ups know and children do not.") : nil
        case .anotherPasscode, .authenticator: return ""
        case .links:
            return "\n"
                + localized(
                    "Links that a child opens from other programs can ask a grown-up first. Pages inside the browser do not ask."
                )
        case .software:
            return "\n"
                + localized(
                    "Installing programs can be limited to parent mode. The system still asks for a password, as it does today."
                )
        case .screen:
            return "\n"
                + localized(
                    "Anyone who runs a child's session sees what is typed there. Gate can ask for passcodes on a screen of its own, and switch there and back by itself."
                )
        case .screenWord:
            return localized(
                "Choose a word or two that stand on that screen, so that you know it from an imitation.")
        }
    }
}
