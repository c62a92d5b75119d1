import GateForms
import GateModel
import Testing

@Suite("Initial values, and the names that responses are kept by")
struct InitialValueTests {
    private static func quantity(_ value: String, _ extensions: String = "") -> String {
        let extensions = extensions.isEmpty ? "" : #""extension": [\#(extensions)], "#
        return #"{"linkId": "a", "type": "quantity", \#(extensions)"initial": [{"valueQuantity": \#(value)}]}"#
    }

    private static func choice(_ rest: String, repeats: Bool = true) -> String {
        #"{"linkId": "a", "type": "choice", "repeats": \#(repeats), \#(rest)}"#
    }

    private static let kilowatts = Extension.standard(
        "questionnaire-unitOption", #""valueCoding": {"system": "s", "code": "kW", "display": "Kilowatt"}"#)
    private static let initial = "item[0].initial[0].value"

    @Test(
        "initial values that could not be kept, or would be left out on opening, are refused",
        arguments: [
            RefusedForm(
                quantity(#"«{"value": 1, "code": "kW"}"#), linkID: "a", at: initial, "Add 'system'"),
            RefusedForm(
                quantity(#"{"value": 1, "comparator": «"=<"}"#), linkID: "a", at: "\(initial).comparator",
                "A comparator is"),
            RefusedForm(
                #"{"linkId": "a", "type": "integer", "repeats": true, «"initial": ["#
                    + Array(repeating: #"{"valueInteger": 1}"#, count: 1001).joined(separator: ",") + "]}",
                linkID: "a", at: "item[0].initial", "at most 1000 initial values"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "initial": [{"valueString": «"x\ny"}]}"#, linkID: "a", at: initial,
                "A string is one line"),
            RefusedForm(
                #"{"linkId": "a", "type": "url", "initial": [{"valueUri": «"example.org"}]}"#, linkID: "a", at: initial,
                "no whole address"),
            RefusedForm(
                #"{"linkId": "a", "type": "reference", "initial": [{"valueReference": «{"reference": "the doctor"}}]}"#,
                linkID: "a", at: initial, "no reference, like Patient/17"),
            RefusedForm(
                #"{"linkId": "a", "type": "reference", "initial": [{"valueReference": «{"reference": "Device/1"}}], "#
                    + #""extension": [\#(Extension.standard("questionnaire-referenceResource", #""valueCode": "Patient""#))]}"#,
                linkID: "a", at: initial, "refers to another type of resource"),
            RefusedForm(quantity(#"«{"unit": "kW"}"#), linkID: "a", at: initial, "needs a 'value'"),
            RefusedForm(
                quantity(#"«{"value": 1, "unit": "PS"}"#, kilowatts), linkID: "a", at: initial, "The unit"),
            RefusedForm(
                quantity(#"«{"value": 1, "system": "t", "code": "kW"}"#, kilowatts), linkID: "a", at: initial,
                "The unit"),
            RefusedForm(
                quantity(#"«{"value": 1.25}"#, Extension.standard("maxDecimalPlaces", #""valueInteger": 1"#)),
                linkID: "a", at: initial, "maxDecimalPlaces"),
            RefusedForm(
                #"{"linkId": "a", "type": "decimal", "maxLength": 3, "initial": [{"valueDecimal": «1.25}]}"#,
                linkID: "a", at: initial, "'maxLength'"),
            RefusedForm(
                #"{"linkId": "a", "type": "reference", "initial": [{"valueReference": «{"type": "Patient"}}]}"#,
                linkID: "a", at: initial, "A reference needs"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "extension": ["#
                    + Extension.standard("regex", #""valueString": "x*""#)
                    + #"], "initial": [{"valueString": «"\#(String(repeating: "x", count: 4097))"}]}"#,
                linkID: "a", at: initial, "at most 4096 characters"),
            RefusedForm(
                choice(
                    #"«"answerOption": [{"valueInteger": 1, "initialSelected": true}, "#
                        + #"{"valueInteger": 2, "initialSelected": true}], "extension": ["#
                        + Extension.standard("questionnaire-maxOccurs", #""valueInteger": 1"#) + "]"),
                linkID: "a", at: "item[0].answerOption", "More options are selected"),
            RefusedForm(
                #"{"linkId": "a", "type": "integer", «"answerOption": [{"valueInteger": 12, "initialSelected": true}], "#
                    + #""maxLength": 1}"#,
                linkID: "a", at: "item[0].answerOption", "'maxLength'"),
            RefusedForm(
                choice(#""answerOption": [{"valueReference": «{"type": "Patient"}}]"#), linkID: "a",
                at: "item[0].answerOption[0].value", "A reference needs"),
        ])
    func refusals(form: RefusedForm) throws {
        try form.expectRefusal()
    }

    @Test("several initial values of a value set have to be allowed together")
    func together() throws {
        func errors(_ codes: String...) throws -> [String] {
            let initial = codes.map { #"{"valueCoding": {"system": "s", "code": "\#($0)"}}"# }.joined(separator: ",")
            let exclusive = Extension.standard("questionnaire-optionExclusive", #""valueBoolean": true"#)
            let more = """
                "contained": [{"resourceType": "ValueSet", "id": "v", "status": "active", "compose": {"include": [
                {"system": "s", "concept": [{"code": "a"}, {"code": "b"}, {"code": "no", "extension": [\(exclusive)]}]}
                ]}}],
                """
            let item = Self.choice(##""answerValueSet": "#v", "initial": [\##(initial)]"##)
            return try Form.read(Form.json(item, more: more)).problems.filter { $0.severity == .error }.map(\.message)
        }
        #expect(try errors("a", "b").isEmpty && errors("no").isEmpty)
        #expect(try errors("a", "no").first?.hasPrefix("An exclusive option") == true)
        #expect(try errors("a", "a").first?.hasPrefix("The same initial value") == true)
    }

    @Test(
        "a version that can't be part of a URL is refused",
        arguments: ["2026 May", "1|2", "1\\t2", "1\\u007F", "1\\u00A02", "1\\u2028"])
    func version(_ version: String) throws {
        let text =
            #"{"resourceType": "Questionnaire", "status": "draft", "version": «"\#(version)", "item": [{"linkId": "q", "#
            + #""type": "string"}]}"#
        try RefusedForm(text, at: "version", "A version is without spaces").expectRefusal()
    }

    @Test(
        "a linkId with control characters in it is refused",
        arguments: [("\\t", "\t"), ("\\n", "\n"), ("\\u007F", "\u{7F}"), ("\\u0085", "\u{85}")])
    func linkID(_ written: String, _ character: String) throws {
        try RefusedForm(
            #"{"linkId": «"a\#(written)b", "type": "string"}"#, linkID: "a\(character)b", at: "item[0]",
            "control characters"
        ).expectRefusal()
    }

    @Test("a form that does not fit into one message is refused with that reason")
    func size() throws {
        func read(_ count: Int) throws -> (form: FormDescription?, problems: [FormProblem]) {
            let text = Form.json(
                #"{"linkId": "a", "type": "display", "text": "\#(String(repeating: "x", count: count))"}"#)
            return QuestionnaireReader(fallbackName: "f").form(try FHIRNode(json: Array(text.utf8)))
        }
        #expect(try read(3_600_000).form != nil)
        let (form, problems) = try read(3_700_000)
        #expect(form == nil)
        #expect(problems.map(\.severity) == [.error])
        #expect(problems.first?.message.contains("may have at most 3670016") == true)
    }
}
