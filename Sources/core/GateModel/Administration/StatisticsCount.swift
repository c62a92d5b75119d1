/// The number of times that something with a name has happened.
public struct StatisticsCount: Hashable, Sendable {
    /// The name, like "gate.v1.Mode/GetMode".
    public var label: String
    /// The number of times.
    public var count: UInt64

    /// Makes a count of these values.
    package init(label: String, count: UInt64) {
        self.label = label
        self.count = count
    }
}

/// A histogram: how many of the counted values were how large.
public struct StatisticsHistogram: Hashable, Sendable {
    /// The values in each bucket, not in those before it: up to 1, 2, 4, 8 and so on; the last one has no end.
    public var counts: [UInt64]
    /// The sum of all values.
    public var sum: UInt64

    /// The number of values.
    public var count: UInt64 { counts.reduce(0, +) }

    /// Makes a histogram of these counts.
    package init(counts: [UInt64] = [], sum: UInt64 = 0) {
        self.counts = counts
        self.sum = sum
    }
}
