import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("What a statement of StoreKit's changes")
struct StoreKitClaimTests {
    private var book = ClaimBook()

    // MARK: - Whose it is

    @Test("a new purchase belongs to the named holder, else to the person who is signed in, else to the device")
    func newHolder() {
        for (asked, signedIn, expected) in [
            (.anna, "ben", .anna), (.device, "ben", .device), (nil, "ben", .ben), (nil, nil, .device),
        ] as [(Claim.Holder?, String?, Claim.Holder)] {
            let claim = Claim(id: ClaimBook.transaction, holder: expected, purchase: .of())
            #expect(book.result(.storeKit(.of()), for: asked, signedIn: signedIn) == .changes([.claimSet(claim)]))
        }
    }

    @Test("a purchase for an account that does not exist is refused")
    func unknownHolder() {
        guard case .refused(let error) = book.result(.storeKit(.of()), for: .account("nobody")) else {
            Issue.record("taken")
            return
        }
        expectRefusal(error, .notFound, .unknown)
    }

    @Test("a purchase stays whose it is, no matter who is signed in when it is heard of again")
    mutating func keepsHolder() {
        book.submit(.storeKit(.of(saidAt: 1)), for: .anna)
        book.submit(.storeKit(.of(saidAt: 2)), signedIn: "ben")
        book.submit(.storeKit(.of(saidAt: 3)), for: .anna, signedIn: "ben")
        #expect(book.records.claims[ClaimBook.transaction]?.holder == .anna)
        #expect(book.records.claims[ClaimBook.transaction]?.purchase.saidAt == .at(3))
    }

    @Test("a purchase of one holder, person or device, can't be claimed for another")
    mutating func othersPurchase() {
        for (holder, other) in [
            (.anna, .ben), (.anna, .device), (.device, .anna), (.anna, .account("nobody")),
        ] as [(Claim.Holder, Claim.Holder)] {
            book.records.claims = [:]
            book.submit(.storeKit(.of(saidAt: 1)), for: holder)
            let before = book.records
            for statement in [
                .storeKit(.of(saidAt: 2)), .storeKit(nil, .of(graceUntil: 5)), .storeKit(.of(saidAt: 1)),
            ] as [ProviderStatement] {
                expectRefusal(book.submit(statement, for: other), .failedPrecondition, .othersPurchase)
            }
            #expect(book.records == before)
        }
    }

    // MARK: - What the receipt binds it to (T-13)

    @Test("a receipt that names its holder counts for that holder, whoever submits it or is signed in")
    mutating func bound() {
        func statement(_ holder: Claim.Holder?) -> ProviderStatement {
            .storeKit(
                originalTransaction: ClaimBook.transaction.name, purchase: .of(), renewal: nil, notificationID: nil,
                binding: PurchaseBinding(holder: holder, mayBegin: true))
        }
        let annas = Claim(id: ClaimBook.transaction, holder: .anna, purchase: .of())
        for asked in [nil, .anna] as [Claim.Holder?] {
            #expect(book.result(statement(.anna), for: asked, signedIn: "ben") == .changes([.claimSet(annas)]))
        }
        for other in [.ben, .device] as [Claim.Holder] {
            expectRefusal(book.submit(statement(.anna), for: other), .failedPrecondition, .othersPurchase)
        }
        book.submit(.storeKit(.of(saidAt: 1)), for: .ben)
        expectRefusal(book.submit(statement(.anna)), .failedPrecondition, .othersPurchase)
    }

    @Test("a receipt that names no device can update a known purchase, but not begin one")
    mutating func unknownDevice() {
        func statement(_ saidAt: Int64) -> ProviderStatement {
            .storeKit(
                originalTransaction: ClaimBook.transaction.name, purchase: .of(saidAt: saidAt), renewal: nil,
                notificationID: nil, binding: PurchaseBinding(holder: nil, mayBegin: false))
        }
        expectRefusal(book.submit(statement(1)), .notFound, .unknown)
        book.submit(.storeKit(.of(saidAt: 1)), for: .anna)
        #expect(book.submit(statement(2)) == nil)
        #expect(book.records.claims[ClaimBook.transaction]?.purchase.saidAt == .at(2))
    }

    // MARK: - What counts

    @Test("a product that the configuration does not name is refused, even if its transaction is known")
    mutating func unknownProduct() {
        expectRefusal(book.submit(.storeKit(.of("weekly"))), .notFound, .unknown)
        expectRefusal(book.submit(.storeKit(.of("pro"))), .notFound, .unknown)
        book.submit(.storeKit(.of(saidAt: 1)))
        expectRefusal(book.submit(.storeKit(.of("weekly", saidAt: 2))), .notFound, .unknown)
        #expect(book.records.claims[ClaimBook.transaction]?.purchase.item == "monthly")
    }

    @Test("a renewal of an unknown purchase is refused")
    mutating func unknownTransaction() {
        expectRefusal(book.submit(.storeKit(nil, .of(graceUntil: 5))), .notFound, .unknown)
        expectRefusal(book.submit(.storeKit(nil, .of(graceUntil: 5), notification: "n")), .notFound, .unknown)
        #expect(book.records.notifications.isEmpty)
    }

