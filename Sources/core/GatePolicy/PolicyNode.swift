import GateModel

/// A value of a policy file, and where it stands.
struct PolicyNode: Hashable {
    struct Place: Hashable {
        var file: String
        /// The line, from 1.
        var line: Int
        /// The column, from 1.
        var column: Int
        /// The key that it is, or that it belongs to: the nearest one that stands above it.
        var key: String? = nil
    }

    enum Content: Hashable {
        /// A word, a number, a text: which of them is up to who reads it. No YAML 1.1 surprises with `no` or `010`.
        case scalar(String, isQuoted: Bool)
        case list([PolicyNode])
        /// No key twice.
        case mapping([Entry])
    }

    struct Entry: Hashable {
        var key: String
        var keyPlace: Place
        var value: PolicyNode
    }

    var place: Place
    var content: Content

    /// The kind of node, for a sentence that says what was found.
    var found: String {
        switch content {
        case .scalar(let text, _):
            isNothing ? "nothing" : "'\(text.shortened)'"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The text of a scalar that says something.
    var text: String? {
        guard case .scalar(let text, _) = content, !isNothing else { return nil }
        return text
    }

    /// A key with nothing behind it: what was there may be commented out.
    var isNothing: Bool {
        if case .scalar(let text, isQuoted: false) = content { Self.nothing.contains(text) } else { false }
    }

    /// How a scalar says that there is no value.
    private static let nothing: Set<String> = ["", "~", "null"]
}

extension String {
    /// For a message: one line, not too long, and nothing in it that moves a cursor.
    var shortened: String {
        let visible = replacingHidden
        return visible.count > PolicyLimits.nameLength ? visible.prefix(PolicyLimits.nameLength) + "…" : visible
    }
}
