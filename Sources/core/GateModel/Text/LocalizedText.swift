/// A text that people read, in each language that its author has written it in (L-03): an administrator, or a provider. What a
/// program that asks for something writes has no languages.
///
/// ```swift
/// let title = LocalizedText("Open a web page", [.init(language: "de", text: "Eine Webseite öffnen")])
/// title.text(for: ["de-CH"])  // Eine Webseite öffnen
/// ```
public struct LocalizedText: Hashable, Sendable {
    /// The text in one language.
    public struct Translation: Hashable, Sendable {
        /// A BCP 47 tag, like "en" or "zh-Hans".
        public var language: String
        /// The text itself.
        public var text: String

        /// Makes a translation of these values.
        public init(language: String, text: String) {
            self.language = language
            self.text = text
        }
    }

    /// The text for everybody who reads none of the languages; the one in the journal, in logs and in JSON.
    public var text: String
    /// The text in each language that it is in, the default one too where that is named; each once. Empty: it is in one
    /// language, which is not named.
    public var translations: [Translation]

    /// Makes a text of these values.
    public init(_ text: String, _ translations: [Translation] = []) {
        self.text = text
        self.translations = translations
    }

    /// The most languages of one text.
    package static let maximumTranslationCount = 16

    /// The text in the first of these languages that it is in, or in one like it; else the default text.
    ///
    /// - Parameter languages: BCP 47 tags, like "de-CH", the preferred one first.
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
