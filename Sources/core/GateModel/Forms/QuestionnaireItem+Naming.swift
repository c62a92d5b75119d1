/// The words for a question in a refusal, for a reader in any language: programs that only have the refusal have no form.
extension QuestionnaireItem {
    /// The question as people read it, and the answers that it offers, as parameters of a refusal: "question", "question-de", …,
    /// "choices", "choices-de", …. Choices are there where they are few, with `; ` between them.
    package var namingParameters: [String: String] {
        let question = label(named: Self.questionParameter)
        guard let choices else { return question }
        return question.merging(choices.parameters(named: Self.choicesParameter)) { question, _ in question }
    }

    /// The question alone, as parameters of this name.
    package func label(named name: String) -> [String: String] {
        let texts = texts ?? LocalizedText(linkID)
        return LocalizedText(
            texts.text.oneShortLine,
            texts.translations.map { .init(language: $0.language, text: $0.text.oneShortLine) }
        ).parameters(named: name)
    }

    package static let questionParameter = "question"
    package static let choicesParameter = "choices"

    /// `nil`: there are none, or too many to be listed.
    private var choices: LocalizedText? {
        guard (1...8).contains(options.count) else { return nil }
        let texts = options.map(\.texts)
        func list(_ words: [String]) -> String { words.map(\.oneShortLine).joined(separator: "; ") }
        let languages = Set(texts.flatMap { $0.translations.map(\.language) }).sorted()
        return LocalizedText(
            list(texts.map(\.text)),
            languages.prefix(LocalizedText.maximumTranslationCount).map { language in
                .init(language: language, text: list(texts.map { $0.text(for: [language]) }))
            })
    }
}

extension LocalizedText {
    /// The text in each of its languages: "name", "name-de", ….
    package func parameters(named name: String) -> [String: String] {
        translations.reduce(into: [name: text]) { $0["\(name)-\($1.language)"] = $1.text }
    }

    /// The text of such parameters; `nil`: they have none of that name.
    package init?(named name: String, in parameters: [String: String]) {
        guard let text = parameters[name] else { return nil }
        let translations = parameters.filter { $0.key.hasPrefix("\(name)-") }.sorted { $0.key < $1.key }
        self.init(text, translations.map { .init(language: String($0.key.dropFirst(name.count + 1)), text: $0.value) })
    }
}

extension String {
    /// In one line, with nothing hidden in it, and of at most 80 bytes.
    package var oneShortLine: String {
        let line = split { $0.unicodeScalars.allSatisfy { $0 == " " || !$0.isShownInALine } }.joined(separator: " ")
        guard line.utf8.count > 80 else { return line }
        var byteCount = 0
        return line.prefix {
            byteCount += $0.utf8.count
            return byteCount <= 80
        } + "…"
    }
}
