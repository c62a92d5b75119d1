/// The limits of an expression.
package enum ExpressionLimits {
    /// The most characters of its source.
    package static let sourceLength = 4_000
    /// Brackets within brackets, and operators one after the other, count together.
    package static let depth = 100
    /// The steps that evaluating takes at most, where nobody asks for fewer: about one for each item that is looked at.
    package static let steps = 200_000
    /// The bytes of a text that is put together.
    package static let textBytes = 1 << 20
}
