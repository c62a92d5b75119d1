import GateModel
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
            if let text = Self.explanation(of: question, after: before, in: conversation) { prompt.explain(text) }
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
        case .anotherPasscode, .authenticator, .links, .software, .time, .screen:
            return Self.decision(conversation.decision ?? "", agrees: conversation.agrees ?? false)
        case .passcode, nil: return ""
        }
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
        case .anotherPasscode, .authenticator: return ""
        case .screenWord: return conversation.explanation
        case .passcode, .links, .software, .time, .screen: return conversation.explanation.map { "\n" + $0 }
        }
    }
}
