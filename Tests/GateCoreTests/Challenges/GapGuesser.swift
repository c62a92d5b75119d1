/// Guesses which of three answers is right by their sizes and the gaps between them, in every simple way.
///
/// It also learns: from earlier questions with the same gaps, or with the same distance from the smallest answer to the
/// greatest, which of the three was right most often.
struct GapGuesser {
    /// The number of questions.
    private(set) var count = 0
    /// How often each way was right. If a way can't tell answers apart, it takes one of them by chance.
    private(set) var right: [String: Double] = [:]
    private var seen: [[Int]: [Int]] = [:]

    mutating func guess(_ solution: Int, among choices: [Int]) {
        let sorted = choices.sorted()
        let rank = sorted.firstIndex(of: solution)
        let (below, above) = (sorted[1] - sorted[0], sorted[2] - sorted[1])
        let closest = below == above ? [0, 2] : [below < above ? 0 : 2]
        let farthest = below == above ? [0, 2] : [below < above ? 2 : 0]
        var guesses = [
            "rank 0": [0], "rank 1": [1], "rank 2": [2], "the outer one closest to the middle": closest,
            "the outer one farthest from the middle": farthest,
            "one of the closest two": below == above ? [0, 1, 2] : closest + [1],
        ]
        for (way, key) in [("learned from gaps", [below, above]), ("learned from distances", [below + above])] {
            let counts = seen[key] ?? [0, 0, 0]
            guesses[way] = (0..<3).filter { counts[$0] == counts.max() }
            if let rank { seen[key] = (0..<3).map { counts[$0] + ($0 == rank ? 1 : 0) } }
        }
        count += 1
        for (way, ranks) in guesses {
            right[way, default: 0] += rank.map(ranks.contains) == true ? 1 / Double(ranks.count) : 0
        }
    }

    /// How often a way was right, from 0 to 1.
    func share(of way: String) -> Double {
        (right[way] ?? 0) / Double(count)
    }
}
