import GateForms
import GateModel
import Testing

@Suite("Value sets in a questionnaire")
struct ContainedValueSetTests {
    private func read(
        _ valueSet: String, type: String = "choice", more: String = ""
    ) throws -> (questionnaire: Questionnaire?, problems: [FormProblem]) {
        try Form.read(
            Form.json(
                ##"{"linkId": "a", "type": "\##(type)", "answerValueSet": "#v"\##(more)}"##,
                more: #" "contained": [{"resourceType": "ValueSet", "id": "v", "status": "active", \#(valueSet)}],"#))
    }

    private let composed = """
        "compose": {"include": [{"system": "https://example.org/s", "concept": [
            {"code": "x", "display": "X"}, {"code": "y"}]}, {"concept": [{"code": "z"}]}]}
        """

    @Test("the codes of a composed value set are offered in order")
    func compose() throws {
        for type in ["choice", "open-choice"] {
            let (questionnaire, problems) = try read(composed, type: type)
            #expect(problems.isEmpty)
            #expect(
                questionnaire?.items[0].options.map(\.value) == [
                    .coding(FormCoding(system: "https://example.org/s", code: "x", display: "X")),
                    .coding(FormCoding(system: "https://example.org/s", code: "y")),
                    .coding(FormCoding(code: "z")),
                ])
        }
    }

    @Test("an expanded value set is offered without abstract and inactive codes")
    func expansion() throws {
        let (questionnaire, problems) = try read(
            """
            "expansion": {"timestamp": "2024-01-01", "contains": [
                {"system": "s", "abstract": true, "code": "all", "contains": [{"system": "s", "code": "x"}]},
                {"system": "s", "inactive": true, "code": "old"}, {"system": "s", "code": "y", "version": "2"}]}
            """)
        #expect(problems.isEmpty)
        #expect(
            questionnaire?.items[0].options.map(\.value) == [
                .coding(FormCoding(system: "s", code: "x")),
                .coding(FormCoding(system: "s", version: "2", code: "y")),
            ])
    }

    @Test("a code of a value set may exclude the others")
    func exclusive() throws {
        let exclusive = Extension.standard("questionnaire-optionExclusive", #""valueBoolean": true"#)
        let (questionnaire, problems) = try read(
            """
            "compose": {"include": [{"concept": [{"code": "x"}, {"code": "none", "extension": [\(exclusive)]}]}]}
            """)
        #expect(problems.isEmpty)
        #expect(questionnaire?.items[0].options.map(\.isExclusive) == [false, true])
    }

    @Test("an initial value has to be one of the offered codes")
    func initial() throws {
        let good = try read(
            composed, more: #", "initial": [{"valueCoding": {"system": "https://example.org/s", "code": "y"}}]"#)
        #expect(good.problems.isEmpty)
        let bad = try read(composed, more: #", "initial": [{"valueCoding": {"code": "y"}}]"#)
        #expect(bad.questionnaire == nil)
        #expect(bad.problems.map(\.path) == ["Questionnaire.item[0].initial[0].value"])
        #expect(bad.problems.map(\.linkID) == ["a"])
    }

    @Test(
        "a value set that needs a terminology server is refused",
        arguments: [
            #""compose": {"include": [{"system": "s"}]}"#,
            #""compose": {"include": [{"system": "s", "filter": [{"property": "p", "op": "=", "value": "v"}]}]}"#,
            #""compose": {"include": [{"valueSet": ["https://example.org/vs"]}]}"#,
            #""compose": {"include": [{"concept": [{"code": "x"}]}], "exclude": [{"concept": [{"code": "x"}]}]}"#,
            #""compose": {"include": []}"#, #""title": "Nothing in it""#,
            #""compose": {"include": [{"concept": [{"cod": "x"}]}]}"#,
        ])
    func refused(_ valueSet: String) throws {
        let (questionnaire, problems) = try read(valueSet)
        #expect(questionnaire == nil)
        #expect(problems.first?.path.hasPrefix("Questionnaire.contained[0]") ?? false)
    }

    @Test("an unused value set or another contained resource is a warning")
    func unused() throws {
        let (questionnaire, problems) = try Form.read(
            Form.json(
                #"{"linkId": "a", "type": "string"}"#,
                more: """
                     "contained": [{"resourceType": "ValueSet", "id": "v", "status": "active", \(composed)},
                    {"resourceType": "Patient", "id": "p"}],
                    """))
        #expect(questionnaire != nil)
        #expect(problems.map(\.severity) == [.warning, .warning])
    }

    @Test("two value sets of one name are refused")
    func twice() throws {
        let one = #"{"resourceType": "ValueSet", "id": "v", "status": "active", \#(composed)}"#
        let (questionnaire, problems) = try Form.read(
            Form.json(
                ##"{"linkId": "a", "type": "choice", "answerValueSet": "#v"}"##,
                more: #" "contained": [\#(one), \#(one)],"#))
        #expect(questionnaire == nil)
        #expect(problems.map(\.path) == ["Questionnaire.contained[1]"])
    }
}
