import GateModel

/// An expression of a form, in Gate's part of FHIRPath (docs/expressions.md): read once, evaluated often.
package struct FormExpression: Sendable {
    /// As it was written.
    package let source: String
    let syntax: Syntax

    /// Reads an expression.
    ///
    /// - Throws: what is wrong with it, and where.
    package init(_ source: String, knowing vocabulary: ExpressionVocabulary = ExpressionVocabulary())
        throws(ExpressionError)
    {
        var parser = try ExpressionParser(source, vocabulary)
        syntax = try parser.whole()
        self.source = source
    }

    /// Its result with these values. Always the same for the same.
    ///
    /// - Throws: where there is none, by FHIRPath's rules, or the budget is spent.
    package func evaluate(
        _ context: ExpressionContext, budget: inout ExpressionBudget
    ) throws(ExpressionError) -> [ExpressionItem] {
        var evaluator = Evaluator(context, budget)
        defer { budget = evaluator.budget }
        return try evaluator.items(syntax, Evaluator.Focus(items: [context.context], index: 0))
    }

    /// Spends steps on something that it needs beside being evaluated.
    ///
    /// - Throws: where there are not so many left.
    package func charge(_ steps: Int, _ budget: inout ExpressionBudget) throws(ExpressionError) {
        try budget.spend(steps, at: syntax.place)
    }

    /// Its result as one thing: `nil` where it has no result. Several are an error.
    package func single(_ context: ExpressionContext, budget: inout ExpressionBudget) throws(ExpressionError)
        -> ExpressionItem?
    {
        let items = try evaluate(context, budget: &budget)
        return try Evaluator(context, budget).single(items, at: syntax.place)
    }

    /// Where a value lies by a result of this, as `<` compares them. Below zero: it is less. Above: it is more. `nil`: that can't
    /// be told.
    ///
    /// - Throws: where they can't be compared.
    package func order(
        of value: ExpressionItem, by result: ExpressionItem, budget: inout ExpressionBudget
    ) throws(ExpressionError) -> Int? {
        guard let left = value.value, let right = result.value else {
            let message = "\(value.typeName) and \(result.typeName) can't be compared with each other."
            throw ExpressionError(.evaluation, at: syntax.place, message)
        }
        return try Evaluator.order(left, right, at: syntax.place, &budget)
    }

    /// Its result as a condition: `nil` where that can't be told.
    package func isTrue(_ context: ExpressionContext, budget: inout ExpressionBudget) throws(ExpressionError) -> Bool? {
        let items = try evaluate(context, budget: &budget)
        return try Evaluator.boolean(items, at: syntax.place)
    }
}
