public import GateModel

/// A mistake in a questionnaire or in answers, and its place.
public struct FormProblem: Error, Hashable, Sendable {
    public var severity: FormIssue.Severity
    public var place: FHIRNode.Place?
    /// Like "Questionnaire.item[3].enableWhen[0]".
    public var path: String
    /// The linkId of the item with the problem; `nil` if the problem is not in an item.
    public var linkID: String?
    /// Sentences that say what to do.
    public var message: String
    /// The kind of mistake, and the values that the message names, as in `ErrorIssue`.
    public var kind: FormIssue.Code
    public var parameters: [String: String]

    public init(
        _ severity: FormIssue.Severity, at place: FHIRNode.Place?, path: String, linkID: String? = nil,
        _ message: String, kind: FormIssue.Code = .structure, parameters: [String: String] = [:]
    ) {
        self.severity = severity
        self.place = place
        self.path = path
        self.linkID = linkID
        self.message = message
        self.kind = kind
        self.parameters = parameters
    }
}
