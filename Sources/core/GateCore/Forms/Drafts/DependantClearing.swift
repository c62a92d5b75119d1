import GateModel

/// A question whose answers are not what they were.
struct ChangedQuestion {
    var question: ItemOccurrence
    /// The places of the answers that were changed, of a question with several: what is below the others stays.
    /// `nil`: all.
    var changedAnswers: Set<Int>?
    /// It went with something around it: only what shares no more repeating items with it can still be there. `nil`: it is
    /// there.
    var sharedAtMost: Int?

    init(_ question: ItemOccurrence, changedAnswers: Set<Int>? = nil, sharedAtMost: Int? = nil) {
        self.question = question
        self.changedAnswers = changedAnswers
        self.sharedAtMost = sharedAtMost
    }
}

extension FilledForm {
    /// Clears every question that names a changed one as its parent, and what hangs on those (F-36). Initial values do not
    /// come back.
    ///
    /// - Parameter origin: what was changed first; neither it nor a question around it is cleared. `nil`: nothing in
    ///   particular.
    /// - Returns: what had answers, and has none any more.
    mutating func clearDependants(of changed: [ChangedQuestion], sparing origin: ItemOccurrence?) -> [ItemOccurrence] {
        var open = changed
        var cleared: [ItemOccurrence] = []
        // Many that change within one group clear the same ones: those are gone through once.
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

    /// Whether `origin` is this question, or below its answers.
    private func isAround(_ origin: ItemOccurrence, _ question: ItemOccurrence) -> Bool {
        (question.item..<outline.items[question.item].end).contains(origin.item)
            && origin.indices.starts(with: question.indices)
    }

    /// - Returns: the question, and what was answered below its answers; where it has no answer: none.
    mutating func clear(_ question: ItemOccurrence) -> [ChangedQuestion] {
        guard !answers(of: question).isEmpty else { return [] }
        let below = rowsWithin(question.item, at: question.indices)
        remove(below)
        rows.setAnswers([], of: question)
        return [ChangedQuestion(question)] + below.changes(sharedAtMost: question.indices.count)
    }
}
