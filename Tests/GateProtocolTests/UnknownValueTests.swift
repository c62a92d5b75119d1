import CGateProtocol
import GateModel
import Testing

@testable import GateProtocol

/// A value that a newer daemon knows breaks no client: lenient in answers, strict in requests. Every enum of the protos is
/// here, or a test fails.
@Suite("Enum values that this version does not know")
struct UnknownValueTests {
    private static let unknown: UInt64 = 99

    /// Whether the reader takes the unknown value in an answer for the safest one.
    private static let answers: [String: @Sendable () throws -> Bool] = [
        "gate.v1.ModeState.Mode": {
            let state = MessageBytes { $0.number(1, unknown).number(2, 900) }.array
            return try GetModeResponse(decoding: MessageBytes { $0.bytes(2, state) }.array).state == .closed
        },
        "gate.v1.Reason": {
            let detail = MessageBytes { $0.number(1, unknown).number(2, 5) }.array
            let error = GateError(code: 8, message: "x", details: [(GateError.detailTypeURL, detail)])
            return error.reason == .unspecified && error.retryAfter == .milliseconds(5)
        },
        "gate.v1.CheckResponse.Outcome": {
            try CheckResponse(decoding: MessageBytes { $0.number(2, unknown) }.array).outlook.outcome == .denied
        },
        "gate.v1.Need.Kind": {
            let need = MessageBytes { $0.number(1, unknown).bytes(3, [0x61]) }.array
            return try CheckResponse(decoding: MessageBytes { $0.bytes(4, need) }.array).outlook.need == .unrecognized
        },
        "gate.v1.Condition.Kind": {
            let condition = MessageBytes { $0.number(1, unknown) }.array
            let message = MessageBytes { $0.bytes(1, []).bytes(2, condition) }.array
            return try GetGatedActionResponse(decoding: message).conditions == [ListedCondition(.unrecognized)]
        },
        "gate.v1.PolicyLayer": {
            let origin = MessageBytes { $0.number(1, unknown) }.array
            let action = MessageBytes { $0.bytes(1, [0x61]).bytes(6, origin) }.array
            let read = try GetGatedActionResponse(decoding: MessageBytes { $0.bytes(1, action) }.array)
            return read.gatedAction.origin?.layer == .unrecognized
        },
        "gate.v1.Role": {
            let policy = MessageBytes { $0.bytes(10, MessageBytes { $0.number(1, unknown) }.array) }.array
            let read = try GetPolicyResponse(decoding: MessageBytes { $0.bytes(2, policy) }.array).policy?.roles
            return read?.map(\.role) == [.unrecognized]
        },
        "gate.v1.TimeRuleKind": {
            let rule = MessageBytes { $0.number(1, unknown).bytes(2, [0x61]) }.array
            let policy = MessageBytes { $0.bytes(14, rule) }.array
            let read = try GetPolicyResponse(decoding: MessageBytes { $0.bytes(2, policy) }.array).policy?.timeRules
            return read?.map(\.kind) == [.unrecognized]
        },
        "gate.v1.Entitlement.Status": {
            // The status comes with a field that says whether the entitlement is active.
            try ([0, 1] as [UInt64]).allSatisfy { isActive in
                let read = try entitlement(provider: 1, status: unknown, isActive: isActive)
                return read.isActive == (isActive == 1)
            }
        },
        "gate.v1.Provider": {
            let read = try entitlement(provider: unknown, status: 1, isActive: 1)
            return read.source?.provider == .unrecognized && read.isActive
        },
        "gate.v1.PaywallOutcome": {
            // The unknown value opens nothing.
            [unknown, 0].allSatisfy { value in
                (try? RequestPaywallResponse(decoding: MessageBytes { $0.number(2, value) }.array)) == nil
            }
        },
        "gate.v1.Purpose": { try summary(field: 2).purpose == .unrecognized },
        "gate.v1.PresentationKind": { try summary(field: 3).kind == .unrecognized },
        "gate.v1.Style": { try summary(field: 5).style == .sheet },
        // Nobody claims a presentation that is waiting.
        "gate.v1.Elsewhere.Place": {
            let summary = MessageBytes {
                $0.number(1, 7).number(2, 1).number(3, 1).number(5, 1).number(7, 1).bytes(8, [])
            }
            let message = MessageBytes {
                $0.bytes(2, MessageBytes { $0.bytes(1, summary.array).number(2, unknown) }.array)
            }
            return try RegisterPresenterResponse(decoding: message.array).elsewhere?.place == .unrecognized
        },
        "gate.v1.Stage": { try summary(field: 7).stage == .waiting },
        "gate.v1.Operator": {
            try isUnshowable(
                .arithmeticEntry(ArithmeticProblem(left: 3, operator: .plus, right: 4)), changing: "operation")
        },
        "gate.v1.Shape.Form": { try isUnshowable(shapes, changing: "form") },
        "gate.v1.Shape.Colour": { try isUnshowable(shapes, changing: "colour") },
        "gate.v1.Birthdate.Calendar": { try isUnshowable(.birthdate(.gregorian), changing: "calendar") },
        "gate.v1.Swipe.Direction": {
            try isUnshowable(.swipe(SwipeGesture(.up, fingers: 2)), changing: "direction")
        },
        "gate.v1.WhatsNew.Haptic": {
            let action = MessageBytes { $0.bytes(1, [0x6F]).number(2, unknown) }.array
            let notice = MessageBytes {
                $0.bytes(1, [0x61]).bytes(2, Array("1.2.3".utf8)).bytes(3, [0x74]).bytes(5, action)
            }.array
            let message = MessageBytes { $0.bytes(1, notice) }.array
            return try GetReleaseNotesResponse(decoding: message).entry?.entry.primary.haptic == WhatsNew.Haptic.none
        },
        // The response counts as withdrawn, so that it gives nothing.
        "gate.v1.Ask.State": {
            let ask = MessageBytes { $0.number(7, unknown) }.array
            return try ListAsksResponse(decoding: MessageBytes { $0.bytes(1, ask) }.array).elements.map(\.state)
                == [.unrecognized]
        },
        "gate.v1.ResponseSummary.Status": {
            var known = ResponseSummary(
                id: 1, name: "consent", version: nil, holder: .user(5), status: .completed,
                savedAt: WallTime(unixMilliseconds: 0))
            let message = ListResponsesResponse([known], nextPageToken: "").encoded()
            known.status = .enteredInError
            return try ListResponsesResponse(decoding: changed("status", in: message, ListResponsesResponse.self))
                .elements == [known]
        },
        "gate.v1.WhatsNewOutcome": {
            let message = ShowReleaseNotesResponse(
                revision: Revision(epoch: 1, number: 1), result: .outcome(.nothingNew))
            let read = try ShowReleaseNotesResponse(
                decoding: changed("outcome", in: message.encoded(), ShowReleaseNotesResponse.self))
            return read.result == .outcome(.shown)
        },
        // A kind that this version does not know is none that it could do anything with.
        "gate.v1.SecretKind": {
            try GetSecretsResponse(decoding: MessageBytes { $0.bytes(1, [1, 99, 2]) }.array).kinds == [
                .passcode, .totp,
            ]
        },
        // The number is not taken for a user's.
        "gate.v1.OwnerKind": {
            let lockout = MessageBytes { $0.number(1, 1000).number(5, unknown) }.array
            let read = try ListLockoutsResponse(decoding: MessageBytes { $0.bytes(1, lockout) }.array).elements
            return read.map(\.owner) == [.withoutAccount]
        },
        "gate.v1.LockoutGate.Kind": {
            let gate = MessageBytes { $0.number(1, unknown) }.array
            let lockout = MessageBytes { $0.bytes(2, gate) }.array
            let read = try ListLockoutsResponse(decoding: MessageBytes { $0.bytes(1, lockout) }.array).elements
            return read.map(\.gate) == [nil]
        },
        // The message still says what is wrong, and which item has it.
        "gate.v1.IssueKind": {
            let issue = MessageBytes { $0.number(3, unknown).bytes(5, Array("no".utf8)) }.array
            let read = try ErrorDetail(decoding: MessageBytes { $0.bytes(4, issue) }.array).issues
            return read == [ErrorIssue(nil, "no")]
        },
        // A child is not taken for a grown-up.
        "gate.v1.AgeSource": {
            let range = MessageBytes { $0.number(1, 13).number(3, unknown) }.array
            return try QueryAgeRangeResponse(decoding: MessageBytes { $0.bytes(1, range) }.array).range?.source
                == .guardian
        },
        "gate.v1.AgeChoice": {
            let app = MessageBytes { $0.number(3, unknown) }.array
            return try ListAgeAppsResponse(decoding: MessageBytes { $0.bytes(1, app) }.array).elements.map(\.choice)
                == [.ask]
        },
        "gate.v1.AuditKind": {
            let entry = MessageBytes { $0.number(1, 7).number(3, unknown).number(5, unknown) }.array
            let read = try AuditResponse(decoding: MessageBytes { $0.bytes(2, entry) }.array).entries
            return read.map(\.kind) == [.unrecognized] && read.map(\.mode) == [.child]
        },
    ]

