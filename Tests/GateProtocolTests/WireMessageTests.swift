import CGateProtocol
import GateModel
import GateProtocol
import Testing

@Suite("Messages")
struct WireMessageTests {
    @Test("every message comes back as it was sent", arguments: 0..<sampledMessages.count)
    func roundTrip(index: Int) throws {
        try roundTrips(of: sampledMessages[index])
    }

    private func roundTrips<Message: SampledMessage>(of type: Message.Type) throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            let message = Message.sample(using: &random)
            let decoded = try Message(decoding: message.encoded())
            #expect(decoded == message, "seed \(seed)")
        }
    }

    @Test("every message of the catalogue has its Swift value")
    func everyMessageIsSampled() {
        let used = ServiceCatalog.all.flatMap(\.methods).flatMap { [$0.input, $0.output] }
        #expect(Set(used) == Set(sampledMessages.map { $0.descriptor }))
        #expect(used.count == sampledMessages.count)
    }

    @Test("an empty request needs no bytes")
    func emptyRequest() throws {
        #expect(GetModeRequest().encoded() == [])
        #expect(try ToggleRequest(decoding: [UInt8]()) == ToggleRequest(presenting: .elsewhere))
    }

    @Test("a message larger than the arena's buffer on the stack comes back whole")
    func largeMessage() throws {
        let echo = [UInt8](repeating: 7, count: 100_000)
        #expect(try PingRequest(decoding: PingRequest(echo: echo).encoded()).echo == echo)

        let entries = (0..<300).map {
            AuditEntry(
                number: UInt64($0), time: WallTime(unixMilliseconds: 1), kind: .locked,
                actor: AuditEntry.Actor(uid: 1, pid: 2), mode: .child, detail: String(repeating: "x", count: $0))
        }
        let response = AuditResponse(revision: Revision(epoch: 1, number: 300), entries: entries)
        #expect(try AuditResponse(decoding: response.encoded()) == response)
    }

    @Test("a watcher is told of as many asks as a device has, each with the longest words, in one message (W-04)")
    func manyAsks() throws {
        let times: [AskChoice] = [60, 600, 1800, 5400].map { .time(.seconds($0)) }
        let (person, gatedAction) = (String(repeating: "m", count: 64), String(repeating: "a", count: 64))
        let titles = LocalizedText(String(repeating: "ü", count: 100))
        let details = String(repeating: "x", count: AuthorizationRequest.maximumDetailsByteCount)
        let asks: [Ask] = (0..<628).map { number in
            let isWaiting = number < 128
            return Ask(
                id: UInt64(number), uid: 1002, person: person, gatedAction: gatedAction, titles: titles,
                details: details, state: isWaiting ? .waiting : .allowed, ends: WallTime(unixMilliseconds: .max),
                choices: isWaiting ? AskChoice.named + times : [], choice: isWaiting ? nil : .thisSite)
        }
        let message = WatchResponse(
            firstNumber: 1, revision: Revision(epoch: 1, number: 2), isSnapshot: true, mode: nil, presentations: nil,
            asks: asks)
        let bytes = message.encoded()
        #expect(bytes.count < 7 << 19, "there is room for half a MiB of everything else")
        #expect(try WatchResponse(decoding: bytes) == message)
    }

    @Test("fields that this version does not know are passed over")
    func unknownFields() throws {
        // Field 1000 of each wire type that proto3 has.
        let unknown: [UInt8] =
            [0xC0, 0x3E, 5] + [0xC1, 0x3E, 1, 2, 3, 4, 5, 6, 7, 8] + [0xC2, 0x3E, 2, 0xFF, 0xFE]
            + [0xC5, 0x3E, 1, 2, 3, 4]
        let request = ToggleRequest(presenting: .here)
        #expect(try ToggleRequest(decoding: unknown + request.encoded() + unknown) == request)
        #expect(try GetModeRequest(decoding: unknown) == GetModeRequest())
    }
}

@Suite("Reading messages with unknown or missing parts")
struct UnknownMeaningTests {
    @Test("an unknown mode is read as child mode without a deadline")
    func unknownMode() throws {
        let bytes = MessageBytes { $0.bytes(2, MessageBytes { $0.number(1, 9).number(2, 1000) }.array) }.array
        #expect(try GetModeResponse(decoding: bytes).state == .closed)
    }

