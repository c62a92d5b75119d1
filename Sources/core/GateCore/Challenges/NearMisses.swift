/// Answers to choose from that are hard to tell apart for somebody who only guesses.
enum NearMisses {
    /// The solution and two of its near misses, to be shown in this order (F-11).
    ///
    /// Whether the right answer is the smallest, the middle or the greatest of the three is drawn first, so that
    /// "always take the middle one" is no better than guessing. Draws that place, the near misses below it, those above
    /// it, and the order to show them in.
    ///
    /// - Parameter misses: at least two different numbers, none of them the solution.
    static func choices(
        around solution: Int, from misses: [Int], using random: inout some RandomNumberGenerator
    ) -> [Int] {
        let smaller = misses.filter { $0 < solution }
        let greater = misses.filter { $0 > solution }
        // Where one side has not two of them, the right answer can't stand in every place.
        let countBelow = Int.random(in: max(0, 2 - greater.count)...min(2, smaller.count), using: &random)
        var choices = smaller.drawn(countBelow, using: &random) + greater.drawn(2 - countBelow, using: &random)
        choices.append(solution)
        choices.shuffle(using: &random)
        return choices
    }
}

extension Array {
    /// One element, each as likely as the others. The array must not be empty.
    func drawn(using random: inout some RandomNumberGenerator) -> Element {
        self[Int.random(in: indices, using: &random)]
    }

    /// So many different elements, each set of them as likely as the others.
    func drawn(_ count: Int, using random: inout some RandomNumberGenerator) -> [Element] {
        var rest = self
        return (0..<count).map { _ in rest.remove(at: Int.random(in: rest.indices, using: &random)) }
    }
}
