/// Lists on one line, with the language's separators.
package enum ListText {
    /// For example `a, b, c`.
    package static func things(_ words: [String]) -> String { words.joined(separator: localized(", ")) }

    /// For what is true of one thing, like `a child, 11 years old`. Chinese joins this in another way than things.
    package static func facts(_ facts: [String]) -> String {
        facts.joined(separator: localized(", ", context: "between what is true of one thing"))
    }

    /// For remarks, which may contain commas: `at least 4 characters; in kg`.
    package static func remarks(_ remarks: [String]) -> String { remarks.joined(separator: localized("; ")) }

    /// For example `a, b or c`.
    package static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return localized("{words} or {last}", ["words": things(words.dropLast()), "last": last])
    }

    /// For example `a, b and c`.
    package static func together(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return localized("{words} and {last}", ["words": things(words.dropLast()), "last": last])
    }

    /// One sentence after another.
    package static func sentences(_ sentences: [String]) -> String {
        guard let first = sentences.first else { return "" }
        return sentences.dropFirst().reduce(first) { localized("{text} {next}", ["text": $0, "next": $1]) }
    }

    /// For example `Date of birth: 2015-03-02`.
    package static func pair(_ name: String, _ value: String) -> String {
        localized("{name}: {value}", ["name": name, "value": value])
    }

    /// For example `1 in 1100 (0 to 8 years)`.
    package static func noted(_ text: String, _ note: String) -> String {
        localized("{text} ({note})", ["text": text, "note": note])
    }
}