    @Test("a response without a state means child mode")
    func noState() throws {
        #expect(
            try LockResponse(decoding: [UInt8]())
                == LockResponse(revision: Revision(epoch: 0, number: 0), state: .closed))
    }

    @Test("a choice that a newer daemon offers is read as unknown, and no request takes an unknown choice (W-04)")
    func unknownChoice() throws {
        let ask = MessageBytes { $0.bytes(10, Array("once".utf8)).bytes(10, Array("on-sundays".utf8)) }.array
        let read = try ListAsksResponse(decoding: MessageBytes { $0.bytes(1, ask) }.array).elements.first
        #expect(read?.choices == [.once, .unrecognized] && read?.choice == nil && read?.ends == nil)
        for (isAllowed, choice) in [(1, "on-sundays"), (1, "0m"), (1, "Once"), (0, "once")] as [(UInt64, String)] {
            let bytes = MessageBytes { $0.number(1, 12).number(2, isAllowed).bytes(3, Array(choice.utf8)) }.array
            let error = #expect(throws: GateError.self) { try AnswerAskRequest(decoding: bytes) }
            #expect(error?.code == .invalidArgument && error?.parameters["field"] == "choice", "\(choice)")
        }
    }

    @Test("no request takes a mode that it does not know", arguments: [0, 4, UInt64(UInt32.max)])
    func unknownModeInRequest(mode: UInt64) {
        let bytes = MessageBytes { $0.number(1, mode).bytes(3, Array("why".utf8)) }.array
        let error = #expect(throws: GateError.self) { try OverrideModeRequest(decoding: bytes) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason == .invalidRequest)
        #expect(error?.message.contains("mode") == true)
    }

    @Test("a topic that is unknown, or named twice, is refused", arguments: [[0], [99], [1, 1]] as [[UInt8]])
    func topics(numbers: [UInt8]) {
        let bytes = MessageBytes { $0.bytes(1, numbers) }.array
        let error = #expect(throws: GateError.self) { try WatchRequest(decoding: bytes) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("topics") == true)
    }

    @Test("a missing answer is refused, and an empty one is not")
    func missingAnswer() throws {
        let empty = CompleteRequest(cookie: PresentationCookie(bytes: [1, 2, 3]), answer: .text(""))
        #expect(try CompleteRequest(decoding: empty.encoded()) == empty)
        let error = #expect(throws: GateError.self) {
            try CompleteRequest(decoding: MessageBytes { $0.bytes(1, [1, 2, 3]) }.array)
        }
        #expect(error?.message.contains("answer is not set") == true && error?.parameters["field"] == "answer")
    }

    @Test("a refusal names the wrong field by its path, also inside another message")
    func fieldPaths() throws {
        func field<Request: WireMessage>(of bytes: MessageBytes, in request: Request.Type) -> String? {
            let error = #expect(throws: GateError.self) { try Request(decoding: bytes.array) }
            return error?.parameters["field"]
        }
        let child = MessageBytes { $0.bytes(3, MessageBytes { $0.bytes(1, Array("soon".utf8)) }.array) }
        #expect(
            field(of: MessageBytes { $0.bytes(1, child.array) }, in: RegisterAccountRequest.self)
                == "account.child.born")
        #expect(field(of: MessageBytes { $0.bytes(1, []) }, in: RegisterAccountRequest.self) == "account.kind")
        #expect(field(of: MessageBytes { $0 }, in: RegisterAccountRequest.self) == "account")
        #expect(field(of: MessageBytes { $0.number(2, 9) }, in: ReportRequest.self) == "input")
        let notUTF8 = MessageBytes { $0.bytes(1, MessageBytes { $0.bytes(1, [0xFF]) }.array) }
        #expect(field(of: notUTF8, in: OpenFormRequest.self) == "target.name")
        #expect(
            field(of: MessageBytes { $0.number(1, 1) }, in: OpenFormRequest.self) == "target", "a message as a number")
        let cut = #expect(throws: GateError.self) { try CheckRequest(decoding: [0x0A, 9] as [UInt8]) }
        #expect(cut?.parameters["field"] == "", "the request as a whole")
    }

    @Test("the button of release notes is named, and a request without a known one is refused")
    func acknowledged() throws {
        func request(_ action: MessageBytes) throws(GateError) -> ChallengeAnswer {
            try CompleteRequest(decoding: MessageBytes { $0.bytes(6, action.array) }.array).answer
        }
        #expect(try request(MessageBytes { $0.number(1, 1) }) == .acknowledged(.primary))
        #expect(try request(MessageBytes { $0.number(1, 2) }) == .acknowledged(.secondary))
        for unknown in [MessageBytes { $0 }, MessageBytes { $0.number(1, 3) }] {
            let error = #expect(throws: GateError.self) { try request(unknown) }
            #expect(error?.parameters["field"] == "acknowledged.action")
        }
    }

    @Test("an unknown result of an answer is not taken for the end of the request")
    func unknownResult() throws {
        let newer = MessageBytes { $0.bytes(99, []) }.array
        #expect(try CompleteResponse(decoding: newer).result == .unrecognized)
        #expect(try AwaitClosingResponse(decoding: newer).result == .unrecognized)
        #expect(try CompleteResponse(decoding: MessageBytes { $0.bytes(5, []) }.array).result == .done)
    }

    @Test("a presentation of an unknown kind is read as unrecognized, with its number")
    func unknownContent() throws {
        let presentation = MessageBytes { $0.bytes(1, Self.summary.array).bytes(99, []) }.array
        let response = try ToggleResponse(decoding: MessageBytes { $0.bytes(3, presentation) }.array)
        #expect(response.presentation?.content == .unrecognized && response.presentation?.id == 1)
    }

    /// A summary like the daemon's: id, purpose, kind, style, stage, asked.
    private static let summary = MessageBytes {
        $0.number(1, 1).number(2, 1).number(3, 1).number(5, 1).number(7, 1).bytes(8, [])
    }

    @Test("a summary that does not say who asks is refused")
    func unknownSummary() throws {
        func list(_ summary: MessageBytes) throws(GateError) -> ListPresentationsResponse {
            try ListPresentationsResponse(decoding: MessageBytes { $0.bytes(1, summary.array) }.array)
        }
        #expect(try list(Self.summary).presentations.count == 1)
        let error = #expect(throws: GateError.self, "nobody is taken for root") {
            try list(MessageBytes { $0.number(2, 1).number(3, 1).number(5, 1).number(7, 1) })
        }
        #expect(error?.message.contains("asked") == true)
    }

    @Test("a presentation, a claim or an authorization without its content is refused")
    func missingParts() throws {
        let noSummary = MessageBytes { $0.bytes(7, []) }.array
        let errors = [
            #expect(throws: GateError.self) { try ClaimResponse(decoding: [UInt8]()) },
            #expect(throws: GateError.self) {
                try ClaimResponse(decoding: MessageBytes { $0.bytes(1, noSummary) }.array)
            },
            #expect(throws: GateError.self) { try AuthorizeResponse(decoding: [UInt8]()) },
        ]
        let words = ["presentation", "summary", "result"]
        for (error, word) in zip(errors, words) {
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains(word) == true)
        }
    }

    @Test(
        "a presenter that names a kind twice, or one that does not exist, is refused",
        arguments: [
            (MessageBytes { $0.bytes(1, [1, 2, 1]) }, "RegisterPresenterRequest.kinds names arithmetic-choice twice"),
            (MessageBytes { $0.bytes(1, [11, 11]) }, "RegisterPresenterRequest.kinds names sign-in twice"),
            (MessageBytes { $0.bytes(1, [0]) }, "RegisterPresenterRequest.kinds is not set"),
            (MessageBytes { $0.bytes(1, [15]) }, "RegisterPresenterRequest.kinds is 15"),
            (MessageBytes { $0.bytes(2, [2, 2]) }, "RegisterPresenterRequest.styles names fullScreenCover twice"),
            (MessageBytes { $0.bytes(2, [3]) }, "RegisterPresenterRequest.styles is 3"),
        ])
    func abilities(bytes: MessageBytes, problem: String) {
        let error = #expect(throws: GateError.self) { try RegisterPresenterRequest(decoding: bytes.array) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test("an absent user is not the same as root")
    func absentUser() throws {
        #expect(try RevokeRequest(decoding: [UInt8]()).uid == nil)
        #expect(try RevokeRequest(decoding: MessageBytes { $0.bytes(1, []) }.array).uid == 0)
        #expect(try ClearLockoutRequest(decoding: [UInt8]()).uid == nil)
        #expect(try ClearLockoutRequest(decoding: MessageBytes { $0.bytes(1, []) }.array).uid == 0)
        #expect(try AuthorizeRequest(decoding: [UInt8]()).request.redeemer == nil)
        #expect(try AuthorizeRequest(decoding: MessageBytes { $0.bytes(3, []) }.array).request.redeemer == 0)
    }

    @Test("of several answers the last counts, and an unknown one is none")
    func severalAnswers() throws {
        let two = MessageBytes { $0.bytes(3, [0x31]).bytes(2, Array("no".utf8)) }.array
        #expect(try CompleteRequest(decoding: two).answer == .text("no"))
        let unknown = MessageBytes { $0.bytes(1, [1]).bytes(99, [0x31]) }.array
        #expect(throws: GateError.self) { try CompleteRequest(decoding: unknown) }
    }
}

