import GateModel
import GateProtocol
import Testing

@Suite("Reading messages about forms with missing, wrong or unknown parts")
struct FormWireTests {
    private static let target = MessageBytes { $0.bytes(1, Array("consent".utf8)) }.array
    private static let anna = MessageBytes { $0.bytes(1, Array("anna".utf8)) }.array
    private static let digits = String(repeating: "0a", count: 32)

    /// - Parameter problem: `nil`: it is understood.
    private func check<Message: WireMessage>(
        _ type: Message.Type, _ bytes: MessageBytes, _ problem: String?, _ location: SourceLocation = #_sourceLocation
    ) {
        guard let problem else {
            #expect(throws: Never.self, sourceLocation: location) { try Message(decoding: bytes.array) }
            return
        }
        let error = #expect(throws: GateError.self, sourceLocation: location) {
            try Message(decoding: bytes.array)
        }
        #expect(error?.code == .invalidArgument && error?.reason == .invalidRequest, sourceLocation: location)
        #expect(
            error?.message.contains(problem) == true, "\(error?.message ?? "") lacks \(problem)",
            sourceLocation: location)
    }

    @Test("a request about a draft without a target is refused")
    func target() {
        func refused<Message: WireMessage>(_ type: Message.Type, _ name: String? = nil) {
            check(type, MessageBytes(), "gate.v1.\(name ?? "\(type)").target is not set; say which form is meant")
        }
        refused(OpenFormRequest.self)
        refused(ReadFormRequest.self, "ReadFormRequest")
        refused(SetAnswerRequest.self)
        refused(SuggestAnswerRequest.self)
        refused(RemoveGroupRequest.self)
        refused(FillFormRequest.self)
        refused(ResetFormRequest.self, "ResetFormRequest")
        refused(ValidateFormRequest.self)
        refused(SaveFormRequest.self, "SaveFormRequest")
        refused(LoadFormRequest.self)
        refused(CompleteFormRequest.self, "CompleteFormRequest")
        refused(DiscardFormRequest.self)
        refused(LabelDraftRequest.self)
        refused(SavePartRequest.self)
        refused(TakePartsRequest.self)
    }

    @Test("an optional field that is absent is nil, and not empty")
    func absent() throws {
        let bytes = MessageBytes { $0.bytes(1, Self.target) }.array
        #expect(try OpenFormRequest(decoding: bytes).target == FormTarget(name: "consent"))
        #expect(try ResetFormRequest(decoding: bytes).atRevision == nil)
        #expect(try LoadFormRequest(decoding: bytes).responseID == nil)
        #expect(try ValidateFormRequest(decoding: bytes).response == nil)
        #expect(try ListResponsesRequest(decoding: [UInt8]()).name == nil)
        #expect(try ResetReleaseNotesRequest(decoding: [UInt8]()).app == nil)
    }

    /// A request with an answer at this path.
    private static func request(_ path: String) -> MessageBytes {
        MessageBytes { $0.bytes(1, Self.target).bytes(3, Array(path.utf8)) }
    }

    @Test(
        "a string that is not a path is refused in every request with a path",
        arguments: [
            ("", "no path"), ("/", "no path"), ("driver[", "no path"), ("driver[x]", "no path"),
            ("driver[-1]", "no path"), ("driver[10000]", "no path"), ("a//b", "no path"), ("a]", "no path"),
            (String(repeating: "a", count: 1025), "at most 1024"),
        ])
    func path(text: String, problem: String) {
        check(SetAnswerRequest.self, Self.request(text), "gate.v1.SetAnswerRequest.path")
        check(SetAnswerRequest.self, Self.request(text), problem)
        check(SuggestAnswerRequest.self, Self.request(text), problem)
        check(RemoveGroupRequest.self, Self.request(text), problem)
    }

    @Test(
        "a path up to the longest is taken as it is written",
        arguments: ["driver[0]/driver-name", "größe", "q[9999]/child"])
    func goodPath(text: String) throws {
        #expect(try SetAnswerRequest(decoding: Self.request(text).array).path == text)
        let long = String(repeating: "a", count: 1024)
        #expect(try SetAnswerRequest(decoding: Self.request(long).array).path == long)
    }

    @Test("a pending suggestion has at most a minute and no answers (F-76)")
    func pending() throws {
        func request(_ milliseconds: Int64, _ answers: [UInt8] = []) -> SuggestAnswerRequest {
            SuggestAnswerRequest(
                target: FormTarget(name: "consent"), atRevision: nil, path: "house", answers: answers,
                pendingMilliseconds: milliseconds)
        }
        for milliseconds in [0, 1, 60_000] as [Int64] {
            let sent = request(milliseconds)
            #expect(try SuggestAnswerRequest(decoding: sent.encoded()).pendingMilliseconds == milliseconds)
        }
        for wrong in [request(-1), request(60_001), request(.max), request(1, Array("[]".utf8))] {
            let error = #expect(throws: GateError.self) { try SuggestAnswerRequest(decoding: wrong.encoded()) }
            #expect(error?.reason == .invalidRequest)
        }
    }

    @Test("a form without a holder is refused, and not taken for root's")
    func holder() {
        let unknown = MessageBytes { $0.bytes(9, []) }.array
        for holder in [[], unknown] {
            let summary = MessageBytes { $0.bytes(1, [0x61]).bytes(2, holder) }
            check(
                OpenFormResponse.self,
                MessageBytes { $0.bytes(2, MessageBytes { $0.bytes(1, summary.array) }.array) },
                "gate.v1.FormHolder.holder is not set")
        }
        let without = MessageBytes { $0.bytes(1, [0x61]) }.array
        let draft = MessageBytes { $0.bytes(1, without) }.array
        check(OpenFormResponse.self, MessageBytes { $0.bytes(2, draft) }, "gate.v1.FormSummary.holder is not set")
        let kept = MessageBytes { $0.bytes(1, MessageBytes { $0.number(5, 2) }.array) }
        check(ListResponsesResponse.self, kept, "gate.v1.ResponseSummary.holder is not set")
    }

    @Test("a form of root's is read as root's")
    func root() throws {
        let holder = MessageBytes { $0.number(2, 0) }.array
        let form = MessageBytes { $0.bytes(2, holder) }.array
        let watched = MessageBytes { $0.bytes(8, MessageBytes { $0.bytes(1, form) }.array) }.array
        #expect(try WatchResponse(decoding: watched).forms?.map(\.holder) == [.user(0)])
    }

    @Test("a response without a draft or a change is refused")
    func emptyAnswers() {
        check(OpenFormResponse.self, MessageBytes(), "gate.v1.OpenFormResponse.draft is not set")
        check(ReadFormResponse.self, MessageBytes(), "gate.v1.ReadFormResponse.draft is not set")
        check(ReadFormResponse.self, MessageBytes { $0.bytes(2, []) }, "gate.v1.FormDraft.summary is not set")
        check(SetAnswerResponse.self, MessageBytes(), "gate.v1.SetAnswerResponse.change is not set")
        check(LoadFormResponse.self, MessageBytes { $0.bytes(2, []) }, "gate.v1.FormChange.summary is not set")
        check(GetResponseResponse.self, MessageBytes(), "gate.v1.GetResponseResponse.summary is not set")
    }

    @Test(
        "a kept response with an unknown status counts as entered in error", arguments: [0, 1, 2, 3, 4] as [UInt64])
    func status(number: UInt64) throws {
        let summary = MessageBytes { $0.bytes(4, Self.anna).number(5, number) }
        let read = try GetResponseResponse(decoding: MessageBytes { $0.bytes(1, summary.array) }.array).summary.status
        let known: [UInt64: QuestionnaireResponse.Status] = [1: .inProgress, 2: .completed]
        #expect(read == known[number] ?? .enteredInError)
    }

    @Test("an amended response counts as completed, and a stopped one does not")
    func otherStatuses() throws {
        func sent(_ status: QuestionnaireResponse.Status) throws -> QuestionnaireResponse.Status {
            let summary = ResponseSummary(
                id: 1, name: "a", version: nil, holder: .user(1), status: status, savedAt: WallTime(unixMilliseconds: 0)
            )
            let message = GetResponseResponse(summary: summary, response: [])
            return try GetResponseResponse(decoding: message.encoded()).summary.status
        }
        #expect(try sent(.amended) == .completed)
        #expect(try sent(.stopped) == .enteredInError)
    }

    @Test(
        "a digest that is not a SHA-256 is refused",
        arguments: [
            "", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
            String(repeating: "g", count: 64), "urn:sha256:" + digits,
        ])
    func digest(text: String) {
        let bytes = MessageBytes { $0.bytes(1, Array(text.utf8)) }
        check(DownloadRequest.self, bytes, "gate.v1.DownloadRequest.digest is no SHA-256")
        let answer = MessageBytes { $0.bytes(2, Array(text.utf8)) }
        check(UploadResponse.self, answer, text.isEmpty ? nil : "gate.v1.UploadResponse.digest is no SHA-256")
    }

    @Test("a piece of 48 KiB is taken, and one of a byte more is not")
    func piece() {
        let most = [UInt8](repeating: 7, count: 48 << 10)
        check(UploadRequest.self, MessageBytes { $0.bytes(2, most) }, nil)
        check(UploadRequest.self, MessageBytes { $0.bytes(2, most + [7]) }, "at most 49152")
    }

    @Test("a watcher tells unchanged forms from an empty list")
    func watched() throws {
        #expect(try WatchResponse(decoding: [UInt8]()).forms == nil)
        #expect(try WatchResponse(decoding: MessageBytes { $0.bytes(8, []) }.array).forms == [])
    }

    @Test("a draft of three mebibytes comes back whole")
    func largeDraft() throws {
        let summary = FormSummary(name: "a", holder: .user(1), revision: 1)
        let draft = FormDraftMessage(summary: summary, response: [UInt8](repeating: 0x7B, count: 3 << 20))
        let message = ReadFormResponse(revision: Revision(epoch: 1, number: 2), draft: draft)
        #expect(try ReadFormResponse(decoding: message.encoded()) == message)
    }
}

