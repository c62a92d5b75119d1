import CGettext
import Glibc

/// The language that a person reads. Until it has begun, and for a language without a catalogue, texts are in English.
package enum Localization {
    private static let domain = "gate"

    /// Whether there is a catalogue in that language: then texts are not those of the program. Written once, before there is a second
    /// thread.
    nonisolated(unsafe) package private(set) static var isTranslating = false

    /// Whether texts are those of a person, and not of a service.
    nonisolated(unsafe) package private(set) static var hasBegun = false

    /// The languages of the person, as BCP 47 tags like "de-CH", the preferred one first. Empty: none is asked for, or it has not
    /// begun. Administrators' texts are shown in the first of them that they are in.
    nonisolated(unsafe) package private(set) static var languages: [String] = []

    /// Takes the language from the environment. To be called before there is a second thread, by programs that speak with a
    /// person; a service speaks English.
    package static func begin() {
        hasBegun = true
        languages = ReaderLanguages.list { name in getenv(name).map { String(cString: $0) } }
        // The text for the empty one is the catalogue's header.
        isTranslating = texts_begin(domain, catalogues) && !text("").isEmpty
    }

    /// The folder of the catalogues: `share/locale` beside the folder of the program, wherever it is installed.
    package static var catalogues: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let program = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        let folder = program.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast(2)
        return String(decoding: Array(folder.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self) + "/share/locale"
    }

    fileprivate static func text(_ text: StaticString) -> String {
        text.withUTF8Buffer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { String(cString: texts_text(domain, $0.baseAddress!)) }
        }
    }

    /// gettext keeps a text that has a context under both, with an end of transmission between them.
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

    /// Puts the values where the text names them: `{name}`. A name that has no value stays.
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

/// The text in the language of the person, with its values in their places: `localized("Asked by {user}.", ["user": "anna"])`.
///
/// - Parameter text: the English text, as a literal: `Sources/clients/po/extract` finds it, and translators give it in their languages.
package func localized(_ text: StaticString, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Localization.filled(Localization.text(text), values)
}

/// The same for an English text that means two things, which other languages have different words for: each has its own context.
///
/// - Parameter context: says which of them it is, for translators, as a literal: "an account".
package func localized(_ text: StaticString, context: StaticString) -> String {
    Localization.text(text, context: context)
}

/// The text for so many of something, which it may name as `{count}`.
///
/// - Parameters:
///   - one: the English text for one, as a literal.
///   - many: the same for any other number.
package func localized(
    _ one: StaticString, plural many: StaticString, count: Int, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    Localization.filled(Localization.filled(Localization.plural(one, many, count), ["count": "\(count)"]), values)
}
