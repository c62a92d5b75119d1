package import GateModel

/// What `gatectl receipt check` writes to the standard input of `gated --check-receipt`, as JSON. Only gated has the library
/// for certificates, which is a tenth of such a program.
package struct StoreKitCheck: Codable, Sendable {
    package var kind: StoreReceipt.Kind
    /// Where there are bytes that are no UTF-8, what stands for them fails the check just as well.
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
