import Foundation
import GateModel
import GateReceipts
import GateStoreKit
import ReceiptSupport
import Testing

@Suite("StoreKit: renewal info and notifications")
struct StoreKitNotificationTests {
    let store: SignedTransactions
    let verifier: StoreKitVerifier
    let now = SignedTransactions.now
    let monthLater = SignedTransactions.monthLater
    let id = "002e14d5-51f5-4503-b5a8-c3a1af68eb20"

    init() throws {
        store = try SignedTransactions()
        verifier = try StoreKitVerifier(store.settings)
    }

    var subscription: ClaimedPurchase {
        ClaimedPurchase(
            item: "gate.premium", product: "gate.premium", purchasedAt: now, expiresAt: monthLater, saidAt: now)
    }

    func statement(_ notification: String) async throws -> ProviderStatement {
        try await verifier.notification(Array(notification.utf8), at: now)
    }

    func refusal(ofRenewal changes: [String: (any Sendable)?]) async throws -> ReceiptError.Check? {
        var payload: [String: any Sendable] = [
            "originalTransactionId": "1", "environment": "Production", "signedDate": now.unixMilliseconds,
            "isInBillingRetryPeriod": false,
        ]
        for (field, value) in changes { payload[field] = value }
        let jws = Array(try store.chain.sign(payload).utf8)
        do throws(ReceiptError) {
            _ = try await verifier.renewalInfo(jws, at: now)
            return nil
        } catch {
            return error.check
        }
    }

