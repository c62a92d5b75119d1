import GateExpressions
import GateModel

/// Checks a response level by level: first what is there, then what is missing.
struct ResponseWalk {
    private var found = FoundIssues()
    private let filled: FilledForm
    private var enablement: Enablement
    private let severityOfMissing: FormIssue.Severity
    private var rules: ExpressionRules?
    private var missingCount = 0

    /// - Parameter rules: `nil`: rules that are expressions are not checked.
    init(_ filled: FilledForm, missingIs severity: FormIssue.Severity, _ rules: ExpressionRules?) {
        self.filled = filled
        self.rules = rules
        enablement = Enablement(of: filled)
        severityOfMissing = severity
    }

    var issues: [FormIssue] { found.all }

    private var items: [CompiledItem] { filled.outline.items }

    mutating func check(_ response: QuestionnaireResponse) {
        check(response.items, in: nil, at: [])
        check(filled.outline.invariants, of: response, at: ExpressionPlace(item: nil, indices: []), ResponseLocation())
        for (item, error) in enablement.failures.sorted(by: { $0.key < $1.key }) where !found.isFull {
            let message = "Gate can't tell from these answers whether \(items[item].item.label) is asked: "
            add(.warning, .businessRule, ResponseLocation(), item, message + error.message)
        }
    }

    /// `parent`: the item around these (`nil`: the response). `indices`: the instances of the repeating items around.
    private mutating func check(
        _ responseItems: [QuestionnaireResponseItem], in parent: Int?, at indices: [Int],
        _ location: ResponseLocation = ResponseLocation()
    ) {
        var present: [Int: PresentItem] = [:]
        var rank = 0
        for (index, responseItem) in responseItems.enumerated() where !found.isFull {
            let here = location.item(index)
            guard let item = position(of: responseItem, in: parent, here) else { continue }
            checkOrder(items[item], after: &rank, here)
            var found = present[item] ?? PresentItem(first: here)
            let time = found.count
            found.count += 1
            found.hasAnswer = found.hasAnswer || responseItem.hasAnswer
            present[item] = found
            guard time == 0 || items[item].item.kind == .group && items[item].item.repeats else {
                let advice =
                    items[item].item.kind.isQuestion ? "Give all its answers in one." : "It does not repeat. Keep one."
                add(.error, .structure, here, item, "\(items[item].item.label) is there twice. \(advice)")
                continue
            }
            let missing = missingCount
            check(responseItem, item, time: time, at: indices, here)
            if missingCount > missing { present[item]?.lacksSomething = true }
        }
        for child in filled.outline.children(of: parent) where !found.isFull {
            checkPresence(of: child, present[child], at: indices, location)
            // Evaluated even if it makes no difference here, so that a failure is reported.
            if items[child].enableWhen != nil { _ = enablement.isEnabled(child, at: indices) }
            checkCalculated(ItemOccurrence(child, indices), present[child]?.first ?? location)
        }
    }

    // MARK: - Place

    private mutating func position(
        of responseItem: QuestionnaireResponseItem, in parent: Int?, _ here: ResponseLocation
    ) -> Int? {
        guard let item = filled.outline.positions[responseItem.linkID] else {
            found.add(
                FormIssue(
                    .error, .notFound, at: here.description, linkID: responseItem.linkID,
                    "The questionnaire has no item '\(responseItem.linkID)'. Leave it out."))
            return nil
        }
        guard items[item].parent == parent else {
            let place = items[item].parent.map { "in \(items[$0].item.fullLabel)" } ?? "directly in the response"
            add(.error, .structure, here, item, "\(items[item].item.label) is in the wrong place. It belongs \(place).")
            return nil
        }
        return item
    }

    private mutating func checkOrder(_ compiled: CompiledItem, after rank: inout Int, _ here: ResponseLocation) {
        if compiled.rank < rank {
            add(
                .error, .structure, here, filled.outline.positions[compiled.item.linkID],
                "\(compiled.item.label) is out of order. Put the answers into the order of the questionnaire.")
        }
        rank = max(rank, compiled.rank)
    }

    // MARK: - Present items

