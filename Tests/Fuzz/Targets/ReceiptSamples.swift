import Foundation
import GateModel
import GateReceipts
import GateStoreKit
import ReceiptSupport

/// What the App Store signs, under the authority of the fuzzer's own.
enum StoreKitSamples {
    enum Kind: CaseIterable {
        case notification, transaction, renewal
    }

    /// A notification, a transaction and a renewal info. The first carries the others.
    static let payloads: [[UInt8]] = {
        let store = SigningAuthority.store
        let date = SigningAuthority.now.unixMilliseconds
        let renewal: [String: any Sendable] = [
            "originalTransactionId": "2000000000000001", "autoRenewProductId": "gate.premium",
            "productId": "gate.premium", "environment": "Production", "signedDate": date,
            "isInBillingRetryPeriod": true, "gracePeriodExpiresDate": date + 86_400_000,
        ]
        return [
            store.notificationPayload(transaction: "@transaction", renewalInfo: "@renewal"), store.transactionPayload,
            renewal,
        ].map { payload in
            (try? JSONSerialization.data(withJSONObject: payload, options: [.sortedKeys])).map { Array($0) } ?? []
        }
    }()

    /// The transaction, the renewal info, and a notification with both; and that one as it comes over HTTP.
    static let signed: [[UInt8]] = {
        do {
            let (transaction, renewal) = (try sign(payloads[1]), try sign(payloads[2]))
            let text = String(decoding: payloads[0], as: UTF8.self)
                .replacingOccurrences(of: "@transaction", with: transaction)
                .replacingOccurrences(of: "@renewal", with: renewal)
            let notification = try sign(Array(text.utf8))
            return [transaction, renewal, notification, "{\"signedPayload\": \"\(notification)\"}"].map {
                Array($0.utf8)
            }
        } catch {
            preconditionFailure("what is signed here can be signed: \(error)")
        }
    }()

    /// All that the samples say.
    static let statements: Set<ProviderStatement> = {
        let statements = zip([Kind.transaction, .renewal, .notification], signed).map { try? statement($0, $1) }
        precondition(!statements.contains(nil), "the samples are good")
        return Set(statements.compactMap { $0 })
    }()

    /// Over any payload.
    static func sign(_ payload: [UInt8]) throws -> String {
        try SigningAuthority.store.chain.sign("\(header).\(Data(payload).base64URL)")
    }

    private static let header: String = {
        let header = (try? SigningAuthority.store.chain.header) ?? [:]
        let text = try? JSONSerialization.data(withJSONObject: header, options: .sortedKeys)
        return (text ?? Data()).base64URL
    }()

    /// - Returns: `nil` where it is refused.
    static func statement(_ kind: Kind, _ jws: [UInt8]) throws -> ProviderStatement? {
        let verifier = SigningAuthority.storeKit
        let result: Result<ProviderStatement, ReceiptError> = CallingThreadExecutor.run {
            do throws(ReceiptError) {
                switch kind {
                case .notification: return .success(try await verifier.notification(jws, at: SigningAuthority.now))
                case .transaction: return .success(try await verifier.transaction(jws, at: SigningAuthority.now))
                case .renewal: return .success(try await verifier.renewalInfo(jws, at: SigningAuthority.now))
                }
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let statement): return statement
        case .failure(let error):
            try promise(!error.message.isEmpty, "refused without a word")
            return nil
        }
    }
}

/// What is promised of a statement, whatever stands in what was signed.
enum StoreKitPromises {
    static func check(_ statement: ProviderStatement?, of kind: StoreKitSamples.Kind) throws(BrokenPromise) {
        switch statement {
        case .storeKit(let original, let purchase, let renewal, let notification, _):
            try promise((1...256).contains(original.utf8.count), "a transaction without an id")
            try promise((notification != nil) == (kind == .notification), "another kind: \(kind)")
            switch kind {
            case .transaction: try promise(purchase != nil && renewal == nil, "a transaction that is none")
            case .renewal: try promise(purchase == nil && renewal != nil, "a renewal info that is none")
            case .notification: try promise(purchase != nil || renewal != nil, "a notification of nothing")
            }
            if let purchase {
                try promise(purchase.saidAt.unixMilliseconds >= 0, "said before 1970")
                try promise(!purchase.isForTesting, "nobody paid for it")
            }
        case .storeKitNothing: try promise(kind == .notification, "\(kind) says nothing")
        case .revenueCat: throw BrokenPromise(description: "RevenueCat speaks for the App Store")
        case nil: break
        }
    }
}

/// An answer of RevenueCat's, under keys of the fuzzer's own.
enum RevenueCatSamples {
    /// The path, time, etag and body of the sample.
    static let parts: [[UInt8]] = [SigningAuthority.path, "1767225600000", "a1B-2_c3", SigningAuthority.body]
        .map { Array($0.utf8) }

    private static let answer = SigningAuthority.answer(time: "1767225600000", etag: "a1B-2_c3", body: parts[3])

    /// The sample as a file.
    static let signed = answer.json()

    static let statement: ProviderStatement = {
        let statement = try? Self.statement(answer, by: SigningAuthority.revenueCat)
        guard let statement else { preconditionFailure("the sample is good") }
        return statement
    }()

    /// - Returns: `nil` where it is refused.
    static func statement(
        _ answer: CustomerInfoResponse, by verifier: RevenueCatVerifier
    ) throws -> ProviderStatement? {
        do throws(ReceiptError) {
            return try verifier.customerInfo(answer, mayBeUnsigned: true, at: SigningAuthority.now)
        } catch {
            try promise(!error.message.isEmpty, "refused without a word")
            return nil
        }
    }
}
