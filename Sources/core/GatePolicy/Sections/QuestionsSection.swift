import GateModel

/// Reads `questions`: the question bank for the challenge `quiz`.
extension PolicyDraft {
    mutating func readQuestions(_ node: PolicyNode) {
        guard case .list(let list) = node.content else {
            problems.add("Write questions here, each after a '-', not \(node.found).", kind: .structure, at: node.place)
            return
        }
        var questions: [(place: PolicyNode.Place, question: QuizQuestion)] = []
        for node in list {
            guard configuration.questions.count + questions.count < PolicyLimits.questions else {
                problems.add(
                    "There are more than \(PolicyLimits.questions) questions.", kind: .tooLong,
                    parameters: ["maximum": "\(PolicyLimits.questions)"], at: node.place)
                break
            }
            if let question = question(node) { questions.append((node.place, question)) }
        }
        checkLanguages(questions)
        configuration.questions += questions.map(\.question)
    }

    private static let questionKeys = ["id", "difficulty"]

    private mutating func question(_ node: PolicyNode) -> QuizQuestion? {
        guard
            let fields = PolicyFields(
                node, of: "a question", keys: Self.questionKeys, except: \.isLanguageTag, &problems),
            case .mapping(let entries) = node.content
        else { return nil }
        var difficulty = ChallengeSpecification.Difficulty.medium
        if let value = fields.value("difficulty") { difficulty = value.word("difficulty", &problems) ?? .medium }
        var id: String?
        if let value = fields.value(needed: "id", "A question", &problems) { id = questionID(value) }
        let languages = entries.filter { !Self.questionKeys.contains($0.key) && $0.key.isLanguageTag }
        if languages.isEmpty {
            problems.add(
                "The question has no text. Give it one for each language, under 'en', 'de' and so on.", kind: .required,
                at: node.place)
        }
        let texts = languages.map { text($0.value, language: $0.key) }
        guard let id, !texts.isEmpty, !texts.contains(nil) else { return nil }
        return QuizQuestion(id: id, difficulty: difficulty, texts: texts.compactMap(\.self))
    }

    private mutating func questionID(_ node: PolicyNode) -> String? {
        guard let id = node.text, id.isLowerCaseWord, id.utf8.count <= PolicyLimits.nameLength else {
            problems.add(
                "'id' is a lower-case word of letters, digits and hyphens, like water-boils, not \(node.found).",
                kind: .value, at: node.place)
            return nil
        }
        guard let first = placeInLayer(of: "question \(id)") else {
            return isFirst("question \(id)", at: node.place) ? id : nil
        }
        problems.add(
            "There is a question '\(id)' already: \(first.file):\(first.line). Give this one another id.",
            kind: .duplicate, at: node.place)
        return nil
    }

    private mutating func text(_ node: PolicyNode, language: String) -> QuizQuestion.Text? {
        let keys = ["question", "right", "wrong"]
        guard let fields = PolicyFields(node, of: "the text of a question", keys: keys, &problems) else { return nil }
        let owner = "The text in '\(language)'"
        let length = PolicyLimits.quizTextLength
        let question = fields.value(needed: "question", owner, &problems)?.line(
            of: "a question", atMost: length, &problems)
        let right = fields.value(needed: "right", owner, &problems)?.line(of: "right", atMost: length, &problems)
        guard let list = fields.value(needed: "wrong", owner, &problems) else { return nil }
        guard case .list(let nodes) = list.content, nodes.count == Self.wrongAnswers else {
            let count = if case .list(let nodes) = list.content { "\(nodes.count)" } else { list.found }
            problems.add(
                "'wrong' is a list of \(Self.wrongAnswers) wrong answers, not \(count).", kind: .structure,
                at: list.place)
            return nil
        }
        let wrong = nodes.compactMap { $0.line(of: "wrong", atMost: length, &problems) }
        guard let question, let right, wrong.count == Self.wrongAnswers else { return nil }
        var choices: Set<String> = [right]
        for (node, choice) in zip(nodes, wrong) where !choices.insert(choice).inserted {
            problems.add(
                "'\(choice.shortened)' is among the answers twice. Change one of them.", kind: .duplicate,
                at: node.place)
        }
        return QuizQuestion.Text(language: language, question: question, right: right, wrong: wrong)
    }

    private static let wrongAnswers = 3

    /// Checks that all questions of one file are in the same languages: nobody should meet one that they can't read.
    private mutating func checkLanguages(_ questions: [(place: PolicyNode.Place, question: QuizQuestion)]) {
        let all = Set(questions.flatMap { $0.question.texts.map(\.language) })
        for (place, question) in questions {
            let missing = all.subtracting(question.texts.map(\.language)).sorted()
            guard !missing.isEmpty else { continue }
            problems.add(
                "The question '\(question.id)' is missing in \(missing.joined(separator: ", ")), although others of this file "
                    + "have it. Add it.", kind: .required, at: place)
        }
    }
}
