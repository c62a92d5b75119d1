// What scripts do with forms, and with what is new.

/// Which draft, and what it must not have been changed since.
public struct ScriptFormTarget: Hashable, Sendable {
    /// The name of the form.
    public var name: String
    /// Which of several drafts; 0: the one that `open` opens.
    public var draft: UInt64
    /// The revision that the draft is at; `nil`: any.
    public var revision: UInt64?

    /// - Parameter text: the name of the form, and the number of the draft where it is not 0: "insurance#2".
    public init(_ text: String, at revision: UInt64? = nil) {
        let parts = text.split(separator: "#", maxSplits: 1)
        name = parts.first.map(String.init) ?? ""
        draft = parts.count > 1 ? UInt64(parts[1]) ?? 0 : 0
        self.revision = revision
    }
}

/// A change of the answers of a draft. Paths and answers are as a person writes them.
public enum ScriptFormEdit: Hashable, Sendable {
    /// Empty: nothing any more.
    case set(String, [String])
    case suggest(String, [String])
    /// The answers to this question are being fetched, for so long at most.
    case announce(String, Duration)
    /// One of several groups goes.
    case remove(String)
    /// Fills the form from the response with this name in the script.
    case fill(from: String)
    case reset
    /// Loads the response with this number; `nil`: the newest that was completed.
    case load(UInt64?)
    /// Takes the parts with these numbers.
    case take(String, [UInt64])
}

/// An app, and the version of it that somebody has: is there anything new in it?
public struct ScriptNews: Hashable, Sendable {
    public var app: String
    /// "1.2.0".
    public var version: String

    public init(app: String, version: String) {
        self.app = app
        self.version = version
    }
}
