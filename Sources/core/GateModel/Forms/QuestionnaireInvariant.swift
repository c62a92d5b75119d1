/// A rule about the answers of a form, given as an expression: FHIR's extension `questionnaire-constraint`.
public struct QuestionnaireInvariant: Hashable, Sendable {
    /// What happens if the rule is broken.
    @nonexhaustive
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The form can't be completed.
        case error
        /// The person is told, but can complete the form.
        case warning
    }

    /// The name of the rule, unique in its form.
    public var key: String
    /// What happens if the rule is broken.
    public var severity: Severity
    /// The rule in FHIRPath: true if it is kept. It is about the response, or about the item that has the rule.
    public var expression: String
    /// The sentence that people read if the rule is broken, in each of its languages.
    public var humans: LocalizedText

    package init(key: String, severity: Severity, expression: String, human: LocalizedText) {
        self.key = key
        self.severity = severity
        self.expression = expression
        humans = human
    }
}
