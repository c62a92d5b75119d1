import GateModel

extension FilledForm {
    /// Gives a question other answers, without checking whether it may have them. The answers below an answer move with
    /// it, and stay if it is changed in its place. They are removed with it, and a new answer begins with initial
    /// values below it. Then everything that depends on a change is cleared.
    ///
    /// - Returns: the questions that were cleared.
    mutating func replaceAnswers(of question: ItemOccurrence, with values: [FormValue]) -> [ItemOccurrence] {
        let compiled = outline.items[question.item]
        let old = answers(of: question)
        guard !compiled.children.isEmpty else {
            rows.setAnswers(values, of: question)
            return clearDependants(of: [ChangedQuestion(question)], sparing: question)
        }
        let gone: NestedRows
        let fresh: [[Int]]
        var change = ChangedQuestion(question)
        if compiled.isContainer {
            let origins = AnswerOrigins(of: values, among: old)
            gone = moveNested(of: question, oldCount: old.count, origins)
            fresh = origins.fresh.map { question.indices + [$0] }
            change.changedAnswers = origins.changed
        } else {
            gone = values.isEmpty ? rowsWithin(question.item, at: question.indices) : []
            fresh = old.isEmpty && !values.isEmpty ? [question.indices] : []
            remove(gone)
        }
        rows.setAnswers(values, of: question)
        let lost = gone.changes(sharedAtMost: question.indices.count)
        let cleared = clearDependants(of: [change] + lost, sparing: question)
        for indices in fresh { setInitialContents(of: compiled.children, at: indices, .everything) }
        return lost.map(\.question) + cleared
    }

    /// - Returns: the rows below answers that were removed.
    private mutating func moveNested(
        of question: ItemOccurrence, oldCount: Int, _ origins: AnswerOrigins
    ) -> NestedRows {
        var taken: [Int: NestedRows] = [:]
        for index in 0..<oldCount where !origins.stays(index) {
            taken[index] = rowsWithin(question.item, at: question.indices + [index])
        }
        for nested in taken.values { remove(nested) }
        for (index, origin) in origins.origins.enumerated() {
            guard let origin, let nested = taken.removeValue(forKey: origin) else { continue }
            put(nested, below: question.indices.count, at: index)
        }
        return taken.keys.sorted().flatMap { taken[$0] ?? [] }
    }
}

/// Matches a question's new answers with its old ones.
struct AnswerOrigins {
    /// For each new answer the index of its old one; `nil`: it is new.
    private(set) var origins: [Int?]
    /// The indices of new answers that stand where another answer stood.
    private(set) var changed: Set<Int> = []

    init(of values: [FormValue], among old: [FormValue]) {
        origins = values.indices.map { $0 < old.count && values[$0].isSame(as: old[$0]) ? $0 : nil }
        var unused: [FormValue: [Int]] = [:]
        var isUsed = old.indices.map { $0 < origins.count && origins[$0] != nil }
        for index in old.indices.reversed() where !isUsed[index] { unused[old[index], default: []].append(index) }
        for index in values.indices where origins[index] == nil {
            guard let origin = unused[values[index]]?.popLast() else { continue }
            origins[index] = origin
            isUsed[origin] = true
        }
        for index in values.indices where origins[index] == nil && index < old.count && !isUsed[index] {
            origins[index] = index
            changed.insert(index)
        }
    }

    /// The indices of answers that have no old one.
    var fresh: [Int] { origins.indices.filter { origins[$0] == nil } }

    func stays(_ index: Int) -> Bool { index < origins.count && origins[index] == index }
}
