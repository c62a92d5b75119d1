import GateExpressions
package import GateModel

/// Replaces limits that are expressions by their values, so that a person is told them before making a mistake. Limits
/// that depend on other answers stay with the daemon, which has all answers.
extension Questionnaire {
    /// The same form, in which each limit that depends only on the day, like "from today", is a plain limit.
    package func limited(at now: LocalTime) -> Questionnaire {
        var limited = self
        limited.items = items.map { $0.limited(at: now) }
        return limited
    }
}

extension QuestionnaireItem {
    package func limited(at now: LocalTime) -> QuestionnaireItem {
        var limited = self
        limited.constraints.minimum = constraints.minimum ?? limit(constraints.minimumExpression, now)
        limited.constraints.maximum = constraints.maximum ?? limit(constraints.maximumExpression, now)
        limited.items = items.map { $0.limited(at: now) }
        return limited
    }

    /// The limit's value today; `nil` if there is no limit, or if it depends on answers.
    private func limit(_ source: String?, _ now: LocalTime) -> FormValue? {
        guard let source else { return nil }
        var budget = ExpressionBudget(steps: 1_000)
        let nothing = ExpressionItem.node(QuestionnaireResponse(status: .inProgress))
        do throws(ExpressionError) {
            let expression = try FormExpression(source, knowing: ExpressionVocabulary(elements: []))
            let context = ExpressionContext(resource: nothing, now: CalendarMoment(now))
            guard let text = try expression.single(context, budget: &budget)?.value?.text else { return nil }
            return limit(written: text)
        } catch {
            return nil
        }
    }

    private func limit(written text: String) -> FormValue? {
        switch kind {
        case .date: FormDate(text).map(FormValue.date)
        case .dateTime: FormDateTime(text).map(FormValue.dateTime)
        case .time: FormTime(text).map(FormValue.time)
        case .integer: Int32(text).map(FormValue.integer)
        case .decimal: FormDecimal(text).map(FormValue.decimal)
        case .boolean, .string, .text, .url, .choice, .openChoice, .attachment, .reference, .quantity, .group, .display:
            nil
        }
    }
}
