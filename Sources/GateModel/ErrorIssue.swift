/// One thing that is wrong with an answer, a form or a file of the policy: `BAD_ANSWER`, `INCOMPLETE` and `BAD_POLICY` list them.
public struct ErrorIssue: Hashable, Sendable {
    /// The place of the mistake.
    @nonexhaustive
    public enum Place: Hashable, Sendable {
        /// In a form or in what was sent for it: the linkId, which is `nil` for the whole, and FHIRPath, which is empty for an
        /// answer that was sent by itself.
        case form(linkID: String?, expression: String)
        /// In a file of the configuration. Lines and columns count from 1; `nil`: the file as a whole.
        case file(String, line: Int?, column: Int?)
    }

    /// `nil`: of a kind that this version does not know.
    public var place: Place?
    /// The kind of mistake; `nil`: only the message says it.
    public var kind: FormIssue.Code?
    /// The values that the message names, as with `GateError.parameters`.
    public var parameters: [String: String]
    /// A sentence for people that says what to do.
    public var message: String

    /// Makes an issue of these values.
    public init(
        _ place: Place?, kind: FormIssue.Code? = nil, parameters: [String: String] = [:], _ message: String
    ) {
        self.place = place
        self.kind = kind
        self.parameters = parameters
        self.message = message
    }

    /// The mistake that was found in a form.
    package init(_ issue: FormIssue) {
        self.init(
            .form(linkID: issue.linkID, expression: issue.path), kind: issue.code, parameters: issue.parameters,
            issue.message)
    }
}
