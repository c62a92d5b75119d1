/// Names of languages as BCP 47 writes them: "en", "zh-Hans", "de-CH".
package enum LanguageTag {
    package static let maximumByteCount = 35

    /// Whether the text is a language of 2 to 8 letters, perhaps with hyphens and parts of 1 to 8 letters and digits.
    package static func isTag(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard text.utf8.count <= maximumByteCount, let language = parts.first, (2...8).contains(language.count),
            language.allSatisfy(isLetter)
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || isDigit($0) }
        }
    }

    /// The index of the tag that suits somebody who reads these languages, the preferred one first; `nil` if none does.
    /// For each language in turn, the same tag is best, then a wider one ("de" for "de-CH"), then the first tag of the
    /// same language. A Chinese tag with a country is first widened to the script of that country.
    package static func bestFit(for languages: [String], among tags: [String]) -> Int? {
        guard !tags.isEmpty else { return nil }
        let known = tags.map(normal)
        for language in languages.map(normal) {
            for wanted in wider(language) {
                if let index = known.firstIndex(of: wanted) { return index }
            }
            let primary = primary(language)
            if let index = known.firstIndex(where: { Self.primary($0) == primary }) { return index }
        }
        return nil
    }

    /// The tag itself, then those that say less, the narrowest first: "zh-hans-cn", "zh-hans", "zh".
    private static func wider(_ tag: String) -> [String] {
        var tags = [tag]
        var parts = tag.split(separator: "-")
        if parts.count == 2, parts[0] == "zh", parts[1].count == 2 {
            tags.append(["hk", "mo", "tw"].contains(parts[1]) ? "zh-hant" : "zh-hans")
        }
        while parts.count > 1 {
            parts.removeLast()
            tags.append(parts.joined(separator: "-"))
        }
        return tags
    }

    private static func normal(_ tag: String) -> String { tag.lowercased().replacing("_", with: "-") }
    private static func primary(_ tag: String) -> Substring { tag.prefix { $0 != "-" } }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension String {
    /// Whether this is a language tag as policies and forms have to write it, like `en`, `zh` or `zh-Hant`: the
    /// language in two or three lower-case letters.
    package var isLanguageTag: Bool {
        let language = prefix { $0 != "-" }
        return (2...3).contains(language.utf8.count) && language.isLowerCaseWord && LanguageTag.isTag(self)
    }
}
