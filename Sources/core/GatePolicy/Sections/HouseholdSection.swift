import GateModel

/// Reads `household.yaml`: the household that this device belongs to, and the broker where its devices meet.
extension PolicyDraft {
    private static let householdKeys = [
        "household", "device", "name", "key", "broker", "home-assistant", "policy", "receipts", "usage",
    ]
    /// Keys that no other file has, so a misplaced one can be reported with the file where it belongs.
    static let keysOfHouseholdsAlone = ["household", "device", "broker", "home-assistant"]
    private static let keyByteCount = 32

    mutating func readHousehold(_ root: PolicyNode) {
        var elsewhere = Dictionary(uniqueKeysWithValues: Self.keys.map { ($0, "policy.yaml") })
        for key in Self.providerKeys { elsewhere[key] = PolicySource.providersName }
        let name = PolicySource.householdName
        guard
            let fields = PolicyFields(root, of: name, keys: Self.householdKeys, elsewhere: elsewhere, &problems),
            isFirst("household", at: root.place)
        else { return }
        let household = fields.value(needed: "household", name, &problems).flatMap { id($0, of: "household") }
        let device = fields.value(needed: "device", name, &problems).flatMap { id($0, of: "device") }
        let title = fields.value(needed: "name", name, &problems).flatMap { self.deviceName($0) }
        let key = fields.value(needed: "key", name, &problems).flatMap { self.householdKey($0) }
        let broker = fields.value(needed: "broker", name, &problems).flatMap { self.broker($0) }
        let homeAssistant = fields.section("home-assistant").flatMap { self.homeAssistant($0) }
        let takesPolicy = fields.value("policy")?.truth(of: "policy", &problems) ?? false
        let sharesReceipts = fields.value("receipts")?.truth(of: "receipts", &problems) ?? false
        let sumsUsage = fields.value("usage")?.truth(of: "usage", &problems) ?? false
        guard let household, let device, let title, let key, let broker else { return }
        configuration.household = HouseholdSettings(
            household: household, device: device, name: title, publicKey: key, broker: broker,
            homeAssistant: homeAssistant, takesPolicy: takesPolicy, sharesReceipts: sharesReceipts,
            sumsUsage: sumsUsage)
    }

    // MARK: - Who this device is

    private mutating func id(_ node: PolicyNode, of key: String) -> HouseholdID? {
        guard let id = node.text.flatMap(HouseholdID.init) else {
            problems.add(
                "'\(key)' is an id of 32 hexadecimal digits in lower case, not \(node.found).", kind: .value,
                at: node.place)
            return nil
        }
        return id
    }

    private mutating func deviceName(_ node: PolicyNode) -> String? {
        guard let name = node.text, name.isNameLine(atMost: HouseholdSettings.maximumNameByteCount) else {
            problems.add(
                "'name' is what people call this device, one line of at most \(HouseholdSettings.maximumNameByteCount) "
                    + "bytes, not \(node.found).", kind: .value, at: node.place)
            return nil
        }
        return name
    }

    private mutating func householdKey(_ node: PolicyNode) -> [UInt8]? {
        guard let key = node.text.flatMap({ Base64.bytes($0.utf8, .url) }), key.count == Self.keyByteCount else {
            // The message does not repeat the text, which may be a private key.
            problems.add(
                "'key' is the household's public key of Ed25519: \(Self.keyByteCount) bytes in base64url without padding, "
                    + "43 characters.", kind: .value, at: node.place)
            return nil
        }
        return key
    }

    // MARK: - Where the devices meet

    private mutating func broker(_ node: PolicyNode) -> HouseholdSettings.Broker? {
        let keys = ["host", "port", "authority", "certificate", "key"]
        guard let fields = PolicyFields(node, of: "'broker'", keys: keys, &problems) else { return nil }
        let host = fields.value(needed: "host", "'broker'", &problems).flatMap { self.host($0) }
        var port: Int? = Int(HouseholdSettings.Broker.defaultPort)
        if let node = fields.value("port") { port = node.number(of: "port", in: PolicyLimits.port, &problems) }
        let authority = path(fields, "authority")
        let certificate = path(fields, "certificate")
        let key = path(fields, "key")
        guard let host, let port, let authority, let certificate, let key else { return nil }
        return HouseholdSettings.Broker(
            host: host, port: UInt16(port), authority: authority, certificate: certificate, key: key)
    }

