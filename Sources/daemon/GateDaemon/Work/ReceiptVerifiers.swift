import GateModel
import GatePolicy
import GateReceipts

/// The verifiers of receipts for the providers in force. Made when those are put into force, and never changed.
struct ReceiptVerifiers: Sendable {
    /// The settings that it was made of: where others are in force, its findings count no more.
    let settings: ProviderSettings
    private let storeKit: StoreKitVerifier?
    private let revenueCat: RevenueCatVerifier?

    /// - Throws: where a root certificate is none.
    init(_ settings: ProviderSettings) throws(BadPolicy) {
        self.settings = settings
        do throws(ReceiptError) {
            storeKit = try settings.storeKit.map { settings throws(ReceiptError) in try StoreKitVerifier(settings) }
        } catch {
            throw BadPolicy(problems: [
                PolicyProblem(file: "providers.yaml", message: "storekit: \(error)", kind: .value)
            ])
        }
        revenueCat = settings.revenueCat.map { RevenueCatVerifier($0) }
    }

    /// A check of something that StoreKit signed.
    /// - Throws: `FAILED_PRECONDITION` where nothing is configured.
    func verification(of kind: StoreReceipt.Kind, _ bytes: [UInt8]) throws(GateError) -> Verification {
        guard let storeKit else { throw .notConfigured("StoreKit", section: "storekit") }
        return { now throws(ReceiptError) in
            switch kind {
            case .transaction: try await storeKit.transaction(bytes, at: now)
            case .renewal: try await storeKit.renewalInfo(bytes, at: now)
            case .notification: try await storeKit.notification(bytes, at: now)
            }
        }
    }

    /// - Throws: `FAILED_PRECONDITION` where nothing is configured.
    func ofRevenueCat() throws(GateError) -> RevenueCatVerifier {
        guard let revenueCat else { throw .notConfigured("RevenueCat", section: "revenuecat") }
        return revenueCat
    }

    /// Whether customer info without a signature is taken from this peer.
    func acceptUnsigned(from peer: Peer) -> Bool {
        (settings.revenueCat?.acceptsUnsigned ?? false) && peer.roles.contains(.provider)
    }
}

extension GateError {
    fileprivate static func notConfigured(_ provider: String, section: String) -> GateError {
        GateError(
            .failedPrecondition, .notSetUp,
            "Nothing of \(provider)'s is taken here. An administrator adds '\(section)' to providers.yaml, then runs "
                + "`gatectl reload`.", parameters: ["what": section])
    }

    /// A receipt that failed a check, which the message names first.
    init(_ error: ReceiptError) {
        self.init(.invalidArgument, .badReceipt, error.description, parameters: ["check": error.check.rawValue])
    }
}
