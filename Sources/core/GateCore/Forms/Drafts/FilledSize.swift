/// The size of a filled-in form without its answers.
struct FilledSize: Hashable {
    var items = 0
    /// The approximate bytes of the items in a response: JSON in UTF-8, without answers.
    var byteCount = 0

    var isWithinBounds: Bool {
        items <= FormBounds.repeatedItems && byteCount <= FormBounds.writtenByteCount
    }

    static func + (left: FilledSize, right: FilledSize) -> FilledSize {
        FilledSize(items: left.items + right.items, byteCount: left.byteCount + right.byteCount)
    }

    static func * (left: FilledSize, times: Int) -> FilledSize {
        FilledSize(items: multiplied(left.items, times), byteCount: multiplied(left.byteCount, times))
    }

    func timesThatFit(beside other: FilledSize) -> Int {
        func times(_ size: Int, _ room: Int) -> Int { size > 0 ? max(0, room) / size : .max }
        return min(
            times(items, FormBounds.repeatedItems - other.items),
            times(byteCount, FormBounds.writtenByteCount - other.byteCount))
    }

    /// Multiplies without overflow, since nested groups of an unchecked form can have any number of instances. Beyond
    /// the bounds the exact product does not matter.
    private static func multiplied(_ size: Int, _ times: Int) -> Int {
        let (product, overflow) = size.multipliedReportingOverflow(by: times)
        return overflow ? unreachable : min(product, unreachable)
    }

    private static let unreachable = 1 << 40
}
