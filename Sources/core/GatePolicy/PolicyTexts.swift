import GateModel

/// Reads texts that may be in several languages: `title: Open a web page`, or
/// `title: {en: Open a web page, de: Eine Webseite öffnen}`.
extension PolicyNode {
    /// Reads one line of text for each language. `nil` if there is a mistake, which is reported.
    func texts(of key: String, atMost length: Int, _ draft: inout PolicyDraft) -> LocalizedText? {
        guard case .mapping(let entries) = content else {
            guard let text = line(of: key, atMost: length, &draft.problems) else { return nil }
            draft.translations.read(key, [], at: place)
            return LocalizedText(text)
        }
        guard !entries.isEmpty, entries.count <= LocalizedText.maximumTranslationCount else {
            let count = LocalizedText.maximumTranslationCount
            draft.problems.add(
                "'\(key)' is a text, or 1 to \(count) texts, each after its language and a colon, like {en: Yes, de: Ja}.",
                kind: entries.isEmpty ? .required : .tooLong, parameters: ["maximum": "\(count)"], at: place)
            return nil
        }
        var translations: [LocalizedText.Translation] = []
        for entry in entries {
            guard entry.key.isLanguageTag else {
                draft.problems.add(
                    "'\(entry.key.shortened)' is no language. Write its tag, like en, de or zh-CN, or a text alone.",
                    kind: .value, parameters: ["name": entry.key.shortened], at: entry.keyPlace)
                continue
            }
            guard !translations.contains(where: { $0.language.lowercased() == entry.key.lowercased() }) else {
                draft.problems.add(
                    "'\(key)' is there twice in '\(entry.key)'. Keep one of them.", kind: .duplicate,
                    at: entry.keyPlace)
                continue
            }
            if let text = entry.value.line(of: entry.key, atMost: length, &draft.problems) {
                translations.append(.init(language: entry.key, text: text))
            }
        }
        guard translations.count == entries.count, let first = translations.first else { return nil }
        draft.translations.read(key, translations.map(\.language), at: place)
        // If the reader is unknown, they get English if there is an English text, and otherwise the first text.
        let english = LanguageTag.bestFit(for: ["en"], among: translations.map(\.language))
        return LocalizedText(english.map { translations[$0].text } ?? first.text, translations)
    }
}

/// The languages of all texts in one file, to find texts that lack a language that other texts have.
struct PolicyTranslations {
    private var read: [(key: String, languages: [String], place: PolicyNode.Place)] = []

    /// - Parameter languages: empty if the text does not name its language.
    mutating func read(_ key: String, _ languages: [String], at place: PolicyNode.Place) {
        read.append((key, languages, place))
    }

    /// Warns of each text that lacks a language which another text has. Call it once, after the whole file was read.
    mutating func reportMissing(_ warnings: inout PolicyProblems) {
        let all = Set(read.flatMap(\.languages)).sorted()
        for (key, languages, place) in read {
            let missing = all.filter { LanguageTag.bestFit(for: [$0], among: languages) == nil }
            guard !missing.isEmpty else { continue }
            warnings.add(
                languages.isEmpty
                    ? "'\(key)' is only there in one language, but other texts of this file are in \(all.joined(separator: ", ")). Add those."
                    : "'\(key)' is missing in \(missing.joined(separator: ", ")), although other texts of this file have it. Add it.",
                kind: .required, parameters: ["name": missing.joined(separator: ", ")], at: place)
        }
        read = []
    }
}
