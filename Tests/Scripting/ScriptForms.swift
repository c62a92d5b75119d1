// What scripts do with forms, and with what is new.

/// Which draft, and what it must not have been changed since.
public struct ScriptFormTarget: Hashable, Sendable {
    /// The name of the form.
    public var name: String
    /// The revision that the draft is at; `nil`: any.
    public var revision: UInt64?

    public init(_ name: String, at revision: UInt64? = nil) {
        self.name = name
        self.revision = revision
    }
}

/// A change of the answers of a draft. Paths and answers are as a person writes them.
public enum ScriptFormEdit: Hashable, Sendable {
    /// Empty: nothing any more.
    case set(String, [String])
    case suggest(String, [String])
    /// One of several groups goes.
    case remove(String)
    /// Fills the form from the response with this name in the script.
    case fill(from: String)
    case reset
    /// Loads the response with this number; `nil`: the newest that was completed.
    case load(UInt64?)
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
