/// How often something took how long, in buckets that double: up to 1 µs, 2 µs, 4 µs … 8 s, and more. An addition is one into
/// an array that is there already.
struct Histogram {
    /// The last bucket has no end.
    static let bucketCount = 25

    /// The count of each bucket, without those before it.
    private(set) var counts = [UInt64](repeating: 0, count: bucketCount)
    private(set) var sum: UInt64 = 0

    /// - Parameter value: in the histogram's own unit: microseconds, or commands.
    mutating func add(_ value: UInt64) {
        let bucket = value <= 1 ? 0 : min(UInt64.bitWidth - (value - 1).leadingZeroBitCount, Self.bucketCount - 1)
        counts[bucket] += 1
        sum &+= value
    }

    /// The largest value of a bucket.
    static func upperBound(of bucket: Int) -> UInt64 { 1 << UInt64(bucket) }
}
