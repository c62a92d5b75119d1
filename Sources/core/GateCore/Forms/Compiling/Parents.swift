import GateModel

/// Whether questions are answered, as those who stand in the same place see it: found out once for all of them.
struct AnsweredSights {
    private var known: [ItemOccurrence: Bool] = [:]

    mutating func isAnswered(_ sight: Sight, from indices: [Int], _ find: () -> Bool) -> Bool {
        // Each sees its own.
        guard !sight.isOfOwnAnswer, indices.count > sight.shared else { return find() }
        let seen = ItemOccurrence(sight.item, Array(indices.prefix(sight.shared)))
        if let isAnswered = known[seen] { return isAnswered }
        let isAnswered = find()
        known[seen] = isAnswered
        return isAnswered
    }
}

extension FilledForm {
    /// The first question that has to be answered before this one (F-37), by its position; `nil`: all of them are. A
    /// question that is not enabled counts as not answered.
    func missingParent(of occurrence: ItemOccurrence, _ enablement: inout Enablement) -> Int? {
        for sight in outline.items[occurrence.item].parents {
            if !enablement.isAnswered(sight, from: occurrence.indices) { return sight.item }
        }
        return nil
    }

    /// The same, of all answers that are kept: also of questions that are not enabled.
    func hasParentWithoutAnswer(_ occurrence: ItemOccurrence, _ known: inout AnsweredSights) -> Bool {
        outline.items[occurrence.item].parents.contains { sight in
            !known.isAnswered(sight, from: occurrence.indices) {
                var isAnswered = false
                forEachSeen(sight, from: occurrence.indices) { isAnswered = isAnswered || !$1.isEmpty }
                return isAnswered
            }
        }
    }

    /// The nearest question that this item is below an answer of, and that has none; `nil`: there is no such question.
    func unansweredQuestion(around occurrence: ItemOccurrence) -> Int? {
        var around = outline.items[occurrence.item].parent
        while let item = around {
            if outline.items[item].item.kind.isQuestion {
                let indices = occurrence.indices.prefix(outline.items[item].containers.count)
                if answers(of: item, at: indices).isEmpty { return item }
            }
            around = outline.items[item].parent
        }
        return nil
    }
}
