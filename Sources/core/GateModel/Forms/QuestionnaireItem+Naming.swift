/// Names a question in a refusal, in all its languages: a program that shows the refusal may not have the form.
extension QuestionnaireItem {
    /// Parameters of a refusal with the text of the question and the answers that it offers: "question", "question-de",
    /// …, "choices", "choices-de", …. The choices are given if there are at most 8, separated by `; `.
    package var namingParameters: [String: String] {
        let question = label(named: Self.questionParameter)
        guard let choices else { return question }
        return question.merging(choices.parameters(named: Self.choicesParameter)) { question, _ in question }
    }

    /// The parameters of a message that name this question: its text in each language, or its linkId if it has no text.
    package func label(named name: String) -> [String: String] {
        let texts = texts ?? LocalizedText(linkID)
        return LocalizedText(
            texts.text.oneShortLine,
            texts.translations.map { .init(language: $0.language, text: $0.text.oneShortLine) }
        ).parameters(named: name)
    }

    package static let questionParameter = "question"
    package static let choicesParameter = "choices"

    /// `nil` if there are none, or too many to list.
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
    /// The text in each of its languages, as parameters: "name", "name-de", ….
    package func parameters(named name: String) -> [String: String] {
        translations.reduce(into: [name: text]) { $0["\(name)-\($1.language)"] = $1.text }
    }

    /// Reads the text of such parameters. `nil` if there is none of that name.
    package init?(named name: String, in parameters: [String: String]) {
        guard let text = parameters[name] else { return nil }
        let translations = parameters.filter { $0.key.hasPrefix("\(name)-") }.sorted { $0.key < $1.key }
        self.init(text, translations.map { .init(language: String($0.key.dropFirst(name.count + 1)), text: $0.value) })
    }
}

extension String {
    /// The text in one line, without hidden characters, cut to 80 bytes. A cut text ends with "…".
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
