import GateTexts

/// Several things of which one is meant, as people list them.
enum AlternativesText {
    /// `a, b or c`
    static func joined(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return localized("{words} or {last}", ["words": words.dropLast().joined(separator: ", "), "last": last])
    }
}
