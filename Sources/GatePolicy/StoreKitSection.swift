import GateModel

/// `storekit` in `providers.yaml`: which signed data of the App Store's is taken, and what it gives.
extension PolicyDraft {
    mutating func storeKit(_ node: PolicyNode) -> StoreKitSettings? {
        let keys = ["bundle-ids", "roots", "environments", "products"]
        guard let fields = PolicyFields(node, of: "'storekit'", keys: keys, &problems) else { return nil }
        let bundleIDs = fields.value(needed: "bundle-ids", "'storekit'", &problems).map { self.bundleIDs($0) }
        let roots = fields.value(needed: "roots", "'storekit'", &problems).map { self.roots($0) }
        var environments: Set<StoreKitSettings.Environment> = [.production]
        if let value = fields.value("environments") { environments = self.environments(value) }
        var products: [String: String] = [:]
        if let value = fields.value("products") {
            products = items(value, of: "products", like: "{org.example.monthly: premium}")
        }
        guard let bundleIDs, let roots else { return nil }
        return StoreKitSettings(bundleIDs: bundleIDs, roots: roots, environments: environments, products: products)
    }

    private mutating func bundleIDs(_ node: PolicyNode) -> Set<String> {
        var ids: Set<String> = []
        for node in node.filledList(of: "bundle-ids", atMost: PolicyLimits.bundleIDs, &problems) ?? [] {
            guard let id = node.text, id.isBundleID else {
                problems.add(
                    "'bundle-ids' are names of apps as Apple has them, letters, digits, hyphens and dots, like "
                        + "org.example.app, not \(node.found).", at: node.place)
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
                    at: node.place)
                continue
            }
            do throws(FileRefusal) {
                let bytes = try rootFiles.bytes(of: path, namedIn: node.place.file)
                roots.append(try CertificateFile(bytes).der)
            } catch {
                problems.add("'\(path.shortened)': \(error.message)", at: node.place)
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
