import GateModel
import GateTexts
import Glibc

/// A link as it is shown and opened: http or https, in a normal form, so that the person reads exactly what the browser
/// gets. Links that people could take for another address than the browser does are refused.
struct LinkText: Hashable {
    /// ASCII only. Everything that has to be percent-encoded is.
    let text: String

    /// The most bytes of a link, before and after it was encoded.
    static let maximumBytes = 2048

    /// - Throws: `INVALID_ARGUMENT`, which says what is wrong with the link.
    init(_ link: String) throws(GateError) {
        guard link.utf8.count <= Self.maximumBytes else { throw Self.tooLong }
        guard !link.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Self.refused(localized("it has control characters in it"))
        }
        let (scheme, afterScheme) = try Self.scheme(of: link)
        let end = afterScheme.firstIndex { "/?#".utf8.contains($0) } ?? afterScheme.endIndex
        let authority = try LinkAuthority(afterScheme[..<end], defaultPort: scheme == "https" ? 443 : 80)
        var rest = afterScheme[end...]
        let fragment = Self.take(&rest, from: UInt8(ascii: "#"))
        let query = Self.take(&rest, from: UInt8(ascii: "?"))
        text =
            "\(scheme)://\(authority.text)" + Self.withoutDots(LinkEncoding.path.encoded(rest))
            + (query.map { "?" + LinkEncoding.queryOrFragment.encoded($0) } ?? "")
            + (fragment.map { "#" + LinkEncoding.queryOrFragment.encoded($0) } ?? "")
        guard text.utf8.count <= Self.maximumBytes else { throw Self.tooLong }
    }

    private static func scheme(of link: String) throws(GateError) -> (String, Substring.UTF8View) {
        let bytes = link.utf8[...]
        for scheme in ["https", "http"] {
            let count = scheme.utf8.count
            guard bytes.prefix(count).elementsEqual(scheme.utf8, by: isSameLetter),
                bytes.dropFirst(count).starts(with: "://".utf8)
            else { continue }
            return (scheme, Substring(bytes.dropFirst(count + 3)).utf8)
        }
        throw refused(localized("it has to begin with http:// or https://"))
    }

    private static func isSameLetter(_ any: UInt8, _ lowercase: UInt8) -> Bool { any | 0x20 == lowercase }

    /// Cuts `text` before the sign, and returns what came after it; `nil` if the sign is not there.
    private static func take(_ text: inout Substring.UTF8View, from sign: UInt8) -> Substring.UTF8View? {
        guard let index = text.firstIndex(of: sign) else { return nil }
        defer { text = text[..<index] }
        return text[text.index(after: index)...]
    }

    /// The path with its `.` and `..` resolved, as a browser does before it asks the server.
    private static func withoutDots(_ path: String) -> String {
        var kept: [String] = []
        let segments = path.parts(between: "/").dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.replacing("%2E", with: ".") {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    private static let tooLong = refused(localized("it is longer than {count} bytes", ["count": "\(maximumBytes)"]))

    /// - Parameter why: a sentence part in the person's language.
    static func refused(_ why: String) -> GateError {
        GateError(
            .invalidArgument, .invalidRequest, saying: localized("This link is not opened: {why}.", ["why": why]))
    }
}

/// The server of a link, without the default port.
struct LinkAuthority: Hashable {
    let text: String

    /// - Throws: `INVALID_ARGUMENT`, which says what is wrong with it.
    init(_ authority: Substring.UTF8View, defaultPort: UInt16) throws(GateError) {
        guard authority.allSatisfy({ $0 < 0x80 }) else {
            throw LinkText.refused(
                localized("its server has other letters than a to z in its name; write them as xn--…"))
        }
        // The text before an @ is a user name, but people would take it for the server.
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw LinkText.refused(localized("it has a user name in front of the server"))
        }
        let lowercase = Substring(authority).lowercased()
        let hostEnd = lowercase.hasPrefix("[") ? lowercase.firstIndex(of: "]").map { lowercase.index(after: $0) } : nil
        let host = lowercase[..<(hostEnd ?? lowercase.firstIndex(of: ":") ?? lowercase.endIndex)]
        let port = try Self.port(lowercase[host.endIndex...], default: defaultPort)
        text = try Self.host(host) + port
    }

    private static func host(_ host: Substring) throws(GateError) -> String {
        if host.hasPrefix("[") {
            guard let address = canonicalIPv6(host.dropFirst().dropLast()) else {
                throw LinkText.refused(localized("its server is not an IPv6 address"))
            }
            return "[\(address)]"
        }
        let labels = (host.hasSuffix(".") ? host.dropLast() : host).split(
            separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.allSatisfy(isLabel) else {
            throw LinkText.refused(localized("the name of its server is missing or not valid"))
        }
        // Only browsers read 0x7f.1 and 2130706433 as addresses.
        if let last = labels.last, isNumber(last), !isIPv4(host) {
            throw LinkText.refused(localized("its server is a number, but not an IPv4 address"))
        }
        return String(host)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { byte in
                LinkEncoding.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    private static func isNumber(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } || label.hasPrefix("0x")
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, String(text), &address) == 1
    }

    private static func canonicalIPv6(_ text: Substring) -> String? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard let result = inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) else { return nil }
        return String(cString: result)
    }

    /// The port with its colon; empty if it is the default one.
    private static func port(_ text: Substring, default defaultPort: UInt16) throws(GateError) -> String {
        guard !text.isEmpty, text != ":" else { return "" }
        let digits = text.dropFirst()
        guard text.first == ":", digits.allSatisfy({ $0.isASCII && $0.isWholeNumber }), let port = UInt16(digits),
            port > 0
        else { throw LinkText.refused(localized("its port is not a number from 1 to 65535")) }
        return port == defaultPort ? "" : ":\(port)"
    }
}

/// The characters that need no percent-encoding in a part of a link (RFC 3986), besides letters and digits.
struct LinkEncoding {
    static let path = LinkEncoding(signs: "-._~!$&'()*+,;=:@/")
    static let queryOrFragment = LinkEncoding(signs: "-._~!$&'()*+,;=:@/?")

    private let signs: String

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch Character(UnicodeScalar(byte)) {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    /// Percent-encodes a part. Escapes that it has already stay, in upper case; any other percent sign is encoded.
    func encoded(_ part: Substring.UTF8View) -> String {
        let bytes = Array(part)
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if Self.isLetterOrDigit(byte) || signs.utf8.contains(byte) {
                let isHexOfEscape = Self.isEscape(bytes, at: index - 1) || Self.isEscape(bytes, at: index - 2)
                let character = String(UnicodeScalar(byte))
                text += isHexOfEscape ? character.uppercased() : character
            } else if Self.isEscape(bytes, at: index) {
                text += "%"
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }

    private static func isEscape(_ bytes: [UInt8], at index: Int) -> Bool {
        index >= 0 && index + 2 < bytes.count && bytes[index] == UInt8(ascii: "%") && isHex(bytes[index + 1])
            && isHex(bytes[index + 2])
    }

    private static func isHex(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }
}
