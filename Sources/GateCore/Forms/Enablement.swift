import GateModel

/// Whether items are enabled, with the answers as they are (F-38, F-42).
///
/// An item is enabled where what it is in is enabled, and its conditions hold. A question that is not enabled has no answer
/// for the conditions of others. Found out once for each item, without recursion: conditions hang on conditions in chains as
/// long as the form.
struct Enablement {
    private let filled: FilledForm
    /// The state of each item with conditions: first those in nothing that repeats, by position, then all others.
    private var single: [Bool?]
    private var repeated: [ItemOccurrence: Bool] = [:]
    /// The answers that are seen from one place, of questions that are there several times: found out once for all who
    /// stand there.
    private var seen: [ItemOccurrence: [FormValue]] = [:]
    /// Whether a condition holds, by the item that has it and where it looks from.
    private var verdicts: [ConditionPlace: Bool] = [:]
    private var answered = AnsweredSights()

    /// How many times a condition was held against answers.
    private(set) var comparedCount = 0

    private struct ConditionPlace: Hashable {
        /// With the indices that anyone else who looks from there shares.
        var target: ItemOccurrence
        var condition: Int
    }

    init(of filled: FilledForm) {
        self.filled = filled
        single = Array(repeating: nil, count: filled.outline.items.count)
    }

    private var items: [CompiledItem] { filled.outline.items }

    mutating func isEnabled(_ item: Int, at indices: some Collection<Int>) -> Bool {
        guard let target = gatekeeper(of: item, at: indices) else { return true }
        var open = [target]
        while let next = open.last {
            guard known(next) == nil else {
                open.removeLast()
                continue
            }
            let count = open.count
            appendUnknownPrerequisites(of: next, to: &open)
            if open.count == count {
                learn(next, isEnabled: decided(next))
                open.removeLast()
            }
        }
        return known(target) ?? false
    }

    mutating func isEnabled(_ occurrence: ItemOccurrence) -> Bool {
        isEnabled(occurrence.item, at: occurrence.indices)
    }

    /// Whether the question, or any time of it that is seen, has an answer and is enabled.
    mutating func isAnswered(_ sight: Sight, from indices: [Int]) -> Bool {
        var answered = answered
        self.answered = AnsweredSights()
        defer { self.answered = answered }
        return answered.isAnswered(sight, from: indices) {
            var isAnswered = false
            filled.forEachSeen(sight, from: indices) { question, answers in
                isAnswered = isAnswered || !answers.isEmpty && isEnabled(question)
            }
            return isAnswered
        }
    }

    private func known(_ gatekeeper: ItemOccurrence) -> Bool? {
        gatekeeper.indices.isEmpty ? single[gatekeeper.item] : repeated[gatekeeper]
    }

    private mutating func learn(_ gatekeeper: ItemOccurrence, isEnabled: Bool) {
        if gatekeeper.indices.isEmpty {
            single[gatekeeper.item] = isEnabled
        } else {
            repeated[gatekeeper] = isEnabled
        }
    }

    /// The item that decides whether this one is enabled; `nil`: it always is.
    private func gatekeeper(of item: Int, at indices: some Collection<Int>) -> ItemOccurrence? {
        guard let gatekeeper = items[item].gatekeeper else { return nil }
        return ItemOccurrence(gatekeeper, Array(indices.prefix(items[gatekeeper].containers.count)))
    }

    private func gatekeeper(around target: ItemOccurrence) -> ItemOccurrence? {
        items[target.item].parent.flatMap { gatekeeper(of: $0, at: target.indices) }
    }

    /// Appends what has to be known first.
    private mutating func appendUnknownPrerequisites(of target: ItemOccurrence, to open: inout [ItemOccurrence]) {
        guard !items[target.item].isNeverEnabled else { return }
        if let around = gatekeeper(around: target) {
            guard let isEnabled = known(around) else { return open.append(around) }
            guard isEnabled else { return }
        }
        for question in items[target.item].conditions.lazy.compactMap(\.question) {
            let place = question.isOfOwnAnswer ? nil : question.place(from: target.indices)
            if !question.isSingle, let place, seen[place] != nil { continue }
            let count = open.count
            var values: [FormValue] = []
            filled.forEachSeen(question, from: target.indices) { question, answers in
                // Whether a question without answers is enabled makes no difference.
                guard !answers.isEmpty else { return }
                guard let other = gatekeeper(of: question.item, at: question.indices) else { return values += answers }
                guard let isEnabled = known(other) else { return open.append(other) }
                if isEnabled { values += answers }
            }
            if !question.isSingle, let place, open.count == count { seen[place] = values }
        }
    }

    /// Once all that has to be known is known.
    private mutating func decided(_ target: ItemOccurrence) -> Bool {
        guard !items[target.item].isNeverEnabled else { return false }
        if let around = gatekeeper(around: target), known(around) != true { return false }
        let conditions = items[target.item].conditions
        switch items[target.item].item.enableBehavior {
        case .all: return conditions.indices.allSatisfy { holds($0, at: target) }
        case .any: return conditions.isEmpty || conditions.indices.contains { holds($0, at: target) }
        }
    }

    private mutating func holds(_ index: Int, at target: ItemOccurrence) -> Bool {
        let condition = items[target.item].conditions[index]
        guard let question = condition.question else { return condition.condition.holds(for: []) }
        // Who sees what no other does need not remember it.
        guard !question.isOfOwnAnswer, target.indices.count > question.shared else {
            return compare(condition.condition, question, at: target)
        }
        let place = ConditionPlace(
            target: ItemOccurrence(target.item, Array(target.indices.prefix(question.shared))), condition: index)
        if let verdict = verdicts[place] { return verdict }
        let verdict = compare(condition.condition, question, at: target)
        verdicts[place] = verdict
        return verdict
    }

    private mutating func compare(
        _ condition: QuestionnaireEnableCondition, _ question: Sight, at target: ItemOccurrence
    ) -> Bool {
        comparedCount += 1
        return condition.holds(for: answers(question, seenFrom: target.indices))
    }

    private func answers(_ question: Sight, seenFrom indices: [Int]) -> [FormValue] {
        if !question.isSingle, !question.isOfOwnAnswer, let values = seen[question.place(from: indices)] {
            return values
        }
        var values: [FormValue] = []
        filled.forEachSeen(question, from: indices) { question, answers in
            if !answers.isEmpty, isKnownEnabled(question) { values += answers }
        }
        return values
    }

    private func isKnownEnabled(_ question: ItemOccurrence) -> Bool {
        gatekeeper(of: question.item, at: question.indices).map { known($0) == true } ?? true
    }
}

extension FilledForm {
    func isEnabled(_ occurrence: ItemOccurrence) -> Bool {
        var enablement = Enablement(of: self)
        return enablement.isEnabled(occurrence)
    }
}
