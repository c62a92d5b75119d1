/// The site that a link leads to: its scheme, its host, and its port unless that is the scheme's usual one.
///
/// A grown-up can say yes to all links of one site, so two programs must never disagree about where a link leads. That
/// is why a link is read much more strictly here than a browser reads it: a link that somebody could read in another
/// way has no site. Names outside ASCII, capital letters, users, backslashes and addresses of IPv6 have none.
package struct WebOrigin: Hashable, Sendable {
    /// For example "https://example.org" or "http://example.org:8080".
    package let text: String

    /// `nil` if this is not a link to a site.
    package init?(_ link: String) {
        guard let scheme = ["https", "http"].first(where: { link.utf8.starts(with: "\($0)://".utf8) }),
            // Browsers skip white space and control characters, and read a backslash as a slash.
            link.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let authority = link.utf8.dropFirst(scheme.utf8.count + 3).prefix { !"/?#".utf8.contains($0) }
        let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first.map({ String(decoding: $0, as: UTF8.self) }), Self.isHost(host)
        else { return nil }
        guard parts.count == 2 else {
            text = "\(scheme)://\(host)"
            return
        }
        let written = String(decoding: parts[1], as: UTF8.self)
        guard let port = Int(written), (1...65535).contains(port), "\(port)" == written else { return nil }
        text = "\(scheme)://\(host)" + (port == (scheme == "https" ? 443 : 80) ? "" : ":\(port)")
    }

    /// Whether these are lower-case words with dots between them, or the four numbers of an address.
    private static func isHost(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.allSatisfy(isLabel), let first = labels.last?.first else { return false }
        // Browsers take a host whose last word is a number, also "0x7f", for an address, and complete a short one.
        let isName = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        return isName || labels.count == 4 && labels.allSatisfy(isNumberOfAddress)
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == hyphen
            }
    }

    private static func isNumberOfAddress(_ label: Substring.UTF8View) -> Bool {
        let written = String(decoding: label, as: UTF8.self)
        return UInt8(written).map { "\($0)" == written } ?? false
    }
}
