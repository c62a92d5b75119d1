import FoundationEssentials
import GateModel

/// Reads `storekit` in `providers.yaml`: which of the App Store's signed data is accepted, and what it gives.
extension PolicyDraft {
    mutating func storeKit(_ node: PolicyNode) -> StoreKitSettings? {
        let keys = ["bundle-ids", "roots", "environments", "products", "account-tokens", "device-verification"]
        guard let fields = PolicyFields(node, of: "'storekit'", keys: keys, &problems) else { return nil }
        let bundleIDs = fields.value(needed: "bundle-ids", "'storekit'", &problems).map { self.bundleIDs($0) }
        let roots = fields.value(needed: "roots", "'storekit'", &problems).map { self.roots($0) }
        var environments: Set<StoreKitSettings.Environment> = [.production]
        if let value = fields.value("environments") { environments = self.environments(value) }
        var products: [String: String] = [:]
        if let value = fields.value("products") {
            products = items(value, of: "products", like: "{org.example.monthly: premium}")
        }
        let tokens = fields.value("account-tokens").map { accountTokens($0) }
        let device = fields.value("device-verification").flatMap {
            uuid(
                $0.text, found: $0.found, at: $0.place,
                of: "'device-verification' is this device's AppStore.deviceVerificationID")
        }
        guard let bundleIDs, let roots else { return nil }
        return StoreKitSettings(
            bundleIDs: bundleIDs, roots: roots, environments: environments, products: products, accountTokens: tokens,
            deviceVerificationID: device)
    }

    /// If the list is empty, no purchase counts. To demand no token, the key has to be left out.
    private mutating func accountTokens(_ node: PolicyNode) -> [String: Claim.Holder] {
        let what = "the app account tokens that purchases are made with, each with whose it is here"
        let example = "{7e3fb20b-4cdb-47cc-936d-99d65f608138: {account: anna}}"
        var tokens: [String: Claim.Holder] = [:]
        for entry in entries(node, of: "account-tokens", atMost: PolicyLimits.users, what, example) ?? [] {
            let token = uuid(
                entry.key, found: "'\(entry.key.shortened)'", at: entry.keyPlace,
                of: "'account-tokens' are what apps give StoreKit as app account tokens")
            guard let holder = holder(entry.value, of: "a token's holder"), let token else { continue }
            if tokens.updateValue(holder, forKey: token) != nil {
                problems.add("'\(token)' is there twice. Keep one of them.", kind: .duplicate, at: entry.keyPlace)
            }
        }
        return tokens
    }

    /// Returns the UUID in lower case, as Apple compares it.
    private mutating func uuid(
        _ text: String?, found: String, at place: PolicyNode.Place, of what: String
    ) -> String? {
        guard let id = text.flatMap({ UUID(uuidString: $0) }) else {
            problems.add(
                "\(what), a UUID like 7e3fb20b-4cdb-47cc-936d-99d65f608138, not \(found).", kind: .value, at: place)
            return nil
        }
        return id.uuidString.lowercased()
    }

    private mutating func bundleIDs(_ node: PolicyNode) -> Set<String> {
        var ids: Set<String> = []
        for node in node.filledList(of: "bundle-ids", atMost: PolicyLimits.bundleIDs, &problems) ?? [] {
            guard let id = node.text, id.isBundleID else {
                problems.add(
                    "'bundle-ids' are names of apps as Apple has them, letters, digits, hyphens and dots, like "
                        + "org.example.app, not \(node.found).", kind: .value, at: node.place)
                continue
            }
            ids.insert(id)
        }
        return ids
    }

    private mutating func environments(_ node: PolicyNode) -> Set<StoreKitSettings.Environment> {
        let count = StoreKitSettings.Environment.allCases.count
        var environments: Set<StoreKitSettings.Environment> = []
        for node in node.filledList(of: "environments", atMost: count, &problems) ?? [] {
            if let environment: StoreKitSettings.Environment = node.word("environment", &problems) {
                environments.insert(environment)
            }
        }
        return environments
    }

    private mutating func roots(_ node: PolicyNode) -> [[UInt8]] {
        var roots: [[UInt8]] = []
        for node in node.filledList(of: "roots", atMost: PolicyLimits.rootFiles, &problems) ?? [] {
            guard let path = node.text else {
                problems.add(
                    "'roots' are files with certificates, like roots/AppleRootCA-G3.cer, not \(node.found).",
                    kind: .value, at: node.place)
                continue
            }
            do throws(FileRefusal) {
                let bytes = try rootFiles.bytes(of: path, namedIn: node.place.file)
                roots.append(try CertificateFile(bytes).der)
            } catch {
                problems.add("'\(path.shortened)': \(error.message)", kind: .security, at: node.place)
            }
        }
        return roots
    }
}

extension String {
    fileprivate var isBundleID: Bool {
        !isEmpty && utf8.count <= PolicyLimits.providerNameBytes
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
