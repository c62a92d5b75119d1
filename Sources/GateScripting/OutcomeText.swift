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
            "\(problem) = ?" + zip("abcdefgh", choices).map { "  \($0)) \($1)" }.joined()
        case .arithmeticEntry(let problem):
            "\(problem) = ?"
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
