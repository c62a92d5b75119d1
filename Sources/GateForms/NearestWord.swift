/// The word that somebody may have meant who wrote one that does not exist.
enum NearestWord {
    /// No element of FHIR has a longer name.
    private static let maximumLength = 64

    /// `nil`: none is near.
    static func of(_ written: String, among words: [String]) -> String? {
        let word = letters(written)
        guard !word.isEmpty else { return nil }
        var nearest: (word: String, distance: Int)?
        for candidate in words.sorted() {
            let other = letters(candidate)
            let allowed = max(1, min(word.count, other.count) / 3)
            guard abs(word.count - other.count) <= allowed else { continue }
            let distance = distance(word, other)
            if distance <= allowed, distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
        }
        return nearest?.word
    }

    /// " Did you mean 'linkId'?", or nothing.
    static func question(_ written: String, among words: [String]) -> String {
        of(written, among: words).map { " Did you mean '\($0)'?" } ?? ""
    }

    /// Capitals, hyphens and underscores are what people mix up.
    private static func letters(_ text: String) -> [Character] {
        guard text.utf8.count <= 4 * maximumLength else { return [] }
        return Array(text.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }.prefix(maximumLength))
    }

    /// How many letters have to be put in, taken out, changed, or swapped with the next.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
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
