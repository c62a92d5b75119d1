/// Chooses wrong answers that are hard to tell from the right one by guessing.
enum NearMisses {
    /// The solution and two of its near misses, in the order in which to show them.
    ///
    /// Chance decides first whether the right answer is the smallest, the middle or the greatest of the three. So
    /// "always take the middle one" is no better than another guess. Then it chooses the near misses below the
    /// solution, those above it, and the order.
    ///
    /// - Parameter misses: at least two different numbers, none of them the solution.
    static func choices(
        around solution: Int, from misses: [Int], using random: inout some RandomNumberGenerator
    ) -> [Int] {
        let smaller = misses.filter { $0 < solution }
        let greater = misses.filter { $0 > solution }
        // If there are fewer than two misses on one side, some ranks of the solution are impossible.
        let countBelow = Int.random(in: max(0, 2 - greater.count)...min(2, smaller.count), using: &random)
        var choices = smaller.drawn(countBelow, using: &random) + greater.drawn(2 - countBelow, using: &random)
        choices.append(solution)
        choices.shuffle(using: &random)
        return choices
    }
}

extension Array {
    /// One element. All are equally likely. The array must not be empty.
    func drawn(using random: inout some RandomNumberGenerator) -> Element {
        self[Int.random(in: indices, using: &random)]
    }

    /// `count` different elements. All sets are equally likely.
    func drawn(_ count: Int, using random: inout some RandomNumberGenerator) -> [Element] {
        var rest = self
        return (0..<count).map { _ in rest.remove(at: Int.random(in: rest.indices, using: &random)) }
    }
}
