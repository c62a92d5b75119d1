import GateForms
import GateModel
import Testing

@Suite("Rules that are expressions")
struct InvariantTests {
    private static func rule(
        key: String = "rule", severity: String = "error", expression: String = "true", human: String = "Mend it.",
        more: String = ""
    ) -> String {
        let parts = [
            ("key", "valueId", key), ("severity", "valueCode", severity), ("expression", "valueString", expression),
            ("human", "valueString", human),
        ]
        let written = parts.filter { !$0.2.isEmpty }.map { #"{"url": "\#($0.0)", "\#($0.1)": "\#($0.2)"}"# }
        return Extension.standard(
            "questionnaire-constraint",
            #""extension": [\#((written + (more.isEmpty ? [] : [more])).joined(separator: ","))]"#)
    }

    private static func form(item: String = "", form: String = "") -> String {
        Form.json(
            #"{"linkId": "a", "type": "date", "text": "A", "extension": [\#(item)]}"#
                .replacing(#", "extension": []"#, with: ""),
            more: form.isEmpty ? "" : #""extension": [\#(form)],"#)
    }

    @Test("items and forms may have rules that are expressions (F-79)")
    func read() throws {
        let requirements = #"{"url": "requirements", "valueString": "The law."}"#
        let (questionnaire, problems) = try Form.read(
            Self.form(
                item: Self.rule(key: "one", expression: "answer.value <= today()", more: requirements),
                form: Self.rule(key: "two", severity: "warning", expression: "item.where(linkId = 'a').exists()")))
        #expect(problems.isEmpty, "\(problems)")
        let form = try #require(questionnaire)
        #expect(
            form.items[0].invariants == [
                QuestionnaireInvariant(
                    key: "one", severity: .error, expression: "answer.value <= today()", human: "Mend it.")
            ])
        #expect(form.invariants.map(\.key) == ["two"])
        #expect(form.invariants.map(\.severity) == [.warning])
    }

    /// Four rules with 201 patterns.
    private static let tooManyPatterns: String = {
        let counts = [("rule", 51), ("s", 50), ("t", 50), ("u", 50)]
        let rules = counts.map { key, count -> String in
            let patterns = [String](repeating: "'x'.matches('x')", count: count)
            return rule(key: key, expression: patterns.joined(separator: " or "))
        }
        return rules.joined(separator: ",")
    }()

    @Test(
        "an incomplete or malformed rule is refused with its line",
        arguments: [
            (rule(key: ""), "needs an extension 'key' with a 'valueId'"),
            (rule(severity: "fatal"), "'severity' is error or warning, not"),
            (rule(expression: ""), "needs an extension 'expression' with a 'valueString'"),
            (rule(human: "  "), "'human' has no text"),
            (rule(more: #"{"url": "humann", "valueString": "x"}"#), "has no 'humann'. Did you mean 'human'?"),
            (rule(more: #"{"url": "human", "valueString": "x"}"#), "'human' is there twice"),
            (rule() + "," + rule(), "The key 'rule' is there twice"),
            (rule(expression: "answer.value <"), "The expression is wrong in line 1, column 15"),
            (rule(expression: "repeat(item)"), "repeat"),
            (rule(expression: "answer.valeu > 1"), "valeu"),
            (rule(expression: "%resource.item.where(linkId = 'b').exists()"), "There is no item 'b'"),
            (rule(expression: "%resource.item.exists(linkId = 'b')"), "There is no item 'b'"),
            (
                rule(expression: "%resource.status = 'completed' implies %resource.item.where(linkId = 'b').exists()"),
                "There is no item 'b'"
            ),
            (
                rule(expression: "%resource.item.where(linkId = 'b' and answer.exists()).exists()"),
                "There is no item 'b'"
            ),
            (tooManyPatterns, "A form has at most 200 different regular expressions."),
        ] as [(String, String)])
    func wrong(rule: String, told: String) throws {
        let (_, problems) = try Form.read(Self.form(item: rule))
        #expect(problems.contains { $0.severity == .error && $0.message.contains(told) }, "\(problems.map(\.message))")
        #expect(problems.allSatisfy { $0.place?.line == 2 })
    }

    @Test("a rule that looks for items where they can't be is reported with the right place")
    func misplaced() throws {
        func warnings(_ expression: String) throws -> [String] {
            let json = Form.json(
                """
                {"linkId": "g", "type": "group", "text": "G", "item": [
                    {"linkId": "a", "type": "date", "text": "A", "item": [{"linkId": "b", "type": "date", "text": "B"}]}
                ]}
                """, more: #""extension": [\#(Self.rule(expression: expression))],"#)
            let (questionnaire, problems) = try Form.read(json)
            #expect(questionnaire != nil && problems.allSatisfy { $0.severity == .warning })
            return problems.map(\.message)
        }
        let found = "QuestionnaireResponse.item.where(linkId = 'g').item.where(linkId = 'a')"
        #expect(try warnings("\(found).answer.item.where(linkId = 'b').exists()").isEmpty)
        #expect(try warnings("descendants().where(linkId = 'b').exists()").isEmpty)
        #expect(
            try warnings("item.where(linkId = 'a').exists()") == [
                "The expression looks for 'a' where it is not: it is in 'g'. Name what is around it, too."
            ])
        #expect(
            try warnings("item.where(linkId = 'g').item.where(linkId = 'g' or linkId = 'b').exists()") == [
                "The expression looks for 'b' where it is not: it is in 'a'. Name what is around it, too.",
                "The expression looks for 'g' where it is not: it is directly in the questionnaire. Name what is around it, too.",
            ])
    }

    @Test("a rule with a location of its own is reported, since Gate reports it at its item")
    func location() throws {
        let location = #"{"url": "location", "valueString": "item"}"#
        let (questionnaire, problems) = try Form.read(Self.form(item: Self.rule(more: location)))
        #expect(questionnaire != nil)
        #expect(problems.map(\.severity) == [.warning])
        #expect(problems.first?.message.contains("Gate does not use 'location'") == true)
    }

    @Test("a rule's text may be translated, and a missing translation is reported (L-03)")
    func translations() throws {
        let translation =
            #"{"url": "http://hl7.org/fhir/StructureDefinition/translation", "extension": [{"url": "lang", "valueCode": "de"}, {"url": "content", "valueString": "Behebe es."}]}"#
        let human = #"{"url": "human", "valueString": "Mend it.", "_valueString": {"extension": [\#(translation)]}}"#
        let (questionnaire, problems) = try Form.read(Self.form(item: Self.rule(human: "", more: human)))
        #expect(questionnaire?.items[0].invariants[0].humans.text(for: ["de"]) == "Behebe es.")
        #expect(problems.contains { $0.message.contains("is missing in de") })
    }

    @Test("a form has at most 500 rules")
    func tooMany() throws {
        func problems(_ count: Int) throws -> [String] {
            let rules = (0..<count).map { Self.rule(key: "r\($0)") }.joined(separator: ",")
            return try Form.read(Self.form(item: rules)).problems.map(\.message)
        }
        #expect(try problems(500).isEmpty)
        #expect(try problems(501) == ["A form has at most 500 rules that are expressions."])
    }
}
