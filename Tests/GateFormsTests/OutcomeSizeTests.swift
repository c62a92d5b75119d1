import GateModel
import Testing

@testable import GateForms

@Suite("Limits on what is reported about a response")
struct OutcomeSizeTests {
    private static let long = String(repeating: "ä", count: 30_000)

    private func read(_ items: String) -> ResponseReading {
        ResponseReader().response(
            Array(#"{"resourceType": "QuestionnaireResponse", "status": "completed", "item": [\#(items)]}"#.utf8))
    }

    @Test("a linkId that is too long is shortened wherever it is reported")
    func linkIDs() throws {
        let reading = read(#"{"linkId": "\#(Self.long)", "answer": [{"valueDate": "x"}]}"#)
        let told = reading.issues.compactMap(\.linkID)
        #expect(told == [String(repeating: "ä", count: 64) + "…"])
        let whole = String(repeating: "x", count: 255)
        #expect(read(#"{"linkId": "\#(whole)", "answer": [{"valueDate": "x"}]}"#).issues.map(\.linkID) == [whole])
    }

    @Test("an outcome stays below 1 MiB, and counts the issues that are left out")
    func outcomes() throws {
        let issue = FormIssue(.error, .structure, at: Self.long, linkID: Self.long, Self.long)
        let one = OutcomeWriter.json([issue])
        #expect(one.count < 5000)
        let many = OutcomeWriter.json(Array(repeating: issue, count: 20_000))
        #expect(many.count < 1 << 20)
        let shown = try #require(try FHIRNode(json: many)["issue"]).elements
        #expect(shown.count > 100)
        #expect(shown.last?["diagnostics"]?.text == "And \(20_000 - shown.count + 1) more. Correct these first.")
        // Characters that are longer in JSON than in the text.
        let invisible = String(repeating: "\u{1}", count: 255)
        let escaped = FormIssue(.error, .structure, at: "a", linkID: invisible, invisible)
        #expect(OutcomeWriter.json(Array(repeating: escaped, count: 500)).count < 1 << 20)
    }

    @Test("the nearest known word is suggested for the first 20 unknown elements alone")
    func suggestions() {
        let items = Array(repeating: #"{"linkId": "a", "txet": "x"}"#, count: 200).joined(separator: ",")
        let issues = read(items).issues
        #expect(issues.count == 200)
        #expect(issues.count { $0.message.contains("Did you mean 'text'?") } == 20)
    }

    @Test("each place that can't be read is known once")
    func unreadablePlaces() {
        let answers = Array(repeating: #"{"valueDate": "x"}"#, count: 300).joined(separator: ",")
        let places = read(#"{"linkId": "a", "answer": [\#(answers)]}"#).unreadablePlaces
        #expect(places == Set((0..<300).map { "QuestionnaireResponse.item[0].answer[\($0)]" }))
        let paths = ["a", "a[1]", "a.value", "a.b[1].value.code", "a.values.b.value", ".value", "a.valu", "a.c[0]]"]
        let reading = ResponseReading(
            response: nil, issues: paths.map { FormIssue(.error, .structure, at: $0, linkID: nil, "") })
        #expect(reading.unreadablePlaces == ["a[1]", "a", "a.b[1]", "a.values.b", "", "a.c[0]]"])
        let rules = ["a", "a[1]", "a[2]", "a.b", "a.b[1]", "a.values"]
            .map { FormIssue(.error, .required, at: $0, linkID: nil, "") }
        #expect(reading.issues(with: rules).dropFirst(paths.count).map(\.path) == ["a[2]", "a.b", "a.values"])
    }

    // MARK: - Documents

    private static let urn = "urn:sha256:" + String(repeating: "0a", count: 32)

    @Test("a document may be named by its digest alone, without its size")
    func named() throws {
        let json = #"[{"valueAttachment": {"contentType": "text/plain", "url": "\#(Self.urn)"}}]"#
        let digest = try #require(AttachmentDigest(urn: Self.urn))
        #expect(
            try ResponseReader().answers(Array(json.utf8)).values
                == [.attachment(FormAttachment(mediaType: "text/plain", byteCount: 0, digest: digest))])
    }

    @Test(
        "an unreadable answer is reported with its mistake, not as missing",
        arguments: [
            (#"[{"valueAttachment": {"url": "\#(urn)", "size": 3145729}}]"#, "larger than 3 MiB"),
            (#"[{"valueAttachment": {"url": "urn:sha256:12"}}]"#, "64 hexadecimal digits"),
            (#"[{"valueAttachment": {"title": "x"}}]"#, "has no bytes"),
            (#"[{"valueCoding": {"userSelected": true}}]"#, "nothing in it that Gate keeps"),
            (#"[{"valueDate": "x"}]"#, "a date that there is"),
            (#"[{"extension": [{"url": "x", "valueString": "y"}]}]"#, "There is no answer in here"),
        ])
    func specific(_ json: String, _ sentence: String) {
        let problem = #expect(throws: FormProblem.self) { try ResponseReader().answers(Array(json.utf8)) }
        #expect(problem?.message.contains(sentence) == true, "\(problem?.message ?? "")")
    }
}
