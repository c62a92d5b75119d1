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

    /// The fault of an answer that is outside, or of which that can't be found out. Where there is no limit with the answers as
    /// they are, none.
    func flaw(
        of value: FormValue, label: String, _ surroundings: ExpressionContext, _ budget: inout ExpressionBudget
    ) -> AnswerFlaw? {
        do throws(ExpressionError) {
            if let least = try Self.limit(minimum, surroundings, &budget), value.compare(least) ?? 0 < 0 {
                return .tooSmall(label, least)
            }
            if let most = try Self.limit(maximum, surroundings, &budget), value.compare(most) ?? 0 > 0 {
                return .tooLarge(label, most)
            }
            return nil
        } catch {
            return AnswerFlaw(
                .businessRule,
                "The limits of \(label) can't be found out with the other answers as they are: \(error.message)")
        }
    }

    private static func limit(
        _ expression: FormExpression?, _ surroundings: ExpressionContext, _ budget: inout ExpressionBudget
    ) throws(ExpressionError) -> FormValue? {
        guard let expression else { return nil }
        return try expression.single(surroundings, budget: &budget)?.formValue
    }
}

extension ExpressionItem {
    /// The answer that it is, or would be; `nil`: it is nothing that an answer can be compared with.
    fileprivate var formValue: FormValue? {
        switch self {
        case .node(let node): (node as? FormValueNode)?.formValue
        case .value(.integer(let number)): .integer(number)
        case .value(.decimal(let number)): FormDecimal(number.text).map { .decimal($0) }
        case .value(.date(let date)): .date(date)
        case .value(.dateTime(let moment)): FormDateTime(moment.text).map { .dateTime($0) }
        case .value(.time(let time)): FormTime(time.text).map { .time($0) }
        case .value(.string(let text)): .string(text)
        case .value(.boolean(let isTrue)): .boolean(isTrue)
        case .value(.quantity): nil
        }
    }
}
