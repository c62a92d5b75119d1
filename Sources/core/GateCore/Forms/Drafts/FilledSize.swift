/// How much a form comes to that is filled in, however little is answered in it.
struct FilledSize: Hashable {
    var items = 0
    /// About what they take in a response, in UTF-8 bytes of JSON, without their answers.
    var byteCount = 0

    var isWithinBounds: Bool {
        items <= FormBounds.repeatedItems && byteCount <= FormBounds.writtenByteCount
    }

    static func + (left: FilledSize, right: FilledSize) -> FilledSize {
        FilledSize(items: left.items + right.items, byteCount: left.byteCount + right.byteCount)
    }

    static func - (left: FilledSize, right: FilledSize) -> FilledSize {
        FilledSize(items: left.items - right.items, byteCount: left.byteCount - right.byteCount)
    }

    static func * (left: FilledSize, times: Int) -> FilledSize {
        FilledSize(items: multiplied(left.items, times), byteCount: multiplied(left.byteCount, times))
    }

    /// How many more times of this there is room for, beside `other`.
    func timesThatFit(beside other: FilledSize) -> Int {
        func times(_ size: Int, _ room: Int) -> Int { size > 0 ? max(0, room) / size : .max }
        return min(
            times(items, FormBounds.repeatedItems - other.items),
            times(byteCount, FormBounds.writtenByteCount - other.byteCount))
    }

    /// Groups in groups that nobody has checked come to any number: past all bounds it does not matter which.
    private static func multiplied(_ size: Int, _ times: Int) -> Int {
        let (product, overflow) = size.multipliedReportingOverflow(by: times)
        return overflow ? unreachable : min(product, unreachable)
    }

    private static let unreachable = 1 << 40
}
