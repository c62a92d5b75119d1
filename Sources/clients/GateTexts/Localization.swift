import CGettext
package import GateModel
import Glibc

/// The languages in which texts are shown. Before `begin`, and in a language without a catalogue, texts are in English.
package enum Localization {
    private static let domain = "gate"

    /// Whether there is a catalogue for the language. Written once by `begin`, before there is a second thread.
    nonisolated(unsafe) package private(set) static var isTranslating = false

    /// Whether `begin` was called: the texts are for a person, and not a service's.
    nonisolated(unsafe) package private(set) static var hasBegun = false

    /// The languages that the person reads, as BCP 47 tags like "de-CH", the preferred one first. Empty before `begin`,
    /// and if the environment names none. Texts of administrators are shown in the first of these that they have.
    nonisolated(unsafe) package private(set) static var languages: [String] = []

    /// Takes the languages from the environment. Call it before there is a second thread, in programs that talk to a
    /// person. A service does not call it, so its texts are in English.
    package static func begin() {
        hasBegun = true
        languages = ReaderLanguages.list { name in getenv(name).map { String(cString: $0) } }
        // The translation of the empty text is the catalogue's header, so it shows whether there is a catalogue.
        isTranslating = texts_begin(domain, catalogues) && !text("").isEmpty
    }

    /// The folder of the catalogues: `share/locale` beside the folder of the program, wherever that is installed.
    package static var catalogues: String {
        (ThisProgram.folder?.cut(atLast: "/")?.before ?? "") + "/share/locale"
    }

    fileprivate static func text(_ text: StaticString) -> String {
        text.withUTF8Buffer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { String(cString: texts_text(domain, $0.baseAddress!)) }
        }
    }

    /// In a catalogue, a text with a context has the key `context`, the character U+0004, and the text.
    fileprivate static func text(_ text: StaticString, context: StaticString) -> String {
        let key = "\(context)\u{4}\(text)"
        let found = key.withCString { String(cString: texts_text(domain, $0)) }
        return found == key ? "\(text)" : found
    }

    fileprivate static func plural(_ one: StaticString, _ many: StaticString, _ count: Int) -> String {
        one.withUTF8Buffer { one in
            many.withUTF8Buffer { many in
                one.withMemoryRebound(to: CChar.self) { one in
                    many.withMemoryRebound(to: CChar.self) { many in
                        String(cString: texts_plural(domain, one.baseAddress!, many.baseAddress!, UInt(max(0, count))))
                    }
                }
            }
        }
    }

    /// Replaces each `{name}` in the text by its value. A name without a value stays as it is.
    fileprivate static func filled(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
        guard !values.isEmpty else { return text }
        var filled = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = rest[rest.index(after: start)..<end]
            filled += rest[..<start]
            filled += values.first { $0.key == name }?.value ?? String(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}

/// The text in the person's language, with values in their places: `localized("Asked by {user}.", ["user": "anna"])`.
/// The English text is a literal, so that `Sources/clients/po/extract` finds it for the translators.
package func localized(_ text: StaticString, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Localization.filled(Localization.text(text), values)
}

/// For an English text with several meanings that other languages have different words for. The context, a literal like
/// "an account", tells translators which meaning this is.
package func localized(_ text: StaticString, context: StaticString) -> String {
    Localization.text(text, context: context)
}

/// The text for one thing or, as `plural`, for any other number, which it can contain as `{count}`. Both are literals.
package func localized(
    _ one: StaticString, plural many: StaticString, count: Int, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    Localization.filled(Localization.filled(Localization.plural(one, many, count), ["count": "\(count)"]), values)
}

extension LocalizedText {
    /// The text in the person's first language that it has; see `text(for:)`.
    package var ofPerson: String { text(for: Localization.languages) }
}
