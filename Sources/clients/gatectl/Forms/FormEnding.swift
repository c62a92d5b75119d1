import GateForms
import GateModel
import GateTexts

/// Asks at the end of a form: shows what was answered and what is missing, and completes the form if the person agrees.
struct FormEnding: Sendable {
    let form: any FillableForm
    let console: any FormConsole

    /// The form is completed with exactly the answers in `draft`. `passed` are lines about what came before.
    func ask(
        _ draft: FormReading, after passed: [String]
    ) async throws(GateError) -> FormFiller.Step {
        let issues = form.issues(of: draft.response)
        let lines =
            passed + ["", console.colours.bold(localized("All of it:"))]
            + FormListing(FormWalk(form.questionnaire, draft.response, hidden: .whereAnswered)).lines(showsPaths: false)
            .map { "  \($0)" } + summary(of: issues)
        let missing = issues.first { $0.severity == .error }
        let request =
            missing == nil
            ? localized("Complete? [Y/n]") : localized("Return goes to the first of them, :save keeps it, :quit leaves")
        var notes: [String] = []
        while true {
            let prompt = FormPrompt(lines: lines, notes: notes, isRepeated: !notes.isEmpty, request: request)
            let line = try FormFiller.line(await console.ask(prompt))
            notes = []
            switch line {
            case nil, .quit: return .end(.left)
            case .back: return .back
            case .save: return .end(.saved(try await form.save()))
            case .help: notes = FormLine.helpLines
            case .list: notes = FormListing(FormWalk(form.questionnaire, draft.response)).numberedLines
            case .goto(let text):
                if let path = FormWalk(form.questionnaire, draft.response).destination(text) { return .goto(path) }
                notes = [FormFiller.nowhere(text)]
            case .unknown(let text): notes = [FormFiller.unknown(text)]
            case .clear, .skip, .take: notes = [localized("There is nothing to answer here. < goes back.")]
            case .on:
                if let missing { return missing.linkID.map { .to($0) } ?? .back }
                do throws(GateError) {
                    return .end(.completed(try await form.complete(at: draft.revision)))
                } catch {
                    // The draft was changed meanwhile: read it again and ask again.
                    if error.reason == .changedMeanwhile { return .on }
                    notes = try FormFiller.notes(error)
                }
            case .answer(let text):
                switch (missing, WritingHabits.ofPerson.isYes(FormAnswerText.trimmed(text))) {
                case (nil, true?):
                    do throws(GateError) {
                        return .end(.completed(try await form.complete(at: draft.revision)))
                    } catch {
                        if error.reason == .changedMeanwhile { return .on }
                        notes = try FormFiller.notes(error)
                    }
                case (nil, false?): return .end(.left)
                case (nil, nil): notes = [localized("Please say y or n; < goes back.")]
                case (_?, _): notes = [localized("This can't be completed yet. Return goes to what is missing.")]
                }
            }
        }
    }

    /// Sentences on what is missing or wrong, and on what is only to be noted; at most 20 of each.
    private func summary(of issues: [FormIssue]) -> [String] {
        let names = form.questionnaire.itemNames
        let errors = issues.filter { $0.severity == .error }
        let others = issues.filter { $0.severity == .warning }
        func lines(_ heading: String, _ issues: [FormIssue]) -> [String] {
            guard !issues.isEmpty else { return [] }
            let shown = issues.prefix(20).map { "  - \(FormIssueText.sentence($0, names: names))" }
            return ["", heading] + shown
                + (issues.count > 20 ? ["  - " + localized("{count} more", ["count": "\(issues.count - 20)"])] : [])
        }
        return lines(console.colours.verdict(localized("Missing or wrong:"), isGood: false), errors)
            + lines(localized("To be noted:"), others)
    }
}
