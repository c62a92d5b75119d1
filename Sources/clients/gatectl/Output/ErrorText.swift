import GateModel
import GateTexts

/// Says why something failed, in lines for people.
enum ErrorText {
    /// The message. If the error lists issues, only the first line of the message, and then all of them: the message
    /// itself may have room for only a few.
    static func lines(of error: GateError) -> [String] {
        let lines = RefusalText.sentence(error).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        guard let first = error.issues.first, first.message != error.message else { return lines }
        let issues = error.issues.map { line($0, of: error.reason) }
        let rest = (error.parameters["count"].flatMap { Int($0) } ?? 0) - issues.count
        // The first line says what failed, unless it is one of the issues.
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

    /// An issue of a form after its item: the linkId, or for a response that was sent the place in it and the linkId.
    private static func formLine(
        _ issue: ErrorIssue, at place: ErrorIssue.FormPlace, of reason: GateError.Reason
    ) -> String {
        let isSent = reason != .incomplete && !place.expression.isEmpty
        let name = isSent ? place.linkID.map { ListText.noted(place.expression, $0) } ?? place.expression : place.linkID
        return name.map { ListText.pair($0, RefusalText.named(issue)) } ?? RefusalText.named(issue)
    }
}
