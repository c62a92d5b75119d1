import Foundation
import GateGuardians
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("What was bought on one device counts on another, through gated (H-05)", .timeLimit(.minutes(10)))
struct ReceiptsElsewhereTests {
    private static let policy = LiveGate.signInPolicy.replacing(
        "roles:\n", with: "roles:\n  household: {users: [carrier]}\n")
    private static let providers = """
        storekit: {bundle-ids: [org.example.app], roots: [root.cer], products: {org.example.monthly: premium}}

        """

    private func with(
        more: (tablet: String, laptop: String) = ("receipts: true\n", "receipts: true\n"),
        _ body: (TwoDevices, Carrier) async throws -> Void
    ) async throws {
        let root = Array(try #require(Data(base64Encoded: SignedByAppStore.root)))
        try await TwoDevices.with(
            policy: Self.policy, providers: Self.providers, rootFiles: ["root.cer": root], more: more, body)
    }

    private func buy(on gate: LiveGate, for holder: Claim.Holder = .device) async throws {
        _ = try await gate.connect("shop").call(
            Methods.Entitlements.submitSignedTransaction,
            SubmitSignedTransactionRequest(
                signedTransaction: Array(SignedByAppStore.transaction.utf8), holder: holder))
    }

    private func shared(by client: Connected, after change: UInt64 = 0) async throws -> OutgoingReceipts {
        try await client.call(Methods.Household.collectReceipts, CollectReceiptsRequest(afterChange: change)).receipts
    }

    private func hand(_ receipts: OutgoingReceipts, to client: Connected) async throws {
        for receipt in receipts.receipts {
            _ = try await client.call(
                Methods.Household.submitReceipt, SubmitReceiptRequest(signedReceipt: receipt.signed))
        }
    }

    private func refusal(of signed: [UInt8], at client: Connected) async -> GateError? {
        await client.refusal(of: Methods.Household.submitReceipt, SubmitReceiptRequest(signedReceipt: signed))
    }

    @Test("a purchase on the tablet is active on the laptop, and a refund there ends it on both")
    func thereAndBack() async throws {
        try await with { devices, carrier in
            let first = try await shared(by: carrier.atTablet)
            #expect(first.receipts.isEmpty)
            async let waiting = shared(by: carrier.atTablet, after: first.change)
            try await buy(on: devices.tablet)
            let bought = try await waiting
            #expect(bought.receipts.map(\.number) == [1])
            try await hand(bought, to: carrier.atLaptop)
            let anna = try await devices.laptop.connect("anna")
            #expect(try await anna.premium() == .subscribed)
            // The same receipt again is no mistake.
            try await hand(bought, to: carrier.atLaptop)

            await devices.laptop.advance(by: .seconds(2))
            await devices.tablet.advance(by: .seconds(2))
            _ = try await devices.laptop.connect("shop").call(
                Methods.Entitlements.submitServerNotification,
                SubmitServerNotificationRequest(signedPayload: Array(SignedByAppStore.refund.utf8), holder: nil))
            try await hand(try await shared(by: carrier.atLaptop), to: carrier.atTablet)
            #expect(try await devices.tablet.connect("anna").premium() == .revoked)
            #expect(try await anna.premium() == .revoked)
            // The laptop has the newest statement now, and the earlier one does not replace it.
            #expect(try await shared(by: carrier.atTablet, after: bought.change).receipts.isEmpty)
            #expect(await refusal(of: bought.receipts[0].signed, at: carrier.atLaptop)?.reason == .outdated)
        }
    }

    @Test("a shared receipt with any byte changed is refused")
    func changed() async throws {
        try await with { devices, carrier in
            try await buy(on: devices.tablet)
            let signed = try await shared(by: carrier.atTablet).receipts[0].signed
            for place in stride(from: 0, to: signed.count, by: signed.count / 60) {
                var other = signed
                other[place] ^= 1
                let reason = await refusal(of: other, at: carrier.atLaptop)?.reason
                #expect(reason == .badCommand, "byte \(place)")
            }
            #expect(try await devices.laptop.connect("anna").premium() == nil)
        }
    }

    @Test("a member's signature is not enough: the store's signature is checked too")
    func lyingMember() async throws {
        try await with { devices, carrier in
            // The laptop's key, as somebody has it who takes the device apart.
            let key = SigningKey()
            var members = carrier.members
            members[0].publicKey = key.publicKey
            _ = try await carrier.atTablet.call(
                Methods.Household.submitGuardians,
                SubmitGuardiansRequest(signedGuardians: devices.list(members, number: 2)))
            func sign(_ receipt: SharedReceipt, as kind: SignedText.Kind = .receipt) -> [UInt8] {
                SignedText.sign(receipt.payload, as: kind, with: key)
            }
            let good = SharedReceipt(
                household: TwoDevices.household, device: TwoDevices.laptop, holder: .device,
                receipt: StoreReceipt(.transaction, SignedByAppStore.transaction))
            var bytes = Array(SignedByAppStore.transaction.utf8)
            bytes[bytes.count - 20] ^= 1
            var forged = good
            forged.receipt.text = String(decoding: bytes, as: UTF8.self)
            var garbage = good
            garbage.receipt.text = "garbage"
            var other = good
            other.receipt.kind = .renewal
            for receipt in [forged, garbage, other] {
                let error = await refusal(of: sign(receipt), at: carrier.atTablet)
                #expect(error?.reason == .badReceipt || error?.reason == .unknown, "\(receipt.receipt.kind)")
            }
            var stranger = good
            stranger.holder = .account("nobody")
            #expect(await refusal(of: sign(stranger), at: carrier.atTablet)?.parameters["what"] == "account")
            var elsewhere = good
            elsewhere.household = HouseholdID(String(repeating: "9", count: 32))!
            #expect(await refusal(of: sign(elsewhere), at: carrier.atTablet)?.parameters["check"] == "household")
            var tablets = good
            tablets.device = TwoDevices.tablet
            #expect(await refusal(of: sign(tablets), at: carrier.atTablet)?.parameters["check"] == "signature")
            #expect(
                await refusal(of: sign(good, as: .result), at: carrier.atTablet)?.parameters["check"] == "algorithm")
            #expect(try await devices.tablet.connect("anna").premium() == nil)
            #expect(await refusal(of: sign(good), at: carrier.atTablet) == nil)
            #expect(try await devices.tablet.connect("anna").premium() == .subscribed)
        }
    }

