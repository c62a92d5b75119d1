/// How often something happened, under the name by which it is counted.
public struct StatisticsCount: Hashable, Sendable {
    /// What was counted, like "gate.v1.Mode/GetMode".
    public var label: String
    /// How often it happened.
    public var count: UInt64

    package init(label: String, count: UInt64) {
        self.label = label
        self.count = count
    }
}

/// How often measured values were of which size.
public struct StatisticsHistogram: Hashable, Sendable {
    /// The number of values in each bucket. The first bucket holds values up to 1, the next up to 2, then up to 4, 8
    /// and so on; the last has no upper limit. A value is in one bucket only.
    public var counts: [UInt64]
    /// The sum of all values.
    public var sum: UInt64

    /// The number of all values.
    public var count: UInt64 { counts.reduce(0, +) }

    package init(counts: [UInt64] = [], sum: UInt64 = 0) {
        self.counts = counts
        self.sum = sum
    }
}
