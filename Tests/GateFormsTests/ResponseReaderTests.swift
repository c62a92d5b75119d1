import GateForms
import GateModel
import Testing

/// A response in a test, good or bad.
struct ResponseCase: CustomTestStringConvertible {
    /// Its items.
    var items: String
    /// "item[0]"; `nil`: nothing is wrong with it.
    var path: String?
    var code: FormIssue.Code?

    var testDescription: String { items }

    init(_ items: String, _ code: FormIssue.Code? = nil, at path: String? = nil) {
        self.items = items
        self.code = code
        self.path = path.map { "QuestionnaireResponse.\($0)" }
    }
}

@Suite("Reading a response")
struct ResponseReaderTests {
    private func read(_ text: String) -> ResponseReading {
        ResponseReader().response(Array(text.utf8))
    }

    private func response(_ items: String, more: String = "") -> String {
        #"{"resourceType": "QuestionnaireResponse", "status": "completed",\#(more) "item": [\#(items)]}"#
    }

    @Test("what may contain bytes comes from outside, and has so many combining marks in a row, and no more")
    func marks() throws {
        let sample = AttachmentDigest(bytes: Array(repeating: 1, count: 32))!
        let answers = Array(#"[{"valueString": "e\#(String(repeating: "\u{301}", count: 129))"}]"#.utf8)
        #expect(throws: FormProblem.self) { try ResponseReader { _ in sample }.answers(answers) }
        #expect(try ResponseReader().answers(answers).values.count == 1)
    }

    @Test("a response is read completely")
    func whole() throws {
        let reading = read(
            response(
                """
                {"linkId": "g", "text": "Group", "item": [
                    {"linkId": "q", "answer": [
                        {"valueString": "Anna", "item": [{"linkId": "r", "answer": [{"valueBoolean": true}]}]},
                        {"valueString": "Bert"}]}]}
                """, more: #" "questionnaire": "https://example.org/q|2", "authored": "2024-05-31T12:00:00Z","#))
        #expect(reading.issues.isEmpty)
        let response = try #require(reading.response)
        #expect(
            response
                == QuestionnaireResponse(
                    questionnaire: "https://example.org/q|2", status: .completed, authored: "2024-05-31T12:00:00Z",
                    items: [
                        QuestionnaireResponseItem(
                            linkID: "g", text: "Group",
                            items: [
                                QuestionnaireResponseItem(
                                    linkID: "q",
                                    answers: [
                                        QuestionnaireResponseAnswer(
                                            .string("Anna"),
                                            items: [
                                                QuestionnaireResponseItem(
                                                    linkID: "r", answers: [QuestionnaireResponseAnswer(.boolean(true))])
                                            ]),
                                        QuestionnaireResponseAnswer(.string("Bert")),
                                    ])
                            ])
                    ]))
        #expect(read(String(decoding: ResponseWriter.json(response), as: UTF8.self)).response == response)
    }

    @Test("every status of R4 is read, and no other")
    func status() {
        func read(_ status: String) -> ResponseReading {
            self.read(#"{"resourceType": "QuestionnaireResponse", "status": "\#(status)"}"#)
        }
        for status in QuestionnaireResponse.Status.allCases {
            let reading = read(status.rawValue)
            #expect(reading.issues.isEmpty)
            #expect(reading.response?.status == status)
        }
        let reading = read("complete")
        #expect(reading.issues.map(\.code) == [.codeInvalid])
        #expect(reading.issues.map(\.path) == ["QuestionnaireResponse.status"])
        #expect(reading.issues.first?.message.contains("Did you mean 'completed'?") ?? false)
        let missing = self.read(#"{"resourceType": "QuestionnaireResponse"}"#)
        #expect(missing.issues.map(\.code) == [.required])
        #expect(missing.response?.status == .inProgress)
    }

    @Test(
        "a file that is not a response gives one issue and no response",
        arguments: [
            "", "{", "[]", "null", "{}", #"{"resourceType": "Questionnaire", "status": "draft"}"#,
            #"{"resourceType": "QuestionnaireResponse", "status": "completed", "status": "completed"}"#,
        ])
    func unreadable(_ text: String) {
        let reading = read(text)
        #expect(reading.response == nil)
        #expect(reading.issues.map(\.severity) == [.error])
        #expect(reading.issues.map(\.path) == ["QuestionnaireResponse"])
    }

    @Test("malformed JSON is reported with line and column")
    func place() {
        #expect(read("{\n  x}").issues.first?.message.hasPrefix("Line 2, column 3: ") ?? false)
    }

    @Test(
        "a resource built as R4 says has no errors, and others have them at their places",
        arguments: [
            // linkId
            ResponseCase(#"{"linkId": "a"}"#),
            ResponseCase(#"{"text": "x"}"#, .required, at: "item[0]"),
            ResponseCase(#"{"linkId": 5}"#, .structure, at: "item[0].linkId"),
            ResponseCase(#"{"linkId": ""}"#, .structure, at: "item[0].linkId"),
            // Unknown elements
            ResponseCase(#"{"linkId": "a", "text": "x"}"#),
            ResponseCase(#"{"linkId": "a", "txt": "x"}"#, .structure, at: "item[0]"),
            ResponseCase(
                #"{"linkId": "a", "answer": [{"valueString": "x", "value": "y"}]}"#, .structure, at: "item[0].answer[0]"
            ),
            // Lists
            ResponseCase(#"{"linkId": "a", "answer": [{"valueString": "x"}, {"valueString": "y"}]}"#),
            ResponseCase(#"{"linkId": "a", "answer": {"valueString": "x"}}"#, .structure, at: "item[0].answer"),
            ResponseCase(#"{"linkId": "a", "answer": []}"#, .structure, at: "item[0].answer"),
            ResponseCase(#"{"linkId": "a", "item": []}"#, .structure, at: "item[0].item"),
            ResponseCase(#"{"linkId": "a", "answer": [{}]}"#, .structure, at: "item[0].answer[0]"),
            ResponseCase(#"{"linkId": "a", "answer": [null]}"#, .structure, at: "item[0].answer[0]"),
            ResponseCase(#"{"linkId": "a", "answer": ["x"]}"#, .structure, at: "item[0].answer[0]"),
            ResponseCase(#"{"linkId": "a", "text": ["x"]}"#, .structure, at: "item[0].text"),
            ResponseCase(#"{"linkId": "a", "text": null}"#, .structure, at: "item[0].text"),
            ResponseCase("{}", .structure, at: "item[0]"),
            ResponseCase(#"{"id": "x"}"#, .structure, at: "item[0]"),
            ResponseCase(
                #"{"linkId": "a", "answer": [{"valueReference": {"identifier": {"value": "x"}}}]}"#, .notSupported,
                at: "item[0].answer[0].value"),
            // value[x]
            ResponseCase(
                #"{"linkId": "a", "answer": [{"valueString": "x", "valueInteger": 1}]}"#, .structure,
                at: "item[0].answer[0]"),
            ResponseCase(#"{"linkId": "a", "answer": [{"valueCode": "x"}]}"#, .structure, at: "item[0].answer[0]"),
            // qrs-1
            ResponseCase(
                #"{"linkId": "a", "answer": [{"valueString": "x", "item": [{"linkId": "b"}]}]}"#),
            ResponseCase(
                #"{"linkId": "a", "answer": [{"valueString": "x"}], "item": [{"linkId": "b"}]}"#, .structure,
                at: "item[0]"),
        ])
    func structure(_ item: ResponseCase) {
        expect(item)
    }

    @Test(
        "values are written as their type asks for",
        arguments: [
            (#""valueBoolean": true"#, #""valueBoolean": "true""#), (#""valueBoolean": false"#, #""valueBoolean": 0"#),
            (#""valueInteger": -5"#, #""valueInteger": "5""#), (#""valueInteger": 0"#, #""valueInteger": 5.0"#),
            (#""valueInteger": 2147483647"#, #""valueInteger": 2147483648"#),
            (#""valueInteger": -2147483648"#, #""valueInteger": 1e3"#),
            (#""valueDecimal": 1.50"#, #""valueDecimal": "1.50""#),
            (#""valueDecimal": 1e-3"#, #""valueDecimal": true"#),
            (#""valueString": "x""#, #""valueString": 5"#),
            (#""valueString": "a\nb\tc""#, #""valueString": "a\u0001""#),
            (#""valueString": " ""#, #""valueString": """#),
            (#""valueUri": "https://example.org""#, #""valueUri": "https://example.org/a b""#),
            (#""valueUri": "x""#, #""valueUri": 5"#),
            (#""valueDate": "2024""#, #""valueDate": "24""#), (#""valueDate": "2024-02""#, #""valueDate": "2024-13""#),
            (#""valueDate": "2024-02-29""#, #""valueDate": "2023-02-29""#),
            (#""valueDate": "2024-01-01""#, #""valueDate": "2024-01-01T00:00:00Z""#),
            (#""valueDateTime": "2024-01-01T10:00:00Z""#, #""valueDateTime": "2024-01-01T10:00:00""#),
            (#""valueDateTime": "2024-01-01T10:00:00.5+02:00""#, #""valueDateTime": "2024-01-01 10:00:00Z""#),
            (#""valueTime": "10:00:00""#, #""valueTime": "10:00""#),
            (#""valueTime": "23:59:59.9""#, #""valueTime": "24:00:00""#),
            (#""valueCoding": {"code": "x"}"#, #""valueCoding": {"code": " x"}"#),
            (#""valueCoding": {"system": "s", "display": "x"}"#, #""valueCoding": "x""#),
            (#""valueCoding": {"code": "x", "version": "1"}"#, #""valueCoding": {}"#),
            (#""valueQuantity": {"value": 75, "unit": "kW"}"#, #""valueQuantity": {"value": "75"}"#),
            (
                #""valueQuantity": {"value": 75, "comparator": "<"}"#,
                #""valueQuantity": {"value": 75, "comparator": "!"}"#
            ),
            (
                #""valueQuantity": {"value": 75, "system": "http://unitsofmeasure.org", "code": "kW"}"#,
                #""valueQuantity": {"value": 75, "code": "kW"}"#
            ),
            (#""valueReference": {"reference": "Patient/1"}"#, #""valueReference": {"ref": "Patient/1"}"#),
            (#""valueReference": {"display": "Anna", "type": "Patient"}"#, #""valueReference": "Patient/1""#),
        ])
    func primitives(_ good: String, _ bad: String) throws {
        let read = read(response(#"{"linkId": "a", "answer": [{\#(good)}]}"#))
        #expect(read.issues.isEmpty)
        #expect(read.response?.items.first?.answers.first?.value != nil)
        let refused = self.read(response(#"{"linkId": "a", "answer": [{\#(bad)}]}"#))
        #expect(refused.issues.map(\.severity) == [.error])
        #expect(refused.issues.first?.path.hasPrefix("QuestionnaireResponse.item[0].answer[0].value") ?? false)
        #expect(refused.issues.first?.linkID == "a")
    }

    private func expect(_ item: ResponseCase, _ location: SourceLocation = #_sourceLocation) {
        let reading = read(response(item.items))
        let errors = reading.issues.filter { $0.severity == .error }
        #expect(reading.response != nil, sourceLocation: location)
        #expect(errors.map(\.path) == (item.path.map { [$0] } ?? []), sourceLocation: location)
        #expect(errors.map(\.code) == (item.code.map { [$0] } ?? []), sourceLocation: location)
    }

    @Test("elements of R4 that Gate does not keep are reported, but not as errors")
    func notKept() {
        let reading = read(
            response(
                #"{"linkId": "a", "definition": "x", "#
                    + #""answer": [{"valueCoding": {"code": "x", "userSelected": true}}]}"#,
                more: """
                     "id": "x", "subject": {"reference": "Patient/1"}, "identifier": {"system": "s", "value": "v"},
                    "meta": {"profile": ["p"]}, "text": {"status": "generated", "div": "<div/>"},
                    "author": {"display": "Anna", "identifier": {"use": "usual", "period": {"start": "2024"}}},
                    """))
        #expect(!reading.issues.isEmpty)
        #expect(reading.issues.allSatisfy { $0.severity == .information && $0.code == .notSupported })
        #expect(reading.response?.items[0].answers[0].value == .coding(FormCoding(code: "x")))
    }

    @Test("extensions are told as a warning, modifier extensions and implicit rules refused")
    func extensions() {
        let plain = read(
            response(#"{"linkId": "a", "extension": [{"url": "https://example.org/x", "valueInteger": 1}]}"#))
        #expect(plain.issues.map(\.severity) == [.warning])
        #expect(plain.issues.map(\.code) == [.notSupported])
        #expect(plain.issues.map(\.path) == ["QuestionnaireResponse.item[0].extension[0]"])
        let modifier = read(
            response(#"{"linkId": "a", "modifierExtension": [{"url": "https://example.org/x", "valueInteger": 1}]}"#))
        #expect(modifier.issues.contains { $0.severity == .error && $0.code == .notSupported })
        let rules = read(response(#"{"linkId": "a"}"#, more: #" "implicitRules": "https://example.org/x","#))
        #expect(rules.issues.contains { $0.severity == .error && $0.code == .notSupported })
        let empty = read(response(#"{"linkId": "a", "extension": [{"url": "https://example.org/x"}]}"#))
        #expect(empty.issues.contains { $0.severity == .error && $0.code == .invariant })
    }

    @Test("a sibling with an underscore belongs to a primitive, and has an id or extensions")
    func siblings() {
        func issues(_ more: String) -> [FormIssue] { read(response(#"{"linkId": "a", \#(more)}"#)).issues }
        #expect(issues(#""text": "y", "_text": {"id": "x"}"#).map(\.severity) == [.warning])
        #expect(issues(#""_text": {"id": "x"}"#).contains { $0.severity == .error })
        #expect(
            issues(#""text": "x", "_text": {"extension": [{"url": "y", "valueCode": "z"}]}"#).map(\.severity) == [
                .warning
            ])
        #expect(issues(#""_text": {"value": "x"}"#).contains { $0.severity == .error })
        #expect(issues(#""_text": null"#).contains { $0.severity == .error })
        #expect(issues(#""_txt": {"id": "x"}"#).contains { $0.severity == .error })
        #expect(issues(#""_answer": {"id": "x"}"#).contains { $0.severity == .error })
        #expect(issues(#""_item": [{"id": "x"}]"#).contains { $0.severity == .error })
        #expect(issues(#""_resourceType": {"id": "x"}"#).contains { $0.severity == .error })
    }

    @Test("a null in a list of primitives needs a sibling in the same place")
    func nulls() {
        func issues(_ more: String) -> [FormIssue] {
            read(response(#"{"linkId": "a"}"#, more: #" "meta": {\#(more)},"#)).issues.filter { $0.severity == .error }
        }
        #expect(issues(#""profile": ["a", null], "_profile": [null, {"id": "x"}]"#).isEmpty)
        #expect(issues(#""profile": ["a", null]"#).count == 1)
        #expect(issues(#""profile": ["a", null], "_profile": [{"id": "x"}, null]"#).count == 1)
    }

    @Test("an answer that can't be read stays in its place without a value")
    func placesStay() throws {
        let reading = read(
            response(
                #"{"linkId": "a", "answer": [{"valueDate": "x"}, {"valueDate": "2024"}]}, {"text": "x"}, "#
                    + #"{"linkId": "c"}"#
            ))
        let items = try #require(reading.response).items
        #expect(items.map(\.linkID) == ["a", "", "c"])
        #expect(items[0].answers.map(\.value) == [nil, FormDate("2024").map(FormValue.date)])
    }

    @Test("rules do not repeat an issue about a place that could not be read")
    func joined() {
        let reading = read(response(#"{"linkId": "a", "answer": [{"valueDate": "x"}]}, {"linkId": "b"}"#))
        let answer = "QuestionnaireResponse.item[0].answer[0]"
        let rules = [
            FormIssue(.error, .required, at: answer, linkID: "a", "There is no value."),
            FormIssue(.error, .structure, at: "QuestionnaireResponse.item[0]", linkID: "a", "It is out of order."),
            FormIssue(.error, .required, at: "QuestionnaireResponse", linkID: nil, "One is missing."),
        ]
        #expect(
            reading.issues(with: rules).map(\.path)
                == ["\(answer).value", "QuestionnaireResponse.item[0]", "QuestionnaireResponse"])
    }

    @Test("at most 500 issues are reported")
    func manyIssues() {
        let items = Array(repeating: "{}", count: 5000).joined(separator: ",")
        #expect(read(response(items)).issues.count == 500)
    }
}
