/// An expression of a form, in Gate's part of FHIRPath (docs/expressions.md). Parsed once and evaluated often.
package struct FormExpression: Sendable {
    let syntax: Syntax

    /// - Throws: what is wrong with the source, and where.
    package init(_ source: String, knowing vocabulary: ExpressionVocabulary = ExpressionVocabulary())
        throws(ExpressionError)
    {
        var parser = try ExpressionParser(source, vocabulary)
        syntax = try parser.whole()
    }

    /// The same values always give the same result.
    ///
    /// - Throws: `evaluation` if FHIRPath has no result for these values; `budgetSpent`.
    package func evaluate(
        _ context: ExpressionContext, budget: inout ExpressionBudget
    ) throws(ExpressionError) -> [ExpressionItem] {
        var evaluator = Evaluator(context, budget)
        defer { budget = evaluator.budget }
        return try evaluator.items(syntax, Evaluator.Focus(items: [context.context], index: 0))
    }

    /// Charges the budget for work that this expression causes besides its evaluation.
    ///
    /// - Throws: `budgetSpent` if fewer steps are left.
    package func charge(_ steps: Int, _ budget: inout ExpressionBudget) throws(ExpressionError) {
        try budget.spend(steps, at: syntax.place)
    }

    /// The only item of the result; `nil` if the result is empty. Throws if it has several items.
    package func single(_ context: ExpressionContext, budget: inout ExpressionBudget) throws(ExpressionError)
        -> ExpressionItem?
    {
        let items = try evaluate(context, budget: &budget)
        return try Evaluator(context, budget).single(items, at: syntax.place)
    }

    /// Compares a value with a result of this expression as `<` does: negative if it is less, positive if it is more,
    /// `nil` if the order is unknown.
    ///
    /// - Throws: if they can't be compared.
    package func order(
        of value: ExpressionItem, by result: ExpressionItem, budget: inout ExpressionBudget
    ) throws(ExpressionError) -> Int? {
        guard let left = value.value, let right = result.value else {
            let message = "\(value.typeName) and \(result.typeName) can't be compared with each other."
            throw ExpressionError(.evaluation, at: syntax.place, message)
        }
        return try Evaluator.order(left, right, at: syntax.place, &budget)
    }

    /// The result as a condition; `nil` if it is empty. A single item other than a Boolean counts as true.
    package func isTrue(_ context: ExpressionContext, budget: inout ExpressionBudget) throws(ExpressionError) -> Bool? {
        let items = try evaluate(context, budget: &budget)
        return try Evaluator.boolean(items, at: syntax.place)
    }
}