@Suite("Reading messages about release notes")
struct ReleaseNotesWireTests {
    private func refusal<Message: WireMessage>(_ type: Message.Type, _ bytes: MessageBytes) -> String {
        let error = #expect(throws: GateError.self) { try Message(decoding: bytes.array) }
        #expect(error?.code == .invalidArgument && error?.reason == .invalidRequest)
        return error?.message ?? ""
    }

    @Test(
        "a request whose version is missing or malformed is refused",
        arguments: ["", "1.2.3.4", "1..2", "v1", "-1", "1.2.x", "4294967296"])
    func version(text: String) {
        let bytes = MessageBytes { $0.bytes(1, [0x61]).bytes(2, Array(text.utf8)) }
        let problem = text.isEmpty ? "version is not set" : "version is no version"
        #expect(refusal(ShowReleaseNotesRequest.self, bytes).contains(problem))
        #expect(refusal(GetReleaseNotesRequest.self, bytes).contains(problem))
        #expect(refusal(AcknowledgeReleaseNotesRequest.self, bytes).contains(problem))
        let listed = MessageBytes { $0.bytes(1, MessageBytes { $0.bytes(2, Array(text.utf8)) }.array) }
        #expect(refusal(ListReleaseNotesResponse.self, listed).contains(text.isEmpty ? "is not set" : "no version"))
    }

