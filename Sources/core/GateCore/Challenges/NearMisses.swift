/// Chooses wrong answers that are hard to tell from the right one by guessing.
enum NearMisses {
    /// The solution and two wrong answers, in the order in which to show them.
    ///
    /// Chance decides first whether the right answer is the smallest, the middle or the greatest of the three. Then it
    /// chooses the distances between the three, which are just as likely whichever of them is right: those of the
    /// solution and two of its near misses on one side, or the same distances the other way round. So neither the size
    /// of an answer nor the distances tell anything, for example that the right answer is close to one of the others.
    ///
    /// If there are fewer than two misses with a counterpart on the other side of the solution, the wrong answers are
    /// any two misses. The order is chosen last.
    ///
    /// - Parameter misses: at least two different numbers in ascending order, none of them the solution.
    static func choices(
        around solution: Int, from misses: [Int], using random: inout some RandomNumberGenerator
    ) -> [Int] {
        let smaller = misses.filter { $0 < solution }
        let greater = misses.filter { $0 > solution }
        // If there are fewer than two misses on one side, some ranks of the solution are impossible.
        let countBelow = Int.random(in: max(0, 2 - greater.count)...min(2, smaller.count), using: &random)
        let onOneSide = (countBelow == 2 ? smaller : greater).filter { misses.contains(2 * solution - $0) }
        var choices =
            if onOneSide.count < 2 {
                smaller.drawn(countBelow, using: &random) + greater.drawn(2 - countBelow, using: &random)
            } else {
                spaced(like: onOneSide.drawn(2, using: &random), around: solution, isMiddle: countBelow == 1)
            }
        choices.append(solution)
        choices.shuffle(using: &random)
        return choices
    }

    /// Two wrong answers whose distances from each other and from the solution are those of two misses on one side. If
    /// the closer miss was drawn first, the distances are turned round.
    private static func spaced(like misses: [Int], around solution: Int, isMiddle: Bool) -> [Int] {
        var slips = misses.map { $0 - solution }
        if abs(slips[0]) < abs(slips[1]) { slips[0] = slips[1] - slips[0] }
        guard isMiddle else { return slips.map { solution + $0 } }
        // The answer between the other two becomes the solution.
        let smallest = min(slips[0], slips[1])
        return [solution - smallest, solution + max(slips[0], slips[1]) - smallest]
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
