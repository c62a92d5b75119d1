/// Checks texts that name something elsewhere: web addresses, and FHIR's references to other resources.
package enum AddressText {
    /// Whether this is a whole address: a scheme, a colon and more, without spaces and invisible characters.
    package static func isAddress(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.utf8.first,
            Self.isLetter(first), text.utf8.index(after: colon) < text.utf8.endIndex
        else { return false }
        return text.utf8[..<colon].allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
            && !(["http:", "https:"] as [String]).contains { text.lowercased() == $0 + "//" }
            && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.isInvisible }
    }

    /// Whether this is a reference: `Patient/17`, perhaps with a version; an address; or `#17` in the same resource.
    package static func isReference(_ text: String) -> Bool {
        if text.hasPrefix("#") { return isID(text.dropFirst()) }
        return isAddress(text) || parts(ofRelative: text) != nil
    }

    /// The type of resource that a reference leads to, like "Patient"; `nil` if the reference does not say.
    package static func type(ofReference text: String) -> String? {
        if let parts = parts(ofRelative: text) { return String(parts[0]) }
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
        let steps = text.split(separator: "/", omittingEmptySubsequences: false)
        for count in [2, 4] where steps.count > count + 2 {
            let end = steps.suffix(count).joined(separator: "/")
            if let parts = parts(ofRelative: end) { return String(parts[0]) }
        }
        return nil
    }

    /// Whether this can be the name of a resource type: letters only, the first in upper case, at most 64.
    package static func isType(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
        return text.utf8.count <= 64 && text.utf8.allSatisfy(isLetter)
    }

    /// The parts of `Patient/17` or `Patient/17/_history/2`; `nil` if it is written in any other way.
    private static func parts(ofRelative text: String) -> [Substring]? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 4 && parts[2] == "_history", isType(parts[0]), isID(parts[1]),
            parts.count == 2 || isID(parts[3])
        else { return nil }
        return parts
    }

    private static func isID(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        properties.generalCategory == .control || properties.generalCategory == .format
    }
}

extension FormReference {
    /// The type of resource that the reference leads to: as it says itself, else `type`; `nil` if neither says it.
    package var leadsTo: String? { reference.flatMap(AddressText.type) ?? type }
}
