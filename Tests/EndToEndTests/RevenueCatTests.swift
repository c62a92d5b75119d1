import Foundation
import GateModel
import ProcessSupport
import RevenueCatSupport
import Testing

/// A real `gate-revenuecat` between a real `gated` and an API on the loopback.
@Suite("RevenueCat, from its API to the paywall", .serialized, .waitsForProcesses)
struct RevenueCatTests {
    private static let policy = """
        entitlements: {premium: {title: Premium}, gold: {title: Gold}}
        paywall: {entitlement: premium, provider: revenuecat}
        roles: {provider: {users: [\(PollingService.uid)]}}

        """

    @Test("a subscription closes the open paywall, also if either program was away meanwhile (F-50)")
    func story() async throws {
        let signing = SignedCustomerInfo()
        let api = try DocumentedAPI([.signed(etag: "e1", entitlement: "sweets")], signing: signing) {
            BootTime(nanoseconds: 0)
        }
        let (serving, settings) = try await PollingService.serve(api)
        defer { serving.cancel() }
        let gate = try RunningGate(
            policy: Self.policy, files: ["providers.yaml": PollingService.providers(settings)], isOpenToOthers: true)
        let service = try PollingService.start(gate)
        while try service.nextLineAnywhere()?.text.contains("RevenueCat answers") == false {}
        #expect(try entitlement(gate, "premium").contains("not bought"))

        // It asks every 15 min, and sooner while somebody may be paying.
        let screen = try RelayScreen(gate)
        let waiting = try gate.gatectlWithoutTerminal("paywall", "require")
        #expect(try screen.shown().contains("PROVIDER_REVENUE_CAT"))
        api.answers(with: .signed(etag: "e2", entitlement: "premium"))
        let paid = try waiting.ended()
        #expect(paid.status == 0 && paid.output.contains("paid"), "\(paid.errors)")
        try screen.cleared()
        #expect(try entitlement(gate, "premium").contains("subscribed"))

        // The API goes down. Its last answer stays in force.
        api.answers(with: .status(503))
        let gold = try gate.gatectlWithoutTerminal("paywall", "require", "gold")
        try eventually("RevenueCat is not heard") { try health(gate).contains("revenuecat can't be heard since ") }
        #expect(try health(gate).contains("HTTP 503"))
        #expect(try entitlement(gate, "premium").contains("subscribed"))
        #expect(try gate.gatectl("paywall", "require", "premium").output.contains("active already"))

        // The last answer also stays if a stranger answers in the API's place, who would give gold away.
        api.answers(with: .forged(etag: "e3", entitlement: "gold"))
        try eventually("the stranger is told from RevenueCat") { try health(gate).contains("root") }
        #expect(try entitlement(gate, "gold").contains("not bought"))
        #expect(!gold.hasEnded)

        api.answers(with: .signed(etag: "e4", entitlement: "gold"))
        #expect(try gold.ended().status == 0)
        #expect(try entitlement(gate, "premium").contains("not bought"), "an answer is the whole of a user")
        try eventually("RevenueCat is heard") { try health(gate).isEmpty }

        // A daemon that has lost its records is told again, even though the API can't be asked.
        api.answers(with: .status(503))
        #expect(try gate.stop() == 0)
        try FileManager.default.removeItem(atPath: gate.stateDirectory)
        try gate.start()
        try eventually("gold is back") { try entitlement(gate, "gold").contains("subscribed") }

        service.signal(SIGTERM)
        let ended = try service.ended()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(!ended.errors.contains(SignedCustomerInfo.publicKey))
        // The service ends, and its last answer stays in force.
        #expect(try entitlement(gate, "gold").contains("subscribed"))
    }

    @Test("gated checks answers itself: forged, foreign, unsigned or older ones change nothing")
    func forged() throws {
        let signing = SignedCustomerInfo()
        let settings = RevenueCatSettings(
            publicKey: SignedCustomerInfo.publicKey, rootKey: signing.rootKey, baseURL: "https://api.example",
            users: ["anna": .device])
        let gate = try RunningGate(policy: Self.policy, files: ["providers.yaml": PollingService.providers(settings)])
        func answer(_ keys: SignedCustomerInfo, of user: String = "anna") throws -> SignedCustomerInfo.Answer {
            try keys.answer(
                path: "/v1/subscribers/\(user)", nonce: Array("123456789012".utf8), etag: "e1", entitlement: "premium")
        }
        func submit(_ answer: SignedCustomerInfo.Answer) throws -> ChildProcess.Result {
            let text = String(decoding: try answer.json(), as: UTF8.self)
            return try gate.gatectl("entitlements", "submit", "-", input: text)
        }
        let (older, good, stranger) = (
            try answer(signing), try answer(signing, of: "anna"), try answer(SignedCustomerInfo())
        )
        var (unsigned, changed) = (good, good)
        unsigned.headers["X-Signature"] = nil
        changed.body = changed.body.replacing("premium", with: "gold")
        let before = try gate.gatectl("status", "--json").output
        for (answer, word) in [(stranger, "root"), (unsigned, "X-Signature"), (changed, "signature")] {
            let result = try submit(answer)
            #expect(result.status == 65 && result.errors.contains(word), "\(result.errors)")
        }
        #expect(try submit(answer(signing, of: "bert")).status == 65, "nobody here is bert")
        #expect(try gate.gatectl("status", "--json").output == before)

        usleep(2000)
        #expect(try submit(answer(signing)).status == 0)
        let after = try gate.gatectl("status", "--json").output
        #expect(after != before)
        let late = try submit(older)
        #expect(late.status == 1 && late.errors.contains("newer"), "\(late.errors)")
        #expect(try gate.gatectl("status", "--json").output == after)
    }

    // MARK: -

    /// The line about this entitlement.
    private func entitlement(_ gate: RunningGate, _ name: String) throws -> String {
        let lines = try gate.gatectl("entitlements").output.split(separator: "\n")
        return try #require(lines.first { $0.hasPrefix(name) }.map(String.init))
    }

    /// The providers that can't be reached.
    private func health(_ gate: RunningGate) throws -> String { try gate.gatectl("entitlements").errors }
}