    @Test("the parts that a version leaves out are 0")
    func shortVersion() throws {
        let bytes = MessageBytes { $0.bytes(2, Array("3.1".utf8)) }.array
        #expect(try GetReleaseNotesRequest(decoding: bytes).version == AppVersion(3, 1, 0))
    }

    /// Release notes of a version, with these fields added.
    private func entry(_ more: (MessageBytes) -> MessageBytes) -> MessageBytes {
        MessageBytes { $0.bytes(1, more(MessageBytes { $0.bytes(2, [0x31]) }).array) }
    }

    @Test("release notes without a button are refused; an unknown haptic feedback is none")
    func primary() throws {
        #expect(
            refusal(GetReleaseNotesResponse.self, entry { $0 }).contains("gate.v1.WhatsNew.primary is not set"))
        for haptic in [0, 77] as [UInt64] {
            let felt = MessageBytes { $0.number(2, haptic) }.array
            let notice = try GetReleaseNotesResponse(decoding: entry { $0.bytes(5, felt) }.array).entry
            #expect(notice?.entry.primary.haptic == WhatsNew.Haptic.none)
            #expect(notice?.entry.secondary == nil)
        }
        let both = try GetReleaseNotesResponse(decoding: entry { $0.bytes(5, []).bytes(6, []) }.array).entry
        #expect(both?.entry.secondary == WhatsNew.SecondaryAction(title: "", url: nil))
    }

    @Test("a response about shown release notes without a result is refused")
    func outcome() {
        let type = ShowReleaseNotesResponse.self
        #expect(refusal(type, MessageBytes()).contains("holds no result"))
    }
}
