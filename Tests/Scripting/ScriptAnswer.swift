public import GateModel

/// A script speaks of a challenge that is not there.
public struct UnknownChallenge: Error, Hashable, Sendable, CustomStringConvertible {
    public var id: UInt64
    public var message: String

    public init(id: UInt64, message: String) {
        self.id = id
        self.message = message
    }

    public var description: String { "challenge \(id): \(message)" }
}

/// A script speaks of a request or a screen that is not there.
public struct NothingAsked: Error, Hashable, Sendable, CustomStringConvertible {
    public var name: String

    public init(name: String) {
        self.name = name
    }

    public var description: String { "\(name) has asked for nothing, or has no screen" }
}

/// A script has a presentation go to one of several screens. With real programs the quickest has it, so that no script can say
/// which.
public struct ContestedPresentation: Error, Hashable, Sendable, CustomStringConvertible {
    public var id: UInt64
    /// The people whose screens could show it.
    public var presenters: [String]

    public init(id: UInt64, presenters: [String]) {
        self.id = id
        self.presenters = presenters
    }

    public var description: String {
        "presentation \(id) could go to any of these screens: \(presenters.joined(separator: ", ")); let all but one leave first"
    }
}

extension ScriptWorld {
    /// The name of this user, as scripts call them.
    public func name(of uid: UInt32) -> String {
        people.first { $0.uid == uid }?.name ?? "user \(uid)"
    }

    /// The same, with the broker that asks for them beside it.
    public func name(of uid: UInt32, through broker: UInt32?) -> String {
        broker.map { "\(name(of: uid)) through \(name(of: $0))" } ?? name(of: uid)
    }
}

extension Challenge {
    /// The meaning of a person's input: where there are choices, their letter stands for them; `code` is what the
    /// authenticator shows.
    public func answer(for text: String, authenticatorCode: String) -> ChallengeAnswer {
        let letter = ["a", "b", "c", "d"].firstIndex(of: text.trimmed)
        switch self {
        case .arithmeticChoice(_, let choices), .shapes(_, let choices):
            return .text(letter.flatMap { choices.indices.contains($0) ? "\(choices[$0])" : nil } ?? text)
        case .quiz:
            return .text(letter.map { "\($0 + 1)" } ?? text)
        case .arithmeticEntry, .confirm, .birthdate, .swipe:
            return .text(text)
        case .passcode:
            return .secret(GateSecret(text.utf8))
        case .totp:
            return .secret(GateSecret((text == "code" ? authenticatorCode : text).utf8))
        case .hold:
            return text == "release" ? .released : .text(text)
        }
    }
}
