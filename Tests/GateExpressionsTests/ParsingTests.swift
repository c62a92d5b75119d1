import GateExpressions
import GateModel
import Testing

@Suite("Reading expressions")
struct ParsingTests {
    typealias Row = (source: String, kind: ExpressionError.Kind, line: Int, column: Int, part: String)

    static let faults: [Row] = [
        ("", .syntax, 1, 1, "There is nothing here"), ("1 +", .syntax, 1, 4, "before the end"),
        ("item.\n  where(linkId = )", .syntax, 2, 18, "before ')'"), ("(1 + 2", .syntax, 1, 1, "has no )"),
        ("item[1", .syntax, 1, 5, "has no ]"), ("'abc", .syntax, 1, 1, "is not closed"),
        ("1 /* x", .syntax, 1, 3, "is not closed"),
        ("1 2", .syntax, 1, 3, "Something is missing"), ("\"a\"", .syntax, 1, 1, "single quotes"),
        ("'\\d'", .syntax, 1, 2, "\\\\d"), ("@2024-13", .syntax, 1, 1, "is no date"),
        ("@T25", .syntax, 1, 1, "is no date"),
        ("3000000000", .syntax, 1, 1, "3000000000.0"), ("a.div", .syntax, 1, 3, "`div`"),
        ("answer.valueDecimal", .syntax, 1, 8, "it is 'value'"), ("'a'.matches('(')", .syntax, 1, 13, "Character 1"),
        ("a.where()", .syntax, 1, 3, "takes one argument, not 0"), ("a.", .syntax, 1, 3, "not the end"),
        ("%", .syntax, 1, 1, "%resource"),
        ("a.repeat(item)", .outsideSubset, 1, 3, "`repeat()` is not among the functions that Gate knows."),
        ("a.exist()", .outsideSubset, 1, 3, "Did you mean 'exists'?"), ("1 is Integer", .outsideSubset, 1, 3, "`is`"),
        ("a as Quantity", .outsideSubset, 1, 3, "`as`"), ("$total", .outsideSubset, 1, 1, "`$total`"),
        ("%patient", .outsideSubset, 1, 1, "`%patient` is not among the variables"),
        ("%resorce", .outsideSubset, 1, 1, "Did you mean 'resource'?"),
        ("5L", .outsideSubset, 1, 2, "L"), ("Quantity { value: 1 }", .outsideSubset, 1, 1, "An object"),
        ("'a'.matches(b)", .outsideSubset, 1, 13, "A pattern"),
        (String(repeating: "(", count: 200) + "1", .tooLarge, 1, 101, "are nested"),
        (String(repeating: "-", count: 200) + "1", .tooLarge, 1, 100, "are nested"),
        ("1" + String(repeating: " + 1", count: 200), .tooLarge, 1, 399, "are nested"),
        (String(repeating: " ", count: 4001), .tooLarge, 1, 1, "longer than 4000"),
    ]

    @Test("a mistake is reported with its line, its column and what to do", arguments: faults)
    func refused(_ row: Row) throws {
        let fault = try fault(of: row.source)
        #expect(fault.kind == row.kind && fault.message.contains(row.part), "\(fault)")
        #expect(fault.place == ExpressionError.Place(line: row.line, column: row.column), "\(fault)")
    }

    @Test("an unknown element is refused if the host lists all elements")
    func elements() throws {
        let vocabulary = ExpressionVocabulary(elements: ["item", "linkId", "answer", "value"])
        _ = try FormExpression("item.where(linkId = 'a').answer.value", knowing: vocabulary)
        let error = #expect(throws: ExpressionError.self) { try FormExpression("item.anser", knowing: vocabulary) }
        #expect(error?.message == "There is no element 'anser'. Did you mean 'answer'?")
    }

    static let precedences: [(String, String)] = [
        ("1 // one\n + /* and */ 1", "2"), ("'\\'\\\\\\u0041\\uD83D\\uDC6A'", "'\\A👪"), ("`status`", "in-progress"),
        ("1 | 2 | 1 = 1", "false"), ("true or false and false", "true"), ("true implies false or true", "true"),
        ("1 < 2 = true", "true"), ("-2 + 3", "1"), ("2 - 1 - 1", "0"), ("@2015.toString()", "2015"),
        ("1 'month'.toString()", "1 month"),
    ]

    @Test("operators bind as strongly as the specification says", arguments: precedences)
    func precedence(_ source: String, _ expected: String) throws {
        #expect(try result(source) == expected)
    }

    @Test("comparing large values costs as many steps as they are large")
    func comparing() throws {
        let text = ExpressionItem.value(.string(String(repeating: "a", count: 100_000)))
        for source in ["%a < %a", "%a = %a", "%a ~ %a"] {
            let error = #expect(throws: ExpressionError.self, "\(source)") {
                try results(source, variables: ["a": [text]], steps: 1000)
            }
            #expect(error?.kind == .budgetSpent)
        }
        let items = (0..<1000).map { QuestionnaireResponseItem(linkID: "\($0)", answers: []) }
        let wide = ExpressionItem.node(QuestionnaireResponse(status: .inProgress, items: items))
        for source in ["item.where(%resource = $this)", "item.where(%resource ~ $this)"] {
            let error = #expect(throws: ExpressionError.self, "\(source)") {
                try results(source, of: wide, steps: 500_000)
            }
            #expect(error?.kind == .budgetSpent)
        }
    }

    static let withoutRoom: [String] = [
        "36025 * 944572843638968670.266133539019481503",
        "34028237080117829.346283590630462886 / 0.000001000000011403",
    ]

    @Test("a result that does not fit is nothing, even if only rounding made it too large", arguments: withoutRoom)
    func noRoom(_ source: String) throws {
        #expect(try result(source) == "{}")
    }

    @Test("an evaluation ends when its budget of steps is spent")
    func budget() throws {
        let source = "(1|2|3|4|5|6|7|8|9).select(%resource.descendants().where($this = %resource.item)).count()"
        #expect(try fault(of: source, steps: 1000).kind == .budgetSpent)
        #expect(try result(source) == "0")
        let doubling = "'aaaaaaaaaaaaaaaa'" + String(repeating: ".select($this & $this)", count: 40)
        #expect([.budgetSpent, .evaluation].contains(try fault(of: doubling).kind))
        let pattern = "'\(String(repeating: "a", count: 1000))'.matches('(a|a|a|a)*b')"
        #expect(try fault(of: pattern, steps: 100).kind == .budgetSpent)
        #expect(try result(pattern) == "false")
    }

    @Test("several expressions share one budget")
    func sharedBudget() throws {
        let expression = try FormExpression("1 + 1")
        let now = try #require(CalendarMoment(text: testedNow))
        let context = ExpressionContext(resource: .node(testedResponse), now: now)
        var budget = ExpressionBudget(steps: 5)
        _ = try expression.evaluate(context, budget: &budget)
        #expect(budget.remainingSteps == 2)
        #expect(throws: ExpressionError.self) { try expression.evaluate(context, budget: &budget) }
    }
}
