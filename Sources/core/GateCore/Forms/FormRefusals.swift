package import GateModel

/// The refusals about answers, in words for the person who reads them. They never quote an answer.
extension GateError {
    package static func noItem(_ path: FormPath) -> GateError {
        GateError(
            .notFound, .unknown,
            "There is nothing at '\(path)' in this form. See what is there with `gatectl form show`.",
            parameters: ["what": "item", "name": "\(path)"])
    }

    /// - Parameter container: the item with several instances or answers.
    static func ambiguous(_ path: FormPath, _ container: FormPath, count: Int) -> GateError {
        invalid(
            "path",
            "Say which one you mean by '\(path)': from '\(container)[0]' to '\(container)[\(count - 1)]'.",
            [
                "rule": "ambiguous", "name": "\(path)", "minimum": "\(container)[0]",
                "maximum": "\(container)[\(count - 1)]",
            ])
    }

    static func noIndex(_ item: QuestionnaireItem) -> GateError {
        invalid(
            "path",
            "\(item.fullLabel) takes all its answers at once. Leave out the index after its linkId.",
            ["rule": "no-index"])
    }

    static func notRepeatingGroup(_ item: QuestionnaireItem) -> GateError {
        invalid(
            "path",
            "\(item.fullLabel) is not a group that repeats. Clear its answers instead.",
            ["rule": "not-repeating"])
    }

    static func noDefinition(_ item: QuestionnaireItem) -> GateError {
        invalid(
            "path",
            "\(item.fullLabel) shares no answers with other forms: it has no 'definition'. Name an item that has one.",
            ["rule": "no-definition"])
    }

    static func nothingToKeep(_ item: QuestionnaireItem) -> GateError {
        invalid(
            "path", "Nothing is answered at \(item.fullLabel). Answer something first.", ["rule": "nothing-answered"])
    }

    static func otherDefinition(_ item: QuestionnaireItem) -> GateError {
        invalid(
            "path",
            "This part is not of what \(item.fullLabel) asks. `gatectl form parts --definition` lists those that are.",
            ["rule": "other-definition"])
    }

    static func onePart(_ item: QuestionnaireItem) -> GateError {
        invalid("path", "\(item.fullLabel) takes exactly one part. Name one.", ["rule": "one-part"])
    }

    // MARK: - Not answerable at present

    static func notEnabled(_ item: QuestionnaireItem) -> GateError {
        GateError(
            .failedPrecondition, .notAnswerable,
            "\(item.fullLabel) is not asked, because of other answers. Change those first.",
            parameters: item.refusalParameters(["what": "not-enabled", "item": item.linkID]))
    }

    static func readOnly(_ item: QuestionnaireItem) -> GateError {
        GateError(
            .failedPrecondition, .notAnswerable, "\(item.fullLabel) is read-only. Leave it as it is.",
            parameters: item.refusalParameters(["what": "read-only", "item": item.linkID]))
    }

    static func answerFirst(_ parent: QuestionnaireItem, before item: QuestionnaireItem) -> GateError {
        GateError(
            .failedPrecondition, .notAnswerable, "Answer \(parent.fullLabel) first: \(item.fullLabel) depends on it.",
            parameters: item.refusalParameters(
                ["what": "parent-missing", "item": item.linkID, "parent": parent.linkID]
            ).merging(parent.label(named: "parent-question")) { ours, _ in ours })
    }

    // MARK: - Limits

    /// - Parameter item: the item with several instances or answers.
    static func noRoom(_ item: QuestionnaireItem) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "This form has no room for more of \(item.fullLabel). Remove some of its groups first.",
            parameters: ["what": "items", "item": item.linkID])
    }

    static func tooMuchToMatch(_ item: QuestionnaireItem) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "The answers are too long to check them against the pattern of \(item.fullLabel). Shorten some.",
            parameters: ["what": "pattern", "item": item.linkID])
    }

    static let tooManyItems = GateError(
        .resourceExhausted, .limit,
        "This form has no room for more of these groups: all together have at most "
            + "\(FormBounds.repeatedItems.times("item")). Leave some out.",
        parameters: ["what": "repeated-items", "maximum": "\(FormBounds.repeatedItems)"])

    // MARK: - Wrong answers

    static func badAnswer(_ flaw: AnswerFlaw, to item: QuestionnaireItem) -> GateError {
        let issue = ErrorIssue(
            .form(linkID: item.linkID, expression: ""), kind: flaw.code,
            parameters: item.refusalParameters(flaw.parameters), flaw.message)
        return GateError(.invalidArgument, .badAnswer, flaw.message, all: [issue])
    }

    static func namedTwice(_ item: QuestionnaireItem) -> GateError {
        .badAnswer(
            AnswerFlaw(
                .structure, "\(item.fullLabel) is there twice. Keep one of them.", ["rule": "named-twice"]), to: item)
    }

    static func noQuestion(_ item: QuestionnaireItem) -> GateError {
        .badAnswer(
            AnswerFlaw(
                .structure, "\(item.fullLabel) is not a question. Answer the questions in it.",
                ["type": item.kind.rawValue]),
            to: item)
    }

    /// - Parameter errors: at least one.
    static func badResponse(_ errors: [FormIssue], to form: CompiledOutline) -> GateError {
        GateError(
            .invalidArgument, .badAnswer, FormIssue.lines(errors, withPlaces: true), all: form.told(errors))
    }
}
