import GateExpressions
import GateModel

/// The limits of an answer that are expressions: they move with the day, or with other answers (F-78).
struct MovingLimits: Sendable {
    private let minimum: FormExpression?
    private let maximum: FormExpression?
    /// Whether other answers decide, too, and not the day alone.
    let readsAnswers: Bool

    /// `nil`: the item has none.
    init?(of item: QuestionnaireItem) {
        let (least, most) = (item.constraints.minimumExpression, item.constraints.maximumExpression)
        guard least != nil || most != nil else { return nil }
        minimum = least.flatMap { try? FormExpression($0) }
        maximum = most.flatMap { try? FormExpression($0) }
        readsAnswers = [minimum, maximum].compactMap(\.self).contains { $0.reads().linkIDs != [] }
    }

    /// The faults of answers that are outside, each with its number, or of which that can't be found out. Where there is no
    /// limit with the answers as they are, none.
    func flaws(
        of values: [FormValue], label: String, _ surroundings: ExpressionContext, _ budget: inout ExpressionBudget
    ) -> [(index: Int, AnswerFlaw)] {
        guard !values.isEmpty else { return [] }
        var flaws: [(Int, AnswerFlaw)] = []
        do throws(ExpressionError) {
            let least = try minimum?.single(surroundings, budget: &budget)
            let most = try maximum?.single(surroundings, budget: &budget)
            for (index, value) in values.enumerated() {
                if let minimum, let least,
                    try minimum.order(of: value.expressionItem, by: least, budget: &budget) ?? 0 < 0
                {
                    flaws.append((index, .tooSmall(label, least.displayText)))
                } else if let maximum, let most,
                    try maximum.order(of: value.expressionItem, by: most, budget: &budget) ?? 0 > 0
                {
                    flaws.append((index, .tooLarge(label, most.displayText)))
                }
            }
        } catch {
            let message = "The limits of \(label) can't be found out with the other answers as they are: "
            flaws.append((0, AnswerFlaw(.businessRule, message + error.message)))
        }
        return flaws
    }
}

extension ExpressionItem {
    /// As people read it.
    fileprivate var displayText: String {
        switch self {
        case .node(let node): (node as? FormValueNode)?.formValue.displayText ?? value?.text ?? ""
        case .value(.dateTime(let moment)): FormDateTime(moment.text)?.displayText ?? moment.text
        case .value(.time(let time)): FormTime(time.text)?.displayText ?? time.text
        case .value(let value): value.text
        }
    }
}
