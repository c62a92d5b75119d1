public import GateModel

/// The result of checking a response as if it were to be completed.
public struct FormVerdict: Hashable, Sendable {
    /// Whether none of the issues is an error.
    public var isValid: Bool
    /// Errors, warnings and information, in the order of the form.
    public var issues: [FormIssue]
    /// The verdict as a FHIR OperationOutcome in JSON.
    public var outcomeJSON: [UInt8]

    package init(isValid: Bool, issues: [FormIssue], outcomeJSON: [UInt8]) {
        self.isValid = isValid
        self.issues = issues
        self.outcomeJSON = outcomeJSON
    }
}
