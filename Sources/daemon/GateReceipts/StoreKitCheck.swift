package import GateModel

/// A receipt with the settings to check it by, which `gatectl receipt check` writes as JSON to the standard input of
/// `gated --check-receipt`. gatectl does not check receipts itself, because the library for certificates would make it
/// a tenth larger.
package struct StoreKitCheck: Codable, Sendable {
    package var kind: StoreReceipt.Kind
    /// Bytes that are not UTF-8 are replaced, which changes nothing: such a receipt fails the check anyway.
    package var receipt: String
    private var unixMilliseconds: Int64
    private var bundleIDs: Set<String>
    private var roots: [[UInt8]]
    private var environments: [String]
    /// The account for each token; `nil` is the device.
    private var accountTokens: [String: String?]?
    private var deviceVerificationID: String?

    package init(_ receipt: [UInt8], of kind: StoreReceipt.Kind, at now: WallTime, by settings: StoreKitSettings) {
        self.kind = kind
        self.receipt = String(decoding: receipt, as: UTF8.self)
        unixMilliseconds = now.unixMilliseconds
        bundleIDs = settings.bundleIDs
        roots = settings.roots
        environments = settings.environments.map(\.rawValue)
        accountTokens = settings.accountTokens?.mapValues {
            if case .account(let name) = $0 { name } else { nil }
        }
        deviceVerificationID = settings.deviceVerificationID
    }

    package var now: WallTime { WallTime(unixMilliseconds: unixMilliseconds) }

    package var settings: StoreKitSettings {
        StoreKitSettings(
            bundleIDs: bundleIDs, roots: roots,
            environments: Set(environments.compactMap(StoreKitSettings.Environment.init)),
            accountTokens: accountTokens?.mapValues { $0.map { .account($0) } ?? .device },
            deviceVerificationID: deviceVerificationID)
    }
}