    @Test("a revoked device shares no more receipts, and those shared before stay")
    func revoked() async throws {
        try await with { devices, carrier in
            try await buy(on: devices.tablet)
            let receipts = try await shared(by: carrier.atTablet)
            var members = carrier.members
            members[1].isRevoked = true
            _ = try await carrier.atLaptop.call(
                Methods.Household.submitGuardians,
                SubmitGuardiansRequest(signedGuardians: devices.list(members, number: 2)))
            let error = await refusal(of: receipts.receipts[0].signed, at: carrier.atLaptop)
            #expect(error?.reason == .badCommand && error?.parameters["check"] == "revoked")
        }
    }

    @Test("a device without `receipts: true` shares and accepts no receipts, until a reload sets it")
    func notShared() async throws {
        try await with(more: ("receipts: true\n", "")) { devices, carrier in
            try await buy(on: devices.tablet)
            let receipts = try await shared(by: carrier.atTablet)
            #expect(await refusal(of: receipts.receipts[0].signed, at: carrier.atLaptop)?.reason == .notSetUp)
            devices.tablet.householdText.value = TwoDevices.settings(of: TwoDevices.tablet, key: devices.key)
            _ = try await devices.tablet.connect("root").call(Methods.Control.reload, ReloadRequest())
            let cleared = try await shared(by: carrier.atTablet, after: receipts.change)
            #expect(cleared.receipts == [OutgoingReceipt(number: 1, signed: [])])
        }
    }

    @Test("apps and providers can neither collect nor submit shared receipts")
    func permission() async throws {
        try await with { devices, carrier in
            try await buy(on: devices.tablet)
            let signed = try await shared(by: carrier.atTablet).receipts[0].signed
            for name in ["anna", "shop", "mother"] {
                let client = try await devices.laptop.connect(name)
                #expect(await refusal(of: signed, at: client)?.code == .permissionDenied)
                #expect(
                    await client.refusal(of: Methods.Household.collectReceipts, CollectReceiptsRequest())?.code
                        == .permissionDenied)
            }
        }
    }
}
