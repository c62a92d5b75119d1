import GateModel
import GatePolicy
import GateReceipts
import GateStoreKit

/// The verifiers of receipts, as the providers are configured. Made when a policy is put into force, and immutable.
struct ReceiptVerifiers: Sendable {
    /// The settings that this was made from. If others are in force by now, a result of these verifiers does not count.
    let settings: ProviderSettings
    private let storeKit: StoreKitVerifier?
    private let revenueCat: RevenueCatVerifier?

    /// - Throws: `BadPolicy` if a root certificate can't be read.
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

    /// - Throws: `FAILED_PRECONDITION` if StoreKit is not configured.
    func verification(of kind: StoreReceipt.Kind, _ bytes: [UInt8]) throws(GateError) -> Verification {
        guard let storeKit else { throw .notConfigured("StoreKit", section: "storekit") }
        return { now throws(ReceiptError) in try await storeKit.statement(of: kind, bytes, at: now) }
    }

    /// - Throws: `FAILED_PRECONDITION` if RevenueCat is not configured.
    func ofRevenueCat() throws(GateError) -> RevenueCatVerifier {
        guard let revenueCat else { throw .notConfigured("RevenueCat", section: "revenuecat") }
        return revenueCat
    }

    func acceptUnsigned(from peer: Peer) -> Bool {
        (settings.revenueCat?.acceptsUnsigned ?? false) && peer.roles.contains(.provider)
    }
}

extension GateError {
    fileprivate static func notConfigured(_ provider: String, section: String) -> GateError {
        GateError(
            .failedPrecondition, .notSetUp,
            "This device takes nothing from \(provider). Ask an administrator to add '\(section)' to providers.yaml, then to run "
                + "`gatectl reload`.", parameters: ["what": section])
    }

    /// The refusal of a receipt that failed a check. The message begins with the name of the check.
    init(_ error: ReceiptError) {
        self.init(.invalidArgument, .badReceipt, error.description, parameters: ["check": error.check.rawValue])
    }
}
