import GateForms
import GateModel
import Testing

/// One form that is refused: `«` stands before what is wrong.
struct RefusedForm: CustomTestStringConvertible {
    /// The form's items in JSON, or the whole form.
    var text: String
    var linkID: String?
    /// "item[0].enableWhen[0]".
    var path: String
    /// A part of the message.
    var message: String

    var testDescription: String { message }

    init(_ text: String, linkID: String? = nil, at path: String, _ message: String) {
        self.text = text.contains("resourceType") ? text : Form.json(text)
        self.linkID = linkID
        self.path = path.isEmpty ? "Questionnaire" : "Questionnaire.\(path)"
        self.message = message
    }

    func expectRefusal(_ location: SourceLocation = #_sourceLocation) throws {
        let (questionnaire, problems) = try Form.read(text)
        #expect(questionnaire == nil, sourceLocation: location)
        let errors = problems.filter { $0.severity == .error }
        #expect(
            errors.contains { problem in
                problem.message.contains(message) && problem.linkID == linkID && problem.path == path
                    && problem.place == MarkedText(text).place
            }, "\(text): \(errors)", sourceLocation: location)
        #expect(errors.count == 1, "\(errors)", sourceLocation: location)
    }
}

@Suite("Problems of a questionnaire")
struct QuestionnaireProblemTests {
    static let manyOptions = (0...1000).map { #"{"valueInteger": \#($0)}"# }.joined(separator: ",")
    static let string = #"{"linkId": "q", "type": "string"}"#

    @Test(
        "unknown, missing or malformed elements are refused with their place and linkId",
        arguments: [
            RefusedForm(#"«{"type": "string"}"#, at: "item[0]", "'linkId' is missing"),
            RefusedForm(#"{"linkId": «"", "type": "string"}"#, at: "item[0].linkId", "'linkId' is empty"),
            RefusedForm(#"«{"linkId": "a"}"#, linkID: "a", at: "item[0]", "'type' is missing"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", «"maxlenght": 5}"#, linkID: "a", at: "item[0]",
                "Did you mean 'maxLength'?"),
            RefusedForm(
                #"{«"linkid": "a", "type": "string"}"#, at: "item[0]", "Did you mean 'linkId'?"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "required": «"true"}"#, linkID: "a", at: "item[0].required",
                "without quotes"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "maxLength": «1.5}"#, linkID: "a", at: "item[0].maxLength",
                "whole number"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "maxLength": «0}"#, linkID: "a", at: "item[0].maxLength",
                "1 or more"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "initial": «{"valueString": "x"}}"#, linkID: "a",
                at: "item[0].initial", "Put it in brackets"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "initial": «[]}"#, linkID: "a", at: "item[0].initial",
                "Leave it out"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "text": «["x"]}"#, linkID: "a", at: "item[0].text", "not a list"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "initial": [«{}]}"#, linkID: "a", at: "item[0].initial[0]", "empt"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "initial": [{"valueString": "x", «"valueInteger": 1}]}"#,
                linkID: "a", at: "item[0].initial[0]", "may be only one"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "initial": [{«"valueInt": 1}]}"#, linkID: "a",
                at: "item[0].initial[0]", "There is 'valueAttachment'"),
            RefusedForm(
                #"{"linkId": "a", "type": "date", "initial": [{"valueDate": «"2024-02-30"}]}"#, linkID: "a",
                at: "item[0].initial[0].value", "a date that there is"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "text": «null}"#, linkID: "a", at: "item[0].text", "not null"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", «"modifierExtension": [{"url": "x", "valueString": "y"}]}"#,
                linkID: "a", at: "item[0]", "modifier extension"),
            RefusedForm(
                #"{"resourceType": "Questionnaire", "status": "draft", «"implicitRules": "x", "item": [\#(string)]}"#,
                at: "", "implicit rules"),
            RefusedForm(#"«{"resourceType": "Questionnaire", "item": [\#(string)]}"#, at: "", "'status' is missing"),
            RefusedForm(
                #"{"resourceType": "Questionnaire", "status": «"activ", "item": [\#(string)]}"#, at: "status",
                "Did you mean 'active'?"),
            RefusedForm(
                #"{"resourceType": "Questionnaire", "id": «"a b", "status": "draft", "item": [\#(string)]}"#, at: "id",
                "64 letters"),
            RefusedForm(#"«{"resourceType": "Questionnaire", "status": "draft"}"#, at: "", "has no items"),
            RefusedForm(
                #"{"resourceType": "Questionnaire", "status": "draft", "version": «"1|2", "item": [\#(string)]}"#,
                at: "version", "'|'"),
            RefusedForm(
                #"{"resourceType": «"questionnaire", "status": "draft", "item": [\#(string)]}"#, at: "",
                "'Questionnaire', not 'questionnaire'"),
        ])
    func structure(_ form: RefusedForm) throws {
        try form.expectRefusal()
    }

    @Test(
        "R4's invariants, and the rules of linkIds and types, are checked",
        arguments: [
            // que-1
            RefusedForm(#"«{"linkId": "a", "type": "group"}"#, linkID: "a", at: "item[0]", "A group has items"),
            RefusedForm(
                #"{"linkId": "a", "type": "display", "text": "x", «"item": [\#(string)]}"#, linkID: "a",
                at: "item[0].item", "A display has no items"),
            // que-2
            RefusedForm(
                #"{"linkId": "a", "type": "string"}, {"linkId": «"a", "type": "string"}"#, linkID: "a", at: "item[1]",
                "twice, first in line 2"),
            // que-3
            RefusedForm(
                #"{"linkId": "a", "type": "display", "text": "x", «"code": [{"code": "y"}]}"#, linkID: "a",
                at: "item[0].code", "no code"),
            // que-4
            RefusedForm(
                #"{"linkId": "a", "type": "choice", "answerOption": [{"valueInteger": 1}], «"answerValueSet": "x"}"#,
                linkID: "a", at: "item[0].answerValueSet", "Keep one"),
            // que-5
            RefusedForm(
                #"{"linkId": "a", "type": "boolean", «"answerOption": [{"valueInteger": 1}]}"#, linkID: "a",
                at: "item[0].answerOption", "no options"),
            RefusedForm(
                #"{"linkId": "a", "type": "text", «"answerValueSet": "x"}"#, linkID: "a", at: "item[0].answerValueSet",
                "no value set"),
            // que-6
            RefusedForm(
                #"{"linkId": "a", "type": "display", "text": "x", «"required": false}"#, linkID: "a",
                at: "item[0].required", "required"),
            RefusedForm(
                #"{"linkId": "a", "type": "display", "text": "x", «"repeats": true}"#, linkID: "a",
                at: "item[0].repeats", "repeat"),
            // que-8
            RefusedForm(
                #"{"linkId": "a", "type": "group", «"initial": [{"valueInteger": 1}], "item": [\#(string)]}"#,
                linkID: "a", at: "item[0].initial", "no answer"),
            RefusedForm(
                #"{"linkId": "a", "type": "display", "text": "x", «"initial": [{"valueInteger": 1}]}"#, linkID: "a",
                at: "item[0].initial", "no answer"),
            // que-9
            RefusedForm(
                #"{"linkId": "a", "type": "display", "text": "x", «"readOnly": true}"#, linkID: "a",
                at: "item[0].readOnly", "read-only"),
            // que-10
            RefusedForm(
                #"{"linkId": "a", "type": "date", «"maxLength": 4}"#, linkID: "a", at: "item[0].maxLength",
                "no 'maxLength'"),
            // que-11
            RefusedForm(
                #"{"linkId": "a", "type": "integer", "answerOption": [{"valueInteger": 1}], «"initial": "#
                    + #"[{"valueInteger": 1}]}"#,
                linkID: "a", at: "item[0].initial", "initialSelected"),
            // que-13
            RefusedForm(
                #"{"linkId": "a", "type": "string", «"initial": [{"valueString": "x"}, {"valueString": "y"}]}"#,
                linkID: "a", at: "item[0].initial", "Add 'repeats'"),
            RefusedForm(
                #"{"linkId": «"a/b", "type": "string"}"#, linkID: "a/b", at: "item[0]", "without '/'"),
            RefusedForm(
                #"{"linkId": «"a[0]", "type": "string"}"#, linkID: "a[0]", at: "item[0]", "without '/'"),
            RefusedForm(
                #"{"linkId": «"\#(String(repeating: "x", count: 256))", "type": "string"}"#,
                linkID: String(repeating: "x", count: 256), at: "item[0]", "255 bytes"),
            RefusedForm(
                #"{"linkId": "a", "type": «"strng"}"#, linkID: "a", at: "item[0]", "Did you mean 'string'?"),
            RefusedForm(
                #"{"linkId": "a", "type": «"question"}"#, linkID: "a", at: "item[0]", "'question' is not a type"),
            RefusedForm(#"{"linkId": "a", "type": «"coding"}"#, linkID: "a", at: "item[0]", "Write 'choice'"),
        ])
    func invariants(_ form: RefusedForm) throws {
        try form.expectRefusal()
    }

    @Test(
        "options and initial values have to fit their item",
        arguments: [
            RefusedForm(#"«{"linkId": "a", "type": "choice"}"#, linkID: "a", at: "item[0]", "nothing to choose from"),
            RefusedForm(
                #"{"linkId": "a", "type": "integer", "answerOption": [{"valueString": «"x"}]}"#, linkID: "a",
                at: "item[0].answerOption[0].value", "'valueInteger', not 'valueString'"),
            RefusedForm(
                #"{"linkId": "a", "type": "choice", "answerOption": [{"valueCoding": {"code": "x"}}, "#
                    + #"{"valueCoding": «{"code": "x", "display": "X"}}]}"#,
                linkID: "a", at: "item[0].answerOption[1].value", "twice"),
            RefusedForm(
                #"{"linkId": "a", "type": "choice", "answerOption": [{"valueCoding": «{"system": "x"}}]}"#, linkID: "a",
                at: "item[0].answerOption[0].value", "'code' or a 'display'"),
            RefusedForm(
                #"{"linkId": "a", "type": "integer", "answerOption": «[{"valueInteger": 1, "initialSelected": true}, "#
                    + #"{"valueInteger": 2, "initialSelected": true}]}"#,
                linkID: "a", at: "item[0].answerOption", "Several options are selected"),
            RefusedForm(
                #"{"linkId": "a", "type": "integer", «"answerOption": [\#(manyOptions)]}"#,
                linkID: "a", at: "item[0].answerOption", "1000 options"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "initial": [{"valueInteger": «1}]}"#, linkID: "a",
                at: "item[0].initial[0].value", "'valueString', not 'valueInteger'"),
            RefusedForm(
                #"{"linkId": "a", "type": "attachment", "initial": [{"valueAttachment": «{"title": "x"}}]}"#,
                linkID: "a", at: "item[0].initial[0].value", "no initial value"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "maxLength": 2, "initial": [{"valueString": «"abc"}]}"#,
                linkID: "a",
                at: "item[0].initial[0].value", "longer than 'maxLength'"),
            RefusedForm(
                #"{"linkId": "a", "type": "quantity", "initial": [{"valueQuantity": «{"extension": [{"url": "x", "#
                    + #""valueCode": "y"}]}}]}"#,
                linkID: "a", at: "item[0].initial[0].value", "nothing in it that Gate keeps"),
            RefusedForm(
                #"{"linkId": "a", "type": "choice", "answerValueSet": «"http://example.org/vs"}"#,
                linkID: "a", at: "item[0].answerValueSet", "no terminology server"),
            RefusedForm(
                ##"{"linkId": "a", "type": "choice", "answerValueSet": «"#yesno"}"##, linkID: "a",
                at: "item[0].answerValueSet", "no value set 'yesno'"),
        ])
    func options(_ form: RefusedForm) throws {
        try form.expectRefusal()
    }

    private static func when(_ type: String, _ condition: String, more: String = "") -> String {
        #"{"linkId": "q", "type": "\#(type)"\#(more)}, "#
            + #"{"linkId": "a", "type": "string", "enableWhen": [{\#(condition)}]}"#
    }

    @Test(
        "conditions have to name existing questions, and compare comparable values",
        arguments: [
            RefusedForm(
                when("string", #""question": «"p", "operator": "=", "answerString": "x""#), linkID: "a",
                at: "item[1].enableWhen[0].question", "no item 'p'. Did you mean"),
            RefusedForm(
                when("string", #""question": «"a", "operator": "=", "answerString": "x""#), linkID: "a",
                at: "item[1].enableWhen[0].question", "can't depend on itself"),
            RefusedForm(
                when(
                    "display", #""question": «"q", "operator": "exists", "answerBoolean": true"#,
                    more: #", "text": "x""#),
                linkID: "a", at: "item[1].enableWhen[0].question", "is a display"),
            RefusedForm(
                when("string", #""question": "q", "operator": «"==", "answerString": "x""#), linkID: "a",
                at: "item[1].enableWhen[0].operator", "no operator '=='"),
            // que-7
            RefusedForm(
                when("string", #""question": "q", "operator": "exists", "answerString": «"x""#), linkID: "a",
                at: "item[1].enableWhen[0].answer", "answerBoolean"),
            RefusedForm(
                when("string", #""question": "q", "operator": "=", "answerInteger": «5"#), linkID: "a",
                at: "item[1].enableWhen[0].answer", "'answerString', not 'answerInteger'"),
            RefusedForm(
                when("decimal", #""question": "q", "operator": ">", "answerInteger": «5"#), linkID: "a",
                at: "item[1].enableWhen[0].answer", "'answerDecimal'"),
            RefusedForm(
                when("boolean", #""question": "q", "operator": «">", "answerBoolean": true"#), linkID: "a",
                at: "item[1].enableWhen[0].operator", "Write '=' or '!='"),
            RefusedForm(
                when("attachment", #""question": "q", "operator": «"=", "answerString": "x""#), linkID: "a",
                at: "item[1].enableWhen[0].operator", "'exists'"),
            RefusedForm(
                when("string", #""question": "q", "operator": "=""#).replacing("[{", with: "[«{"), linkID: "a",
                at: "item[1].enableWhen[0]", "answer is missing"),
            // que-12
            RefusedForm(
                #"{"linkId": "q", "type": "string"}, {"linkId": "a", "type": "string", "enableWhen": «["#
                    + #"{"question": "q", "operator": "=", "answerString": "x"}, "#
                    + #"{"question": "q", "operator": "=", "answerString": "y"}]}"#,
                linkID: "a", at: "item[1]", "'all' or 'any'"),
            RefusedForm(
                #"{"linkId": "a", "type": "string", "enableBehavior": «"some"}"#, linkID: "a",
                at: "item[0].enableBehavior", "'all' or 'any'"),
        ])
    func conditions(_ form: RefusedForm) throws {
        try form.expectRefusal()
    }

    private static func hangs(_ linkID: String, on other: String, mark: String = "", more: String = "") -> String {
        #"{"linkId": \#(mark)"\#(linkID)", "type": "string", "enableWhen": [{"question": "\#(other)", "#
            + #""operator": "exists", "answerBoolean": true}]\#(more)}"#
    }

    private static func child(_ linkID: String, of parents: String, mark: String = "", more: String = "") -> String {
        #"{"linkId": \#(mark)"\#(linkID)", "type": "string", "extension": [\#(parents)]\#(more)}"#
    }

    @Test(
        "conditions and parents in a circle are refused, and the message shows the circle",
        arguments: [
            RefusedForm(
                hangs("a", on: "b", mark: "«") + "," + hangs("b", on: "c") + "," + hangs("c", on: "a"), linkID: "a",
                at: "", "conditions form a circle: a → b → c → a"),
            RefusedForm(
                hangs("a", on: "b", mark: "«", more: #", "item": [{"linkId": "b", "type": "string"}]"#), linkID: "a",
                at: "", "a → b → a"),
            RefusedForm(
                child("a", of: Extension.parents("b"), mark: "«") + "," + child("b", of: Extension.parents("a")),
                linkID: "a", at: "", "parents form a circle: a → b → a"),
            RefusedForm(
                child(
                    "a", of: Extension.parents("b"), mark: "«", more: #", "item": [{"linkId": "b", "type": "date"}]"#),
                linkID: "a", at: "", "a → b → a"),
            RefusedForm(
                child("a", of: Extension.parents("a").replacing(#": "a""#, with: #": «"a""#)), linkID: "a",
                at: "item[0].extension[0]", "can't depend on itself"),
            RefusedForm(
                child("a", of: Extension.parents("x").replacing(#": "x""#, with: #": «"x""#)), linkID: "a",
                at: "item[0].extension[0]", "no item 'x'"),
        ])
    func circles(_ form: RefusedForm) throws {
        try form.expectRefusal()
    }

    @Test("conditions and parents without a circle are accepted")
    func noCircles() throws {
        let items = try Form.items(
            Self.hangs("a", on: "b") + ","
                + Self.hangs("b", on: "c", more: #", "item": [\#(Self.hangs("d", on: "b"))]"#)
                + "," + Self.child("c", of: Extension.parents("e", "f")) + ","
                + Self.child("e", of: Extension.parents("f")) + "," + #"{"linkId": "f", "type": "string"}"#)
        #expect(items.count == 5)
    }
}
