public import GateModel

/// The verdict on a response, if it were to be completed.
public struct FormVerdict: Hashable, Sendable {
    /// Whether nothing of it is an error.
    public var isValid: Bool
    /// Errors, warnings and information, in the order of the form.
    public var issues: [FormIssue]
    /// The same as a FHIR OperationOutcome, as JSON.
    public var outcomeJSON: [UInt8]

    /// Makes a verdict of these values.
    package init(isValid: Bool, issues: [FormIssue], outcomeJSON: [UInt8]) {
        self.isValid = isValid
        self.issues = issues
        self.outcomeJSON = outcomeJSON
    }
}
