import GateExpressions
import GateModel
import Testing

@Suite("Expressions over a response")
struct ResponseTests {
    static let paths: [(String, [String])] = [
        ("%resource.item.where(linkId='name').answer.value", ["Ann"]),
        ("QuestionnaireResponse.item.where(linkId = 'name').answer.value & '!'", ["Ann!"]),
        ("item.where('name' = $this.linkId).answer.value", ["Ann"]),
        ("%resource.item.where(linkId='none').answer.value", []),
        ("%resource.item.where(linkId='hobby').answer.value.code", ["music", "reading"]),
        ("%resource.item.where(linkId='hobby').answer.item.where(linkId='title').answer.value", ["Momo"]),
        ("%resource.descendants().where(linkId='title').answer.value", ["Momo"]),
        ("%resource.item.where(linkId='driver').item.where(linkId='price').answer.value.sum()", ["19.75"]),
        ("%resource.item.where(linkId='driver').count()", ["2"]),
        (
            "item.where(linkId='driver').item.where(linkId='born').answer.value.select($this.duration(today(), 'year'))",
            ["18", "17"]
        ),
        ("item.where(linkId='driver').all(item.where(linkId='born').answer.value <= today() - 18 years)", ["false"]),
        ("item.where(linkId='power').answer.value", ["75 'kW'"]),
        ("item.where(linkId='power').answer.value > 50000 'W'", ["true"]),
        ("item.where(linkId='power').answer.value.unit", ["kW"]), ("status", ["in-progress"]),
        ("(item.where(linkId='name') = item.where(linkId='name'))", ["true"]),
        ("item.first() = item.last()", ["false"]), ("children().count()", ["7"]),
    ]

    @Test("paths lead through a response, with choices of types as 'value'", arguments: paths)
    func values(_ source: String, _ expected: [String]) throws {
        #expect(try results(source) == expected)
    }

    @Test("a path begins at the context, and %resource is the whole response")
    func context() throws {
        let item = ExpressionItem.node(testedResponse.items[0])
        #expect(
            try results("answer.value & %resource.status & %context.linkId", context: item) == ["Annin-progressname"])
        let variables = ["age": [ExpressionItem.value(.integer(7))], "none": []]
        #expect(try results("%age + 1", variables: variables) == ["8"])
        #expect(try results("%none", variables: variables).isEmpty)
    }

    @Test("nested filters visit items once, and use a tree's own look-up")
    func lookingUp() throws {
        let nested = (0..<20).reduce("%resource") { path, _ in path + ".item.where(linkId='name')" }
        #expect(try results(nested, steps: 200).isEmpty)
        #expect(try results("item.where(linkId='x').answer.value", of: .node(IndexedItems())) == ["found x"])
        #expect(
            try results("item.where(linkId='x' or 'y' = linkId).answer.value", of: .node(IndexedItems()))
                == ["found x", "found y"])
    }

    @Test(
        "answers with more digits than are calculated with are equal if they are the same number, and not otherwise",
        arguments: [
            (.decimal(digits(40)), .decimal(digits(40)), true), (.decimal(digits(40)), .decimal(digits(41)), false),
            (.decimal(digits(40)), .decimal(digits(40, "00")), true),
            (.decimal(digits(40)), .decimal(digits(3)), false),
            (time("1"), time("10"), true), (time("1"), time("2"), false), (time("1"), .decimal(digits(40)), false),
        ] as [(FormValue?, FormValue?, Bool)])
    func longAnswers(_ left: FormValue?, _ right: FormValue?, _ expected: Bool) throws {
        let items = [("a", left), ("b", right)].map { linkID, value in
            QuestionnaireResponseItem(linkID: linkID, answers: [QuestionnaireResponseAnswer(value)])
        }
        let response = QuestionnaireResponse(questionnaire: nil, status: .inProgress, items: items)
        let sides = ["a", "b"].map { "item.where(linkId = '\($0)').answer.value" }
        for sign in ["=", "~"] {
            #expect(try results(sides.joined(separator: sign), of: .node(response)) == ["\(expected)"])
        }
    }

    /// So many ones before the decimal point.
    private static func digits(_ count: Int, _ places: String = "0") -> FormDecimal {
        FormDecimal(String(repeating: "1", count: count) + "." + places) ?? FormDecimal(0)
    }

    /// A time with 19 zeros behind the decimal point, and these digits.
    private static func time(_ last: String) -> FormValue? {
        FormTime("10:00:00." + String(repeating: "0", count: 19) + last).map { .time($0) }
    }

    /// A node that finds any item by its linkId, and lists none.
    private struct IndexedItems: ExpressionNode {
        var children: [(name: String, item: ExpressionItem)] { [] }

        func items(linkIDs: [String]) -> [ExpressionItem]? {
            linkIDs.map { linkID in
                let answers = [QuestionnaireResponseAnswer(.string("found \(linkID)"))]
                return .node(QuestionnaireResponseItem(linkID: linkID, answers: answers))
            }
        }
    }

    static let reads: [(String, Set<String>?)] = [
        ("1 + 1", []), ("%resource.item.where(linkId='a').answer.value", ["a"]),
        ("%resource.item.where(linkId='a').item.where(linkId='b').answer.value.sum()", ["b"]),
        ("%resource.descendants().where(linkId='c').answer.value = 'x'", ["c"]),
        ("item.where(linkId='a' or linkId='b').answer.value", ["a", "b"]),
        (
            "iif(%resource.item.where(linkId='a').answer.value, %resource.item.where(linkId='b').answer.value)",
            ["a", "b"]
        ),
        ("%resource.item.where(linkId='a').select(answer.value & item.where(linkId='b').answer.value)", ["a", "b"]),
        ("%resource.item.where(linkId='a').answer.value | %resource.item.where(linkId='d').answer.value", ["a", "d"]),
        ("%resource.item.count()", nil), ("%resource.item.where(text = 'a')", nil), ("%resource", nil),
        ("%resource.descendants().answer.value", nil), ("%resource.item.item.where(linkId='b').answer.value", ["b"]),
    ]

    @Test("an expression says which items it reads, before it is evaluated", arguments: reads)
    func reading(_ source: String, _ expected: Set<String>?) throws {
        #expect(try FormExpression(source).reads().linkIDs == expected)
    }

    @Test("an expression says which items it names, and below what it looks for each")
    func naming() throws {
        let source = """
            %resource.item.where(linkId = 'a').answer.item.where(linkId = 'b' or linkId = 'c').exists()
                and status = 'completed' implies item.exists(linkId = 'd' and answer.exists())
            """
        let named = try FormExpression(source).reads().named
        let expected: [(String, ExpressionReads.NamedItem.Owner)] = [
            ("a", .response), ("b", .item("a")), ("c", .item("a")), ("d", .unknown),
        ]
        #expect(named.map(\.linkID).sorted() == expected.map(\.0))
        for (linkID, owner) in expected { #expect(named.first { $0.linkID == linkID }?.owner == owner) }
    }

    @Test("an expression says whether it reads the clock, the host's variables and its own item")
    func otherReads() throws {
        let expression = try FormExpression(
            "answer.value + %age < today()", knowing: ExpressionVocabulary(variables: ["age"]))
        let reads = expression.reads(contextLinkID: "born")
        #expect(reads == ExpressionReads(linkIDs: ["born"], readsClock: true, variables: ["age"]))
        #expect(try FormExpression("'a'.matches('a') and ('b' | 'c').all(matchesFull('b|c'))").patternCount == 2)
        #expect(expression.reads().linkIDs == nil)
        #expect(try FormExpression("%ucum").reads() == ExpressionReads())
    }
}
