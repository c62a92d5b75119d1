import GateModel

/// Counts of the journal's entries, by which it is kept within its capacity.
struct JournalTally: Hashable, Sendable {
    var count: Int
    /// The newest revision of which entries were pruned; 0: none.
    var prunedThrough: UInt64
    /// `nil` until the journal is full for the first time and they are counted.
    var shares: JournalShares?

    /// The first revision from which on the journal is complete; 1 until something is pruned.
    var oldestNumber: UInt64 { prunedThrough + 1 }
}

/// How many entries each owner has, so that a full journal knows who has the most without counting all of them.
struct JournalShares: Hashable, Sendable {
    /// The counts by owner; `nil`: Gate's own entries. No count is zero.
    private(set) var counts: [Owner?: Int] = [:]

    mutating func add(_ count: Int, of owner: Owner?) {
        let sum = counts[owner, default: 0] + count
        // Otherwise owners without entries would accumulate.
        counts[owner] = sum == 0 ? nil : sum
    }

    /// These counts minus `others`.
    func without(_ others: JournalShares) -> JournalShares {
        var rest = self
        for (owner, count) in others.counts { rest.add(-count, of: owner) }
        return rest
    }

    /// The most that each owner may keep so that `count` entries are deleted: the largest shares are cut to one size.
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
