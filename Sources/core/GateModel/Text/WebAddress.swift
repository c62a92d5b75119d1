/// Where something is asked for over HTTP: scheme, host, perhaps a port and a path. Nothing else may be in it: no user, no
/// query, no fragment.
package struct WebAddress: Hashable {
    package let isSecure: Bool
    package let host: Substring
    /// Without a slash at the end.
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

    /// Whether it is where a person may be led to: as above, perhaps with a query and a fragment.
    package static func isLink(_ text: String) -> Bool {
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        return text.utf8.count <= maximumByteCount && WebAddress(String(text[..<end])) != nil
            && text[end...].utf8.allSatisfy { isAllowed($0) || "!$&'()*+,;=@?#".utf8.contains($0) }
    }

    /// Whether what is sent there stays on this device, by its number and not by a name that somebody may look up.
    package var isLoopback: Bool {
        if host == "[::1]" { return true }
        let numbers = Self.dottedNumbers(host)
        return numbers?.first == 127
    }

    private static let maximumByteCount = 1024

    /// Whether a byte needs no percent-encoding in a host or a path; so do the percent sign and the brackets of an address.
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
        // What ends in a number is an address, and only written in full: some would take 127.1 for one, too.
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
