import GateModel

/// Remembers whether questions are answered, as seen from one place, for all items at that place.
struct AnsweredSights {
    private var known: [ItemOccurrence: Bool] = [:]

    mutating func isAnswered(_ sight: Sight, from indices: [Int], _ find: () -> Bool) -> Bool {
        // A result that no other item shares is not remembered.
        guard !sight.isOfOwnAnswer, indices.count > sight.shared else { return find() }
        let seen = ItemOccurrence(sight.item, Array(indices.prefix(sight.shared)))
        if let isAnswered = known[seen] { return isAnswered }
        let isAnswered = find()
        known[seen] = isAnswered
        return isAnswered
    }
}

extension FilledForm {
    /// The position of the first parent that has no answer; `nil` if all have one. A question that is not enabled
    /// counts as unanswered.
    func missingParent(of occurrence: ItemOccurrence, _ enablement: inout Enablement) -> Int? {
        for sight in outline.items[occurrence.item].parents {
            if !enablement.isAnswered(sight, from: occurrence.indices) { return sight.item }
        }
        return nil
    }

    /// Whether a parent has no answer. Answers of questions that are not enabled count here.
    func hasParentWithoutAnswer(_ occurrence: ItemOccurrence, _ known: inout AnsweredSights) -> Bool {
        outline.items[occurrence.item].parents.contains { sight in
            !known.isAnswered(sight, from: occurrence.indices) {
                var isAnswered = false
                forEachSeen(sight, from: occurrence.indices) { isAnswered = isAnswered || !$1.isEmpty }
                return isAnswered
            }
        }
    }

    /// The nearest question around this item that has no answer; `nil` if there is none.
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
