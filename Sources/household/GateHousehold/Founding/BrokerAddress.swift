import GateModel
import Glibc

/// A broker as an administrator names it: `gate.example`, `192.0.2.7:8883`, `[2001:db8::7]:8883`.
package struct BrokerAddress: Hashable, Sendable {
    /// A name, or an address without brackets.
    package var host: String
    /// The port for devices with a certificate.
    package var port: UInt16

    /// `nil` if the text has another form.
    package init?(_ text: String, defaultPort: UInt16 = HouseholdSettings.Broker.defaultPort) {
        var (host, port) = (text[...], "")
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":"), Self.address(String(host))?.count == 16 else { return nil }
            port = rest.isEmpty ? "" : String(rest.dropFirst())
            guard rest.isEmpty || !port.isEmpty else { return nil }
        } else if text.filter({ $0 == ":" }).count == 1, let colon = text.firstIndex(of: ":") {
            (host, port) = (text[..<colon], String(text[text.index(after: colon)...]))
            guard !port.isEmpty else { return nil }
        }
        guard let host = Self.host(String(host)),
            let number = port.isEmpty ? defaultPort : UInt16(port), number > 0
        else { return nil }
        (self.host, self.port) = (host, number)
    }

    init(host: String, port: UInt16) {
        (self.host, self.port) = (host, port)
    }

    /// The address as an administrator writes it, with the port only if it is not `defaultPort`.
    func text(defaultPort: UInt16) -> String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == defaultPort ? host : "\(host):\(port)"
    }

    /// A name or an address, as `household.yaml` takes it; `nil` if the text is neither.
    static func host(_ text: String) -> String? {
        if address(text) != nil { return text }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
        return isName && text.utf8.count <= 253 ? text : nil
    }

    /// The 4 or 16 bytes of an IP address; `nil` if the text is none.
    static func address(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