@Suite("Durations")
struct DurationFieldTests {
    @Test("a duration of zero or less is sent as negative, and an absent one stays absent")
    func zero() throws {
        func sent(_ duration: Duration?) throws -> Duration? {
            try ExtendRequest(decoding: ExtendRequest(duration: duration, presenting: .elsewhere).encoded()).duration
        }
        #expect(try sent(nil) == nil)
        #expect(try sent(.zero) == .milliseconds(-1))
        #expect(try sent(.nanoseconds(-1)) == .milliseconds(-1))
        #expect(try sent(.seconds(-5)) == .seconds(-5))
        #expect(try sent(.nanoseconds(1)) == .milliseconds(1))
    }

    @Test("the longest and the shortest duration in milliseconds come back", arguments: [Int64.min, -1, 1, .max])
    func extremes(milliseconds: Int64) throws {
        let bytes = MessageBytes { $0.number(1, UInt64(bitPattern: milliseconds)) }.array
        #expect(try ExtendRequest(decoding: bytes).duration == .milliseconds(milliseconds))
    }
}

@Suite("Errors")
struct ErrorWireTests {
    @Test("code, reason, message and wait come back as they were sent", arguments: GateError.Reason.allCases)
    func roundTrip(reason: GateError.Reason) {
        for retryAfter in [nil, Duration.milliseconds(1), .seconds(3600)] {
            let error = GateError(
                .resourceExhausted, reason, "wait", retryAfter: retryAfter, parameters: ["what": "questions"],
                issues: [
                    ErrorIssue(
                        .form(linkID: "age", expression: ""), kind: .value, parameters: ["maximum": "9"], "Less."),
                    ErrorIssue(.file("policy.yaml", line: 3, column: nil), "No."),
                ])
            let received = GateError(
                code: error.code.rawValue, message: error.message,
                details: [("type.googleapis.com/other.Detail", [1, 2]), (GateError.detailTypeURL, error.detailBytes)])
            #expect(received == error)
        }
    }

    @Test("an unknown status code becomes \"unknown\", and a detail that can't be read is skipped")
    func foreign() {
        let error = GateError(code: 77, message: "odd", details: [(GateError.detailTypeURL, [0xFF])])
        #expect(error == GateError(.unknown, .unspecified, "odd"))
    }

    @Test("a time to wait is rounded up")
    func rounding() {
        let error = GateError(.resourceExhausted, .lockedOut, "wait", retryAfter: .nanoseconds(1))
        let received = GateError(code: 8, message: "wait", details: [(GateError.detailTypeURL, error.detailBytes)])
        #expect(received.retryAfter == .milliseconds(1))
        let negative = MessageBytes { $0.number(2, UInt64(bitPattern: -3)) }.array
        #expect(GateError(code: 8, message: "", details: [(GateError.detailTypeURL, negative)]).retryAfter == nil)
    }
}
