import GateExpressions
import GateModel

/// A rule of a form that is an expression, ready to be held against answers.
struct CompiledInvariant: Sendable {
    let invariant: QuestionnaireInvariant
    /// `nil`: it can't be read as one. No such form is loaded.
    private let expression: FormExpression?

    init(_ invariant: QuestionnaireInvariant) {
        self.invariant = invariant
        expression = try? FormExpression(invariant.expression)
    }

    /// Whether it is kept: only where it is true. What can't be told is not kept, as for HL7's own validator.
    ///
    /// - Throws: why that can't be found out with these answers.
    func isKept(
        in response: QuestionnaireResponse, by context: some ExpressionNode, now: CalendarMoment,
        _ budget: inout ExpressionBudget
    ) throws(ExpressionError) -> Bool {
        guard let expression else { return false }
        let surroundings = ExpressionContext(resource: .node(response), context: .node(context), now: now)
        return try expression.isTrue(surroundings, budget: &budget) == true
    }
}

/// Holds a response against the rules and limits of its form that are expressions (F-78, F-79).
struct ExpressionRules {
    private let response: QuestionnaireResponse
    private let now: CalendarMoment
    private var budget = ExpressionBudget(steps: FormBounds.expressionSteps)

    init(_ response: QuestionnaireResponse, now: LocalTime) {
        self.response = response
        self.now = CalendarMoment(now)
    }

    /// The faults of answers that are outside of the limits with the other answers, each with its number.
    mutating func flaws(
        of values: [FormValue], _ limits: MovingLimits, label: String, at item: QuestionnaireResponseItem
    ) -> [(index: Int, AnswerFlaw)] {
        let surroundings = ExpressionContext(resource: .node(response), context: .node(item), now: now)
        return limits.flaws(of: values, label: label, surroundings, &budget)
    }

    /// The rules that this breaks.
    mutating func broken(_ rules: [CompiledInvariant], by context: some ExpressionNode) -> [BrokenInvariant] {
        rules.compactMap { rule in
            do throws(ExpressionError) {
                let isKept = try rule.isKept(in: response, by: context, now: now, &budget)
                return isKept ? nil : BrokenInvariant(rule.invariant)
            } catch {
                return BrokenInvariant(rule.invariant, because: error)
            }
        }
    }
}

/// A rule that is broken, or can't be found out.
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
            message = "Whether '\(rule.key)' is kept can't be found out with these answers: \(error.message)"
            parameters = ["key": rule.key]
        } else {
            message = rule.humans.text
            parameters = rule.humans.translations.reduce(into: ["rule": "invariant", "key": rule.key]) {
                $0["text-\($1.language)"] = $1.text
            }
        }
    }
}
