import GateExpressions
import GateModel

extension FilledForm {
    enum Following {
        case everything
        /// All calculated answers. But if a question has another answer, that stays as a person's own, because it came
        /// with a whole response. Read-only questions get the calculated answer.
        case response
        /// The calculated answers that depend on rows that changed since the watching began, and, on another day, those
        /// that depend on the date.
        case changes(isOtherDay: Bool)
    }

    /// Computes the calculated answers, each after those that it depends on, and the initial answers of new questions.
    /// If an expression has no result, or none that its question can have, there is no answer. Returns the questions
    /// that were cleared because they depend on changed answers.
    mutating func follow(_ following: Following) -> [ItemOccurrence] {
        guard outline.worksOutAnswers else { return [] }
        var budget = ExpressionBudget(steps: FormBounds.expressionSteps)
        var cleared: [ItemOccurrence] = []
        var (due, keepsOwn) = (outline.following?.noneDue, false)
        switch following {
        case .everything: due = outline.following?.allDue
        case .response: (due, keepsOwn) = (outline.following?.allDue, true)
        case .changes(let isOtherDay):
            for place in rows.touched { follow(place, in: &due) }
            if isOtherDay, var all = due {
                outline.following?.followClock(&all)
                due = all
            }
        }
        while true {
            if let graph = outline.following, let found = due {
                cleared += recalculate(found, by: graph, keepsOwn: keepsOwn, &budget)
            }
            guard !beginning.isEmpty else { return cleared }
            due = outline.following?.noneDue
            for place in begin(&budget, &cleared) { follow(place, in: &due) }
        }
    }

    private func follow(_ place: ItemOccurrence, in due: inout DependencyGraph.Due?) {
        guard var all = due else { return }
        outline.following?.followEdit(place, &all)
        due = all
    }

    /// - Returns: the questions that were cleared.
    private mutating func recalculate(
        _ found: DependencyGraph.Due, by graph: DependencyGraph, keepsOwn: Bool, _ budget: inout ExpressionBudget
    ) -> [ItemOccurrence] {
        var due = found
        var cleared: [ItemOccurrence] = []
        while let (rank, prefixes) = due.popFirst() {
            let item = graph.calculated[rank]
            let places = prefixes.contains([]) ? [[]] : prefixes
            // Enablement stays valid as long as no answer changes.
            var known: Enablement?
            for place in Set(places.flatMap { present(item, within: $0) }).sorted() {
                guard let new = other(than: place, &known, &budget) else { continue }
                known = nil
                if keepsOwn, !answers(of: place).isEmpty, !outline.items[item].isReadOnly {
                    rows.setEntered(answers(of: place), of: place)
                    continue
                }
                let gone = replaceAnswers(of: place, with: new)
                cleared += gone
                graph.follow(place, &due)
                for place in gone { graph.follow(place, &due) }
            }
        }
        return cleared
    }

    /// The calculated answers to a question; `nil` if they are the same as before, or a person's own answers are there.
    private func other(
        than question: ItemOccurrence, _ known: inout Enablement?, _ budget: inout ExpressionBudget
    ) -> [FormValue]? {
        let compiled = outline.items[question.item]
        guard let expression = compiled.calculated else { return nil }
        if case .entered = rows[question], !compiled.isReadOnly { return nil }
        var enablement = known ?? Enablement(of: self, budget: budget)
        known = nil
        let new = worked(expression, at: question, &enablement)
        budget = enablement.budget
        known = enablement
        return new.isSame(as: answers(of: question)) ? nil : new
    }

    /// Gives new questions without answers their initial answers from expressions. Returns those that now have answers.
    private mutating func begin(
        _ budget: inout ExpressionBudget, _ cleared: inout [ItemOccurrence]
    ) -> [ItemOccurrence] {
        var begun: [ItemOccurrence] = []
        let questions = beginning
        beginning = []
        for question in questions {
            guard let expression = outline.items[question.item].initialExpression, isThere(question),
                answers(of: question).isEmpty
            else { continue }
            var enablement = Enablement(of: self, budget: budget)
            let new = worked(expression, at: question, &enablement)
            budget = enablement.budget
            guard !new.isEmpty else { continue }
            cleared += replaceAnswers(of: question, with: new)
            begun.append(question)
        }
        return begun
    }

    /// The answers that an expression gives; empty if it fails, or if the question can't have them or the form has no
    /// room for them.
    private func worked(
        _ expression: CompiledExpression, at question: ItemOccurrence, _ enablement: inout Enablement
    ) -> [FormValue] {
        guard let values = try? enablement.answers(to: question, by: expression), hasRoom(for: values, of: question),
            canMatch(values, of: question)
        else { return [] }
        return values
    }

    /// Whether matching all answers with their patterns stays within bounds with these.
    func canMatch(_ values: [FormValue], of question: ItemOccurrence) -> Bool {
        let compiled = outline.items[question.item]
        let others = rows.matchingStepCount - compiled.matchingStepCount(for: answers(of: question))
        return others + compiled.matchingStepCount(for: values) <= FormBounds.matchingSteps
    }

    private func present(_ item: Int, within prefix: [Int]) -> [ItemOccurrence] {
        let depth = min(prefix.count, outline.items[item].containers.count)
        let around = ItemOccurrence(item, Array(prefix.prefix(depth)))
        guard isRepeated(around) else { return [] }
        return occurrences(of: item, within: around.indices).filter { unansweredQuestion(around: $0) == nil }
    }

    /// Whether a question exists: all instances that the indices name do, and the answers that it is below.
    private func isThere(_ question: ItemOccurrence) -> Bool {
        isRepeated(question) && unansweredQuestion(around: question) == nil
    }

    private func isRepeated(_ place: ItemOccurrence) -> Bool {
        zip(outline.items[place.item].containers, place.indices.indices).allSatisfy { container, depth in
            place.indices[depth] < count(of: container, at: Array(place.indices.prefix(depth)))
        }
    }
}
