import GateModel

extension FilledForm {
    /// Gives a question other answers, without checking whether it may have them. The answers below an answer move with
    /// it, and stay if it is changed in its place. They are removed with it, and a new answer begins with initial
    /// values below it. Then everything that depends on a change is cleared; the cleared questions are returned.
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
private struct AnswerOrigins {
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

    var fresh: [Int] { origins.indices.filter { origins[$0] == nil } }

    func stays(_ index: Int) -> Bool { index < origins.count && origins[index] == index }
}

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
    /// Clears every question that names a changed one as its parent, and whatever depends on those. Returns the
    /// questions that had answers. Initial values don't come back. `origin`, the question that was changed first, and
    /// questions around it are not cleared.
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

/// The answers that questions have when a form is opened.
enum InitialAnswers {
    /// The item's initial values, or else its initially selected options, as far as they fit.
    static func fitting(_ compiled: CompiledItem) -> [FormValue] {
        let item = compiled.item
        guard item.kind.isQuestion else { return [] }
        let fitting = item.statedInitialValues.filter { compiled.flaw(of: $0) == nil }.prefix(item.maximumAnswerCount)
        return compiled.flaws(ofAll: Array(fitting)).isEmpty ? Array(fitting) : []
    }
}

extension FilledForm {
    enum InitialContents {
        /// Only groups, with their initial number of instances.
        case counts
        /// Also the initial values of read-only questions.
        case readOnly
        /// Also all other initial values.
        case everything
    }

    /// Gives the items and everything in them their initial contents, in order, whether they are enabled or not.
    /// Instances without room are left out; a form that is loaded never opens with so many.
    mutating func setInitialContents(of children: [Int], at indices: [Int], _ contents: InitialContents) {
        for child in children where outline.items[child].hasInitialContents {
            let compiled = outline.items[child]
            let place = ItemOccurrence(child, indices)
            switch contents {
            case .counts: break
            case .readOnly where !compiled.isReadOnly: break
            case .readOnly, .everything:
                if compiled.initialExpression != nil { beginning.append(place) }
                if !compiled.initial.isEmpty, hasRoom(for: compiled.initial, of: place) {
                    rows.setAnswers(compiled.initial, of: place)
                }
            }
            var times = 1
            if compiled.item.kind == .group {
                if compiled.item.repeats {
                    let present = rows.instances(of: place)
                    let missing = max(0, compiled.openingCount - present)
                    times = present + min(missing, compiled.size.timesThatFit(beside: rows.size))
                    rows.setInstances(times, of: place)
                }
            } else if !compiled.children.isEmpty {
                times = rows.answers(of: place).count
            }
            for time in 0..<times where !compiled.children.isEmpty {
                setInitialContents(
                    of: compiled.children, at: compiled.isContainer ? indices + [time] : indices, contents)
            }
        }
    }

    /// Whether there is room for the items below these answers. Always true if there are not more answers than before.
    func hasRoom(for values: [FormValue], of question: ItemOccurrence) -> Bool {
        let compiled = outline.items[question.item]
        let more = values.count - max(1, rows.answers(of: question).count)
        guard compiled.isContainer, more > 0 else { return true }
        return (rows.size + compiled.openingSize * more).isWithinBounds
    }
}
