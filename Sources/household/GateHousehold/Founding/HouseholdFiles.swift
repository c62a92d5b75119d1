import GateGuardians
package import GateModel

/// A file of a household, in the household's folder.
package struct HouseholdFile: Hashable, Sendable {
    /// Who may read a file, beside root.
    package enum Readers: Hashable, Sendable {
        case nobody
        /// `gate-household`, the service that connects to the broker.
        case service
        case everybody
    }

    /// The path from the household's folder.
    package var path: String
    package var content: [UInt8]
    package var readers: Readers

    package init(_ path: String, _ content: [UInt8], for readers: Readers) {
        self.path = path
        self.content = content
        self.readers = readers
    }
}

package enum HouseholdFileName {
    /// The household's folder in the configuration directory.
    package static let folder = "household"
    /// The settings, beside that folder.
    package static let settings = "household.yaml"
    /// The authority's certificate.
    package static let authority = "ca.pem"
    package static let certificate = "device.pem"
    package static let key = "device.key"
    /// The newest list of devices and guardians.
    package static let list = "list.jws"
    /// The newest household policy, on the device that founded the household.
    package static let policy = "policy.jws"
    /// The household's secret, on the device that founded it.
    package static let secret = "household.key"
    /// The folder of the certificates that were signed.
    package static let certificates = "certificates"
    package static let broker = "mosquitto"
    /// The unit of the broker's service, in the broker's folder.
    package static let brokerUnit = "\(broker)/\(MosquittoService.fileName)"
    package static let brokerConfiguration = "\(broker)/gate.conf"
    /// The files of the broker for devices that join, in the broker's folder.
    package static let joinConfiguration = "\(broker)/join.conf"
    package static let joinRules = "\(broker)/join.acl"
    package static let joinPasswords = "\(broker)/join.passwords"
    package static let joinUnit = "\(broker)/\(MosquittoService.joinFileName)"
    /// The certificates that the broker must not accept, in the broker's folder.
    package static let revoked = "mosquitto/revoked.pem"
    /// The end of Home Assistant's certificate, on the device that made it.
    package static let homeAssistantEnd = String(HomeAssistantCertificateEnd.path.dropFirst(folder.count + 1))
}

extension HouseholdFile {
    package init(homeAssistantEnds end: WallTime) {
        self.init(HouseholdFileName.homeAssistantEnd, HomeAssistantCertificateEnd(end).content, for: .service)
    }
}

extension HouseholdSettings.Broker {
    package init(host: String, port: UInt16) {
        self.init(
            host: host, port: port, authority: "\(HouseholdFileName.folder)/\(HouseholdFileName.authority)",
            certificate: "\(HouseholdFileName.folder)/\(HouseholdFileName.certificate)",
            key: "\(HouseholdFileName.folder)/\(HouseholdFileName.key)")
    }
}

extension HouseholdSettings {
    /// Keeps what this device's administrator has chosen, if the device joins the same household again.
    package mutating func keepChoices(of former: HouseholdSettings) {
        guard former.household == household else { return }
        (homeAssistant, takesPolicy) = (former.homeAssistant, former.takesPolicy)
        (sharesReceipts, sumsUsage) = (former.sharesReceipts, former.sumsUsage)
    }

    package var yaml: String {
        """
        # The household that this device belongs to, and where its devices meet. `gatectl household` wrote it; docs/household.md describes it.
        household: \(Self.quoted(household.description))
        device: \(Self.quoted(device.description))
        name: \(Self.quoted(name))
        key: \(Self.quoted(publicKey.base64URL))
        broker:
          host: \(Self.quoted(broker.host))
          port: \(broker.port)
          authority: \(Self.quoted(broker.authority))
          certificate: \(Self.quoted(broker.certificate))
          key: \(Self.quoted(broker.key))
        policy: \(takesPolicy)
        receipts: \(sharesReceipts)
        usage: \(sumsUsage)

        """ + homeAssistantLine
    }

    private var homeAssistantLine: String {
        guard let homeAssistant else { return "" }
        let permissions = HomeAssistantPermission.allCases.filter(homeAssistant.may.contains).map(\.rawValue)
        let may = permissions.isEmpty ? "" : ", may: [\(permissions.joined(separator: ", "))]"
        return "home-assistant: {discovery: \(homeAssistant.isFound)\(may), words: \(homeAssistant.tellsWords)}\n"
    }

    /// A text in YAML's double quotation marks. It must be one line.
    private static func quoted(_ text: String) -> String {
        // By scalars: a quotation mark with an accent on it is another character to Swift, but not to a reader of YAML.
        "\"" + text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}
