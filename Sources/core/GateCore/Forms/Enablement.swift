import GateExpressions
import GateModel

/// Finds out whether items are enabled with the present answers.
///
/// An item is enabled if the item around it is and its conditions hold. The answers of a question that is not enabled
/// don't count for conditions. Each result is computed once. That works without recursion, because conditions can
/// depend on one another in chains as long as the form.
struct Enablement {
    private let filled: FilledForm
    private var known: KnownEnablement
    /// The steps that are left for all expressions together.
    private(set) var budget: ExpressionBudget
    /// Items with conditions, each with the indices within which the results of all its occurrences are known.
    private var learned: Set<ItemOccurrence> = []
    /// The items whose expression failed, each with the error of its first occurrence.
    private(set) var failures: [Int: ExpressionError] = [:]
    /// The enabled answers of questions with several occurrences, once for all items that see them from one place.
    private var seen: [ItemOccurrence: [FormValue]] = [:]
    /// Whether a condition holds, by its item and the place from which it looks.
    private var verdicts: [ConditionPlace: Bool] = [:]
    private var answered = AnsweredSights()

    private(set) var comparedCount = 0

    private struct ConditionPlace: Hashable {
        /// The item, with only the indices of repeating items that are also around the condition's question: all its
        /// occurrences within those share the result.
        var target: ItemOccurrence
        var condition: Int
    }

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

    /// Whether an item with conditions is enabled. Computes all results that are needed for that.
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

    /// Whether any occurrence of the question that is seen has an answer and is enabled.
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
                // Whether an unanswered question is enabled makes no difference.
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

    /// Appends all occurrences of items that decide whether anything that the expressions read is enabled.
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

    /// Decides whether an item with conditions is enabled. All results that this takes are known.
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
        // Only results that several items share are remembered.
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

    /// Whether the expression is true. If that can't be found out, it counts as false.
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

/// The place of an expression: one occurrence of an item; for a repeating group including the instance's index.
struct ExpressionPlace {
    /// `nil`: the response.
    var item: Int?
    var indices: [Int]
}

extension Enablement {
    /// - Throws: why a variable that the expressions use has no value.
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
