import GateModel

/// A value in a policy file, and where it is.
struct PolicyNode: Hashable {
    /// Lines and columns count from 1, columns in Unicode scalars.
    struct Place: Hashable {
        var file: String
        var line: Int
        var column: Int
        /// The key that this is, or the nearest key around it.
        var key: String? = nil
    }

    enum Content: Hashable {
        /// A word, a number or a text. Which of these it is, the reader of the key decides, so `no` and `010` do not
        /// surprise as in YAML 1.1.
        case scalar(String, isQuoted: Bool)
        case list([PolicyNode])
        /// No key occurs twice.
        case mapping([Entry])
    }

    struct Entry: Hashable {
        var key: String
        var keyPlace: Place
        var value: PolicyNode
    }

    var place: Place
    var content: Content

    /// What kind of node this is, for a sentence that says what was found.
    var found: String {
        switch content {
        case .scalar(let text, _):
            isNothing ? "nothing" : "'\(text.shortened)'"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The text of a scalar that is not empty; `nil` for everything else.
    var text: String? {
        guard case .scalar(let text, _) = content, !isNothing else { return nil }
        return text
    }

    /// Whether there is no value after the key, for example because it was commented out.
    var isNothing: Bool {
        if case .scalar(let text, isQuoted: false) = content { Self.nothing.contains(text) } else { false }
    }

    private static let nothing: Set<String> = ["", "~", "null"]
}

extension String {
    /// The text for a message: one line, cut to the length of a name, with nothing in it that moves a cursor.
    var shortened: String {
        let visible = replacingHidden
        return visible.count > PolicyLimits.nameLength ? visible.prefix(PolicyLimits.nameLength) + "…" : visible
    }
}
