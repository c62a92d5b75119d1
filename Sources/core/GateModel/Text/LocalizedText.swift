/// A text that people read, in every language in which its author wrote it. The author is an administrator or a
/// provider, or an app that brings its own form or news; the `details` of a request have no languages.
///
/// ```swift
/// let title = LocalizedText("Open a web page", [.init(language: "de", text: "Eine Webseite öffnen")])
/// title.text(for: ["de-CH"])  // Eine Webseite öffnen
/// ```
public struct LocalizedText: Hashable, Sendable {
    /// The text in one language.
    public struct Translation: Hashable, Sendable {
        /// The language as a BCP 47 tag, like "en" or "zh-Hans".
        public var language: String
        /// The text itself.
        public var text: String

        public init(language: String, text: String) {
            self.language = language
            self.text = text
        }
    }

    /// The text for people who read none of the languages. Also used in the journal, in logs and in JSON.
    public var text: String
    /// The text in each of its languages, with the default language if that is named. No language occurs twice. Empty
    /// if there is one language only, which is not named.
    public var translations: [Translation]

    public init(_ text: String, _ translations: [Translation] = []) {
        self.text = text
        self.translations = translations
    }

    package static let maximumTranslationCount = 16

    /// The text in the language that suits best, or the default text. `languages` are BCP 47 tags, the preferred one
    /// first. Somebody who prefers "de-CH" gets "de" if there is no "de-CH".
    public func text(for languages: [String]) -> String {
        LanguageTag.bestFit(for: languages, among: translations.map(\.language)).map { translations[$0].text } ?? text
    }
}

extension LocalizedText: ExpressibleByStringInterpolation {
    /// Makes a text in one language, which is not named.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
