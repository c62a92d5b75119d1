import GateExpressions
import GateModel

/// Whether items are enabled, with the answers as they are (F-38, F-42).
///
/// An item is enabled where what it is in is enabled, and its conditions hold. A question that is not enabled has no answer
/// for the conditions of others. Found out once for each item, without recursion: conditions hang on conditions in chains as
/// long as the form.
struct Enablement {
    private let filled: FilledForm
    /// The state of each item with conditions.
    private var known: KnownEnablement
    /// The steps that are left for all expressions that are evaluated here.
    private(set) var budget: ExpressionBudget
    /// The items that decide of which all times within these indices are known.
    private var learned: Set<ItemOccurrence> = []
    /// The items of which an expression could not tell whether they are enabled, and why: the first time of each.
    private(set) var failures: [Int: ExpressionError] = [:]
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

    /// - Parameter budget: for expressions, together.
    init(of filled: FilledForm, budget: ExpressionBudget = ExpressionBudget(steps: FormBounds.expressionSteps)) {
        self.filled = filled
        self.budget = budget
        known = KnownEnablement(of: filled.outline)
    }

    private var items: [CompiledItem] { filled.outline.items }

    mutating func isEnabled(_ item: Int, at indices: some Collection<Int>) -> Bool {
        guard let target = filled.outline.gatekeeper(of: item, at: indices) else { return true }
        return isOpen(target)
    }

    /// Whether an item with conditions is enabled.
    @discardableResult
    private mutating func isOpen(_ target: ItemOccurrence) -> Bool {
        var open = [target]
        while let next = open.last {
            guard known[next] == nil else {
                open.removeLast()
                continue
            }
            let count = open.count
            appendUnknownPrerequisites(of: next, to: &open)
            if open.count == count {
                known[next] = decided(next)
                open.removeLast()
            }
        }
        return known[target] ?? false
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

    private func gatekeeper(around target: ItemOccurrence) -> ItemOccurrence? {
        items[target.item].parent.flatMap { filled.outline.gatekeeper(of: $0, at: target.indices) }
    }

    /// Appends what has to be known first.
    private mutating func appendUnknownPrerequisites(of target: ItemOccurrence, to open: inout [ItemOccurrence]) {
        guard !items[target.item].isNeverEnabled else { return }
        if let around = gatekeeper(around: target) {
            guard let isEnabled = known[around] else { return open.append(around) }
            guard isEnabled else { return }
        }
        if let expression = items[target.item].enableWhen {
            appendUnknown(expression.reads, from: target.indices, to: &open)
        }
        for question in items[target.item].conditions.lazy.compactMap(\.question) {
            let place = question.isOfOwnAnswer ? nil : question.place(from: target.indices)
            if !question.isSingle, let place, seen[place] != nil { continue }
            let count = open.count
            var values: [FormValue] = []
            filled.forEachSeen(question, from: target.indices) { question, answers in
                // Whether a question without answers is enabled makes no difference.
                guard !answers.isEmpty else { return }
                guard let other = filled.outline.gatekeeper(of: question.item, at: question.indices) else {
                    return values += answers
                }
                guard let isEnabled = known[other] else { return open.append(other) }
                if isEnabled { values += answers }
            }
            if !question.isSingle, let place, open.count == count { seen[place] = values }
        }
    }

    /// Appends all times of the items that decide whether anything is enabled that an expression reads.
    private mutating func appendUnknown(
        _ reads: [CompiledExpression.Read], from indices: [Int], to open: inout [ItemOccurrence]
    ) {
        for read in reads {
            for gatekeeper in read.gatekeepers {
                let depth = min(read.shared, items[gatekeeper].containers.count)
                let within = ItemOccurrence(gatekeeper, Array(indices.prefix(depth)))
                guard !learned.contains(within) else { continue }
                let unknown = filled.occurrences(of: gatekeeper, within: within.indices).filter { known[$0] == nil }
                if unknown.isEmpty {
                    learned.insert(within)
                } else {
                    open += unknown
                }
            }
        }
    }

    /// Once all that has to be known is known.
    private mutating func decided(_ target: ItemOccurrence) -> Bool {
        guard !items[target.item].isNeverEnabled else { return false }
        if let around = gatekeeper(around: target), known[around] != true { return false }
        if let expression = items[target.item].enableWhen { return isTrue(expression, at: target) }
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
            if !answers.isEmpty, known.isEnabled(question) { values += answers }
        }
        return values
    }

    /// Whether it is true; where that can't be told, it is not.
    private mutating func isTrue(_ expression: CompiledExpression, at target: ItemOccurrence) -> Bool {
        comparedCount += 1
        do throws(ExpressionError) {
            let place = ExpressionPlace(item: target.item, indices: target.indices)
            let expressionContext = try knownContext(of: [expression], at: place)
            return try expression.expression.isTrue(expressionContext, budget: &budget) == true
        } catch {
            if failures[target.item] == nil { failures[target.item] = error }
            return false
        }
    }
}

// MARK: - What expressions see

/// Where an expression stands: at an item, each time that it is there; of a group that repeats, with the time itself.
struct ExpressionPlace {
    /// `nil`: it is about the response.
    var item: Int?
    var indices: [Int]
}

extension Enablement {
    /// The context of expressions at an item, with the variables that they name.
    ///
    /// - Throws: why a variable has no value.
    mutating func expressionContext(
        of expressions: [CompiledExpression], at place: ExpressionPlace
    ) throws(ExpressionError) -> ExpressionContext {
        for expression in expressions {
            var unknown: [ItemOccurrence] = []
            appendUnknown(expression.reads, from: place.indices, to: &unknown)
            try expression.expression.charge(unknown.count, &budget)
            for gatekeeper in unknown { isOpen(gatekeeper) }
        }
        return try knownContext(of: expressions, at: place)
    }

    private mutating func knownContext(
        of expressions: [CompiledExpression], at place: ExpressionPlace
    ) throws(ExpressionError) -> ExpressionContext {
        let tree = AnswerTree(filled, known)
        var expressionContext = ExpressionContext(
            resource: tree.node(.response), context: tree.node(of: place.item, from: place.indices),
            now: CalendarMoment(filled.moment))
        for variable in expressions.flatMap(\.variables) where expressionContext.variables[variable.name] == nil {
            var own = expressionContext
            own.context = tree.node(of: variable.owner, from: place.indices)
            let value = try variable.expression?.expression.evaluate(own, budget: &budget)
            expressionContext.variables[variable.name] = value ?? []
        }
        return expressionContext
    }

    /// The answers that an expression gives a question.
    mutating func answers(
        to question: ItemOccurrence, by expression: CompiledExpression
    ) throws(NoAnswer) -> [FormValue] {
        let results: [ExpressionItem]
        do throws(ExpressionError) {
            let place = ExpressionPlace(item: question.item, indices: question.indices)
            results = try self.results(of: expression, at: place)
        } catch {
            throw NoAnswer(message: error.message)
        }
        return try items[question.item].answers(results)
    }

    /// The results of an expression.
    mutating func results(
        of expression: CompiledExpression, at place: ExpressionPlace
    ) throws(ExpressionError) -> [ExpressionItem] {
        let expressionContext = try expressionContext(of: [expression], at: place)
        return try expression.expression.evaluate(expressionContext, budget: &budget)
    }
}

extension FilledForm {
    func isEnabled(_ occurrence: ItemOccurrence) -> Bool {
        var enablement = Enablement(of: self)
        return enablement.isEnabled(occurrence)
    }
}
