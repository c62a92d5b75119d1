import GateExpressions
import GateModel
import GateScripting

extension FuzzTarget {
    /// An expression is refused at a place, or evaluated within its budget, to the same each time.
    static let expression = FuzzTarget("expression", maximumBytes: 1024, dictionary: "expression") { random in
        var source = Array(random.element(of: expressions).utf8)
        for _ in 0..<random.next() % 4 {
            let link = Array(random.element(of: [".", " + ", " = ", " & ", " | ", " and ", " < ", " * "]).utf8)
            source += link + Array(random.element(of: expressions).utf8)
        }
        if random.chance(1, in: 2) { random.mutate(&source) }
        return source
    } check: { input in
        let source = String(decoding: input, as: UTF8.self)
        let expression: FormExpression
        do throws(ExpressionError) {
            expression = try FormExpression(source)
        } catch {
            let lineCount = 1 + source.unicodeScalars.count { $0 == "\n" }
            try promise(!error.message.isEmpty && error.kind != .evaluation, "refused without a word")
            try promise((1...lineCount).contains(error.place.line) && error.place.column >= 1, "refused at \(error)")
            return
        }
        let reads = expression.reads()
        let now = try promised(CalendarMoment(text: "2026-03-01T12:00:00+01:00"), "no moment")
        let context = ExpressionContext(resource: .node(response), now: now)
        let first = outcome(of: expression, context)
        try promise(!CombiningMarks.areTooMany(in: first), "a text with a long row of combining marks")
        try promise(first == outcome(of: expression, context), "another result for the same")
        guard let linkIDs = reads.linkIDs, !reads.readsClock else { return }
        // An item that the expression does not read can be removed without another result.
        var less = response
        for index in less.items.indices where !linkIDs.contains(less.items[index].linkID) {
            less.items[index].answers = []
        }
        try promise(
            first == outcome(of: expression, ExpressionContext(resource: .node(less), now: now)),
            "it reads more than \(linkIDs.sorted())")
    }

    private static func outcome(of expression: FormExpression, _ context: ExpressionContext) -> String {
        var budget = ExpressionBudget(steps: 20_000)
        do throws(ExpressionError) {
            return try expression.evaluate(context, budget: &budget).map { $0.value?.text ?? "{}" }.description
        } catch {
            return error.description
        }
    }

    private static let response = QuestionnaireResponse(
        status: .inProgress,
        items: [
            QuestionnaireResponseItem(linkID: "a", answers: [QuestionnaireResponseAnswer(.integer(3))]),
            QuestionnaireResponseItem(linkID: "b", answers: [QuestionnaireResponseAnswer(.string("text"))]),
            QuestionnaireResponseItem(
                linkID: "c", answers: [QuestionnaireResponseAnswer(FormDate("2008-02-29").map { .date($0) })]),
            QuestionnaireResponseItem(
                linkID: "d",
                answers: [QuestionnaireResponseAnswer(.quantity(FormQuantity(value: FormDecimal("1.50"), unit: "m")))]),
        ])

    private static let marks = String(repeating: "\u{315}\u{301}", count: 32)

    private static let expressions = [
        "%resource.item.where(linkId='a').answer.value", "item.where(linkId='b').answer.value.matches('t.*t')",
        "item.where(linkId='c').answer.value.duration(today(), 'year') >= 18", "@2024-02-29 + 1 year", "0.1 + 0.2",
        "(1 | 2.50 | 3).select($this * 2).count()", "iif({}, 'a', \"b\")", "1 'm' = 100 'cm'", "'\\u0041\\n'",
        "-7 div 2 mod 3", "'\\u0301\(marks)' & '\(marks)'", "iif(true, 'a\(marks)', '') + '\\u0315\\u0301'",
        "%resource.descendants().where(linkId='d').answer.value", "item.all(answer.exists())", "true implies {}",
        "now() - 7 days < today()", "@T10:30 + 90 minutes", "item[0].answer.value.round(1).toString().length()",
        "`item` ~ {}",
        "now() - 9223372036854775807 days",
        "340282366920938463.463374607431768211 * 999999999999999999.999999999999999999",
        "@T12:00:00 + 796899343984252629854401 's'", "-2147483647 - 1", "@0001-01-01 - 1 day",
        "((((1))))", "$this.children().first().sum()", "'a' in ('a' | 'b') // end",
    ]
}

/// - Throws: `BrokenPromise` where there is nothing.
private func promised<Value>(_ value: Value?, _ description: String) throws(BrokenPromise) -> Value {
    guard let value else { throw BrokenPromise(description: description) }
    return value
}
