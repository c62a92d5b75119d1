/// A rule about the answers of a form that is an expression (F-79): FHIR's extension `questionnaire-constraint`.
public struct QuestionnaireInvariant: Hashable, Sendable {
    /// How much it matters.
    @nonexhaustive
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// A form that breaks it can't be completed.
        case error
        /// It is told, and the form can be completed.
        case warning
    }

    /// Its name, unique in the questionnaire.
    public var key: String
    /// How much it matters.
    public var severity: Severity
    /// True where it is kept: an expression in FHIRPath, about the response or about the item that it stands at.
    public var expression: String
    /// The sentence that people read where it is broken, in each of its languages.
    public var humans: LocalizedText

    /// Makes a rule of these values.
    package init(key: String, severity: Severity, expression: String, human: LocalizedText) {
        self.key = key
        self.severity = severity
        self.expression = expression
        humans = human
    }
}
