/// The languages that a person reads, from the environment's variables.
package enum ReaderLanguages {
    /// BCP 47 tags like "de-CH", the preferred one first: those in LANGUAGE, then that in LC_ALL, LC_MESSAGES or LANG.
    /// Empty if the environment names none. `value` returns the value of a variable.
    package static func list(_ value: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(value).first { !$0.isEmpty } ?? ""
        // As in gettext: with the locale C or POSIX, LANGUAGE does not count; with C.UTF-8, it does.
        guard !["", "C", "POSIX"].contains(locale) else { return [] }
        let others = (value("LANGUAGE") ?? "").split(separator: ":").prefix(maximumCount).compactMap { tag($0) }
        return tag(locale).map { others.contains($0) ? others : others + [$0] } ?? others
    }

    private static let maximumCount = 16

    /// Turns `de_CH.UTF-8@euro` into `de-CH`; `nil` if the locale names no language.
    private static func tag(_ locale: some StringProtocol) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return ["", "C", "POSIX"].contains(name) ? nil : String(name).replacing("_", with: "-")
    }
}
