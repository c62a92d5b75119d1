import GateModel
import Testing

@testable import GateForms

@Suite("Expressions that values follow from")
struct FollowingExpressionTests {
    private static let capture = "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-"

    private static func expression(_ name: String, _ source: String, language: String = "text/fhirpath") -> String {
        #"{"url": "\#(capture)\#(name)", "valueExpression": {"language": "\#(language)", "expression": "\#(source)"}}"#
    }

    private static func variable(_ name: String, _ source: String) -> String {
        Extension.standard(
            "variable",
            #""valueExpression": {"name": "\#(name)", "language": "text/fhirpath", "expression": "\#(source)"}"#)
    }

    private static func item(_ linkID: String, _ extensions: String..., type: String = "integer", more: String = "")
        -> String
    {
        let list = extensions.isEmpty ? "" : #", "extension": [\#(extensions.joined(separator: ","))]"#
        return #"{"linkId": "\#(linkID)", "type": "\#(type)", "text": "\#(linkID)"\#(list)\#(more)}"#
    }

    private static func sees(_ linkID: String) -> String { "%resource.item.where(linkId = '\(linkID)').answer.value" }

    @Test("an item has the expressions that are written at it (F-79)")
    func read() throws {
        let json = Form.json(
            Self.item("a") + ","
                + Self.item("b", Self.expression("calculatedExpression", "%size + 1")) + ","
                + Self.item(
                    "c", Self.expression("initialExpression", "2"), Self.expression("enableWhenExpression", "%size > 1")
                ) + ","
                + Self.item(
                    "g", Self.variable("inner", "item.where(linkId = 'd').answer.value + %size"), type: "group",
                    more:
                        #", "item": [\#(Self.item("d")), \#(Self.item("e", Self.expression("calculatedExpression", "%inner")))]"#
                ),
            more: #""extension": [\#(Self.variable("size", "item.where(linkId = 'a').answer.value"))],"#)
        let (questionnaire, problems) = try Form.read(json)
        #expect(problems.isEmpty, "\(problems)")
        let form = try #require(questionnaire)
        #expect(form.variables.map(\.name) == ["size"])
        #expect(form.items[1].expressions == QuestionnaireItemExpressions(calculated: "%size + 1"))
        #expect(form.items[2].expressions == QuestionnaireItemExpressions(initial: "2", enableWhen: "%size > 1"))
        #expect(form.items[3].expressions.variables.map(\.name) == ["inner"])
        #expect(form.items[3].items[1].expressions.calculated == "%inner")
    }

    @Test(
        "an expression that Gate can't follow is refused with what to do",
        arguments: [
            (item("a", expression("calculatedExpression", "1 +")), "The expression is wrong in line 1"),
            (item("a", expression("calculatedExpression", "%size")), "size"),
            (item("a", expression("calculatedExpression", "1", language: "text/cql")), "'language' is text/fhirpath"),
            (
                item("a", expression("calculatedExpression", "%resource.descendants().count()")),
                "Name each item that it reads"
            ),
            (item("a", expression("calculatedExpression", sees("b"))), "There is no item 'b'"),
            (
                item("a", expression("calculatedExpression", "1"), more: #", "initial": [{"valueInteger": 1}]"#),
                "does not use 'initial'"
            ),
            (
                item("a", expression("calculatedExpression", "1"), expression("initialExpression", "1")),
                "does not use 'initialExpression'"
            ),
            (
                item("b") + "," + item("a", expression("calculatedExpression", "1"), Extension.parents("b")),
                "does not use 'parents'"
            ),
            (
                item("a", expression("initialExpression", "1"), more: #", "initial": [{"valueInteger": 1}]"#),
                "Keep one of them"
            ),
            (
                item("b") + ","
                    + item(
                        "a", expression("enableWhenExpression", "true"),
                        more: #", "enableWhen": [{"question": "b", "operator": "exists", "answerBoolean": true}]"#),
                "Keep one of them"
            ),
            (
                item("a", expression("calculatedExpression", "1"), type: "display"),
                "has no use for 'sdc-questionnaire-calculatedExpression'"
            ),
            (
                item("a", expression("initialExpression", "1"), type: "attachment"),
                "has no use for 'sdc-questionnaire-initialExpression'"
            ),
            (item("a", variable("resource", "1")), "'%resource' is FHIR's own"),
            (item("a", variable("1st", "1")), "letters, digits and '_' alone"),
            (item("a", variable("x", "1"), variable("x", "2")), "There is a variable 'x' already"),
            (item("a", variable("x", "%y"), variable("y", "2")), "y"),
            // The group's own variables depend on whether the group is enabled.
            (
                item(
                    "g", variable("x", "1"), expression("enableWhenExpression", "%x = 1"), type: "group",
                    more: #", "item": [\#(item("a"))]"#), "x"
            ),
        ] as [(String, String)])
    func refused(items: String, told: String) throws {
        let problems = try Form.read(Form.json(items)).problems
        #expect(problems.contains { $0.severity == .error && $0.message.contains(told) }, "\(problems)")
    }

    @Test(
        "expressions in a circle are refused, and the message shows the circle",
        arguments: [
            (item("a", expression("calculatedExpression", sees("a"))), "a → a"),
            (
                item("a", expression("calculatedExpression", sees("b"))) + ","
                    + item("b", expression("calculatedExpression", sees("a"))),
                "a → b → a"
            ),
            // An item reads the group that it is in.
            (
                item(
                    "g", type: "group",
                    more:
                        #", "item": [\#(item("b")), \#(item("a", expression("calculatedExpression", "%resource.item.where(linkId = 'g').item.count()")))]"#
                ),
                "a → g → a"
            ),
            // The circle goes through a condition, and through a parent.
            (
                item("a", expression("calculatedExpression", sees("b"))) + ","
                    + item(
                        "b", more: #", "enableWhen": [{"question": "a", "operator": "exists", "answerBoolean": true}]"#),
                "a → b → a"
            ),
            (
                item("a", expression("calculatedExpression", sees("b"))) + "," + item("b", Extension.parents("a")),
                "a → b → a"
            ),
            (
                item("a", expression("enableWhenExpression", sees("b") + " > 1")) + ","
                    + item("b", expression("enableWhenExpression", sees("a") + " > 1")), "a → b → a"
            ),
        ] as [(String, String)])
    func circles(items: String, shown: String) throws {
        let problems = try Form.read(Form.json(items)).problems
        #expect(problems.filter { $0.severity == .error }.count == 1, "\(problems)")
        #expect(problems.contains { $0.message.contains("The expressions form a circle: \(shown).") }, "\(problems)")
    }

    @Test("a long chain of expressions over a large group is accepted")
    func chain() throws {
        let first = Self.item("q0")
        let rest = (1..<3_000).map {
            Self.item("q\($0)", Self.expression("calculatedExpression", Self.sees("q\($0 - 1)") + " + 1"))
        }
        let problems = try Form.read(Form.json(([first] + rest).joined(separator: ","))).problems
        #expect(problems.isEmpty, "\(problems.prefix(3))")
    }

    @Test("in a form for grown-ups a read-only item may not begin with an expression")
    func grownUps() throws {
        let json = Form.json(
            Self.item("a", Self.expression("initialExpression", "1"), more: #", "readOnly": true"#),
            more: #""extension": [\#(Extension.gate("completed-by", #""valueCode": "grown-up""#))],"#)
        #expect(try Form.read(json).problems.contains { $0.message.contains("Write 'calculatedExpression'") })
    }
}
