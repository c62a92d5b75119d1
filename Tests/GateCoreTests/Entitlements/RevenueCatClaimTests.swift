import GateModel
import Testing

@testable import GateCore

@Suite("What a statement of RevenueCat's changes")
struct RevenueCatClaimTests {
    private var book = ClaimBook()

    @Test("a customer's new entitlements replace its old ones, and nobody else's claims change")
    mutating func replaces() {
        book.submit(.storeKit(.of()))
        book.submit(.customer("$device", ["pro"], at: 1))
        book.submit(.customer("anna-17/a", ["all"], at: 1))
        book.submit(.customer("anna-17", ["pro", "a/b"], at: 1))
        let others = book.records.claims.filter { $0.value.holder == .device }
        #expect(others.count == 3)
        #expect(book.records.claims.count == 5)
        book.submit(.customer("anna-17", ["all"], at: 2))
        let annas = Claim.ID(.revenueCat, "anna-17/all")
        #expect(book.records.claims.filter { $0.value.holder == .device } == others)
        #expect(
            book.records.claims.filter { $0.value.holder != .device } == [
                annas: Claim(id: annas, holder: .anna, purchase: .of("all", saidAt: 2))
            ])
        book.submit(.customer("anna-17", [], at: 3))
        #expect(book.records.claims == others)
        #expect(book.records.customers == ["$device": .at(1), "anna-17/a": .at(1), "anna-17": .at(3)])
    }

    @Test("no two users share the name of a claim, whatever slashes there are")
    mutating func slashes() {
        book.submit(.customer("anna-17", ["a/b"], at: 1))
        book.submit(.customer("anna-17/a", ["pro"], at: 1))
        #expect(book.records.claims.count == 2)
        book.submit(.customer("anna-17/a", [], at: 2))
        #expect(book.records.claims.values.map(\.holder) == [.anna])
        book.submit(.customer("anna-17", [], at: 2))
        #expect(book.records.claims.isEmpty)
    }

    @Test("what an administrator took back stays so as long as the user has it")
    mutating func keepsRevocation() {
        book.submit(.customer("anna-17", ["pro", "all"], at: 1))
        let id = Claim.ID(.revenueCat, "anna-17/pro")
        book.records.claims[id]?.revokedHere = .at(77)
        book.submit(.customer("anna-17", ["pro"], until: 5000, at: 2))
        #expect(book.records.claims[id]?.revokedHere == .at(77))
        #expect(book.records.claims[id]?.purchase.expiresAt == .at(5000))
        book.submit(.customer("anna-17", [], at: 3))
        book.submit(.customer("anna-17", ["pro"], at: 4))
        #expect(book.records.claims[id]?.revokedHere == .at(77))
    }

    @Test("a customer that the configuration does not name, or whose account is gone, is refused")
    mutating func unknownCustomer() {
        expectRefusal(book.submit(.customer("ben-3", ["pro"], at: 1)), .notFound, .unknown)
        expectRefusal(book.submit(.customer("gone", ["pro"], at: 1)), .notFound, .unknown)
        #expect(book.records.claims.isEmpty && book.records.customers.isEmpty)
    }

    @Test("older statements about a customer are refused, and the same statement again changes nothing")
    mutating func customerOrder() {
        book.submit(.customer("anna-17", ["pro"], at: 10))
        let before = book.records
        expectRefusal(book.submit(.customer("anna-17", [], at: 9)), .failedPrecondition, .outdated)
        expectRefusal(book.submit(.customer("anna-17", ["pro"], at: 9)), .failedPrecondition, .outdated)
        #expect(book.result(.customer("anna-17", ["pro"], at: 10)) == .changes([]))
        #expect(book.records == before)
    }

    @Test("a statement from before the newest repetition is refused as outdated")
    mutating func between() {
        book.submit(.customer("anna-17", ["pro"], at: 1))
        book.submit(.customer("anna-17", [], at: 10))
        book.submit(.customer("anna-17", [], at: 20))
        expectRefusal(book.submit(.customer("anna-17", ["pro"], at: 15)), .failedPrecondition, .outdated)
        #expect(book.records.claims.isEmpty)
        book.submit(.customer("anna-17", ["pro"], until: nil, at: 30))
        #expect(
            book.result(.customer("anna-17", ["pro"], until: nil, at: 40))
                == .changes([.customerHeard(appUser: "anna-17", at: .at(40))]))
    }

    @Test("items that the configuration does not name are skipped")
    mutating func unknownItem() {
        book.submit(.customer("anna-17", ["pro", "something of the app's own"], at: 1))
        #expect(book.records.claims.keys.map(\.name) == ["anna-17/pro"])
    }
}
