/// Something that Gate promises of whatever comes from outside, and that an input breaks.
public struct BrokenPromise: Error, CustomStringConvertible {
    public let description: String
}

/// - Throws: `BrokenPromise` where it is not so.
func promise(_ isKept: Bool, _ description: @autoclosure () -> String) throws(BrokenPromise) {
    guard isKept else { throw BrokenPromise(description: description()) }
}
