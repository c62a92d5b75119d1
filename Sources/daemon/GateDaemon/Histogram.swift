/// Counts values in buckets whose bounds double: up to 1 µs, 2 µs, 4 µs … 8 s, and more. Adding allocates nothing.
struct Histogram {
    /// The last bucket has no upper bound.
    static let bucketCount = 25

    /// How many values fell into each bucket alone: the counts are not cumulative.
    private(set) var counts = [UInt64](repeating: 0, count: bucketCount)
    private(set) var sum: UInt64 = 0

    /// - Parameter value: in the unit that the histogram is used with, such as microseconds or commands.
    mutating func add(_ value: UInt64) {
        let bucket = value <= 1 ? 0 : min(UInt64.bitWidth - (value - 1).leadingZeroBitCount, Self.bucketCount - 1)
        counts[bucket] += 1
        sum &+= value
    }

    static func upperBound(of bucket: Int) -> UInt64 { 1 << UInt64(bucket) }
}