    private static let shapes = Challenge.shapes(
        ShapesProblem(
            left: [ShapesProblem.Shape(.circle, .red)], operator: .plus, right: [ShapesProblem.Shape(.square, .blue)]),
        choices: [1, 2, 3])

    private static func entitlement(provider: UInt64, status: UInt64, isActive: UInt64) throws -> Entitlement {
        let state = EntitlementsState(
            entitlements: [
                Entitlement(
                    id: "premium", title: "Premium",
                    source: Entitlement.Source(
                        provider: .storeKit, saidAt: WallTime(unixMilliseconds: 0),
                        status: isActive == 1 ? .subscribed : .expired, product: "", holder: .device, until: nil))
            ], isSubscriptionActive: false)
        var message = GetEntitlementsResponse(revision: Revision(epoch: 1, number: 1), state: state, providers: [])
            .encoded()
        if provider == unknown { message = try changed("provider", in: message, GetEntitlementsResponse.self) }
        if status == unknown { message = try changed("status", in: message, GetEntitlementsResponse.self) }
        return try GetEntitlementsResponse(decoding: message).state.entitlements[0]
    }

    private static func summary(field: UInt64) throws -> PresentationSummary {
        var fields = MessageBytes { $0.number(1, 7).bytes(8, []) }
        for other in [2, 3, 5, 7] as [UInt64] { fields = fields.number(other, other == field ? unknown : 1) }
        let message = MessageBytes { $0.bytes(1, fields.array) }.array
        return try #require(try RegisterPresenterResponse(decoding: message).presentation)
    }

