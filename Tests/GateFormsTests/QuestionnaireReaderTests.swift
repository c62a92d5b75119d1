import GateForms
import GateModel
import Testing

@Suite("Reading a questionnaire")
struct QuestionnaireReaderTests {
    @Test("a form's own metadata is kept (F-46)")
    func metadata() throws {
        let (questionnaire, problems) = try Form.read(
            Form.json(
                #"{"linkId": "a", "type": "string"}"#,
                more: """
                     "url": "https://example.org/consent", "version": "2", "name": "Consent", "title": "Your consent",
                    "description": "What it is about.",
                    "extension": [\(Extension.gate("completed-by", #""valueCode": "grown-up""#))],
                    """))
        #expect(problems.isEmpty)
        let form = try #require(questionnaire)
        #expect(form.name == "trial")
        #expect(form.canonical == "https://example.org/consent|2")
        #expect(form.title == "Your consent")
        #expect(form.description == "What it is about.")
        #expect(form.completedBy == .grownUp)
    }

    @Test("a form without an id gets its file's name, also in its complete JSON")
    func fallbackName() throws {
        let node = try FHIRNode(
            json: Array(
                #"{"resourceType": "Questionnaire", "status": "draft", "item": [{"linkId": "a", "type": "string"}]}"#
                    .utf8))
        let (form, problems) = QuestionnaireReader(fallbackName: "order").form(node)
        #expect(problems.isEmpty)
        let description = try #require(form)
        #expect(description.questionnaire.name == "order")
        #expect(description.questionnaire.title == "order")
        #expect(description.questionnaire.completedBy == .anybody)
        #expect(
            String(decoding: description.json, as: UTF8.self)
                == #"{"resourceType":"Questionnaire","id":"order","status":"draft","item":"#
                + #"[{"linkId":"a","type":"string"}]}"#)
        let unnamed = QuestionnaireReader(fallbackName: "not a name").questionnaire(node)
        #expect(unnamed.questionnaire == nil)
        #expect(unnamed.problems.map(\.path) == ["Questionnaire"])
    }

    @Test("every type of R4 but the abstract one is read (F-28)")
    func types() throws {
        for kind in QuestionnaireItem.Kind.allCases {
            let more =
                switch kind {
                case .group: #", "item": [{"linkId": "b", "type": "string"}]"#
                case .display: #", "text": "Read this.""#
                case .choice, .openChoice: #", "answerOption": [{"valueCoding": {"code": "x"}}]"#
                case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .attachment,
                    .reference, .quantity:
                    ""
                }
            let items = try Form.items(#"{"linkId": "a", "type": "\#(kind.rawValue)"\#(more)}"#)
            #expect(items.map(\.kind) == [kind])
        }
    }

    @Test("all properties of an item are read")
    func item() throws {
        let items = try Form.items(
            """
            {"linkId": "sure", "type": "boolean", "text": "Sure?", "initial": [{"valueBoolean": true}]},
            {"linkId": "g", "type": "group", "repeats": true, "extension": [
                \(Extension.standard("questionnaire-minOccurs", #""valueInteger": 2"#)),
                \(Extension.standard("questionnaire-maxOccurs", #""valueInteger": 3"#))], "item": [
                {"linkId": "n", "prefix": "1", "text": "Name", "type": "string", "required": true, "readOnly": true,
                 "maxLength": 20, "enableBehavior": "any", "enableWhen": [
                    {"question": "sure", "operator": "=", "answerBoolean": true},
                    {"question": "sure", "operator": "exists", "answerBoolean": false}],
                 "extension": [\(Extension.parents("sure")),
                    \(Extension.standard("questionnaire-hidden", #""valueBoolean": true"#))]}]}
            """)
        #expect(items[0].initial == [.boolean(true)])
        #expect(items[1].repeats)
        #expect(items[1].constraints.minimumOccurs == 2)
        #expect(items[1].constraints.maximumOccurs == 3)
        let name = items[1].items[0]
        #expect(name.prefix == "1")
        #expect(name.text == "Name")
        #expect(name.isRequired && name.isReadOnly && name.isHidden)
        #expect(name.constraints.maximumLength == 20)
        #expect(name.enableBehavior == .any)
        #expect(
            name.enableWhen == [
                QuestionnaireEnableCondition(question: "sure", comparison: .equal, answer: .boolean(true)),
                QuestionnaireEnableCondition(question: "sure", comparison: .exists, answer: .boolean(false)),
            ])
        #expect(name.parents == ["sure"])
    }

    @Test("plain scalars of YAML are read as their element's type")
    func plainScalars() throws {
        func plain(_ entries: [(String, String)]) -> FHIRNode {
            FHIRNode(.object(entries.map { .init(key: $0, value: FHIRNode(.plain($1))) }))
        }
        let condition = plain([("question", "1"), ("operator", ">"), ("answerInteger", "17")])
        guard case .object(let second) = plain([("linkId", "2"), ("type", "string"), ("required", "true")]).content
        else { return }
        let enableWhen = FHIRNode.Entry(key: "enableWhen", value: FHIRNode(.array([condition])))
        let items = FHIRNode(
            .array([plain([("linkId", "1"), ("type", "integer")]), FHIRNode(.object(second + [enableWhen]))]))
        guard case .object(let head) = plain([("resourceType", "Questionnaire"), ("status", "draft")]).content
        else { return }
        let (questionnaire, problems) = QuestionnaireReader(fallbackName: "plain")
            .questionnaire(FHIRNode(.object(head + [.init(key: "item", value: items)])))
        #expect(problems.isEmpty)
        let read = try #require(questionnaire).items
        #expect(read.map(\.linkID) == ["1", "2"])
        #expect(read[1].isRequired)
        #expect(read[1].enableWhen.first?.answer == .integer(17))
    }