    private mutating func check(
        _ responseItem: QuestionnaireResponseItem, _ item: Int, time: Int, at indices: [Int], _ here: ResponseLocation
    ) {
        let compiled = items[item]
        guard enablement.isEnabled(item, at: indices) else {
            guard responseItem.hasAnswer else { return }
            let message = "\(compiled.item.label) is not asked, because of other answers. Leave it out."
            return add(.error, .businessRule, here, item, message, ["rule": "not-enabled"])
        }
        if let text = responseItem.text, text != compiled.item.text {
            add(
                .warning, .invariant, here, item,
                "\(compiled.item.label) has another text in the questionnaire. Leave the text out, or copy it from there."
            )
        }
        switch compiled.item.kind {
        case .display:
            guard !responseItem.answers.isEmpty || !responseItem.items.isEmpty else { return }
            add(.error, .structure, here, item, "\(compiled.item.label) is a text to read. It takes no answers.")
        case .group:
            if !responseItem.answers.isEmpty {
                let message = "\(compiled.item.label) is a group. It takes no answers; the questions in it do."
                add(.error, .structure, here, item, message)
            }
            check(responseItem.items, in: item, at: compiled.isContainer ? indices + [time] : indices, here)
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
            .attachment, .reference, .quantity:
            if !responseItem.items.isEmpty {
                let message = "\(compiled.item.label) is a question. Move what is below it into its answer."
                add(.error, .structure, here, item, message)
            }
            checkAnswers(responseItem.answers, ItemOccurrence(item, indices), here)
            checkMovingLimits(of: responseItem, ItemOccurrence(item, indices), here)
        }
        let isInstance = compiled.isContainer && compiled.item.kind == .group
        let place = ExpressionPlace(item: item, indices: isInstance ? indices + [time] : indices)
        check(compiled.invariants, of: responseItem, at: place, here)
    }

    /// Checks rules. As long as the response may still be filled in, a broken rule is only information.
    private mutating func check(
        _ invariants: [CompiledInvariant], of node: some ExpressionNode, at place: ExpressionPlace,
        _ here: ResponseLocation
    ) {
        guard !invariants.isEmpty, !found.isFull,
            let broken = rules?.broken(invariants, by: node, place, &enablement)
        else { return }
        for rule in broken {
            let severity = severityOfMissing == .error ? rule.severity : .information
            add(severity, .invariant, here, place.item, rule.message, rule.parameters)
        }
    }

    private mutating func checkMovingLimits(
        of responseItem: QuestionnaireResponseItem, _ question: ItemOccurrence, _ here: ResponseLocation
    ) {
        let label = items[question.item].item.label
        guard let limits = items[question.item].movingLimits, !found.isFull else { return }
        // Answers without a value were reported already.
        let answers = responseItem.answers.enumerated().filter { $0.element.value != nil }
        let values = answers.compactMap(\.element.value)
        let place = ExpressionPlace(item: question.item, indices: question.indices)
        let flaws = rules?.flaws(of: values, limits, label: label, at: responseItem, place, &enablement)
        for (index, flaw) in flaws ?? [] { add(flaw, here.answer(answers[index].offset), question.item) }
    }

    private mutating func checkAnswers(
        _ answers: [QuestionnaireResponseAnswer], _ question: ItemOccurrence, _ here: ResponseLocation
    ) {
        let compiled = items[question.item]
        let values = answers.compactMap(\.value)
        for flaw in compiled.flaws(ofAll: values) { add(flaw, here, question.item) }
        if !values.isEmpty, let valueSet = compiled.item.constraints.unknownValueSet {
            let message =
                "Gate can't check whether \(compiled.item.label) is one of '\(valueSet)': the form does not contain that value set."
            add(.information, .notSupported, here, question.item, message)
        }
        if !values.isEmpty, let parent = filled.missingParent(of: question, &enablement) {
            let message = "\(compiled.item.label) depends on \(items[parent].item.fullLabel). Answer that first."
            add(.error, .businessRule, here, question.item, message, ["rule": "parent-missing"])
        }
        if compiled.isReadOnly, !values.isEmpty, compiled.calculated == nil, compiled.initialExpression == nil,
            !values.isSame(as: compiled.initial)
        {
            add(
                compiled.isFixed ? .error : .warning, .businessRule, here, question.item,
                compiled.isFixed
                    ? "\(compiled.item.label) is read-only. Keep the answer that the questionnaire gives it."
                    : "\(compiled.item.label) is read-only. Leave it as it is.", ["rule": "read-only"])
        }
        var time = 0
        // Too many answers were reported already.
        let most = compiled.item.maximumAnswerCount
        for (index, answer) in answers.enumerated() where !found.isFull && time < most {
            let there = here.answer(index)
            guard let value = answer.value else {
                let message = "\(compiled.item.label) has an answer without a value. Leave it out."
                add(.error, .required, there, question.item, message)
                continue
            }
            if let flaw = compiled.flaw(of: value) {
                add(flaw, there, question.item)
            }
            // A question with one answer has items only below that one.
            if compiled.isContainer || time == 0 {
                let below = compiled.isContainer ? question.indices + [time] : question.indices
                check(answer.items, in: question.item, at: below, there)
            }
            time += 1
        }
    }