    /// A presentation whose content says something unknown is one that nobody here can show, and can be dismissed.
    private static func isUnshowable(_ challenge: Challenge, changing field: String) throws -> Bool {
        let summary = PresentationSummary(
            id: 1, purpose: .authorize, kind: .challenge(challenge.kind), deadline: .never, style: .sheet,
            isDismissible: true, stage: .claimed,
            asked: PresentationContext(uid: 1, pid: 2, program: "", gatedAction: "", title: "", details: ""))
        let response = ClaimResponse(
            presentation: Presentation(
                summary, cookie: PresentationCookie(bytes: [UInt8](repeating: 1, count: 24)),
                content: .challenge(challenge)))
        let read = try ClaimResponse(decoding: changed(field, in: response.encoded(), ClaimResponse.self))
        return read.presentation.content == .unrecognized && read.presentation.summary == summary
    }

    /// The same message with an unknown value in every enum field of this name.
    private static func changed<Message: WireMessage>(
        _ field: String, in bytes: [UInt8], _ type: Message.Type
    ) throws -> [UInt8] {
        let changed = Unknown.message(bytes, Message.descriptor, field)
        #expect(changed != bytes, "there is no \(field)")
        return changed
    }

    /// Writes a message anew, with another value in some of its fields.
    private enum Unknown {
        static func message(
            _ bytes: [UInt8], _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ changing: String
        ) -> [UInt8] {
            let fields = FieldDescription.all(of: descriptor)
            var rest = bytes[...]
            var result = MessageBytes()
            while !rest.isEmpty {
                let tag = varint(&rest)
                let field = fields.first { UInt64($0.number) == tag >> 3 }
                switch tag & 7 {
                case 0:
                    let value = varint(&rest)
                    var isChanged = false
                    if case .enumeration? = field?.kind { isChanged = field?.name == changing }
                    result = result.number(tag >> 3, isChanged ? unknown : value)
                case 2:
                    let length = Int(varint(&rest))
                    var value = Array(rest.prefix(length))
                    rest = rest.dropFirst(length)
                    if case .message(let inner)? = field?.kind { value = message(value, inner, changing) }
                    result = result.bytes(tag >> 3, value)
                default:
                    preconditionFailure("no message here has such a field")
                }
            }
            return result.array
        }

        private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64 {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while let byte = bytes.popFirst() {
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return value
        }
    }

