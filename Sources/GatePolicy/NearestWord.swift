/// The word that somebody may have meant who wrote one that does not exist.
enum NearestWord {
    /// The nearest word; `nil` where none is near.
    static func of(_ written: String, among words: [String]) -> String? {
        let word = plain(written)
        let near =
            words
            .map { (word: $0, distance: distance(word, plain($0))) }
            .filter { $0.distance <= max(1, min(word.count, $0.word.count) / 3) }
            .min { ($0.distance, $0.word) < ($1.distance, $1.word) }
        // Or only the beginning of it: `admin`, `arithmetic`.
        return near?.word ?? words.first { word.count >= 3 && plain($0).starts(with: word) }
    }

    /// As people mix it up: capitals, and underscores for hyphens. No longer than any word that there is.
    private static func plain(_ word: String) -> [Character] {
        word.prefix(PolicyLimits.nameLength).lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 }
    }

    /// How many letters have to be put in, taken out, changed or swapped with the next to make one of the other.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for (row, character) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var least = min(rows[row][column + 1], next[column]) + 1
                least = min(least, rows[row][column] + (character == other ? 0 : 1))
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
