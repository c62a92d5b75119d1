package enum ExpressionLimits {
    /// The longest source, in Unicode scalars.
    package static let sourceLength = 4_000
    /// The deepest nesting. Both brackets and chained operators count.
    package static let depth = 100
    /// The longest text that operators may produce, in bytes.
    package static let textBytes = 1 << 20
}
