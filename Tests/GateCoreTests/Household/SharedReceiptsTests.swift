import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// The tablet, where Mia has an account and things are sold.
private struct Tablet {
    var device: Device
    private(set) var texts = 0

    init(shares: Bool = true) throws {
        var configuration = Configuration.selling
        configuration.household = .ofTablet
        configuration.household?.sharesReceipts = shares
        device = Device(configuration: configuration)
        try device.apply(.applyList(.millers()), as: .carrier)
        try device.apply(
            .register(GatePerson(name: "mia", kind: .grownUp), passwordHash: "$y$x"), as: .root)
    }

    var shared: [UInt64: SharedReceipt?] { device.state.receiptsToShare }

    /// A program of this device submits the receipt.
    mutating func submit(
        _ purchase: ClaimedPurchase?, _ renewal: SubscriptionRenewal? = nil, transaction: String = "1000",
        for holder: Claim.Holder? = nil, as kind: StoreReceipt.Kind = .transaction
    ) throws {
        texts += 1
        try device.apply(
            .submit(
                .storeKit(purchase, renewal, transaction: transaction), for: holder,
                from: .provider(StoreReceipt(kind, "text \(texts)"))), as: .shop)
    }

    static let laptop = StatementSource.device(.laptop, verifiedBy: SignedHouseholdList.keyBytes(.laptop))

    /// The receipt comes from another device.
    mutating func hear(
        _ statement: ProviderStatement, for holder: Claim.Holder = .device, from source: StatementSource = laptop,
        as peer: Peer = .carrier
    ) throws {
        try device.apply(.submit(statement, for: holder, from: source), as: peer)
    }

    func refusal(
        _ statement: ProviderStatement, for holder: Claim.Holder = .device, from source: StatementSource = laptop,
        as peer: Peer = .carrier
    ) -> GateError? {
        let device = device
        return device.refusal(.submit(statement, for: holder, from: source), as: peer)
    }
}

@Suite("What was bought on one device counts on all (H-05)")
struct SharedReceiptsTests {
    @Test("the newest receipt of each part of a claim is shared, with its number and its holder")
    func kept() throws {
        var tablet = try Tablet()
        try tablet.submit(.of(saidAt: 100), for: .account("mia"))
        try tablet.submit(nil, .of(graceUntil: 3000, saidAt: 101), as: .renewal)
        try tablet.submit(.of("yearly", saidAt: 100), transaction: "2000")
        #expect(tablet.shared.mapValues { $0?.receipt.text } == [1: "text 1", 2: "text 2", 3: "text 3"])
        #expect(tablet.shared.mapValues { $0?.holder } == [1: .account("mia"), 2: .account("mia"), 3: .device])
        #expect(tablet.shared[2]??.receipt.kind == .renewal && tablet.shared[1]??.device == .tablet)
        try tablet.submit(.of(until: 4000, saidAt: 200), for: .account("mia"))
        #expect(tablet.shared.mapValues { $0?.receipt.text } == [1: "text 4", 2: "text 2", 3: "text 3"])
    }