    @Test("older statements about a purchase are refused, and the same statement again changes nothing")
    mutating func purchaseOrder() {
        book.submit(.storeKit(.of(until: 2000, saidAt: 10)))
        let before = book.records
        expectRefusal(book.submit(.storeKit(.of(until: 9000, saidAt: 9))), .failedPrecondition, .outdated)
        #expect(book.result(.storeKit(.of(until: 2000, saidAt: 10))) == .changes([]))
        #expect(book.result(.storeKit(.of(until: 9000, saidAt: 10))) == .changes([]))
        #expect(book.records == before)
        book.submit(.storeKit(.of("yearly", until: 3000, saidAt: 11)))
        #expect(book.records.claims[ClaimBook.transaction]?.purchase == .of("yearly", until: 3000, saidAt: 11))
    }

    @Test("an earlier period is refused as outdated, however late it was signed; a later one is accepted")
    mutating func periods() {
        func period(_ start: Int64, saidAt: Int64) -> ClaimedPurchase {
            var purchase = ClaimedPurchase.of(until: start + 10, saidAt: saidAt)
            purchase.purchasedAt = .at(start)
            return purchase
        }
        book.submit(.storeKit(period(20, saidAt: 25)))
        expectRefusal(book.submit(.storeKit(period(10, saidAt: 99))), .failedPrecondition, .outdated)
        #expect(book.records.claims[ClaimBook.transaction]?.purchase == period(20, saidAt: 25))
        #expect(book.submit(.storeKit(period(30, saidAt: 24))) == nil)
        #expect(book.records.claims[ClaimBook.transaction]?.purchase == period(30, saidAt: 24))
    }

    @Test("the age of a statement about a renewal is judged apart from the purchase")
    mutating func renewalOrder() {
        book.submit(.storeKit(.of(saidAt: 100)))
        book.submit(.storeKit(nil, .of(graceUntil: 7, saidAt: 10)))
        #expect(book.records.claims[ClaimBook.transaction]?.renewal == .of(graceUntil: 7, saidAt: 10))
        expectRefusal(book.submit(.storeKit(nil, .of(graceUntil: 8, saidAt: 9))), .failedPrecondition, .outdated)
        #expect(book.result(.storeKit(nil, .of(graceUntil: 8, saidAt: 10))) == .changes([]))
        book.submit(.storeKit(nil, .of(graceUntil: nil, saidAt: 11)))
        #expect(book.records.claims[ClaimBook.transaction]?.renewal == .of(graceUntil: nil, saidAt: 11))
        #expect(book.records.claims[ClaimBook.transaction]?.purchase == .of(saidAt: 100))
    }

    @Test("a newer purchase keeps the renewal and an administrator's revocation")
    mutating func keeps() throws {
        book.submit(.storeKit(.of(saidAt: 1), .of(graceUntil: 7)), for: .anna)
        var claim = try #require(book.records.claims[ClaimBook.transaction])
        claim.revokedHere = .at(77)
        book.records.claims[ClaimBook.transaction] = claim
        book.submit(.storeKit(.of(until: 5000, saidAt: 2)))
        claim.purchase = .of(until: 5000, saidAt: 2)
        #expect(book.records.claims == [ClaimBook.transaction: claim])
        book.submit(.storeKit(nil, .of(graceUntil: 8, saidAt: 200)))
        claim.renewal = .of(graceUntil: 8, saidAt: 200)
        #expect(book.records.claims == [ClaimBook.transaction: claim])
    }

    /// The earlier purchase and renewal were reported at 10.
    @Test(
        "a statement about purchase and renewal updates each of them only if it is newer", arguments: [9, 10, 11],
        [9, 10, 11])
    mutating func together(purchaseSaidAt: Int64, renewalSaidAt: Int64) {
        book.submit(.storeKit(.of(until: 1, saidAt: 10), .of(graceUntil: 1, saidAt: 10)))
        let both = ProviderStatement.storeKit(
            .of(until: 2, saidAt: purchaseSaidAt), .of(graceUntil: 2, saidAt: renewalSaidAt), notification: "n")
        #expect(book.submit(both) == nil)
        let claim = book.records.claims[ClaimBook.transaction]
        #expect(claim?.purchase.expiresAt == .at(purchaseSaidAt == 11 ? 2 : 1))
        #expect(claim?.renewal?.gracePeriodEndsAt == .at(renewalSaidAt == 11 ? 2 : 1))
        #expect(book.records.notifications == ["n": 1])
    }

    @Test("statements lead to the same claim, whatever order they arrive in")
    mutating func anyOrder() {
        var random = SeededGenerator(seed: 3)
        let statements = (1...6 as ClosedRange<Int64>).flatMap { time -> [ProviderStatement] in
            let purchase = ClaimedPurchase.of(until: time * 10, saidAt: time)
            let renewal = SubscriptionRenewal.of(graceUntil: time * 100, saidAt: time)
            return [.storeKit(purchase), .storeKit(nil, renewal)]
        }
        for _ in 0..<200 {
            book.records.claims = [:]
            // A renewal can't come before its purchase.
            book.submit(.storeKit(.of(until: 1, saidAt: 0)))
            for statement in statements.shuffled(using: &random) { book.submit(statement) }
            #expect(book.records.claims[ClaimBook.transaction]?.purchase == .of(until: 60, saidAt: 6))
            #expect(book.records.claims[ClaimBook.transaction]?.renewal == .of(graceUntil: 600, saidAt: 6))
        }
    }
}
