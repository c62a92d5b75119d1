import Crypto
import Foundation
import GateModel
import GateReceipts
import GateStoreKit
import ReceiptSupport
import Testing

@Suite("Purchases that are bound to a holder or a device (T-13)")
struct StoreKitBindingTests {
    private static let now = SignedTransactions.now
    /// The account token of the sample.
    private static let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    private static let device = "0d5a9c3e-2b5c-4c7d-9b57-6d2f6f6b1c11"
    private static let nonce = "8A1F0F6C-3E57-4C32-93B6-3F6A4D3C7B21"

    private let store: SignedTransactions

    init() throws {
        store = try SignedTransactions()
    }

    private func binding(
        _ changes: [String: (any Sendable)?] = [:], _ demand: (inout StoreKitSettings) -> Void
    ) async throws -> PurchaseBinding? {
        var settings = try store.settings
        demand(&settings)
        var payload = store.transactionPayload
        for (field, value) in changes { payload[field] = value }
        let jws = Array(try store.chain.sign(payload).utf8)
        guard
            case .storeKit(_, _, _, _, let binding) = try await StoreKitVerifier(settings).transaction(
                jws, at: Self.now)
        else { return nil }
        return binding
    }

    private func refusal(
        _ changes: [String: (any Sendable)?] = [:], _ demand: (inout StoreKitSettings) -> Void
    ) async throws -> ReceiptError? {
        do {
            _ = try await binding(changes, demand)
            return nil
        } catch let error as ReceiptError {
            return error
        }
    }

    /// The device verification as StoreKit on this device computes it.
    private func verification(of device: String, _ nonce: String = Self.nonce) -> [String: (any Sendable)?] {
        let hash = SHA384.hash(data: Data((nonce.lowercased() + device.lowercased()).utf8))
        return ["deviceVerification": Data(hash).base64EncodedString(), "deviceVerificationNonce": nonce]
    }

    @Test("a purchase without a binding is accepted from anybody if the settings demand none")
    func unbound() async throws {
        #expect(try await binding { _ in } == .unbound)
        #expect(try await binding(["appAccountToken": nil]) { _ in } == .unbound)
    }

    @Test("with account tokens a purchase goes to its token's holder, and one with another token or none is refused")
    func tokens() async throws {
        let demand = { (settings: inout StoreKitSettings) in settings.accountTokens = [Self.token: .account("anna")] }
        #expect(try await binding([:], demand)?.holder == .account("anna"))
        #expect(try await binding(["appAccountToken": Self.token.uppercased()], demand)?.holder == .account("anna"))
        let other = try await refusal(["appAccountToken": "11111111-4cdb-47cc-936d-99d65f608138"], demand)
        let none = try await refusal(["appAccountToken": nil], demand)
        #expect(other?.check == .appAccountToken && none?.check == .appAccountToken && other != none)
        #expect(other?.description.hasPrefix("app-account-token: ") == true)
        #expect(try await refusal { $0.accountTokens = [:] }?.check == .appAccountToken, "nobody is named")
    }

    @Test("with a device's id only purchases made or restored on that device are accepted")
    func device() async throws {
        let demand = { (settings: inout StoreKitSettings) in settings.deviceVerificationID = Self.device }
        #expect(try await binding(verification(of: Self.device), demand) == .unbound)
        let other = try await refusal(verification(of: Self.token), demand)
        #expect(other?.check == .deviceVerification)
        // Neither says on which.
        #expect(try await refusal([:], demand)?.check == .deviceVerification)
        var changes = verification(of: Self.device)
        changes["deviceVerificationNonce"] = Self.token
        #expect(try await refusal(changes, demand)?.check == .deviceVerification)
        changes = verification(of: Self.device)
        changes["deviceVerification"] = "no base64"
        #expect(try await refusal(changes, demand)?.check == .deviceVerification)
    }

    @Test("with a device's id a notification can't begin a purchase, and its account token is checked")
    func notifications() async throws {
        var settings = try store.settings
        settings.accountTokens = [Self.token: .device]
        settings.deviceVerificationID = Self.device
        let verifier = try StoreKitVerifier(settings)
        let transaction = try store.chain.sign(store.transactionPayload)
        let notification = try store.notification(transaction: transaction)
        guard
            case .storeKit(_, _, _, _, let binding) = try await verifier.notification(
                Array(notification.utf8), at: Self.now)
        else {
            Issue.record("it is about a purchase")
            return
        }
        #expect(binding == PurchaseBinding(holder: .device, mayBegin: false))
    }
}