    @Test("a receipt that is older, repeated or refused is not shared")
    func notKept() throws {
        var tablet = try Tablet()
        try tablet.submit(.of(saidAt: 100))
        try tablet.submit(.of(saidAt: 100))
        #expect(tablet.refusal(.storeKit(.of(saidAt: 99)), from: .provider(nil), as: .shop)?.reason == .outdated)
        #expect(
            tablet.refusal(.storeKit(.of("unknown"), transaction: "2"), from: .provider(nil), as: .shop)?.reason
                == .unknown)
        #expect(tablet.shared.mapValues { $0?.receipt.text } == [1: "text 1"])
    }

    @Test("a notification about both parts is shared once, and a newer renewal is shared beside it")
    func notification() throws {
        var tablet = try Tablet()
        try tablet.submit(.of(saidAt: 100), .of(graceUntil: nil, saidAt: 100), as: .notification)
        #expect(tablet.shared.mapValues { $0?.receipt.text } == [1: "text 1", 2: nil])
        try tablet.submit(nil, .of(graceUntil: 5, saidAt: 101), as: .renewal)
        #expect(tablet.shared.mapValues { $0?.receipt.text } == [1: "text 1", 2: "text 2"])
    }

    @Test("a receipt from another device counts here, for everybody or the named account, and is not passed on")
    func heard() throws {
        var tablet = try Tablet()
        try tablet.hear(.storeKit(.of()))
        try tablet.hear(.storeKit(.of("household"), transaction: "2"), for: .account("mia"))
        #expect(tablet.device.state.activeEntitlements == ["premium"])
        #expect(tablet.device.state.records.claims.values.map(\.holder).contains(.account("mia")))
        #expect(tablet.shared.isEmpty)
        let details = tablet.device.journal.filter { $0.kind == .entitlementClaimed }.map(\.detail)
        #expect(details.first == "storekit product of monthly, device, from Kitchen laptop")
        // Hearing it once more changes nothing.
        let before = tablet.device.state.records.revision
        try tablet.hear(.storeKit(.of()))
        #expect(tablet.device.state.records.revision == before)
        #expect(
            tablet.refusal(.storeKit(.of(), transaction: "3"), for: .account("tom"))?.parameters["what"] == "account")
    }

    @Test(
        "a refund from another device ends a purchase here, and an older receipt does not bring it back"
    )
    func refunded() throws {
        var tablet = try Tablet()
        try tablet.submit(.of(saidAt: 100), for: .account("mia"))
        try tablet.hear(.storeKit(.of(revokedAt: 150, saidAt: 150), notification: "n"))
        #expect(tablet.device.state.records.claims.values.first?.purchase.revokedAt == .at(150))
        #expect(tablet.device.state.records.claims.values.first?.holder == .account("mia"))
        // The other device has the newest statement for all, and a notification may come from two devices.
        #expect(tablet.shared.isEmpty)
        try tablet.hear(.storeKit(.of(revokedAt: 150, saidAt: 150), notification: "n"))
        #expect(tablet.refusal(.storeKit(.of(saidAt: 100)))?.reason == .outdated)
    }

    @Test("notifications from other devices are not remembered as taken, so the store's own still count")
    func notifications() throws {
        var tablet = try Tablet()
        try tablet.hear(.storeKit(.of(saidAt: 100), notification: "n"))
        try tablet.hear(.storeKitNothing(notificationID: "m"))
        #expect(tablet.device.state.records.notifications.isEmpty)
        #expect(tablet.refusal(.storeKitNothing(notificationID: "m"), from: .provider(nil), as: .shop) == nil)
    }

    @Test(
        "a claim that an administrator revoked here stays revoked, whatever other devices say"
    )
    func takenBack() throws {
        var tablet = try Tablet()
        try tablet.hear(.storeKit(.of(saidAt: 100)))
        try tablet.device.apply(.revokeClaim(ClaimBook.transaction), as: .root)
        try tablet.hear(.storeKit(.of(saidAt: 200)), for: .account("mia"), as: .root)
        #expect(tablet.device.state.records.claims[ClaimBook.transaction]?.revokedHere != nil)
        #expect(tablet.device.state.records.claims[ClaimBook.transaction]?.holder == .device)
    }

    @Test("receipts from an unlisted or revoked device, or with another key, are refused")
    func strangers() throws {
        var tablet = try Tablet()
        let statement = ProviderStatement.storeKit(.of())
        #expect(
            tablet.refusal(statement, from: .device(.others, verifiedBy: [1]))?.parameters["check"] == "device")
        #expect(
            tablet.refusal(statement, from: .device(.laptop, verifiedBy: SignedHouseholdList.keyBytes(.phone)))?
                .parameters["check"] == "device")
        try tablet.device.apply(.applyList(.millers(2, isTomRevoked: true)), as: .carrier)
        let tom = StatementSource.device(.phone, verifiedBy: SignedHouseholdList.keyBytes(.phone))
        #expect(tablet.refusal(statement, from: tom)?.parameters["check"] == "revoked")
        let closed = try Tablet(shares: false)
        #expect(closed.refusal(statement)?.parameters["what"] == "household-receipts")
    }

    @Test("only the household's service or an administrator can submit a receipt as another device's")
    func permission() throws {
        let tablet = try Tablet()
        for peer in [Peer.shop, .anna] {
            #expect(tablet.refusal(.storeKit(.of()), as: peer)?.code == .permissionDenied)
        }
        #expect(tablet.refusal(.storeKit(.of()), from: .provider(nil), as: .carrier)?.code == .permissionDenied)
        #expect(tablet.refusal(.storeKit(.of()), as: .root) == nil)
    }

    @Test("a device that shares nothing keeps its receipts, and tells the broker to forget them")
    func notShared() throws {
        var tablet = try Tablet(shares: false)
        try tablet.submit(.of())
        #expect(tablet.shared.count == 1 && tablet.shared[1] == .some(nil))
        var configuration = tablet.device.state.configuration
        configuration.household?.sharesReceipts = true
        try tablet.device.apply(.configure(configuration, detail: ""), as: .root)
        #expect(tablet.shared[1]??.receipt.text == "text 1")
        configuration.household = nil
        try tablet.device.apply(.configure(configuration, detail: ""), as: .root)
        #expect(tablet.shared.isEmpty)
    }

    @Test("at most 64 receipts and one mebibyte are shared, and the oldest are dropped first")
    func limits() throws {
        var tablet = try Tablet()
        for number in 1...70 {
            try tablet.submit(.of(saidAt: Int64(1000 - number)), transaction: "\(number)")
        }
        #expect(tablet.shared.count == 64)
        #expect(tablet.shared.values.allSatisfy { $0?.receipt.text != "text 70" })
        var large = try Tablet()
        for number in 1...20 {
            try large.device.apply(
                .submit(
                    .storeKit(.of(saidAt: Int64(number)), transaction: "\(number)"), for: nil,
                    from: .provider(
                        StoreReceipt(.transaction, String(repeating: "a", count: StoreReceipt.maximumByteCount)))),
                as: .shop)
        }
        #expect(large.shared.count == 16)
        // All claims stay.
        #expect(large.device.state.records.claims.count == 20)
    }
}
