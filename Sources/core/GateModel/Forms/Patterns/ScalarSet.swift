/// A set of Unicode scalars, as a class in a regular expression describes it.
struct ScalarSet: Hashable, Sendable {
    /// The scalars of the set as ranges, in ascending order and with gaps between them.
    private var ranges: [ClosedRange<UInt32>]
    /// One bit for each of the 128 ASCII characters, for speed.
    private var ascii: SIMD2<UInt64>

    private static let last: UInt32 = 0x10FFFF

    init(_ ranges: [ClosedRange<UInt32>] = []) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let before = merged.last, range.lowerBound <= before.upperBound + 1 {
                merged[merged.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
        ascii = SIMD2(repeating: 0)
        for range in merged where range.lowerBound < 128 {
            for value in range.lowerBound...min(range.upperBound, 127) {
                ascii[Int(value / 64)] |= 1 << UInt64(value % 64)
            }
        }
    }

    init(_ scalars: [Unicode.Scalar]) {
        self.init(scalars.map { $0.value...$0.value })
    }

    func contains(_ value: UInt32) -> Bool {
        if value < 128 { return ascii[Int(value / 64)] & 1 << UInt64(value % 64) != 0 }
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(value)
    }

    func union(_ other: ScalarSet) -> ScalarSet {
        ScalarSet(ranges + other.ranges)
    }

    var inverted: ScalarSet {
        var inverted: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if next < range.lowerBound { inverted.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= Self.last { inverted.append(next...Self.last) }
        return ScalarSet(inverted)
    }
}

extension ScalarSet {
    /// `\d`.
    static let digits = ScalarSet([0x30...0x39])
    /// `\w`.
    static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// `\s`: white space and ends of lines, as ECMAScript lists them.
    static let space = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    /// `.`: everything but the ends of lines.
    static let withinLine = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted
}
