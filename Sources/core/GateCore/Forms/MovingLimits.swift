import GateExpressions
import GateModel

/// The limits of an answer that are expressions: they depend on the date or on other answers.
struct MovingLimits: Sendable {
    let minimum: CompiledExpression?
    let maximum: CompiledExpression?

    init?(minimum: CompiledExpression?, maximum: CompiledExpression?) {
        guard minimum != nil || maximum != nil else { return nil }
        (self.minimum, self.maximum) = (minimum, maximum)
    }

    var expressions: [CompiledExpression] { [minimum, maximum].compactMap(\.self) }

    /// The flaws of answers outside the limits, each with the answer's index. If a limit can't be evaluated, one flaw
    /// says so. If a limit has no value with the present answers, it does not apply.
    func flaws(
        of values: [FormValue], label: String, _ expressionContext: ExpressionContext, _ budget: inout ExpressionBudget
    ) -> [(index: Int, AnswerFlaw)] {
        guard !values.isEmpty else { return [] }
        var flaws: [(Int, AnswerFlaw)] = []
        do throws(ExpressionError) {
            let least = try minimum?.expression.single(expressionContext, budget: &budget)
            let most = try maximum?.expression.single(expressionContext, budget: &budget)
            for (index, value) in values.enumerated() {
                if let minimum, let least,
                    try minimum.expression.order(of: value.expressionItem, by: least, budget: &budget) ?? 0 < 0
                {
                    flaws.append((index, .tooSmall(label, least.displayText)))
                } else if let maximum, let most,
                    try maximum.expression.order(of: value.expressionItem, by: most, budget: &budget) ?? 0 > 0
                {
                    flaws.append((index, .tooLarge(label, most.displayText)))
                }
            }
        } catch {
            flaws.append((0, .limitsNotFound(label, error)))
        }
        return flaws
    }
}

extension ExpressionItem {
    var displayText: String {
        switch self {
        case .node(let node): (node as? FormValueNode)?.formValue.displayText ?? value?.text ?? ""
        case .value(.dateTime(let moment)): FormDateTime(moment.text)?.displayText ?? moment.text
        case .value(.time(let time)): FormTime(time.text)?.displayText ?? time.text
        case .value(let value): value.text
        }
    }
}

extension AnswerFlaw {
    static func limitsNotFound(_ label: String, _ error: ExpressionError) -> AnswerFlaw {
        AnswerFlaw(
            .businessRule,
            "The limits of \(label) can't be calculated from the other answers: \(error.message)")
    }
}