    /// A name or an address. A resolver would take a port or a scheme in it for a part of the name.
    private mutating func host(_ node: PolicyNode) -> String? {
        guard let host = node.text, host.utf8.count <= PolicyLimits.hostBytes,
            Self.isHostName(host) || Self.isIPv6(host)
        else {
            problems.add(
                "'host' is a name like gate.example, or an address without brackets; 'port' is a key of its own, not "
                    + "\(node.found).", kind: .value, at: node.place)
            return nil
        }
        return host
    }

    private static func isHostName(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
    }

    /// A rough check. The resolver checks exactly, and reports mistakes.
    private static func isIPv6(_ text: String) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        return parts[0].count { $0 == ":" } > 1
            && parts[0].allSatisfy { $0.isHexDigit && $0.isASCII || $0 == ":" || $0 == "." }
            && parts.dropFirst().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isLetterOrDigit) }
    }

    private mutating func path(_ fields: PolicyFields, _ key: String) -> String? {
        guard let node = fields.value(needed: key, "'broker'", &problems) else { return nil }
        guard let path = node.text, path.utf8.count <= PolicyLimits.pathLength, path.isSingleLine,
            !path.hasSuffix("/")
        else {
            problems.add(
                "'\(key)' is the path of a file, from the configuration directory or from /, like household/\(key).pem, "
                    + "not \(node.found).", kind: .value, at: node.place)
            return nil
        }
        return path
    }

    // MARK: - Home Assistant

    private mutating func homeAssistant(_ node: PolicyNode) -> HouseholdSettings.HomeAssistant? {
        let keys = ["may", "discovery", "words"]
        guard let fields = PolicyFields(node, of: "'home-assistant'", keys: keys, &problems) else { return nil }
        var settings = HouseholdSettings.HomeAssistant()
        if let value = fields.value("may") { settings.may = homeAssistantMay(value) }
        if let value = fields.value("discovery") {
            settings.isFound = value.truth(of: "discovery", &problems) ?? settings.isFound
        }
        if let value = fields.value("words") {
            settings.tellsWords = value.truth(of: "words", &problems) ?? settings.tellsWords
            if settings.tellsWords {
                warnings.add(
                    "Home Assistant is told what is asked on this device. Anyone who runs the broker, or gets into Home Assistant, "
                        + "reads it, too.", kind: .security, at: value.place)
            }
        }
        return settings
    }

    private mutating func homeAssistantMay(_ node: PolicyNode) -> Set<HomeAssistantPermission> {
        let most = HomeAssistantPermission.allCases.count
        guard let list = node.list(of: "may", atMost: most, &problems) else { return [] }
        let permissions: [HomeAssistantPermission] = list.compactMap { $0.word("permission", &problems) }
        if !permissions.isEmpty {
            let words = permissions.map(\.rawValue).joined(separator: ", ")
            warnings.add(
                "Home Assistant may do this without a guardian: \(words). So may anyone who runs the broker, or gets into "
                    + "Home Assistant.", kind: .security, at: node.place)
        }
        return Set(permissions)
    }
}

extension HouseholdSettings {
    package var policyLine: String {
        "household \(household): this device is \(device) (\(name)); broker \(broker.host), port \(broker.port); "
            + homeAssistantText + (takesPolicy ? "; takes the household's policy" : "")
            + (sharesReceipts ? "; shares what is bought" : "")
            + (sumsUsage ? "; sums the time that is used" : "")
    }

    private var homeAssistantText: String {
        guard let homeAssistant else { return "Home Assistant is not used" }
        let permissions = HomeAssistantPermission.allCases.filter(homeAssistant.may.contains).map(\.rawValue)
        let may = permissions.isEmpty ? "lock alone" : "lock, \(permissions.joined(separator: ", ")) without a guardian"
        return "Home Assistant may \(may)"
            + (homeAssistant.isFound
                ? homeAssistant.tellsWords ? ", and reads what is asked here" : "" : ", and does not find this device")
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
