import GateModel

/// Reads the texts of a questionnaire in several languages. FHIR's extension `translation` is at the sibling whose key
/// begins with an underscore (`_text` of `text`). Reports mistakes, and texts that lack a language of other texts.
struct TranslationReading {
    /// The texts that a text is compared with: if it lacks a language that another of them has, that is reported.
    enum Siblings: Hashable {
        /// The titles and questions of the form.
        case form
        /// The options of one list, by its path. They may all be names, so their languages say nothing of other texts.
        case options(String)
        /// Not compared, because it is an example, like name@example.org.
        case none
    }

    /// A text that was read, to be compared with others.
    private struct Written {
        let key: String
        let place: FHIRNode.Place?
        let position: FormPosition
        let languages: [String]
    }

    static let url = FormExtension.standardBase + "translation"

    /// The elements whose translations are read, by shape.
    static let keys: [String: Set<String>] = [
        "Questionnaire": ["title", "description"], "Questionnaire.item": ["text", "prefix"],
        "Questionnaire.answerOption": ["valueString"], "Coding": ["display"], "ValueSet.concept": ["display"],
        "ValueSet.contains": ["display"], "Extension": ["valueString"],
    ]

    /// The language that the resource says it is in; `nil` if it does not say.
    private let language: String?
    private var written: [Siblings: [Written]] = [:]

    init(language: String?) { self.language = language }

    /// The text of an element; `nil` if it has none.
    mutating func text(
        _ key: String, of node: FHIRNode, _ position: FormPosition, among siblings: Siblings = .form,
        _ findings: inout FormFindings
    ) -> LocalizedText? {
        guard let value = node[key], let text = value.text else { return nil }
        let translations = translations(of: key, in: node, position, &findings)
        // A text without letters, like "1.", is the same in every language.
        if siblings != .none, text.contains(where: \.isLetter) {
            let languages = translations.map(\.language) + (language.map { [$0] } ?? [])
            written[siblings, default: []].append(
                Written(key: key, place: value.place, position: position, languages: languages))
        }
        guard let language, !translations.isEmpty else { return LocalizedText(text, translations) }
        return LocalizedText(text, [.init(language: language, text: text)] + translations)
    }

    /// Reports each text that lacks a language which another of its siblings has.
    func reportMissing(_ findings: inout FormFindings) {
        for (siblings, texts) in written {
            var all: Set<String> = []
            for text in texts { all.formUnion(text.languages) }
            guard all.count > (language == nil ? 0 : 1) else { continue }
            let sorted = all.sorted()
            for text in texts {
                let missing = sorted.filter { LanguageTag.bestFit(for: [$0], among: text.languages) == nil }
                guard !missing.isEmpty else { continue }
                let others = siblings == .form ? "other texts of this form" : "other options here"
                findings.add(
                    text.position.finding(
                        .warning, .required, text.place,
                        "'\(text.key)' is missing in \(missing.joined(separator: ", ")), although \(others) have it. Add it."
                    ))
            }
        }
    }

    // MARK: - One text

    private func translations(
        of key: String, in node: FHIRNode, _ position: FormPosition, _ findings: inout FormFindings
    ) -> [LocalizedText.Translation] {
        guard let elements = node["_\(key)"]?["extension"]?.elements else { return [] }
        let position = position.below(key)
        var translations: [LocalizedText.Translation] = []
        func wrong(_ place: FHIRNode.Place?, _ message: String) {
            findings.add(position.finding(.error, .structure, place, message))
        }
        for element in elements {
            let url = element["url"]?.text ?? ""
            guard url == Self.url else {
                findings.add(
                    position.finding(
                        .warning, .notSupported, element.place,
                        "Gate does not use the extension '\(url.shortenedAddress)'."))
                continue
            }
            let parts = element["extension"]?.elements ?? []
            guard let lang = Self.only("lang", ["valueCode"], of: parts),
                let content = Self.only("content", ["valueString", "valueMarkdown"], of: parts)
            else {
                wrong(
                    element.place,
                    "A translation has two extensions, 'lang' with a valueCode and 'content' with a valueString, each once."
                )
                continue
            }
            guard let tag = lang.text, LanguageTag.isTag(tag) else {
                wrong(lang.place, "A language is a tag like de, zh-CN or sr-Latn, not \(lang.found).")
                continue
            }
            guard let text = content.text, !text.allSatisfy(\.isWhitespace) else {
                wrong(content.place, "The translation to '\(tag)' has no text. Give it one, or leave it out.")
                continue
            }
            if text.utf8.count > FormsLimits.textBytes {
                wrong(content.place, "A text has at most \(FormsLimits.textBytes) bytes. Shorten it.")
            } else if tag.lowercased() == language?.lowercased() {
                wrong(lang.place, "The form is in '\(tag)' itself, as its 'language' says. Leave this translation out.")
            } else if translations.contains(where: { $0.language.lowercased() == tag.lowercased() }) {
                wrong(lang.place, "The translation to '\(tag)' is there twice. Keep one of them.")
            } else {
                translations.append(.init(language: tag, text: text))
            }
        }
        // One more language is that of the text itself.
        guard translations.count < LocalizedText.maximumTranslationCount else {
            wrong(elements.first?.place, "A text is in at most \(LocalizedText.maximumTranslationCount) languages.")
            return []
        }
        return translations
    }

    /// The value of the only extension with this url; `nil` if there is none, or several.
    private static func only(_ url: String, _ keys: [String], of parts: [FHIRNode]) -> FHIRNode? {
        let found = parts.filter { $0["url"]?.text == url }
        guard found.count == 1 else { return nil }
        return keys.lazy.compactMap { found[0][$0] }.first
    }
}
