public import GateModel

/// A fault of a questionnaire, and its place.
public struct FormProblem: Error, Hashable, Sendable {
    public var severity: FormIssue.Severity
    public var place: FHIRNode.Place?
    /// "Questionnaire.item[3].enableWhen[0]".
    public var path: String
    /// The linkId of the item that it is about; `nil`: of none.
    public var linkID: String?
    /// Sentences that say what to do.
    public var message: String

    public init(
        _ severity: FormIssue.Severity, at place: FHIRNode.Place?, path: String, linkID: String? = nil,
        _ message: String
    ) {
        self.severity = severity
        self.place = place
        self.path = path
        self.linkID = linkID
        self.message = message
    }
}
