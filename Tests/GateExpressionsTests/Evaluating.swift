import GateExpressions
import GateModel
import Testing

/// The day of all tests.
let testedNow = "2026-03-01T12:30:05.250+01:00"

/// A response of an item, a repeating group, and a question below an answer.
let testedResponse = QuestionnaireResponse(
    questionnaire: "https://example.org/club", status: .inProgress,
    items: [
        QuestionnaireResponseItem(linkID: "name", answers: [QuestionnaireResponseAnswer(.string("Ann"))]),
        QuestionnaireResponseItem(
            linkID: "hobby",
            answers: [
                QuestionnaireResponseAnswer(
                    .coding(FormCoding(system: "https://example.org/hobbies", code: "music", display: "Music"))),
                QuestionnaireResponseAnswer(
                    .coding(FormCoding(code: "reading")),
                    items: [
                        QuestionnaireResponseItem(
                            linkID: "title", answers: [QuestionnaireResponseAnswer(.string("Momo"))])
                    ]),
            ]),
        driver("2008-03-01", "12.50"), driver("2008-03-02", "7.25"),
        QuestionnaireResponseItem(
            linkID: "power",
            answers: [QuestionnaireResponseAnswer(.quantity(FormQuantity(value: FormDecimal(75), unit: "kW")))]),
    ])

private func driver(_ birthday: String, _ price: String) -> QuestionnaireResponseItem {
    QuestionnaireResponseItem(
        linkID: "driver",
        items: [
            QuestionnaireResponseItem(
                linkID: "born", answers: [QuestionnaireResponseAnswer(FormDate(birthday).map { .date($0) })]),
            QuestionnaireResponseItem(
                linkID: "price", answers: [QuestionnaireResponseAnswer(FormDecimal(price).map { .decimal($0) })]),
        ])
}

/// The results of an expression, as `toString()` writes them.
func results(
    _ source: String, of resource: ExpressionItem = .node(testedResponse), context: ExpressionItem? = nil,
    variables: [String: [ExpressionItem]] = [:], steps: Int = 200_000
) throws -> [String] {
    let expression = try FormExpression(source, knowing: ExpressionVocabulary(variables: Set(variables.keys)))
    let now = try #require(CalendarMoment(text: testedNow))
    var budget = ExpressionBudget(steps: steps)
    let context = ExpressionContext(resource: resource, context: context, now: now, variables: variables)
    return try expression.evaluate(context, budget: &budget).map { $0.value?.text ?? "an object" }
}

/// The only result; "{}" where there is none.
func result(_ source: String) throws -> String {
    let results = try results(source)
    return results.isEmpty ? "{}" : results.joined(separator: ", ")
}

/// The fault that reading or evaluating an expression ends with.
func fault(of source: String, steps: Int = 200_000) throws -> ExpressionError {
    let error = #expect(throws: ExpressionError.self, "\(source)") { try results(source, steps: steps) }
    return try #require(error)
}
