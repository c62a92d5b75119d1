/// The address of an HTTP service: scheme, host, perhaps port and path. No user, query or fragment.
package struct WebAddress: Hashable {
    package let isSecure: Bool
    package let host: Substring
    /// The address with the scheme in lower case, and without a slash at the end.
    package let text: String

    package init?(_ written: String) {
        var text = Substring(written)
        while text.hasSuffix("/") { text.removeLast() }
        guard let scheme = ["https", "http"].first(where: { text.lowercased().hasPrefix("\($0)://") }),
            text.utf8.count <= Self.maximumByteCount, text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        let rest = text.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" }
        guard let (host, port) = Self.split(authority), Self.isHost(host) else { return nil }
        if let port { guard let number = Int(wholeNumber: port), (1...65535).contains(number) else { return nil } }
        isSecure = scheme == "https"
        self.host = host
        self.text = "\(scheme)://\(rest)"
    }

    /// Whether this is an address that a person may be sent to: a `WebAddress`, perhaps with a query and a fragment.
    package static func isLink(_ text: String) -> Bool {
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        return text.utf8.count <= maximumByteCount && WebAddress(String(text[..<end])) != nil
            && text[end...].utf8.allSatisfy { isAllowed($0) || "!$&'()*+,;=@?#".utf8.contains($0) }
    }

    /// Whether the host is this device, by number. A name like "localhost" does not count: somebody may look it up.
    package var isLoopback: Bool {
        if host == "[::1]" { return true }
        let numbers = Self.dottedNumbers(host)
        return numbers?.first == 127
    }

    private static let maximumByteCount = 1024

    /// Whether a byte needs no percent-encoding in a host or path. Also allows the percent sign and IPv6's brackets.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%:/[]".utf8.contains(byte)
        }
    }

    private static func split(_ authority: Substring) -> (host: Substring, port: Substring?)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            return (authority[...end], after.isEmpty ? nil : after.dropFirst())
        }
        guard let colon = authority.firstIndex(of: ":") else { return (authority, nil) }
        return (authority[..<colon], authority[authority.index(after: colon)...])
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") {
            return host.utf8.count > 4
                && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ $0.lowercased().isLowerCaseWord }), let last = labels.last else { return false }
        // A host that ends in a number has to be a whole IPv4 address, since some programs accept "127.1" as one.
        return !last.allSatisfy(\.isWholeNumber) || dottedNumbers(host) != nil
    }

    private static func dottedNumbers(_ host: Substring) -> [Int]? {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.count > 1 && part.hasPrefix("0") ? nil : Int(wholeNumber: part)
        }
        guard numbers.count == 4, numbers.allSatisfy({ $0.map { $0 <= 255 } ?? false }) else { return nil }
        return numbers.compactMap(\.self)
    }
}
