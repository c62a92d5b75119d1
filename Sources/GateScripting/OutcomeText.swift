import GateModel

/// The words of the scripts.
extension Outcome {
    /// What a script shows of it, a line each.
    public var lines: [String] {
        switch self {
        case .challenge(let id, let challenge): ["challenge \(id): \(challenge.scriptText)"]
        case .mode(let mode): ["\(mode)"]
        case .right(let mode): ["right; \(mode)"]
        case .wrong(let mode, nil): ["wrong; \(mode)"]
        case .wrong(let mode, let lock?): ["wrong; \(mode); locked out for \(lock.shortText)"]
        case .dismissed(let mode): ["dismissed; \(mode)"]
        case .gone(let mode): ["gone; \(mode)"]
        case .refused(let message): ["refused: \(message)"]
        case .clock(let time, let mode): ["it is \(time.clockText); \(mode)"]
        case .back(let mode): ["back; \(mode)"]
        case .journal(let entries): entries.isEmpty ? ["nothing new"] : entries.map(\.description)
        case .seen(let modes): modes.isEmpty ? ["nothing new"] : modes.map(\.description)
        case .outlook(.granted): ["granted"]
        case .outlook(.personNeeded): ["a person is needed"]
        case .outlook(.denied): ["denied"]
        case .granted(let gatedAction, let person, nil): ["granted \(gatedAction) to \(person), once"]
        case .granted(let gatedAction, let person, let redeemer?):
            ["granted \(gatedAction) to \(person), for \(redeemer) to take"]
        case .redeemed(let requester): ["taken; \(requester) had asked"]
        case .waits(let person): ["\(person) waits"]
        case .said(let text): [text]
        case .blank: ["nothing"]
        case .shown(let id, let who, let summary, let challenge):
            ["challenge \(id): \(who) wants \(summary.wish): \(challenge.scriptText)"]
        case .answered(let id, let what): ["challenge \(id): \(what.scriptText)"]
        case .kept(let grants):
            grants.isEmpty ? ["none"] : grants.map { "\($0.who): \($0.gatedAction) until \($0.until.clockText)" }
        }
    }
}

extension ShownMode: CustomStringConvertible {
    public var description: String {
        until.map { "\(mode.rawValue) until \($0.clockText)" } ?? mode.rawValue
    }
}

extension JournalLine: CustomStringConvertible {
    public var description: String {
        let what = "\(who ?? "gate"): \(kind.scriptText)"
        return detail.isEmpty ? what : "\(what) (\(detail))"
    }
}

extension Challenge {
    /// The question in one line.
    var scriptText: String {
        switch self {
        case .arithmeticChoice(let problem, let choices):
            "\(problem) = ?" + Self.scriptText(choices)
        case .arithmeticEntry(let problem):
            "\(problem) = ?"
        case .shapes(let problem, let choices):
            "corners of \(problem.left.scriptText) \(problem.operator.rawValue) \(problem.right.scriptText) = ?"
                + Self.scriptText(choices)
        case .quiz(let texts):
            (texts.first { $0.language == "en" } ?? texts.first).map { $0.question + Self.scriptText($0.choices) } ?? ""
        case .confirm: "may they?"
        case .birthdate(let calendar): "born when? (\(calendar.rawValue))"
        case .passcode: "passcode?"
        case .totp: "code?"
        case .hold(let duration): "hold for \(duration.shortText)"
        case .swipe(let gesture): "swipe \(gesture.direction.rawValue) with \(gesture.fingers) fingers"
        }
    }

    private static func scriptText(_ choices: [some CustomStringConvertible]) -> String {
        zip("abcdefgh", choices).map { "  \($0)) \($1)" }.joined()
    }
}

extension [Shape] {
    fileprivate var scriptText: String { "(" + map(\.form.rawValue).joined(separator: " ") + ")" }
}

extension PresentationSummary {
    /// What is asked for, as it is shown.
    fileprivate var wish: String {
        switch purpose {
        case .enterParentMode: "parent mode"
        case .extendParentMode: "more time in parent mode"
        case .authorize: asked.details.isEmpty ? asked.title : "\(asked.title), \(asked.details)"
        }
    }
}

extension AuditEntry.Kind {
    /// Its name in words: "answeredWrong" reads "answered wrong".
    var scriptText: String {
        rawValue.reduce(into: "") { text, character in
            text += character.isUppercase ? " " + character.lowercased() : String(character)
        }
    }
}

extension Duration {
    /// As a clock shows it: "0:15:00". Whole seconds, rounded up.
    var clockText: String {
        let seconds = (clampedNanoseconds + 999_999_999) / 1_000_000_000
        let digits = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(digits(seconds / 60 % 60)):\(digits(seconds % 60))"
    }
}
