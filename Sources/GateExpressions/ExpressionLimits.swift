/// The limits of an expression.
package enum ExpressionLimits {
    /// The most characters of its source.
    package static let sourceLength = 4_000
    /// Brackets within brackets, and operators one after the other, count together.
    package static let depth = 100
    /// The bytes of a text that is put together.
    package static let textBytes = 1 << 20
}
