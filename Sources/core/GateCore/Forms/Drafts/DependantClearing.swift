import GateModel

/// A question whose answers changed.
struct ChangedQuestion {
    var question: ItemOccurrence
    /// The indices of the changed answers of a repeating question: items below other answers stay. `nil`: all changed.
    var changedAnswers: Set<Int>?
    /// The question was removed together with an item around it. So only questions that share at most this number of
    /// repeating items with it can still exist. `nil`: it exists.
    var sharedAtMost: Int?

    init(_ question: ItemOccurrence, changedAnswers: Set<Int>? = nil, sharedAtMost: Int? = nil) {
        self.question = question
        self.changedAnswers = changedAnswers
        self.sharedAtMost = sharedAtMost
    }
}

extension FilledForm {
    /// Clears every question that names a changed one as its parent, and whatever depends on those. Initial values
    /// don't come back.
    ///
    /// - Parameter origin: the question that was changed first. It and questions around it are not cleared. `nil`:
    ///   none.
    /// - Returns: the questions that had answers and have none any more.
    mutating func clearDependants(of changed: [ChangedQuestion], sparing origin: ItemOccurrence?) -> [ItemOccurrence] {
        var open = changed
        var cleared: [ItemOccurrence] = []
        // Many changes inside one group would clear the same questions; each is handled once.
        var done: Set<ItemOccurrence> = []
        while let change = open.popLast() {
            for sight in outline.items[change.question.item].dependants
            where sight.shared <= change.sharedAtMost ?? .max {
                let within = change.question.indices.prefix(sight.shared)
                if !sight.isBelowOwnAnswers || change.changedAnswers == nil {
                    guard done.insert(ItemOccurrence(sight.item, Array(within))).inserted else { continue }
                }
                for occurrence in occurrences(of: sight.item, within: within) {
                    if sight.isBelowOwnAnswers, let answers = change.changedAnswers,
                        !answers.contains(occurrence.indices[sight.shared])
                    {
                        continue
                    }
                    if let origin, isAround(origin, occurrence) { continue }
                    let gone = clear(occurrence)
                    cleared += gone.map(\.question)
                    open += gone
                }
            }
        }
        return cleared
    }

    /// Whether `origin` is this question or below its answers.
    private func isAround(_ origin: ItemOccurrence, _ question: ItemOccurrence) -> Bool {
        (question.item..<outline.items[question.item].end).contains(origin.item)
            && origin.indices.starts(with: question.indices)
    }

    /// - Returns: the question, and the questions that were answered below it; empty if it had no answer.
    mutating func clear(_ question: ItemOccurrence) -> [ChangedQuestion] {
        guard !answers(of: question).isEmpty else { return [] }
        let below = rowsWithin(question.item, at: question.indices)
        remove(below)
        rows.setAnswers([], of: question)
        return [ChangedQuestion(question)] + below.changes(sharedAtMost: question.indices.count)
    }
}
