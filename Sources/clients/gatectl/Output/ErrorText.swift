import GateModel
import GateTexts

/// Why something did not work, as lines for people.
enum ErrorText {
    /// The message; where the error lists what is wrong, all that it lists, and not only what the message has room for.
    static func lines(of error: GateError) -> [String] {
        let lines = RefusalText.sentence(error).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        guard let first = error.issues.first, first.message != error.message else { return lines }
        let issues = error.issues.map { line($0, of: error.reason) }
        let rest = (error.parameters["count"].flatMap { Int($0) } ?? 0) - issues.count
        // The first line says what could not be done, unless it is an issue already.
        return lines.prefix(1).filter { !issues.contains($0) } + issues
            + (rest > 0 ? [localized("{count} more", ["count": "\(rest)"])] : [])
    }

    private static func line(_ issue: ErrorIssue, of reason: GateError.Reason) -> String {
        switch issue.place {
        case .form(let place):
            formLine(issue, at: place, of: reason)
        case .file(let place):
            ([place.file] + [place.line, place.column].compactMap { $0.map(String.init) }).joined(separator: ":")
                + ": \(RefusalText.named(issue))"
        case nil: RefusalText.named(issue)
        }
    }

    /// The question that it is about comes first, as people read it; an English sentence names it itself.
    private static func formLine(
        _ issue: ErrorIssue, at place: ErrorIssue.FormPlace, of reason: GateError.Reason
    ) -> String {
        let isSent = reason != .incomplete && !place.expression.isEmpty
        let name = isSent ? place.linkID.map { ListText.noted(place.expression, $0) } ?? place.expression : place.linkID
        return name.map { ListText.pair($0, RefusalText.named(issue)) } ?? RefusalText.named(issue)
    }
}
