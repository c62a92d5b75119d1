import GateModel
import GateProtocol
import Testing

@Suite("Reading entitlement messages with missing or unknown parts")
struct EntitlementWireTests {
    private static let device = MessageBytes { $0.bytes(1, []) }.array

    /// - Parameter error: `nil`: it is understood.
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

    @Test("a holder that names nobody is refused in every message")
    func holderThatSaysNobody() {
        let nobody: [UInt8] = []
        let unknown = MessageBytes { $0.bytes(9, []) }.array
        for holder in [nobody, unknown] {
            check(AddClaimRequest.self, MessageBytes { $0.bytes(2, holder) }, "set device or account")
            check(SubmitSignedTransactionRequest.self, MessageBytes { $0.bytes(2, holder) }, "set device or account")
            check(SubmitServerNotificationRequest.self, MessageBytes { $0.bytes(2, holder) }, "set device or account")
            check(ListClaimsResponse.self, Self.listed { $0.bytes(3, holder) }, "set device or account")
        }
    }

    @Test("without a holder, a manual claim is the device's and a receipt's holder is left open")
    func absentHolder() throws {
        #expect(try AddClaimRequest(decoding: [UInt8]()).holder == .device)
        #expect(try SubmitSignedTransactionRequest(decoding: [UInt8]()).holder == nil)
        #expect(try SubmitServerNotificationRequest(decoding: [UInt8]()).holder == nil)
        let empty = MessageBytes { $0.bytes(2, MessageBytes { $0.bytes(2, []) }.array) }.array
        #expect(try AddClaimRequest(decoding: empty).holder == .account(""))
    }

    @Test("of two holders in one message the last counts, and two that name nobody are refused")
    func holderTwice() throws {
        let anna = MessageBytes { $0.bytes(2, Array("anna".utf8)) }.array
        func holder(_ first: [UInt8], _ second: [UInt8]) throws(GateError) -> Claim.Holder {
            try AddClaimRequest(decoding: MessageBytes { $0.bytes(2, first).bytes(2, second) }.array).holder
        }
        #expect(try holder(anna, Self.device) == .device)
        #expect(try holder(Self.device, anna) == .account("anna"))
        #expect(try holder([], Self.device) == .device)
        #expect(try holder(anna + Self.device, []) == .device)
        let error = #expect(throws: GateError.self) { try holder([], []) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("a claim without an expiry lasts for ever; an expiry of 0 is the beginning of 1970")
    func expiry() throws {
        #expect(try AddClaimRequest(decoding: [UInt8]()).expiresAt == nil)
        #expect(
            try AddClaimRequest(decoding: MessageBytes { $0.number(3, 0) }.array).expiresAt
                == WallTime(unixMilliseconds: 0))
    }

    /// A list with one claim: provider, holder, status.
    private static func listed(_ change: (MessageBytes) -> MessageBytes) -> MessageBytes {
        MessageBytes { $0.bytes(1, change(MessageBytes { $0.number(1, 3).number(7, 1) }).array) }
    }

    @Test("a listed claim needs a holder; its provider and status may be unknown to this version")
    func listedClaim() {
        let type = ListClaimsResponse.self
        check(type, Self.listed { $0.bytes(3, Self.device) }, nil)
        check(type, Self.listed { $0 }, "gate.v1.Claim.holder is not set")
        for number in [0, 4] as [UInt64] {
            check(type, Self.listed { $0.bytes(3, Self.device).number(1, number) }, nil)
        }
        for number in [0, 6] as [UInt64] {
            check(type, Self.listed { $0.bytes(3, Self.device).number(7, number) }, nil)
        }
    }

    @Test(
        "a request that needs a provider is refused if it names none or an unknown one", arguments: [0, 4] as [UInt64])
    func provider(number: UInt64) {
        let problem = number == 0 ? "is not set" : "is 4, which this version does not know"
        check(
            RevokeClaimRequest.self, MessageBytes { $0.number(1, number) },
            "gate.v1.RevokeClaimRequest.provider \(problem)")
        check(
            ReportProviderRequest.self, MessageBytes { $0.number(1, number).number(2, 1) },
            "gate.v1.ReportProviderRequest.provider \(problem)")
        check(
            ReportOffersRequest.self, MessageBytes { $0.number(1, number) },
            "gate.v1.ReportOffersRequest.provider \(problem)")
    }

    @Test("an offer's period must be valid, and an amount as its price needs a currency (S-08)")
    func offer() {
        for period in ["1M", "P1Y6M", "PT1H", "P0D", "a month"] {
            check(
                ReportOffersRequest.self,
                MessageBytes { $0.number(1, 1).bytes(3, MessageBytes { $0.bytes(3, Array(period.utf8)) }.array) },
                "gate.v1.Offer.period is no period of 1 to 999 days, weeks, months or years, like P1M")
        }
        check(
            ReportOffersRequest.self,
            MessageBytes { $0.number(1, 1).bytes(3, MessageBytes { $0.number(5, 3_990_000) }.array) },
            "gate.v1.Offer.currency is not set, and price_micros is; set both or neither")
    }

