import CommandSupport
import Crypto
import Foundation
import GateCore
import GateModel
import GatePolicy
import GateProtocol
import GateReceipts
import Synchronization
import TTRPC
import TTRPCTransport
import Testing

@testable import GateDaemon

@Suite("What providers say, over the wire", .timeLimit(.minutes(10)))
struct SubmissionsTests {
    private static let policy = LiveGate.signInPolicy
    private static let storeKit = """
        storekit: {bundle-ids: [org.example.app], roots: [root.cer], products: {org.example.monthly: premium}}

        """
    private static let unsigned = """
        revenuecat: {public-key: appl_test, unsigned: accepted, users: {$device: device}, entitlements: {pro: premium}}

        """
    private static var rootFiles: [String: [UInt8]] {
        get throws { ["root.cer": Array(try #require(Data(base64Encoded: SignedByAppStore.root)))] }
    }
    private let day = Duration.seconds(86_400)

    private func transaction(_ jws: String = SignedByAppStore.transaction) -> SubmitSignedTransactionRequest {
        SubmitSignedTransactionRequest(signedTransaction: Array(jws.utf8), holder: .device)
    }

    private func customerInfo(_ settings: SigningRevenueCat?, path: String = "/v1/subscribers/$device") throws
        -> SubmitCustomerInfoRequest
    {
        let body = SigningRevenueCat.body
        let headers = try settings.map { try $0.headers(path: path, body: body) } ?? []
        return SubmitCustomerInfoRequest(
            path: path, nonce: settings == nil ? [] : SigningRevenueCat.nonce, headers: headers, body: Array(body.utf8))
    }

    @Test("a signed transaction activates, a failed renewal gives grace, and a subscription ends by itself")
    func storeKit() async throws {
        try await LiveGate.with(
            policy: Self.policy, providers: Self.storeKit, rootFiles: try Self.rootFiles
        ) { gate, _ in
            let (shop, anna) = (try await gate.connect("shop"), try await gate.connect("anna"))
            let renewalInfo = SubmitRenewalInfoRequest(signedRenewalInfo: Array(SignedByAppStore.renewalInfo.utf8))
            let early = await shop.refusal(of: Methods.Entitlements.submitRenewalInfo, renewalInfo)
            #expect(early?.code == .notFound)
            _ = try await shop.call(Methods.Entitlements.submitSignedTransaction, transaction())
            #expect(try await anna.premium() == .subscribed)
            _ = try await shop.call(Methods.Entitlements.submitRenewalInfo, renewalInfo)
            await gate.advance(by: day * 30)
            #expect(try await anna.premium() == .inGracePeriod)
            await gate.advance(by: day * 16)
            #expect(try await anna.premium() == .inBillingRetry)
        }
    }

    @Test("a refund ends what was bought, once")
    func refund() async throws {
        try await LiveGate.with(
            policy: Self.policy, providers: Self.storeKit, rootFiles: try Self.rootFiles
        ) { gate, _ in
            let shop = try await gate.connect("shop")
            _ = try await shop.call(Methods.Entitlements.submitSignedTransaction, transaction())
            await gate.advance(by: .seconds(2))
            let notification = SubmitServerNotificationRequest(
                signedPayload: Array(SignedByAppStore.refund.utf8), holder: nil)
            _ = try await shop.call(Methods.Entitlements.submitServerNotification, notification)
            #expect(try await shop.premium() == .revoked)
            let again = await shop.refusal(of: Methods.Entitlements.submitServerNotification, notification)
            #expect(again?.reason == .outdated)
            // An earlier statement does not bring it back.
            let before = await shop.refusal(of: Methods.Entitlements.submitSignedTransaction, transaction())
            #expect(before?.reason == .outdated)
            #expect(try await shop.premium() == .revoked)
        }
    }

    @Test("a receipt that fails a check changes nothing, and the check is named")
    func badReceipt() async throws {
        try await LiveGate.with(
            policy: Self.policy, providers: Self.storeKit, rootFiles: try Self.rootFiles
        ) { gate, store in
            let (shop, anna) = (try await gate.connect("shop"), try await gate.connect("anna"))
            let before = store.kinds
            var tampered = Array(SignedByAppStore.transaction.utf8)
            tampered[tampered.count - 20] ^= 1
            let submit = Methods.Entitlements.submitSignedTransaction
            let signature = await shop.refusal(
                of: submit, SubmitSignedTransactionRequest(signedTransaction: tampered, holder: .device))
            #expect(signature?.code == .invalidArgument)
            #expect(signature?.reason == .badReceipt)
            #expect(signature?.message.hasPrefix("signature: ") ?? false)
            let garbage = await shop.refusal(of: submit, transaction("garbage"))
            #expect(garbage?.message.hasPrefix("malformed: ") ?? false)
            let large = await shop.refusal(of: submit, transaction(String(repeating: "a", count: (256 << 10) + 1)))
            #expect(large?.message.hasPrefix("size: ") ?? false)
            #expect(await anna.refusal(of: submit, transaction())?.code == .permissionDenied)
            #expect(store.kinds == before)
            #expect(try await shop.premium() == nil)
            #expect(try await shop.call(Methods.Entitlements.listClaims, ListClaimsRequest()).elements.isEmpty)
        }
    }

    @Test("where account tokens are demanded, a purchase that was made for nobody here gives nothing (T-13)")
    func unbound() async throws {
        let bound = Self.storeKit.replacing(
            "products:", with: "account-tokens: {7e3fb20b-4cdb-47cc-936d-99d65f608138: device}, products:")
        try await LiveGate.with(policy: Self.policy, providers: bound, rootFiles: try Self.rootFiles) { gate, _ in
            let shop = try await gate.connect("shop")
            let refusal = await shop.refusal(of: Methods.Entitlements.submitSignedTransaction, transaction())
            #expect(refusal?.reason == .badReceipt && refusal?.message.hasPrefix("app-account-token: ") == true)
            #expect(try await shop.premium() == nil)
        }
    }

    @Test("without configured providers the refusal names the file, and a reload enables them")
    func reload() async throws {
        try await LiveGate.with(policy: Self.policy, rootFiles: try Self.rootFiles) { gate, _ in
            let (root, shop) = (try await gate.connect("root"), try await gate.connect("shop"))
            let refusals = [
                await shop.refusal(of: Methods.Entitlements.submitSignedTransaction, transaction()),
                await shop.refusal(of: Methods.Entitlements.submitCustomerInfo, try customerInfo(nil)),
            ]
            for refusal in refusals {
                #expect(refusal?.code == .failedPrecondition)
                #expect(refusal?.message.contains("providers.yaml") ?? false)
            }
            gate.providersText.value = Self.storeKit
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            _ = try await shop.call(Methods.Entitlements.submitSignedTransaction, transaction())
            #expect(try await shop.premium() == .subscribed)
        }
    }

    @Test("a policy whose root certificates are malformed is refused")
    func badRoots() {
        var policy = Policy.builtIn
        policy.providers.storeKit = StoreKitSettings(bundleIDs: ["org.example.app"], roots: [[1, 2, 3]])
        let roles = RoleRules(.builtIn, daemonUser: 0, user: { _ in nil }, group: { _ in nil })
        let error = #expect(throws: BadPolicy.self) { try PolicyInForce(policy: policy, roles: roles) }
        #expect(error?.problems.first?.description.contains("providers.yaml") ?? false)
    }

    @Test("customer info signed by RevenueCat is accepted, and unsigned info is refused")
    func revenueCat() async throws {
        let signing = SigningRevenueCat()
        let providers = """
            revenuecat: {public-key: appl_test, root-key: "\(signing.rootKey)", users: {$device: device}, \
            entitlements: {pro: premium}}

            """
        try await LiveGate.with(policy: Self.policy, providers: providers) { gate, store in
            let (shop, root) = (try await gate.connect("shop"), try await gate.connect("root"))
            let submit = Methods.Entitlements.submitCustomerInfo
            for peer in [shop, root] {
                let refusal = await peer.refusal(of: submit, try customerInfo(nil))
                #expect(refusal?.message.hasPrefix("signature-missing: ") ?? false)
            }
            var tampered = try customerInfo(signing)
            tampered.body[tampered.body.count - 3] ^= 1
            #expect(await shop.refusal(of: submit, tampered)?.reason == .badReceipt)
            #expect(try await shop.premium() == nil)
            _ = try await shop.call(submit, try customerInfo(signing))
            #expect(try await shop.premium() == .subscribed)
            let others = await shop.refusal(of: submit, try customerInfo(signing, path: "/v1/subscribers/nobody"))
            #expect(others?.code == .notFound)
        }
    }

    @Test("unsigned customer info is taken where the policy says so, from a provider alone")
    func unsigned() async throws {
        try await LiveGate.with(policy: Self.policy, providers: Self.unsigned) { gate, _ in
            let (anna, shop) = (try await gate.connect("anna"), try await gate.connect("shop"))
            let submit = Methods.Entitlements.submitCustomerInfo
            #expect(await anna.refusal(of: submit, try customerInfo(nil))?.code == .permissionDenied)
            var large = try customerInfo(nil)
            large.body = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
            #expect(await shop.refusal(of: submit, large)?.message.hasPrefix("size: ") ?? false)
            _ = try await shop.call(submit, try customerInfo(nil))
            #expect(try await shop.premium() == .subscribed)
        }
    }

    @Test("providers may send large requests and others may not, also after a reload")
    func requestSizes() async throws {
        try await LiveGate.with(policy: Self.policy, providers: Self.unsigned) { gate, _ in
            let (root, shop, anna) = (
                try await gate.connect("root"), try await gate.connect("shop"), try await gate.connect("anna")
            )
            let submit = Methods.Entitlements.submitCustomerInfo
            var large = try customerInfo(nil)
            large.body += [UInt8](repeating: 0x20, count: 1_000_000)
            #expect(await anna.refusal(of: submit, large)?.code == .resourceExhausted)
            _ = try await shop.call(submit, large)
            gate.policyText.value = Self.policy.replacing("users: [shop]", with: "users: [anna]")
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            #expect(await shop.refusal(of: submit, large)?.code == .resourceExhausted)
            #expect(await anna.refusal(of: submit, large)?.code == nil)
            #expect(try await shop.premium() == .subscribed)
        }
    }

    @Test("of many receipts at once a few are verified, some wait for each provider, and the rest is refused")
    func manyAtOnce() async throws {
        try await LiveGate.with(
            policy: Self.policy, providers: Self.storeKit, rootFiles: try Self.rootFiles
        ) { gate, store in
            let (root, shop) = (try await gate.connect("root"), try await gate.connect("shop"))
            _ = (try await root.premium(), try await shop.premium())
            let turnstile = Turnstile()
            await gate.authority.submit(100, as: 1005, through: turnstile)
            #expect(await gate.authority.refusedCount == 100 - 8)
            await gate.authority.submit(100, as: 0, through: turnstile)
            #expect(await gate.authority.refusedCount == 200 - 32)
            try await PresenterTests.until { turnstile.inside == 2 }
            turnstile.open()
            await gate.authority.settled()
            #expect(turnstile.passed == 32)
            #expect(turnstile.most == 2)
            #expect(store.kinds.last == .signInOpened)
            // There is room again.
            _ = try await shop.call(Methods.Entitlements.submitSignedTransaction, transaction())
        }
    }

    @Test("a receipt verified with roots that a reload replaced is verified again")
    func verifiedAgain() async throws {
        try await LiveGate.with(
            policy: Self.policy, providers: Self.storeKit, rootFiles: try Self.rootFiles
        ) { gate, _ in
            let (root, shop) = (try await gate.connect("root"), try await gate.connect("shop"))
            _ = try await shop.premium()
            let turnstile = Turnstile()
            await gate.authority.submit(1, through: turnstile)
            try await PresenterTests.until { turnstile.inside == 1 }
            gate.providersText.value = Self.storeKit.replacing("org.example.app", with: "org.example.other")
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            turnstile.open()
            await gate.authority.settled()
            #expect(turnstile.passed == 2)
        }
    }
}

/// Verifications of a test: they wait until it opens, and are counted.
private final class Turnstile: Sendable {
    private struct State {
        var isOpen = false
        var (inside, passed, most) = (0, 0, 0)
    }

    private let state = Mutex(State())

    var inside: Int { state.withLock { $0.inside } }
    var passed: Int { state.withLock { $0.passed } }
    /// The largest number of verifications at the same time.
    var most: Int { state.withLock { $0.most } }

    func open() { state.withLock { $0.isOpen = true } }

    func pass() async {
        state.withLock { state in
            state.inside += 1
            state.most = max(state.most, state.inside)
        }
        while !(state.withLock { $0.isOpen }) { await Task.yield() }
        state.withLock { state in
            state.inside -= 1
            state.passed += 1
        }
    }
}

extension Authority {
    fileprivate var refusedCount: UInt64 { context.statistics.refused }

    /// Makes this many calls as one peer, none of which succeeds.
    fileprivate func submit(_ count: Int, as uid: UInt32 = 1005, through turnstile: Turnstile) {
        guard let session = sessions.sessions.values.first(where: { $0.peer.uid == uid }) else { return }
        for index in 0..<count {
            let (stream, number) = (UInt32(20_001 + 2 * index), UInt64(1_000_000 + index))
            session.openCalls[stream] = number
            let call = Call<SubmitRenewalInfoResponse>(
                caller: Caller(session: session, stream: stream, number: number))
            verifications.verifyAndSubmit(for: call, as: { .submit($0, for: nil) }) { _ in
                { _ throws(ReceiptError) in
                    await turnstile.pass()
                    throw ReceiptError(.signature, "It is none.")
                }
            } answer: { _ in
                nil
            }
        }
    }
}

/// RevenueCat, as it signs its answers, under keys of the tests' own.
private struct SigningRevenueCat {
    static let nonce = Array("123456789012".utf8)
    private static let time = "1767225600000"
    static let body = """
        {"request_date":"2026-01-01T00:00:00Z","request_date_ms":1767225600000,"subscriber":{"entitlements":{"pro":\
        {"expires_date":"2026-02-01T00:00:00Z","grace_period_expires_date":null,"product_identifier":"annual",\
        "purchase_date":"2025-12-31T00:00:00Z"}},"non_subscriptions":{},"original_app_user_id":"x","subscriptions":{}}}

        """

    private let root = Curve25519.Signing.PrivateKey()
    private let intermediate = Curve25519.Signing.PrivateKey()

    var rootKey: String { root.publicKey.rawRepresentation.base64EncodedString() }

    func headers(path: String, body: String) throws -> [ProviderHTTPHeader] {
        // The year 2036 or so, in days since 1970.
        let expiry = Data([0x40, 0x5f, 0, 0])
        let key = intermediate.publicKey.rawRepresentation
        let salt = Data("sixteen bytes ok".utf8)
        let signed = salt + Data("appl_test".utf8) + Data(Self.nonce) + Data("\(path)\(Self.time)\(body)".utf8)
        let signature =
            try key + expiry + root.signature(for: expiry + key) + salt + intermediate.signature(for: signed)
        return [
            ProviderHTTPHeader(name: "X-Signature", value: signature.base64EncodedString()),
            ProviderHTTPHeader(name: "X-RevenueCat-Request-Time", value: Self.time),
        ]
    }
}
