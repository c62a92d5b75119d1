/// Several things of which one is meant, as people list them.
package enum AlternativesText {
    /// `a, b or c`
    package static func joined(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return localized("{words} or {last}", ["words": words.dropLast().joined(separator: ", "), "last": last])
    }
}
