/// What is wrong with an expression, and where.
package struct ExpressionError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case syntax
        /// It may be FHIRPath, but Gate does not support it.
        case outsideSubset
        /// It exceeds `ExpressionLimits`.
        case tooLarge
        /// It was parsed, but has no result for these values.
        case evaluation
        /// Evaluating it takes more steps than the budget has left.
        case budgetSpent
    }

    /// A line and a column, both counted from 1. Columns count Unicode scalars.
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
    /// For the form's author: what is wrong, and what to do.
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

/// The steps that are left for evaluation. All expressions that one change evaluates share a budget.
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
