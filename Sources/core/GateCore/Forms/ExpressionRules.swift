import GateExpressions
import GateModel

/// A form's rule that is an expression, ready for evaluation.
struct CompiledInvariant: Sendable {
    let invariant: QuestionnaireInvariant
    /// `nil` if the expression can't be parsed. No such form is loaded.
    let expression: CompiledExpression?

    init(_ invariant: QuestionnaireInvariant, _ expression: CompiledExpression?) {
        (self.invariant, self.expression) = (invariant, expression)
    }
}

/// Checks a response by the rules and limits of its form that are expressions.
struct ExpressionRules {
    private let response: QuestionnaireResponse
    private let now: CalendarMoment
    private var budget = ExpressionBudget(steps: FormBounds.expressionSteps)

    init(_ response: QuestionnaireResponse, now: LocalTime) {
        self.response = response
        self.now = CalendarMoment(now)
    }

    /// The flaws of answers outside the limits, each with the answer's index. `place` is the question's.
    mutating func flaws(
        of values: [FormValue], _ limits: MovingLimits, label: String, at item: QuestionnaireResponseItem,
        _ place: ExpressionPlace, _ enablement: inout Enablement
    ) -> [(index: Int, AnswerFlaw)] {
        do throws(ExpressionError) {
            let expressionContext = try expressionContext(of: limits.expressions, at: .node(item), place, &enablement)
            return limits.flaws(of: values, label: label, expressionContext, &budget)
        } catch {
            return [(0, .limitsNotFound(label, error))]
        }
    }

    /// The rules that are broken. A rule counts as broken unless it is true, even if it can't be evaluated, as in HL7's
    /// own validator.
    mutating func broken(
        _ rules: [CompiledInvariant], by context: some ExpressionNode, _ place: ExpressionPlace,
        _ enablement: inout Enablement
    ) -> [BrokenInvariant] {
        rules.compactMap { rule in
            guard let expression = rule.expression else { return BrokenInvariant(rule.invariant) }
            do throws(ExpressionError) {
                let expressionContext = try expressionContext(of: [expression], at: .node(context), place, &enablement)
                let isKept = try expression.expression.isTrue(expressionContext, budget: &budget) == true
                return isKept ? nil : BrokenInvariant(rule.invariant)
            } catch {
                return BrokenInvariant(rule.invariant, because: error)
            }
        }
    }

    /// The context of these expressions contains the response as it is, not only its enabled items.
    private mutating func expressionContext(
        of expressions: [CompiledExpression], at context: ExpressionItem, _ place: ExpressionPlace,
        _ enablement: inout Enablement
    ) throws(ExpressionError) -> ExpressionContext {
        var expressionContext = try enablement.expressionContext(of: expressions, at: place)
        (expressionContext.resource, expressionContext.context, expressionContext.now) = (.node(response), context, now)
        return expressionContext
    }
}

struct BrokenInvariant {
    let severity: FormIssue.Severity
    let message: String
    let parameters: [String: String]

    init(_ rule: QuestionnaireInvariant, because error: ExpressionError? = nil) {
        severity =
            switch rule.severity {
            case .error: .error
            case .warning: .warning
            }
        if let error {
            message = "Gate can't check the rule '\(rule.key)' with these answers: \(error.message)"
            parameters = ["key": rule.key]
        } else {
            message = rule.humans.text
            parameters = rule.humans.translations.reduce(into: ["rule": "invariant", "key": rule.key]) {
                $0["text-\($1.language)"] = $1.text
            }
        }
    }
}
