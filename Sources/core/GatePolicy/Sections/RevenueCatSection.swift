import FoundationEssentials
import GateModel

/// Reads `revenuecat` in `providers.yaml`: which answers are accepted, about which users, and what they give.
extension PolicyDraft {
    private static let revenueCatKeys = [
        "public-key", "root-key", "unsigned", "sandbox", "url", "poll", "users", "entitlements",
    ]
    private static let rootKeyByteCount = 32

    private enum Acceptance: String, CaseIterable {
        case refused
        case accepted
    }

    mutating func revenueCat(_ node: PolicyNode) -> RevenueCatSettings? {
        guard let fields = PolicyFields(node, of: "'revenuecat'", keys: Self.revenueCatKeys, &problems) else {
            return nil
        }
        let publicKey = fields.value(needed: "public-key", "'revenuecat'", &problems).flatMap { self.publicKey($0) }
        let rootKey = fields.value("root-key").flatMap { self.rootKey($0) }
        var settings = RevenueCatSettings(publicKey: publicKey ?? "", rootKey: rootKey)
        if let word: Acceptance = fields.value("unsigned")?.word("word for 'unsigned'", &problems) {
            settings.acceptsUnsigned = word == .accepted
        }
        if let word: Acceptance = fields.value("sandbox")?.word("word for 'sandbox'", &problems) {
            settings.acceptsSandbox = word == .accepted
        }
        if fields.value("root-key") == nil, !settings.acceptsUnsigned {
            problems.add(
                "Without 'root-key' no signature can be checked, and so nothing of RevenueCat's would be taken. Give it, or "
                    + "say 'unsigned: accepted'.", kind: .required, at: node.place)
        }
        if let url = fields.value("url").flatMap({ self.baseURL($0) }) { settings.baseURL = url }
        if let poll = fields.value("poll")?.duration(of: "poll", in: PolicyLimits.poll, &problems) {
            settings.pollInterval = poll
        }
        if let value = fields.value("users") { settings.users = users(value) }
        if let value = fields.value("entitlements") {
            settings.entitlements = items(value, of: "entitlements", like: "{pro: premium}")
        }
        return settings
    }

    // MARK: - Keys. No message repeats what is written there: it may be the wrong key.

    private mutating func publicKey(_ node: PolicyNode) -> String? {
        guard let key = node.text, !key.hasPrefix("sk_") else {
            problems.add(
                node.text == nil
                    ? "'public-key' is the app's public key, like appl_…, not \(node.found)."
                    : "This is a secret key, which is not needed here, and which others can read. Revoke it, and write the "
                        + "app's public key, like appl_….",
                kind: node.text == nil ? .value : .security, at: node.place)
            return nil
        }
        guard key.utf8.count <= PolicyLimits.providerNameBytes, key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            problems.add(
                "'public-key' is the app's public key, like appl_…: letters and digits without spaces, at most "
                    + "\(PolicyLimits.providerNameBytes).", kind: .value, at: node.place)
            return nil
        }
        return key
    }

    private mutating func rootKey(_ node: PolicyNode) -> [UInt8]? {
        guard let text = node.text, let data = Data(base64Encoded: text), data.count == Self.rootKeyByteCount else {
            problems.add(
                "'root-key' is RevenueCat's public key of Ed25519: \(Self.rootKeyByteCount) bytes in base64, 44 characters.",
                kind: .value, at: node.place)
            return nil
        }
        return Array(data)
    }

    private mutating func baseURL(_ node: PolicyNode) -> String? {
        guard let text = node.text, let address = WebAddress(text) else {
            problems.add(
                "'url' is where the API is, like \(RevenueCatSettings.defaultBaseURL): a host and perhaps a port and a path, "
                    + "not \(node.found).", kind: .value, at: node.place)
            return nil
        }
        guard address.isSecure || address.isLoopback else {
            problems.add(
                "'url' begins with https://. Only this device itself (127.0.0.1, [::1]) may be asked by http.",
                kind: .security, at: node.place)
            return nil
        }
        return address.text
    }

    // MARK: - Users

    private mutating func users(_ node: PolicyNode) -> [String: Claim.Holder] {
        let what = "RevenueCat's users, each with whose they are here"
        guard
            let entries = entries(
                node, of: "users", atMost: PolicyLimits.users, what, "{anna-17: {account: anna}, family-3: device}")
        else { return [:] }
        var users: [String: Claim.Holder] = [:]
        for entry in entries {
            var isNamed = isProviderName(entry, of: "users")
            // The name becomes part of a request's path. RevenueCat has no user ids with a slash either.
            if isNamed, entry.key.contains("/") {
                problems.add(
                    "'\(entry.key.shortened)' is no user of RevenueCat's: none has a '/'.", kind: .value,
                    at: entry.keyPlace)
                isNamed = false
            }
            if let holder = holder(entry.value, of: "a user's holder"), isNamed { users[entry.key] = holder }
        }
        return users
    }
}