    /// The requests with an unknown value; reading each must fail.
    private static let requests: [String: @Sendable () throws -> Void] = [
        "gate.v1.ModeState.Mode": {
            _ = try OverrideModeRequest(decoding: MessageBytes { $0.number(1, unknown) }.array)
        },
        "gate.v1.PresentationKind": {
            _ = try RegisterPresenterRequest(decoding: MessageBytes { $0.bytes(1, [99]) }.array)
        },
        "gate.v1.Style": { _ = try RegisterPresenterRequest(decoding: MessageBytes { $0.bytes(2, [99]) }.array) },
        "gate.v1.Presenting": { _ = try ToggleRequest(decoding: MessageBytes { $0.number(2, unknown) }.array) },
        "gate.v1.Input": { _ = try ReportRequest(decoding: MessageBytes { $0.number(2, unknown) }.array) },
        "gate.v1.Topic": { _ = try WatchRequest(decoding: MessageBytes { $0.bytes(1, [99]) }.array) },
        "gate.v1.TimeRuleKind": { _ = try SetTimeRuleRequest(decoding: MessageBytes { $0.number(1, unknown) }.array) },
        "gate.v1.SecretKind": { _ = try RemoveSecretRequest(decoding: MessageBytes { $0.number(1, unknown) }.array) },
        "gate.v1.Provider": { _ = try ReportProviderRequest(decoding: MessageBytes { $0.number(1, unknown) }.array) },
        "gate.v1.WhatsNew.Haptic": {
            let action = MessageBytes { $0.number(2, unknown) }.array
            let notes = MessageBytes { $0.bytes(2, Array("1.0".utf8)).bytes(5, action) }.array
            let request = MessageBytes { $0.bytes(2, Array("1.0".utf8)).bytes(4, notes) }
            _ = try ShowReleaseNotesRequest(decoding: request.array)
        },
        "gate.v1.ObeyHomeAssistantRequest.Verb": {
            _ = try ObeyHomeAssistantRequest(decoding: MessageBytes { $0.number(1, unknown) }.array)
        },
        "gate.v1.SendCommandRequest.Verb": {
            _ = try SendCommandRequest(decoding: MessageBytes { $0.number(2, unknown) }.array)
        },
        "gate.v1.AgeChoice": { _ = try SetAgeChoiceRequest(decoding: MessageBytes { $0.number(3, unknown) }.array) },
        "gate.v1.LockoutGate.Kind": {
            let gate = MessageBytes { $0.number(1, unknown) }.array
            _ = try ClearLockoutRequest(decoding: MessageBytes { $0.bytes(2, gate) }.array)
        },
        "gate.v1.Acknowledged.Action": {
            let action = MessageBytes { $0.number(1, unknown) }.array
            _ = try CompleteRequest(decoding: MessageBytes { $0.bytes(6, action) }.array)
        },
        "gate.v1.Swipe.Direction": {
            let answer = CompleteRequest(
                cookie: PresentationCookie(bytes: [UInt8](repeating: 1, count: 24)),
                answer: .swiped(SwipeGesture(.up, fingers: 2)))
            _ = try CompleteRequest(decoding: changed("direction", in: answer.encoded(), CompleteRequest.self))
        },
    ]

    @Test("each unknown value in a response becomes the safest known one", arguments: answers.keys.sorted())
    func inAnswers(name: String) throws {
        let isSafest = try #require(Self.answers[name])
        let result = try isSafest()
        #expect(result)
    }

    @Test("each unknown value in a request is refused", arguments: requests.keys.sorted())
    func inRequests(name: String) throws {
        let read = try #require(Self.requests[name])
        let error = #expect(throws: GateError.self) { try read() }
        #expect(error?.code == .invalidArgument && error?.message.contains("does not know") == true)
    }

    @Test("every enum of a response and of a request has its decision")
    func everyEnum() {
        var inRequests: Set<String> = []
        var inAnswers: Set<String> = ["gate.v1.Reason"]
        for method in ServiceCatalog.all.flatMap(\.methods) {
            collect(method.input, &inRequests)
            collect(method.output, &inAnswers)
        }
        #expect(inAnswers == Set(Self.answers.keys))
        #expect(inRequests == Set(Self.requests.keys))
    }

    private func collect(_ message: UnsafePointer<ProtobufCMessageDescriptor>, _ names: inout Set<String>) {
        for field in FieldDescription.all(of: message) {
            switch field.kind {
            case .enumeration(let descriptor): names.insert(String(cString: descriptor.pointee.name))
            case .message(let inner): collect(inner, &names)
            case .int32, .uint32, .int64, .uint64, .float, .double, .bool, .string, .bytes: break
            }
        }
    }
}
