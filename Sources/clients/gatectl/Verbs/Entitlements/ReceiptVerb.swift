import ArgumentParser
import FoundationEssentials
import GateClient
import GateModel
import GatePolicy
import GateReceipts
import GateTexts

struct ReceiptVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: localized("Check a provider's statement about a purchase. Needs no daemon."),
        discussion: """
            For example: gatectl receipt check --provider storekit --root AppleRootCA-G3.cer --bundle-id org.example.app \
            transaction.jws
            """,
        subcommands: [ReceiptCheckVerb.self])
}

struct ReceiptCheckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Print a provider's statement as JSON, or the check that it fails, with status 65.",
        discussion: """
            For example: gatectl receipt check --provider storekit --root AppleRootCA-G3.cer --bundle-id \
            org.example.app transaction.jws
            And: gatectl receipt check --provider revenuecat --public-key appl_… --root-key BASE64 \
            customer-info.json

            Makes the checks that the daemon makes, except those that need its memory: whether something newer is \
            known, and whose purchase it is. StoreKit: a signed transaction, renewal info, or a server \
            notification. RevenueCat: JSON with path, nonce (base64), headers and body of a request and its \
            answer. Options that you leave out are taken from providers.yaml. The message begins with the name of \
            the failed check, like "bundle-id".
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp(
            "The store: storekit or revenuecat. Default: recognised from the file.", valueName: "provider"))
    var provider: ClaimProvider?

    @Option(
        help: ArgumentHelp(
            "StoreKit: a root certificate, in DER or PEM; may be given more than once.", valueName: "file"),
        completion: .file())
    var root: [String] = []

    @Option(help: ArgumentHelp("StoreKit: an app whose purchases count; may be given more than once.", valueName: "id"))
    var bundleID: [String] = []

    @Option(
        help: ArgumentHelp(
            "StoreKit: an environment whose purchases count; may be given more than once. Default: Production.",
            valueName: "name"))
    var environment: [StoreKitSettings.Environment] = []

    @Option(
        help: ArgumentHelp(
            "StoreKit: only purchases for the device with this AppStore.deviceVerificationID count.",
            valueName: "UUID"))
    var deviceVerification: String?

    @Option(
        help: ArgumentHelp("RevenueCat: the key that all others come from, 32 bytes in base64.", valueName: "base64"),
        transform: Self.rootKey)
    var rootKey: [UInt8]?

    @Option(help: ArgumentHelp("RevenueCat: the app's public key that the request used.", valueName: "key"))
    var publicKey: String?

    @Argument(
        help: ArgumentHelp("The provider's statement; - is standard input.", valueName: "file"), completion: .file())
    var files: [String]

    func validate() throws {
        if provider == .manual {
            throw ValidationError("What an administrator says is not signed. Name storekit or revenuecat.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        try await session.eachFile(files, "Not everything is as its provider wrote it.") { path throws(GateError) in
            let file = try ReceiptFile(path: path)
            session.output.json(try await statement(of: file))
        }
    }

    /// What the file says, as JSON.
    private func statement(of file: ReceiptFile) async throws(GateError) -> String {
        switch try kind(of: file) {
        case .customerInfo:
            let settings = try revenueCatSettings()
            let response = try file.customerInfo()
            return try ReceiptFile.checked { () throws(ReceiptError) in
                StatementJSON.text(
                    of: try RevenueCatVerifier(settings).customerInfo(response, mayBeUnsigned: false, at: .now()))
            }
        case .storeKit(let kind):
            return try await checkedByGated(StoreKitCheck(file.text, of: kind, at: .now(), by: storeKitSettings()))
        }
    }

    /// The library for certificates is only in gated, which is run for this, as this user.
    private func checkedByGated(_ check: StoreKitCheck) async throws(GateError) -> String {
        guard let gated = ThisProgram.beside("gated") ?? ThisProgram.beside("../sbin/gated"),
            let line = try? JSONEncoder().encode(check)
        else {
            throw GateError(.unavailable, .failed, "The program gated, which checks this, is not where gatectl is.")
        }
        let (events, told) = AsyncStream.makeStream(of: PresentingProgram.Event.self)
        await PresentingProgram(path: gated, arguments: ["--check-receipt"])
            .run(input: String(decoding: line, as: UTF8.self) + "\n", environment: []) { told.yield($0) }
        told.finish()
        var said = ""
        for await event in events {
            switch event {
            case .line(let line): line.withBytes { said = String(decoding: $0, as: UTF8.self) }
            case .ended(0): return said
            case .ended(65): throw GateError(.invalidArgument, .badReceipt, said)
            case .ended, .saidTooMuch, .failed: break
            }
        }
        throw GateError(.unavailable, .failed, "\(gated) did not check this. Is it of another version?")
    }

    /// The kind of a file. If its fields don't tell the kind, the file is checked as the provider's usual one, so that
    /// the check that fails has a name.
    private func kind(of file: ReceiptFile) throws(GateError) -> ReceiptFile.Kind {
        switch provider {
        case .revenueCat, .manual, .unrecognized: return .customerInfo
        case .storeKit:
            let kind = (try? file.kind()) ?? .storeKit(.transaction)
            guard kind.provider == .storeKit else {
                throw GateError(.invalidArgument, .badReceipt, "malformed: This is RevenueCat's, not StoreKit's.")
            }
            return kind
        case nil: return try file.kind()
        }
    }

    // MARK: What is believed

    private func storeKitSettings() throws(GateError) -> StoreKitSettings {
        let isWhole = !root.isEmpty && !bundleID.isEmpty
        let configured = isWhole ? nil : try configuredProviders().storeKit
        var roots: [[UInt8]] = []
        for path in root { roots.append(try RootFile(path: path).der) }
        let settings = StoreKitSettings(
            bundleIDs: bundleID.isEmpty ? configured?.bundleIDs ?? [] : Set(bundleID),
            roots: roots.isEmpty ? configured?.roots ?? [] : roots,
            environments: environment.isEmpty ? configured?.environments ?? [.production] : Set(environment),
            accountTokens: configured?.accountTokens,
            deviceVerificationID: deviceVerification?.lowercased() ?? configured?.deviceVerificationID)
        guard !settings.roots.isEmpty, !settings.bundleIDs.isEmpty else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                "Give --root and --bundle-id: \(policy.configDirectory)/providers.yaml does not say them.")
        }
        return settings
    }

    private func revenueCatSettings() throws(GateError) -> RevenueCatSettings {
        let isWhole = publicKey != nil && rootKey != nil
        let configured = isWhole ? nil : try configuredProviders().revenueCat
        guard let publicKey = publicKey ?? configured?.publicKey, let rootKey = rootKey ?? configured?.rootKey else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                "Give --public-key and --root-key: \(policy.configDirectory)/providers.yaml does not say them.")
        }
        return RevenueCatSettings(publicKey: publicKey, rootKey: rootKey)
    }

    private func configuredProviders() throws(GateError) -> ProviderSettings {
        do throws(PolicyError) {
            return try policy.policy(serverUser: connection.serverUser).providers
        } catch {
            throw GateError(
                .invalidArgument, .badPolicy,
                "providers.yaml says which stores are believed, and it can't be read:\n\(error.description)")
        }
    }

    private static func rootKey(_ text: String) throws(ValidationError) -> [UInt8] {
        guard let key = Data(base64Encoded: text), key.count == 32 else {
            throw ValidationError("'\(text)' is no root key. Give 32 bytes in base64.")
        }
        return Array(key)
    }
}
