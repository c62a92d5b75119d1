package import GateModel

/// The languages that a person reads, as the environment says it.
package enum ReaderLanguages {
    /// BCP 47 tags like "de-CH", the preferred one first: those of LANGUAGE, then that of LC_ALL, LC_MESSAGES or LANG. Empty: none is
    /// asked for.
    ///
    /// - Parameter value: of a variable of the environment.
    package static func list(_ value: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(value).first { !$0.isEmpty } ?? ""
        // As gettext does it: C asks for no language at all, and C.UTF-8 only names none by itself.
        guard !["", "C", "POSIX"].contains(locale) else { return [] }
        let others = (value("LANGUAGE") ?? "").split(separator: ":").prefix(maximumCount).compactMap { tag($0) }
        return tag(locale).map { others.contains($0) ? others : others + [$0] } ?? others
    }

    /// More than these nobody reads.
    private static let maximumCount = 16

    /// `de_CH.UTF-8@euro` → `de-CH`. `nil`: it names no language.
    private static func tag(_ locale: some StringProtocol) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return ["", "C", "POSIX"].contains(name) ? nil : String(name).replacing("_", with: "-")
    }
}

extension LocalizedText {
    /// The text in the language of the person, as far as it is in one that they read.
    package var ofPerson: String { text(for: Localization.languages) }
}
