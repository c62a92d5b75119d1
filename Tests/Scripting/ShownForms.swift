public import GateModel

/// The change of a draft.
public struct ShownFormChange: Hashable, Sendable {
    /// The revision of the draft, after it.
    public var revision: UInt64
    public var isChanged: Bool
    /// The answers that were cleared with it.
    public var cleared: [String]

    public init(revision: UInt64, isChanged: Bool, cleared: [String]) {
        self.revision = revision
        self.isChanged = isChanged
        self.cleared = cleared
    }
}

/// A draft that somebody may reach.
public struct ShownForm: Hashable, Sendable {
    public var name: String
    /// "anna", "user ben".
    public var holder: String
    public var revision: UInt64
    public var draft: UInt64
    public var label: String

    public init(name: String, holder: String, revision: UInt64, draft: UInt64 = 0, label: String = "") {
        self.name = name
        self.holder = holder
        self.revision = revision
        self.draft = draft
        self.label = label
    }
}

/// A response that is kept, without when.
public struct ShownResponse: Hashable, Sendable {
    public var id: UInt64
    /// The name of the form.
    public var name: String
    public var version: String
    public var holder: String
    public var status: QuestionnaireResponse.Status
    public var label: String

    public init(
        id: UInt64, name: String, version: String, holder: String, status: QuestionnaireResponse.Status,
        label: String = ""
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.holder = holder
        self.status = status
        self.label = label
    }
}

/// A part that is kept, without when.
public struct ShownPart: Hashable, Sendable {
    public var id: UInt64
    public var label: String
    /// The end of its definition.
    public var definition: String
    public var holder: String

    public init(id: UInt64, label: String, definition: String, holder: String) {
        self.id = id
        self.label = label
        self.definition = definition.split(separator: "/").last.map(String.init) ?? definition
        self.holder = holder
    }
}

/// The news of an app, and what of it was seen.
public struct ShownNews: Hashable, Sendable {
    public var app: String
    public var newest: AppVersion
    /// The newest first.
    public var seen: [AppVersion]

    public init(app: String, newest: AppVersion, seen: [AppVersion]) {
        self.app = app
        self.newest = newest
        self.seen = seen
    }
}

extension ScriptWorld {
    /// The name that scripts give to a holder.
    public func name(of holder: FormHolder) -> String {
        switch holder.kind {
        case .account(let name): name
        case .user(let uid): "user \(name(of: uid))"
        }
    }
}

// MARK: - Words

extension Outcome {
    /// `engine-power: 75 kW waits`, `engine-power: being looked up`.
    public static func suggestions(_ pending: [(path: String, answers: [FormValue])]) -> Outcome {
        let lines = pending.map { path, answers in
            answers.isEmpty
                ? "\(path): being looked up" : "\(path): \(answers.map(\.displayText).joined(separator: " | ")) waits"
        }
        return .said(lines.isEmpty ? "nothing" : lines.joined(separator: "\n"))
    }
}

extension ShownFormChange: CustomStringConvertible {
    public var description: String {
        let what = isChanged ? "revision \(revision)" : "as it was, revision \(revision)"
        return cleared.isEmpty ? what : "\(what); cleared: \(cleared.joined(separator: ", "))"
    }
}

extension ShownForm: CustomStringConvertible {
    public var description: String {
        let which = draft == 0 ? name : "\(name)#\(draft)"
        return "\(which) of \(holder), revision \(revision)" + (label.isEmpty ? "" : ": \(label)")
    }
}

extension ShownResponse: CustomStringConvertible {
    public var description: String {
        let form = version.isEmpty ? name : "\(name) \(version)"
        return "\(id): \(form) of \(holder), \(status.scriptText)" + (label.isEmpty ? "" : ": \(label)")
    }
}

extension ShownPart: CustomStringConvertible {
    public var description: String { "\(id): \(definition) of \(holder): \(label)" }
}

extension ShownNews: CustomStringConvertible {
    public var description: String {
        let versions = seen.map { "\($0)" }.joined(separator: ", ")
        return "\(app): newest \(newest), \(seen.isEmpty ? "nothing seen" : "seen \(versions)")"
    }
}

extension QuestionnaireResponse.Status {
    fileprivate var scriptText: String {
        switch self {
        case .inProgress: "saved"
        case .completed: "completed"
        case .amended: "amended"
        case .enteredInError: "withdrawn"
        case .stopped: "stopped"
        }
    }
}

extension WhatsNewOutcome {
    var scriptText: String {
        switch self {
        case .nothingNew: "nothing new"
        case .shown: "shown"
        case .secondaryChosen: "shown, and more is wanted"
        }
    }
}
