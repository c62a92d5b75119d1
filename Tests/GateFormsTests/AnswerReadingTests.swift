import Crypto
import GateForms
import GateModel
import Testing

@Suite("Answers, and their attachments")
struct AnswerReadingTests {
    private static func digest(_ bytes: [UInt8]) -> AttachmentDigest {
        guard let digest = AttachmentDigest(bytes: Array(SHA256.hash(data: bytes))) else {
            preconditionFailure("these are 32 bytes")
        }
        return digest
    }

    private let hello = Self.digest(Array("hello".utf8))
    private let urn = "urn:sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

    private func answers(_ text: String) throws(FormProblem) -> [FormValue] {
        try ResponseReader().answers(Array(text.utf8)).values
    }

    @Test("every value goes through JSON and comes back as it was")
    func roundTrip() throws {
        let values: [FormValue?] = [
            .boolean(true), .boolean(false), FormDecimal("1.50").map(FormValue.decimal),
            FormDecimal("-1e-30").map(FormValue.decimal), .integer(.min), .integer(0), .integer(.max),
            FormDate("2024").map(FormValue.date), FormDate("2024-05").map(FormValue.date),
            FormDate("2024-05-31").map(FormValue.date), FormDateTime("2024").map(FormValue.dateTime),
            FormDateTime("2024-05-31T12:30:00.25+02:00").map(FormValue.dateTime),
            FormTime("12:30:00").map(FormValue.time),
            .string("Anna \"é\" 😀\n\\"), .uri("https://example.org/?a=b#c"),
            .coding(FormCoding(system: "s", version: "1", code: "c", display: "D")),
            .coding(FormCoding(display: "only read")),
            .quantity(FormQuantity(value: FormDecimal("75.0"), comparator: "<", unit: "kW", system: "s", code: "kW")),
            .quantity(FormQuantity(unit: "kW")),
            .reference(FormReference(reference: "Patient/1", type: "Patient", display: "Anna")),
            .attachment(
                FormAttachment(
                    mediaType: "text/plain", title: "hello.txt", byteCount: 5, digest: hello,
                    creation: "2024-05-31T12:00:00Z")),
            .attachment(FormAttachment(mediaType: nil, byteCount: 0, digest: hello)),
        ]
        let all = try values.map { try #require($0) }
        for value in all {
            let (read, attachments) = try ResponseReader().answers(ResponseWriter.answers([value]))
            #expect(read == [value])
            #expect(attachments.isEmpty)
        }
        #expect(try ResponseReader().answers(ResponseWriter.answers(all)).values == all)
    }

    @Test("an empty list means no answers")
    func none() throws {
        #expect(try answers("[]").isEmpty)
        #expect(ResponseWriter.answers([]) == Array("[]".utf8))
    }

    @Test(
        "anything but a list of answers is refused",
        arguments: [
            "", "{}", #"{"valueString": "x"}"#, #"["x"]"#, "[{}]", #"[{"valueString": "x", "valueInteger": 1}]"#,
            #"[{"valueDate": "x"}]"#, #"[{"item": [{"linkId": "b"}]}]"#,
            #"[{"valueString": "x", "item": [{"linkId": "b"}]}]"#, #"[{"valueCode": "x"}]"#, #"[{"id": "x"}]"#,
            #"[{"valueString": "x"}, {}]"#,
        ])
    func refused(_ text: String) {
        #expect(throws: FormProblem.self) { try answers(text) }
    }

    // MARK: - Attachments

    private func attachment(
        _ content: String, digest: (([UInt8]) -> AttachmentDigest)? = Self.digest
    ) throws(FormProblem) -> (values: [FormValue], attachments: [AttachmentDigest: [UInt8]]) {
        try ResponseReader(digest: digest).answers(Array(#"[{"valueAttachment": {\#(content)}}]"#.utf8))
    }

    @Test("an attachment with its bytes is known by their digest")
    func data() throws {
        let read = try attachment(#""contentType": "text/plain", "data": "aGVsbG8=", "title": "hello.txt", "size": 5"#)
        #expect(read.attachments == [hello: Array("hello".utf8)])
        #expect(
            read.values == [
                .attachment(FormAttachment(mediaType: "text/plain", title: "hello.txt", byteCount: 5, digest: hello))
            ])
        let named = try attachment(#""contentType": "text/plain", "data": "aGVs\nbG8=", "url": "\#(urn)""#)
        #expect(named.attachments.keys.first == hello)
    }

    @Test("an attachment without bytes is named by its digest")
    func url() throws {
        let read = try attachment(#""url": "\#(urn)", "size": 5"#, digest: nil)
        #expect(read.attachments.isEmpty)
        #expect(read.values == [.attachment(FormAttachment(mediaType: nil, byteCount: 5, digest: hello))])
    }

    @Test(
        "an inconsistent attachment is refused",
        arguments: [
            #""title": "nothing""#, #""contentType": "text/plain", "data": "aGVsbG8""#,
            #""contentType": "text/plain", "data": "aGVsbG9=""#, #""contentType": "text/plain", "data": "aGVs bG8-""#,
            #""contentType": "text/plain", "data": 5"#, #""data": "aGVsbG8=""#,
            #""contentType": "text/plain", "data": "aGVsbG8=", "size": 4"#,
            #""contentType": "text/plain", "data": "aGVsbG9v", "url": "URN""#,
            #""url": "https://example.org/x", "size": 5"#, #""url": "urn:sha256:12", "size": 5"#,
            #""url": "URN", "size": -1"#, #""url": "URN", "size": 3145729"#, #""url": "URN", "size": "5""#,
            #""url": "URN", "size": 5, "creation": "yesterday""#,
        ])
    func badAttachment(_ content: String) {
        #expect(throws: FormProblem.self) { try attachment(content.replacing("URN", with: urn)) }
    }

    @Test("bytes within an answer are refused if they have to be uploaded first")
    func noData() {
        #expect(throws: FormProblem.self) {
            try attachment(#""contentType": "text/plain", "data": "aGVsbG8=""#, digest: nil)
        }
    }

    @Test("an attachment has at most three mebibytes")
    func size() throws {
        func data(_ count: Int) -> String {
            // Three bytes of zero are AAAA.
            String(repeating: "AAAA", count: count / 3) + ["", "AA==", "AAA="][count % 3]
        }
        let most = 3 << 20
        let read = try attachment(#""contentType": "a/b", "data": "\#(data(most))""#)
        #expect(read.attachments.values.first?.count == most)
        #expect(throws: FormProblem.self) { try attachment(#""contentType": "a/b", "data": "\#(data(most + 1))""#) }
    }

    @Test("a response's attachments are returned with it, and written by their digest")
    func response() throws {
        let text = """
            {"resourceType": "QuestionnaireResponse", "status": "completed", "item": [{"linkId": "a", "answer": [
            {"valueAttachment": {"contentType": "text/plain", "data": "aGVsbG8="}}]}]}
            """
        let reading = ResponseReader(digest: Self.digest).response(Array(text.utf8))
        #expect(reading.issues.isEmpty)
        #expect(reading.attachments == [hello: Array("hello".utf8)])
        let response = try #require(reading.response)
        let written = String(decoding: ResponseWriter.json(response), as: UTF8.self)
        #expect(written.contains(urn))
        #expect(!written.contains("data"))
        #expect(ResponseReader().response(Array(written.utf8)).response == response)
        let refused = ResponseReader().response(Array(text.utf8))
        #expect(refused.issues.map(\.code) == [.notSupported])
        #expect(refused.issues.map(\.path) == ["QuestionnaireResponse.item[0].answer[0].value"])
    }
}

@Suite("Writing an outcome")
struct OutcomeWriterTests {
    private func text(_ issues: [FormIssue]) -> String {
        String(decoding: OutcomeWriter.json(issues), as: UTF8.self)
    }

    @Test("an outcome without issues has one piece of information")
    func nothing() {
        #expect(
            text([])
                == #"{"resourceType":"OperationOutcome","issue":[{"severity":"information","code":"informational","#
                + #""diagnostics":"Nothing is wrong with it."}]}"#)
    }

    @Test("each issue has severity, code, sentence, place and item")
    func issues() throws {
        let issue = FormIssue(.error, .codeInvalid, at: "QuestionnaireResponse.item[0]", linkID: "a", "Choose \"one\".")
        #expect(
            text([issue])
                == #"{"resourceType":"OperationOutcome","issue":[{"extension":[{"url":"#
                + #""https://gate.example/fhir/StructureDefinition/link-id","valueString":"a"}],"#
                + #""severity":"error","code":"code-invalid","#
                + #""diagnostics":"Choose \"one\".","expression":["QuestionnaireResponse.item[0]"]}]}"#)
        #expect(
            text([FormIssue(.warning, .value, at: "", linkID: "", "x")])
                == #"{"resourceType":"OperationOutcome","issue":[{"severity":"warning","code":"value","#
                + #""diagnostics":"x"}]}"#
        )
    }
}