    @Test("renewal info says whether the store retries the bill, and until when the subscription is to be honoured")
    func renewal() async throws {
        let renewal = SubscriptionRenewal(isInBillingRetry: true, gracePeriodEndsAt: monthLater, saidAt: now)
        let jws = try store.renewalInfo(isInBillingRetry: true, gracePeriodEndsAt: monthLater)
        #expect(
            try await verifier.renewalInfo(Array(jws.utf8), at: now)
                == .storeKit(
                    originalTransaction: "2000000000000001", purchase: nil, renewal: renewal, notificationID: nil))
    }

    @Test("a transaction is not accepted as renewal info, which would end its grace period")
    func transactionAsRenewal() async throws {
        let jws = Array(try store.transaction(expiresAt: monthLater).utf8)
        let error = await #expect(throws: ReceiptError.self) { try await verifier.renewalInfo(jws, at: now) }
        #expect(error?.check == .malformed)
        #expect(try await refusal(ofRenewal: ["transactionId": "2000000000000002"]) == .malformed)
    }

    @Test("renewal info without the field of a billing retry means that there is none")
    func noRetry() async throws {
        #expect(try await refusal(ofRenewal: ["isInBillingRetryPeriod": nil]) == nil)
    }

    @Test("renewal info has the checks of a transaction, except for the app, which it does not name")
    func renewalChecks() async throws {
        #expect(try await refusal(ofRenewal: [:]) == nil)
        #expect(try await refusal(ofRenewal: ["environment": "Sandbox"]) == .environment)
        #expect(try await refusal(ofRenewal: ["environment": nil]) == .environment)
        #expect(try await refusal(ofRenewal: ["originalTransactionId": nil]) == .malformed)
        #expect(try await refusal(ofRenewal: ["signedDate": nil]) == .malformed)
        #expect(try await refusal(ofRenewal: ["gracePeriodExpiresDate": -1]) == .malformed)
        #expect(try await refusal(ofRenewal: ["gracePeriodExpiresDate": "1"]) == .malformed)
        #expect(try await refusal(ofRenewal: ["isInBillingRetryPeriod": 1]) == .malformed)
        #expect(try await refusal(ofRenewal: ["signedDate": monthLater.unixMilliseconds]) == .date)
    }

    @Test("a notification gives what its transaction and its renewal say, with its own id")
    func both() async throws {
        let transaction = try store.transaction(expiresAt: monthLater)
        let renewal = SubscriptionRenewal(isInBillingRetry: true, gracePeriodEndsAt: nil, saidAt: now)
        let renewalInfo = try store.renewalInfo(isInBillingRetry: true)
        let original = "2000000000000001"
        #expect(
            try await statement(store.notification(transaction: transaction, renewalInfo: renewalInfo))
                == .storeKit(
                    originalTransaction: original, purchase: subscription, renewal: renewal, notificationID: id))
        #expect(
            try await statement(store.notification(transaction: transaction))
                == .storeKit(originalTransaction: original, purchase: subscription, renewal: nil, notificationID: id))
        #expect(
            try await statement(store.notification(renewalInfo: renewalInfo))
                == .storeKit(originalTransaction: original, purchase: nil, renewal: renewal, notificationID: id))
    }

    @Test("a notification is accepted bare and in the JSON in which Apple sends it")
    func wrapped() async throws {
        let jws = try store.notification(transaction: store.transaction(expiresAt: monthLater))
        for body in ["{\"signedPayload\":\"\(jws)\"}", " {\"a\": 1, \"signedPayload\" : \"\(jws)\" }\n", jws + "\n"] {
            #expect(await verifier.refusal(ofNotification: body) == nil)
        }
        for body in [
            "{}", "{", "{\"signedPayload\":5}", "{\"signedPayload\":\"\"}", "[\"\(jws)\"]", "{\"a\":\"\(jws)\"}",
        ] {
            #expect(await verifier.refusal(ofNotification: body) == .malformed, "\(body.prefix(30))")
        }
        // One wrapping is allowed, and no second one.
        let twice = "{\"signedPayload\":\"{\\\"signedPayload\\\":\\\"\(jws)\\\"}\"}"
        #expect(await verifier.refusal(ofNotification: twice) == .malformed)
    }

    @Test("a test notification, and any other without a transaction, gives nothing but its id")
    func nothing() async throws {
        #expect(try await statement(store.notification(type: "TEST")) == .storeKitNothing(notificationID: id))
        for subject in ["summary", "appData"] {
            var payload = store.notificationPayload(type: "RENEWAL_EXTENSION")
            payload[subject] = payload["data"]
            payload["data"] = nil
            #expect(try await statement(store.chain.sign(payload)) == .storeKitNothing(notificationID: id))
        }
        var payload = store.notificationPayload(type: "EXTERNAL_PURCHASE_TOKEN")
        payload["data"] = nil
        payload["externalPurchaseToken"] = ["externalPurchaseId": "b2158121", "bundleId": store.bundleID]
        #expect(try await statement(store.chain.sign(payload)) == .storeKitNothing(notificationID: id))
        payload["externalPurchaseToken"] = ["externalPurchaseId": "SANDBOX_b2158121", "bundleId": store.bundleID]
        #expect(try await verifier.refusal(ofNotification: store.chain.sign(payload)) == .environment)
    }

    @Test("a notification needs one subject, with an accepted app and environment, and a date")
    func subject() async throws {
        func refusal(_ changes: [String: (any Sendable)?]) async throws -> ReceiptError.Check? {
            var payload = store.notificationPayload(type: "TEST")
            for (field, value) in changes { payload[field] = value }
            return try await verifier.refusal(ofNotification: store.chain.sign(payload))
        }
        #expect(try await refusal([:]) == nil)
        #expect(try await refusal(["data": nil]) == .malformed)
        #expect(try await refusal(["data": "text"]) == .malformed)
        let subject = ["bundleId": store.bundleID, "environment": "Production"]
        #expect(try await refusal(["summary": subject]) == .malformed)
        #expect(try await refusal(["data": subject]) == nil)
        #expect(try await refusal(["data": ["bundleId": "other", "environment": "Production"]]) == .bundleID)
        #expect(try await refusal(["data": ["environment": "Production"]]) == .bundleID)
        #expect(try await refusal(["data": ["bundleId": store.bundleID, "environment": "Sandbox"]]) == .environment)
        #expect(try await refusal(["data": ["bundleId": store.bundleID]]) == .environment)
        #expect(try await refusal(["signedDate": nil]) == .malformed)
        #expect(try await refusal(["signedDate": monthLater.unixMilliseconds]) == .date)
    }

    @Test("a notification's id is a UUID")
    func ids() async throws {
        for good in [id, id.uppercased()] {
            #expect(try await verifier.refusal(ofNotification: store.notification(id: good)) == nil)
        }
        let bad = [
            "", "1", "\(id)0", "{\(id)}", id.replacingOccurrences(of: "-", with: ""), " \(id)",
            "002e14d5-51f5-4503-b5a8-c3a1af68eb2g", "002e14d551-f5-4503-b5a8-c3a1af68eb20",
            "002e14d5-51f5-4503-b5a8-c3a1af68eb2\u{661}", String(repeating: "a", count: 65),
        ]
        for id in bad {
            #expect(try await verifier.refusal(ofNotification: store.notification(id: id)) == .malformed, "\(id)")
        }
        var payload = store.notificationPayload()
        payload["notificationUUID"] = nil
        #expect(try await verifier.refusal(ofNotification: store.chain.sign(payload)) == .malformed)
    }

    @Test("the transaction and renewal inside a notification have their own checks")
    func carried() async throws {
        func refusal(_ transaction: String?, _ renewalInfo: String? = nil) async throws -> ReceiptError.Check? {
            try await verifier.refusal(
                ofNotification: store.notification(transaction: transaction, renewalInfo: renewalInfo))
        }
        let good = try store.transaction(expiresAt: monthLater)
        let foreign = try SignedTransactions()
        #expect(try await refusal(good) == nil)
        #expect(try await refusal(foreign.transaction(expiresAt: monthLater)) == .certificateChain)
        #expect(try await refusal(good, foreign.renewalInfo()) == .certificateChain)
        let stripped = good.split(separator: ".").prefix(2).joined(separator: ".")
        #expect(try await refusal("\(stripped).") == .signature)
        #expect(try await refusal(stripped) == .malformed)
        #expect(try await refusal("") == .malformed)
        #expect(try await refusal(good, "") == .malformed)

        var other = store
        other.bundleID = "com.example.other"
        #expect(try await refusal(other.transaction(expiresAt: monthLater)) == .bundleID)
        other = store
        other.environment = .sandbox
        #expect(try await refusal(other.transaction(expiresAt: monthLater)) == .environment)
        #expect(try await refusal(good, other.renewalInfo()) == .environment)
        // A notification is no transaction, and a transaction no notification.
        #expect(try await refusal(store.notification()) == .bundleID)
        #expect(await verifier.refusal(ofNotification: good) == .malformed)
    }

    @Test("the transaction and the renewal of a notification must agree on purchase, app and environment")
    func together() async throws {
        var settings = try store.settings
        settings.bundleIDs.insert("com.example.other")
        settings.environments.insert(.sandbox)
        let verifier = try StoreKitVerifier(settings)
        func refusal(_ transaction: String?, _ renewalInfo: String?) async throws -> ReceiptError.Check? {
            try await verifier.refusal(
                ofNotification: store.notification(transaction: transaction, renewalInfo: renewalInfo))
        }
        let good = try store.transaction(expiresAt: monthLater)
        #expect(try await refusal(good, store.renewalInfo()) == nil)
        #expect(try await refusal(good, store.renewalInfo(original: "2")) == .notification)
        var other = store
        other.bundleID = "com.example.other"
        #expect(try await refusal(other.transaction(expiresAt: monthLater), nil) == .notification)
        other = store
        other.environment = .sandbox
        #expect(try await refusal(other.transaction(expiresAt: monthLater), nil) == .notification)
        #expect(try await refusal(nil, other.renewalInfo()) == .notification)
        #expect(try await refusal(good, other.renewalInfo()) == .notification)
    }

    @Test("each error is a sentence that begins with the name of its check")
    func sentences() async throws {
        let error = await #expect(throws: ReceiptError.self) {
            try await verifier.transaction(Array("nothing".utf8), at: now)
        }
        #expect(error?.description.hasPrefix("malformed: ") == true)
        let names = ReceiptError.Check.allCases.map(\.rawValue)
        #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
    }
}