    // MARK: - Missing items

    private struct PresentItem {
        var first: ResponseLocation
        var count = 0
        var hasAnswer = false
        /// Whether something missing in it was reported.
        var lacksSomething = false
    }

    private mutating func checkPresence(
        of child: Int, _ present: PresentItem?, at indices: [Int], _ location: ResponseLocation
    ) {
        let item = items[child].item
        let isFixed = items[child].isFixed && items[child].parents.isEmpty
        guard item.kind != .display, item.isRequired || item.repeats || isFixed,
            enablement.isEnabled(child, at: indices)
        else {
            return
        }
        let isGroup = item.kind == .group
        let count = isGroup ? present?.count ?? 0 : filled.answers(of: child, at: indices).count
        let minimum = item.repeats ? item.constraints.minimumOccurs ?? 0 : 0
        let isAnswered = isGroup ? present?.hasAnswer ?? false : count > 0
        let place = present?.first ?? location
        if item.isRequired || isFixed, !isAnswered {
            // A group's missing contents were reported already.
            if !isGroup {
                addMissing(place, child, "\(item.label) needs an answer.")
            } else if !(present?.lacksSomething ?? false) {
                addMissing(place, child, "\(item.label) needs an answer to at least one of its questions.")
            }
        } else if count < minimum {
            let noun = isGroup ? "time" : "answer"
            let message = "\(item.label) needs at least \(minimum.times(noun)), and has \(count)."
            addMissing(isGroup ? location : place, child, message)
        }
        if isGroup, item.repeats, count > item.maximumInstanceCount {
            let message = "\(item.label) can be there at most \(item.maximumInstanceCount.times("time"))."
            add(.error, .tooLong, location, child, message)
        }
    }

    /// Reports calculated answers that differ from the expression's result, if people may not replace them, and
    /// expressions that give no answer. A given answer that depends on the date is not compared: it was right then.
    private mutating func checkCalculated(_ question: ItemOccurrence, _ place: ResponseLocation) {
        let compiled = items[question.item]
        guard let expression = compiled.calculated, rules != nil, enablement.isEnabled(question) else { return }
        let values = filled.answers(of: question)
        guard compiled.isReadOnly || values.isEmpty else { return }
        do throws(NoAnswer) {
            let calculated = try enablement.answers(to: question, by: expression)
            guard compiled.isReadOnly, values.isEmpty || !expression.readsClock, !values.isSame(as: calculated) else {
                return
            }
            let message = "\(compiled.item.label) is not what the form calculates from the other answers. Leave it out."
            // In a completed form for grown-ups this is an error: the person completes it with what they have read.
            let severity: FormIssue.Severity = filled.outline.isForGrownUps ? severityOfMissing : .warning
            add(severity, .businessRule, place, question.item, message, ["rule": "calculated"])
        } catch {
            let message = "\(compiled.item.label) can't be calculated from the other answers: "
            add(.warning, .businessRule, place, question.item, message + error.message, ["rule": "not-calculated"])
        }
    }

    private mutating func addMissing(_ place: ResponseLocation, _ item: Int, _ message: @autoclosure () -> String) {
        missingCount += 1
        guard found.takes(severityOfMissing) else { return }
        add(severityOfMissing, .required, place, item, message())
    }

    private mutating func add(
        _ severity: FormIssue.Severity, _ code: FormIssue.Code, _ place: ResponseLocation, _ item: Int?,
        _ message: String, _ parameters: [String: String] = [:]
    ) {
        let linkID = item.map { items[$0].item.linkID }
        found.add(
            FormIssue(severity, code, at: place.description, linkID: linkID, message, parameters: parameters))
    }

    private mutating func add(_ flaw: AnswerFlaw, _ place: ResponseLocation, _ item: Int) {
        found.add(
            FormIssue(
                .error, flaw.code, at: place.description, linkID: items[item].item.linkID, flaw.message,
                parameters: flaw.parameters))
    }
}
