import GateModel
import Testing

@testable import GateCore

@Suite("What providers say is bounded")
struct ClaimLimitTests {
    private var book = ClaimBook()

    private mutating func fill(_ count: Int) {
        for number in 0..<count {
            let id = Claim.ID(.manual, "\(number)")
            book.records.claims[id] = Claim(id: id, holder: .device, purchase: .of("premium"))
        }
    }

    @Test("once all places for claims are taken, new ones are refused, and known ones are still updated")
    mutating func manyClaims() {
        book.submit(.storeKit(.of(saidAt: 1)))
        book.submit(.customer("anna-17", ["pro"], at: 1))
        fill(ClaimRules.maximumClaims - 3)
        book.submit(.storeKit(.of(), transaction: "last"))
        #expect(book.records.claims.count == ClaimRules.maximumClaims)
        expectRefusal(book.submit(.storeKit(.of(), transaction: "one more")), .resourceExhausted, .limit)
        expectRefusal(
            book.submit(.storeKit(.of(), transaction: "one more", notification: "n")), .resourceExhausted, .limit)
        expectRefusal(book.submit(.customer("anna-17", ["pro", "all"], at: 2)), .resourceExhausted, .limit)
        #expect(book.submit(.storeKit(.of(saidAt: 2))) == nil)
        #expect(book.submit(.customer("anna-17", ["all"], at: 2)) == nil)
        #expect(book.records.claims.count == ClaimRules.maximumClaims)
        #expect(book.records.notifications.isEmpty)
    }

    @Test("one RevenueCat customer has a limited number of entitlements")
    mutating func manyOfCustomer() {
        let items = (0...ClaimRules.maximumClaimsOfCustomer).map { "item \($0)" }
        var configuration = Configuration.selling
        for item in items { configuration.items[ProviderItem(.revenueCat, item)] = "premium" }
        let rules = ClaimRules(records: book.records, configuration: configuration, signedInAccount: nil)
        guard case .refused(let error) = rules.result(of: .customer("anna-17", items, at: 1), for: nil),
            case .changes(let changes) = rules.result(of: .customer("anna-17", items.dropLast(), at: 1), for: nil)
        else {
            Issue.record("the limit is another")
            return
        }
        expectRefusal(error, .resourceExhausted, .limit)
        #expect(changes.count == ClaimRules.maximumClaimsOfCustomer + 1)
    }

    @Test(
        "unreadable or overlong names are refused, and not repeated in the error",
        arguments: ["", String(repeating: "x", count: 201), "a\nb", "a\u{0}b", "a\u{202E}b"])
    mutating func names(name: String) {
        for statement in [
            .storeKit(.of(), transaction: name), .storeKit(.of(name)), .storeKit(.of(), notification: name),
            .storeKitNothing(notificationID: name), .customer(name, ["pro"], at: 1),
        ] as [ProviderStatement] {
            let error = book.submit(statement)
            expectRefusal(error, .invalidArgument, .invalidRequest)
            #expect(name.isEmpty || error?.message.contains(name) == false)
        }
        // An entitlement that nothing is configured for is skipped, and the others are still taken.
        #expect(book.submit(.customer("anna-17", [name], at: 1)) == nil && book.records.claims.isEmpty)
        guard !name.isEmpty else { return }
        var purchase = ClaimedPurchase.of()
        purchase.product = name
        expectRefusal(book.submit(.storeKit(purchase)), .invalidArgument, .invalidRequest)
    }

    @Test("a purchase without a product's name, and the longest names, are taken")
    mutating func longestNames() {
        var purchase = ClaimedPurchase.of()
        purchase.product = ""
        #expect(book.submit(.storeKit(purchase, transaction: String(repeating: "1", count: 200))) == nil)
    }
}
