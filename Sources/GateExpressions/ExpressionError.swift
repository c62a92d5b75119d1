/// A fault of an expression, with its place in it and what to do.
package struct ExpressionError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// It is not written as an expression.
        case syntax
        /// FHIRPath may have it, and Gate does not.
        case outsideSubset
        /// It is longer, or nested more deeply, than any expression.
        case tooLarge
        /// It was read, and has no result with these values.
        case evaluation
        /// Evaluating took more steps than were given.
        case budgetSpent
    }

    /// A line and a column, both from 1. Columns count Unicode scalars.
    package struct Place: Hashable, Sendable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    package var kind: Kind
    package var place: Place
    /// Sentences for the author of the form.
    package var message: String

    init(_ kind: Kind, at place: Place, _ message: String) {
        self.kind = kind
        self.place = place
        self.message = message
    }
}

extension ExpressionError: CustomStringConvertible {
    package var description: String { "\(place.line):\(place.column): \(message)" }
}

/// The steps that are left. Several expressions of one change share one budget.
package struct ExpressionBudget: Sendable {
    package private(set) var remainingSteps: Int

    package init(steps: Int) {
        remainingSteps = steps
    }

    mutating func spend(_ steps: Int, at place: ExpressionError.Place) throws(ExpressionError) {
        guard steps <= remainingSteps else {
            remainingSteps = 0
            throw ExpressionError(
                .budgetSpent, at: place,
                "This takes too many steps. Name items by their linkId, or compare fewer of them.")
        }
        remainingSteps -= steps
    }
}