    @Test("options may be of many types, exclusive or selected")
    func options() throws {
        let exclusive = Extension.standard("questionnaire-optionExclusive", #""valueBoolean": true"#)
        let items = try Form.items(
            """
            {"linkId": "a", "type": "choice", "answerOption": [
                {"valueCoding": {"system": "https://example.org/s", "version": "1", "code": "x", "display": "X"},
                 "initialSelected": true},
                {"valueInteger": 5}, {"valueString": "other", "extension": [\(exclusive)]},
                {"valueDate": "2024"}, {"valueTime": "12:00:00"}, {"valueReference": {"reference": "Patient/1"}}]},
            {"linkId": "b", "type": "integer", "answerOption": [{"valueInteger": 1}, {"valueInteger": 2}]}
            """)
        let coding = FormCoding(system: "https://example.org/s", version: "1", code: "x", display: "X")
        #expect(items[0].options.count == 6)
        #expect(items[0].options[0] == QuestionnaireAnswerOption(.coding(coding), isInitiallySelected: true))
        #expect(items[0].options[2] == QuestionnaireAnswerOption(.string("other"), isExclusive: true))
        #expect(items[1].options.map(\.value) == [.integer(1), .integer(2)])
    }

    @Test("a condition on an address compares it with a text, as R4 has no address answers")
    func conditionOfAddress() throws {
        let items = try Form.items(
            """
            {"linkId": "a", "type": "url"},
            {"linkId": "b", "type": "string",
             "enableWhen": [{"question": "a", "operator": "=", "answerString": "https://example.org"}]}
            """)
        #expect(items[1].enableWhen[0].answer == .uri("https://example.org"))
    }

    @Test("all problems of a form are reported in order")
    func allProblems() throws {
        let (questionnaire, problems) = try Form.read(
            Form.json(
                """
                {"linkId": "a", "type": "strin"},
                {"linkId": "a", "type": "group"},
                {"linkId": "c", "type": "choice"}
                """))
        #expect(questionnaire == nil)
        #expect(problems.map(\.place?.line) == [2, 3, 3, 4])
        #expect(problems.map(\.linkID) == ["a", "a", "a", "c"])
        let many = Array(repeating: #"{"linkId": "a", "type": "group"}"#, count: 300).joined(separator: ",\n")
        #expect(try Form.read(Form.json(many)).problems.count == 100)
    }

    @Test("warnings do not refuse a form, and no number of them hides an error")
    func warnings() throws {
        let other = #""extension": [{"url": "https://example.org/x", "valueString": "y"}]"#
        let item = #"{"linkId": "a", "type": "string", \#(other)}"#
        let (questionnaire, problems) = try Form.read(Form.json(item))
        #expect(questionnaire != nil)
        #expect(problems.map(\.severity) == [.warning])
        #expect(problems.map(\.path) == ["Questionnaire.item[0].extension[0]"])
        let many = (0..<150).map { #"{"linkId": "\#($0)", "type": "string", \#(other)}"# } + [#"{"linkId": "z"}"#]
        let last = try Form.read(Form.json(many.joined(separator: ",\n")))
        #expect(last.questionnaire == nil)
        #expect(last.problems.last?.severity == .error)
    }

    @Test("as many items as there may be are read, and one more is refused")
    func itemLimit() throws {
        let items = (0..<20_000).map { #"{"linkId":"\#($0)","type":"string"}"# }
        #expect(try Form.read(Form.json(items.joined(separator: ","))).questionnaire?.items.count == 20_000)
        let one = #",{"linkId":"x","type":"string"}"#
        #expect(try Form.read(Form.json(items.joined(separator: ",") + one)).questionnaire == nil)
    }

    @Test("items are 32 deep and no deeper")
    func depthLimit() throws {
        func nested(_ depth: Int) -> String {
            (1..<depth).reversed().reduce(#"{"linkId": "q", "type": "string"}"#) { inner, level in
                #"{"linkId": "\#(level)", "type": "group", "item": [\#(inner)]}"#
            }
        }
        #expect(try Form.read(Form.json(nested(32))).questionnaire != nil)
        let deep = try Form.read(Form.json(nested(33)))
        #expect(deep.questionnaire == nil)
        #expect(deep.problems.count == 1)
    }

    @Test("a chain of conditions may be as long as there are items, and a circle of them is found")
    func longChains() throws {
        func chain(_ count: Int, first: Int) -> String {
            (0..<count).map { index in
                let before = index == 0 ? first : index - 1
                let when =
                    before < 0
                    ? "" : #","enableWhen":[{"question":"\#(before)","operator":"exists","answerBoolean":true}]"#
                return #"{"linkId":"\#(index)","type":"string"\#(when)}"#
            }.joined(separator: ",")
        }
        #expect(try Form.read(Form.json(chain(5000, first: -1))).questionnaire != nil)
        let circle = try Form.read(Form.json(chain(5000, first: 4999)))
        #expect(circle.questionnaire == nil)
        #expect(circle.problems.count == 1)
        #expect(circle.problems.first?.message.contains("…") ?? false)
    }

    @Test(
        "anything but a questionnaire is refused",
        arguments: ["[]", "1", "{}", #"{"resourceType": "Patient"}"#, #"{"resourceType": 5}"#])
    func otherResources(_ text: String) throws {
        let (questionnaire, problems) = try Form.read(text)
        #expect(questionnaire == nil)
        #expect(problems.count == 1)
    }
}
