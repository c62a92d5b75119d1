import GateForms
import GateModel
import Testing

@Suite("Answers by their linkIds (F-83)")
struct PlainAnswersTests {
    private static let form = Form.json(
        """
        {"linkId": "holder", "type": "group", "text": "Holder", "item": [
            {"linkId": "name", "type": "string", "text": "Name"},
            {"linkId": "member", "type": "boolean", "text": "A member?", "item": [
                {"linkId": "since", "type": "date", "text": "Since when?"}]}]},
        {"linkId": "colours", "type": "string", "text": "Colours", "repeats": true},
        {"linkId": "driver", "type": "group", "text": "Driver", "repeats": true, "item": [
            {"linkId": "driver-name", "type": "string", "text": "Name"},
            {"linkId": "accidents", "type": "integer", "text": "Accidents", "initial": [{"valueInteger": 0}]}]},
        {"linkId": "pet", "type": "string", "text": "Pets", "repeats": true, "item": [
            {"linkId": "age", "type": "integer", "text": "How old?"}]},
        {"linkId": "hint", "type": "display", "text": "Thank you."}
        """)

    private static func answers() throws -> PlainAnswers {
        let questionnaire = try #require(try Form.read(form).questionnaire)
        return PlainAnswers(to: questionnaire) { text, item throws(GateError) in
            try FormAnswerText(item: item).value(text)
        }
    }

    private static func json(_ response: QuestionnaireResponse) -> String {
        var lines: [String] = []
        func add(_ items: [QuestionnaireResponseItem], _ depth: Int) {
            for item in items {
                let values = item.answers.compactMap(\.value?.displayText).joined(separator: ", ")
                lines.append(
                    String(repeating: "  ", count: depth) + item.linkID + (values.isEmpty ? "" : ": \(values)"))
                add(item.items + item.answers.flatMap(\.items), depth + 1)
            }
        }
        add(response.items, 0)
        return lines.joined(separator: "\n")
    }

    private static func filled(_ text: String, over draft: QuestionnaireResponse? = nil) throws -> QuestionnaireResponse
    {
        var answers = try answers()
        return try answers.response(
            FHIRNode(json: Array(text.utf8), maximumBytes: 1 << 20),
            over: draft ?? QuestionnaireResponse(status: .inProgress))
    }

    @Test("groups may be left out or written, and repeating ones are lists")
    func shape() throws {
        let expected = """
            holder
              name: Anna
              member: Yes
                since: 2020-01-02
            colours: red, blue
            driver
              driver-name: Anna
            driver
              driver-name: Ben
              accidents: 2
            pet: Rex
            """
        let flat = """
            {"name": "Anna", "member": true, "since": "2020-01-02", "colours": ["red", "blue"], "pet": "Rex",
             "driver": [{"driver-name": "Anna"}, {"driver-name": "Ben", "accidents": 2}]}
            """
        let nested = """
            {"holder": {"name": "Anna", "member": "yes", "since": "2020-01-02"}, "colours": ["red", "blue"], "pet": ["Rex"],
             "driver": [{"driver-name": "Anna"}, {"driver-name": "Ben", "accidents": "2"}]}
            """
        #expect(try Self.json(Self.filled(flat)) == expected)
        #expect(try Self.json(Self.filled(nested)) == expected)
    }

    @Test("items that a file does not name stay; null clears an answer, and an empty list a repeating group")
    func naming() throws {
        let draft = try Self.filled(
            #"{"name": "Anna", "member": true, "since": "2020-01-02", "colours": ["red"], "driver": [{"driver-name": "A"}]}"#
        )
        let changed = try Self.filled(#"{"name": "Ben", "colours": null}"#, over: draft)
        #expect(Self.json(changed) == "holder\n  name: Ben\ncolours")
        #expect(try Self.json(Self.filled(#"{"driver": []}"#, over: draft)) == "driver")
        // The answer that it depends on is part of the result.
        #expect(
            try Self.json(Self.filled(#"{"since": "2021-01-02"}"#, over: draft))
                == "holder\n  member: Yes\n    since: 2021-01-02")
    }

    @Test(
        "each mistake is told with its place and what to write",
        arguments: [
            (#"{"nam": "Anna"}"#, "1:2 The form has no item 'nam'. Did you mean 'name'?"),
            (#"{"since": "tomorrow"}"#, "no date"),
            (#"{"name": ["Anna", "Ben"]}"#, "'name' takes one answer. Keep one of these."),
            (#"{"name": {"x": 1}}"#, "'name' takes a text, a number, or yes and no."),
            (#"{"driver-name": "Anna"}"#, "Write it in a list: 'driver: [{driver-name: …}]'."),
            (#"{"driver": "Anna"}"#, "'driver' is a group."),
            (#"{"driver": [{"name": "Anna"}]}"#, "'name' is not in 'driver'. Write it outside of that."),
            (#"{"age": 3}"#, "Write a QuestionnaireResponse for that."),
            (#"{"hint": "x"}"#, "'hint' is a text to read"),
            (#"{"name": "A", "holder": {"name": "B"}}"#, "'name' is there twice"),
            (#"[]"#, "Write answers like 'name: Anna'"),
        ])
    func mistakes(text: String, told: String) throws {
        let error = try #require(#expect(throws: FormProblems.self) { try Self.filled(text) })
        let lines = error.problems.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0) \($0.message)" }
        #expect(lines.contains { $0.contains(told) }, "\(lines)")
        #expect(error.problems.count == 1)
    }
}
