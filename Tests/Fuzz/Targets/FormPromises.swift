import GateCore
import GateForms
import GateModel

/// What is promised of a form that somebody fills in: nothing in a form, a response or an answer brings it down, and
/// what is kept of a draft is the draft.
struct FormPromises {
    /// The most issues that a response may have, and the one that says that there are more.
    private static let maximumIssueCount = 501

    private let form: CompiledForm
    private let response: QuestionnaireResponse?
    private let text: String

    /// `nil`: the first part is no form.
    init?(questionnaire: [UInt8], response: [UInt8], text: String) {
        guard let node = try? FHIRNode(json: questionnaire),
            let read = QuestionnaireReader(fallbackName: "file").questionnaire(node).questionnaire
        else { return nil }
        form = CompiledForm(read)
        self.response = ResponseReader(digest: FormInputs.digest).response(response).response
        self.text = text
    }

    func check() throws {
        var draft = FormDraft.opened(form)
        try checkKept(draft)
        if let response {
            let issues = ResponseValidator(form, now: LocalTime(WallTime(unixMilliseconds: 0))).issues(of: response)
            try promise(issues.count <= Self.maximumIssueCount, "\(issues.count) issues")
            try promise(issues.allSatisfy { !$0.message.isEmpty && !$0.path.isEmpty }, "issues without words")
            try checkFilling(draft, from: response, isValid: !issues.contains { $0.severity == .error })
            _ = draft.load(from: response)
            try checkKept(draft)
            try checkWritten(draft)
        }
        for path in form.questionnaire.items.flatMap(\.paths).prefix(40) {
            try checkTyping(path.item, at: path.path, in: &draft)
        }
        try checkKept(draft)
        let count = draft.issues(now: LocalTime(WallTime(unixMilliseconds: 0))).count
        try promise(count <= Self.maximumIssueCount, "\(count) issues of a draft")
        let before = draft
        try promise(draft.reset().isChanged == (draft.rows != before.rows), "a reset that says the wrong thing")
        try promise(draft.rows == FormDraft.opened(form).rows, "a reset draft is not as when it was opened")
    }

    /// The draft that is read back from its rows equals the draft.
    private func checkKept(_ draft: FormDraft) throws {
        let restored = FormDraft(restoring: draft.rows, of: form)
        try promise(restored.rows == draft.rows, "what was kept of a draft is another draft")
        try promise(restored.byteCount == draft.byteCount, "what was kept of a draft is billed otherwise")
    }

    /// A reader accepts the draft's response.
    private func checkWritten(_ draft: FormDraft) throws {
        let written = draft.response(.inProgress, authored: nil, includingUnanswered: false)
        let reading = ResponseReader().response(ResponseWriter.json(written))
        try promise(reading.response == written, "the response of a draft is read as another one")
    }

    /// A valid response may still answer what is fixed; but what is wrong is never taken, and leaves no trace.
    private func checkFilling(_ draft: FormDraft, from response: QuestionnaireResponse, isValid: Bool) throws {
        var filled = draft
        do throws(GateError) {
            _ = try filled.fill(from: response)
        } catch {
            try promise(filled == draft, "a response that was refused has left a trace")
            try promise(!isValid || error.code == .resourceExhausted, "a valid response was refused: \(error)")
            return
        }
        try checkKept(filled)
    }

    private func checkTyping(_ item: QuestionnaireItem, at path: FormPath, in draft: inout FormDraft) throws {
        for value in [try? FormAnswerText(item: item).value(text), try? FormAnswerText(item: item).labelled(text)] {
            guard let value else { continue }
            if let mask = item.constraints.textMask, case .string(let text) = value {
                try promise(
                    mask.completed(text) == text, "what was completed by \(mask.source) is completed again at \(path)")
            }
            let before = draft
            do throws(GateError) {
                _ = try draft.set(path, to: [value])
            } catch {
                try promise(draft == before, "an answer that was refused has left a trace at \(path)")
                continue
            }
        }
    }
}

extension QuestionnaireItem {
    /// Its own path and those below it, the first time of whatever repeats.
    fileprivate var paths: [(item: QuestionnaireItem, path: FormPath)] {
        let own = FormPath(linkID)
        let below = items.flatMap(\.paths).map { below in
            (below.item, repeats ? FormPath([FormPath.Step(linkID, 0)] + below.path.steps) : below.path)
        }
        return [(self, own)] + below
    }
}
