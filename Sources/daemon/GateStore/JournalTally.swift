import GateModel

/// The counts that a journal is kept within its capacity by.
struct JournalTally: Hashable, Sendable {
    /// The entries that there are.
    var count: Int
    /// The last revision of which something is gone; 0: nothing is.
    var prunedThrough: UInt64
    /// `nil` until a full journal has counted them.
    var shares: JournalShares?

    /// The first revision of which the journal is complete from there on: 1 until something is pruned.
    var oldestNumber: UInt64 { prunedThrough + 1 }
}

/// How many entries of the journal are whose, so that a full one knows who has the most without counting all of them (G-05).
struct JournalShares: Hashable, Sendable {
    /// The counts by owner; `nil`: Gate's own. None is zero.
    private(set) var counts: [Owner?: Int] = [:]

    mutating func add(_ count: Int, of owner: Owner?) {
        let sum = counts[owner, default: 0] + count
        // Else those who have nothing there any more would add up.
        counts[owner] = sum == 0 ? nil : sum
    }

    /// These, but for those.
    func without(_ others: JournalShares) -> JournalShares {
        var rest = self
        for (owner, count) in others.counts { rest.add(-count, of: owner) }
        return rest
    }

    /// The most that each may keep, so that `count` go: the largest shares are cut, all to the same size.
    static func evenShare(of shares: [Int], without count: Int) -> Int {
        let sorted = shares.sorted(by: >)
        var sum = 0
        for (index, share) in sorted.enumerated() {
            sum += share
            guard sum >= count else { continue }
            let rest = (sum - count) / (index + 1)
            if index + 1 == sorted.count || rest >= sorted[index + 1] { return rest }
        }
        return 0
    }
}
