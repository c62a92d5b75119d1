/// Finds the word that a person probably meant, for a message about a word that does not exist.
package enum NearestWord {
    /// How many characters are compared. A text of more than four times as many bytes is near nothing.
    private static let maximumLength = 64

    /// The word nearest to what was written, or `nil` if none is near. Upper case, hyphens, underscores and spaces are
    /// ignored, since people mix them up. If none is near, `orBeginning` takes one that begins like this:
    /// `administrators` for `admin`.
    package static func of(_ written: String, among words: [String], orBeginning: Bool = false) -> String? {
        let word = letters(written)
        guard !word.isEmpty else { return nil }
        var nearest: (word: String, distance: Int)?
        for candidate in words.sorted() {
            let other = letters(candidate)
            let allowed = max(1, min(word.count, other.count) / 3)
            guard abs(word.count - other.count) <= allowed else { continue }
            let distance = EditDistance.between(word, other)
            if distance <= allowed, distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
        }
        if let nearest { return nearest.word }
        return orBeginning && word.count >= 3 ? words.first { letters($0).starts(with: word) } : nil
    }

    /// The question " Did you mean 'linkId'?", with a space before it; empty if no word is near.
    package static func question(_ written: String, among words: [String], orBeginning: Bool = false) -> String {
        of(written, among: words, orBeginning: orBeginning).map { " Did you mean '\($0)'?" } ?? ""
    }

    private static func letters(_ text: String) -> [Character] {
        guard text.utf8.count <= 4 * maximumLength else { return [] }
        return Array(text.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }.prefix(maximumLength))
    }
}

package enum EditDistance {
    /// The least number of characters to insert, delete, replace or swap with the next one, to turn one text into the
    /// other. Takes time proportional to the product of both lengths, and memory proportional to the second.
    package static func between(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[right.count]
    }
}
