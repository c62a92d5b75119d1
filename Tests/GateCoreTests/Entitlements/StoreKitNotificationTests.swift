import GateModel
import Testing

@testable import GateCore

@Suite("Notifications of the App Store are taken once")
struct StoreKitNotificationTests {
    private var book = ClaimBook()

    @Test("a notification is accepted once, and refused as outdated when it comes again")
    mutating func onceOnly() {
        #expect(book.result(.storeKitNothing(notificationID: "a")) == .changes([.notificationTaken(id: "a", order: 1)]))
        book.submit(.storeKitNothing(notificationID: "a"))
        book.submit(.storeKit(.of(saidAt: 1), notification: "b"))
        let before = book.records
        for statement in [
            .storeKitNothing(notificationID: "a"), .storeKitNothing(notificationID: "b"),
            .storeKit(.of(until: 9, saidAt: 2), notification: "b"),
            .storeKit(nil, .of(graceUntil: 9), notification: "a"),
        ] as [ProviderStatement] {
            expectRefusal(book.submit(statement), .failedPrecondition, .outdated)
        }
        #expect(book.records == before)
        #expect(book.records.notifications == ["a": 1, "b": 2])
    }

    @Test("a notification with older news is accepted, and changes no claim")
    mutating func lateNotification() {
        book.submit(.storeKit(.of(until: 5, saidAt: 10)))
        let claims = book.records.claims
        #expect(
            book.result(.storeKit(.of(until: 4, saidAt: 9), notification: "n"))
                == .changes([.notificationTaken(id: "n", order: 1)]))
        book.submit(.storeKit(.of(until: 4, saidAt: 9), notification: "n"))
        #expect(book.records.claims == claims)
    }

    @Test("a notification that is refused may come again")
    mutating func refusedNotification() {
        book.submit(.storeKit(.of(saidAt: 1)), for: .anna)
        expectRefusal(
            book.submit(.storeKit(.of(saidAt: 2), notification: "n"), for: .ben), .failedPrecondition, .othersPurchase)
        #expect(book.records.notifications.isEmpty)
        #expect(book.submit(.storeKit(.of(saidAt: 2), notification: "n"), for: .anna) == nil)
    }

    @Test("beyond the limit, the oldest notifications are forgotten")
    mutating func manyNotifications() {
        let limit = ClaimRules.maximumNotifications
        // The numbers have gaps, as if some had been forgotten before.
        for number in 1...limit { book.records.notifications["n\(number)"] = UInt64(number * 3) }
        book.submit(.storeKitNothing(notificationID: "new"))
        #expect(book.records.notifications.count == limit)
        #expect(book.records.notifications["n1"] == nil)
        #expect(book.records.notifications["n2"] == 6)
        #expect(book.records.notifications["new"] == UInt64(limit * 3 + 1))
        book.records.notifications["surplus"] = 1
        book.submit(.storeKitNothing(notificationID: "newer"))
        #expect(book.records.notifications.count == limit)
        #expect(book.records.notifications["surplus"] == nil && book.records.notifications["n2"] == nil)
    }
}