    @Test("a request for a paywall may leave provider and style to the policy, but may not name unknown ones")
    func paywallRequest() throws {
        #expect(try RequestPaywallRequest(decoding: [UInt8]()).paywall == PaywallRequest())
        #expect(
            try RequirePremiumRequest(decoding: [UInt8]())
                == RequirePremiumRequest(paywall: PaywallRequest(), presenting: .elsewhere))
        for (field, name) in [(2, "provider"), (3, "style")] as [(UInt64, String)] {
            let bytes = MessageBytes { $0.bytes(1, MessageBytes { $0.number(field, 77) }.array) }
            check(RequestPaywallRequest.self, bytes, "gate.v1.PaywallRequest.\(name) is 77")
            check(RequirePremiumRequest.self, bytes, "gate.v1.PaywallRequest.\(name) is 77")
        }
    }

    @Test("a response about a paywall without a result is refused")
    func outcome() {
        check(RequestPaywallResponse.self, MessageBytes { $0.number(2, 2) }, nil)
        check(RequirePremiumResponse.self, MessageBytes(), "holds no result")
        check(RequirePremiumResponse.self, MessageBytes { $0.number(2, 1) }, nil)
    }

    /// A presentation with this content.
    private static func claimed(_ field: UInt64, _ content: MessageBytes) -> MessageBytes {
        let summary = MessageBytes {
            $0.number(1, 1).number(2, 5).number(3, 12).number(5, 1).number(7, 1).bytes(8, [])
        }
        return MessageBytes {
            $0.bytes(1, MessageBytes { $0.bytes(1, summary.array).bytes(field, content.array) }.array)
        }
    }

    @Test("a paywall without a provider and a sign-in without contents are shown")
    func shownPaywall() throws {
        check(ClaimResponse.self, Self.claimed(14, MessageBytes { $0.number(3, 2) }), nil)
        check(ClaimResponse.self, Self.claimed(14, MessageBytes()), nil)
        let prompt = try ClaimResponse(decoding: Self.claimed(13, MessageBytes()).array)
        #expect(prompt.presentation.content == .signIn)
        #expect(prompt.presentation.challenge == nil)
    }

    /// A state with one entitlement that a claim decides.
    private static func state(isActive: UInt64, _ source: MessageBytes) -> MessageBytes {
        let entitlement = MessageBytes { $0.number(3, isActive).bytes(4, source.array) }
        return MessageBytes { $0.bytes(2, MessageBytes { $0.bytes(1, entitlement.array) }.array) }
    }

    @Test("the claim that decides about an entitlement needs a holder")
    func source() {
        let type = GetEntitlementsResponse.self
        let source = MessageBytes { $0.number(1, 1).number(3, 1).bytes(5, Self.device) }
        check(type, Self.state(isActive: 1, source), nil)
        for isActive in [0, 1] as [UInt64] { check(type, Self.state(isActive: isActive, source.number(3, 6)), nil) }
        check(
            type, Self.state(isActive: 1, MessageBytes { $0.number(1, 1).number(3, 1) }),
            "gate.v1.EntitlementSource.holder is not set")
    }

    @Test("an entitlement whose status contradicts \"active\", or that is active without a claim, is refused")
    func contradictions() {
        let type = GetEntitlementsResponse.self
        for (number, isActive) in [(1, 1), (2, 0), (3, 1), (4, 0), (5, 0)] as [(UInt64, UInt64)] {
            let source = MessageBytes { $0.number(1, 1).number(3, number).bytes(5, Self.device) }
            check(type, Self.state(isActive: isActive, source), nil)
            check(type, Self.state(isActive: 1 - isActive, source), "gate.v1.Entitlement.is_active")
        }
        let unclaimed = MessageBytes { $0.number(3, 1) }.array
        check(
            type, MessageBytes { $0.bytes(2, MessageBytes { $0.bytes(1, unclaimed) }.array) },
            "gate.v1.Entitlement.is_active")
    }

    @Test("a response without a state of entitlements means that nothing is paid for")
    func noState() throws {
        let answer = try GetEntitlementsResponse(decoding: [UInt8]())
        #expect(answer.state == .closed && answer.providers.isEmpty)
    }

    @Test("a watcher tells an unchanged sign-in or entitlement from one that became empty")
    func watched() throws {
        let silent = try WatchResponse(decoding: [UInt8]())
        #expect(silent.signIn == nil && silent.entitlements == nil)
        let closed = try WatchResponse(decoding: MessageBytes { $0.bytes(6, []).bytes(7, []) }.array)
        #expect(closed.signIn == .closed && closed.entitlements == .closed)
    }

    @Test("a body of 1 MiB with its headers comes back whole")
    func largeBody() throws {
        let request = SubmitCustomerInfoRequest(
            path: "/v1/subscribers/%24device", nonce: Array(0..<12),
            headers: (0..<64).map { ProviderHTTPHeader(name: "x-\($0)", value: String(repeating: "v", count: $0)) },
            body: [UInt8](repeating: 0x7B, count: 1 << 20))
        #expect(try SubmitCustomerInfoRequest(decoding: request.encoded()) == request)
    }
}
