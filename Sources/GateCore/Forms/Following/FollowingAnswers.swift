import GateExpressions
import GateModel

extension FilledForm {
    /// The answers that are worked out anew.
    enum Following {
        /// All of them.
        case everything
        /// All of them, but answers of before that are others stay a person's own: they came with a whole response.
        case response
        /// Those that hang on rows that were changed since the watching began, and on the day where that is another one.
        case changes(isOtherDay: Bool)
    }

    /// Works out the answers that follow from others: first those that questions begin with, then the calculated ones, each once all
    /// that it hangs on is there (F-79). Where an expression has no result, or none that its question can have, there is no answer.
    ///
    /// - Returns: what was cleared since it depends on something that is another answer now.
    mutating func follow(_ following: Following) -> [ItemOccurrence] {
        var budget = ExpressionBudget(steps: FormBounds.expressionSteps)
        var cleared = begin(&budget)
        guard let graph = outline.following else { return cleared }
        var due = graph.noneDue
        var keepsOwn = false
        switch following {
        case .everything: due = graph.allDue
        case .response: (due, keepsOwn) = (graph.allDue, true)
        case .changes(let isOtherDay):
            for place in rows.touched { graph.followEdit(place, &due) }
            if isOtherDay { graph.followClock(&due) }
        }
        while let (rank, prefixes) = due.popFirst() {
            let item = graph.calculated[rank]
            let places = prefixes.contains([]) ? [[]] : prefixes
            for place in Set(places.flatMap { present(item, within: $0) }).sorted() {
                guard let gone = recalculate(place, keepsOwn: keepsOwn, &budget) else { continue }
                cleared += gone
                graph.follow(place, &due)
                for place in gone { graph.follow(place, &due) }
            }
        }
        return cleared
    }

    /// - Returns: what was cleared; `nil`: nothing is other than before.
    private mutating func recalculate(
        _ question: ItemOccurrence, keepsOwn: Bool, _ budget: inout ExpressionBudget
    ) -> [ItemOccurrence]? {
        let compiled = outline.items[question.item]
        guard let expression = compiled.calculated else { return nil }
        if case .entered = rows[question], !compiled.isReadOnly { return nil }
        let old = answers(of: question)
        let new = worked(expression, at: question, &budget)
        guard !new.isSame(as: old) else { return nil }
        if keepsOwn, !old.isEmpty, !compiled.isReadOnly {
            rows.setEntered(old, of: question)
            return nil
        }
        return replaceAnswers(of: question, with: new)
    }

    /// Gives questions the answers that they begin with by expressions: those that have just come to be.
    private mutating func begin(_ budget: inout ExpressionBudget) -> [ItemOccurrence] {
        var cleared: [ItemOccurrence] = []
        while !beginning.isEmpty {
            let question = beginning.removeFirst()
            let compiled = outline.items[question.item]
            guard let expression = compiled.initialExpression, exists(question) else { continue }
            let new = worked(expression, at: question, &budget)
            if !new.isEmpty { cleared += replaceAnswers(of: question, with: new) }
        }
        return cleared
    }

    /// None where the expression has no result, or none that the question can have.
    private func worked(
        _ expression: CompiledExpression, at question: ItemOccurrence, _ budget: inout ExpressionBudget
    ) -> [FormValue] {
        var enablement = Enablement(of: self)
        guard let values = try? enablement.answers(to: question, by: expression, &budget),
            hasRoom(for: values, of: question), canMatch(values, of: question)
        else { return [] }
        return values
    }

    /// Whether holding all answers against their patterns stays within bounds with these.
    func canMatch(_ values: [FormValue], of question: ItemOccurrence) -> Bool {
        let compiled = outline.items[question.item]
        let others = rows.matchingStepCount - compiled.matchingStepCount(for: answers(of: question))
        return others + compiled.matchingStepCount(for: values) <= FormBounds.matchingSteps
    }

    /// Every time of an item that is there.
    private func present(_ item: Int, within prefix: [Int]) -> [ItemOccurrence] {
        let depth = min(prefix.count, outline.items[item].containers.count)
        let around = ItemOccurrence(item, Array(prefix.prefix(depth)))
        return exists(around) ? occurrences(of: item, within: around.indices) : []
    }

    /// Whether what repeats around it is there so many times.
    private func exists(_ place: ItemOccurrence) -> Bool {
        zip(outline.items[place.item].containers, place.indices.indices).allSatisfy { container, depth in
            place.indices[depth] < count(of: container, at: Array(place.indices.prefix(depth)))
        }
    }
}
