/// The expressions in FHIRPath that the answers of an item, and whether it is asked at all, follow from (F-79). `nil`: there is no such
/// expression.
public struct QuestionnaireItemExpressions: Hashable, Sendable {
    /// Extension `sdc-questionnaire-calculatedExpression`: its answers, whenever something changes that they hang on.
    public var calculated: String?
    /// Extension `sdc-questionnaire-initialExpression`: the answers that it begins with.
    public var initial: String?
    /// Extension `sdc-questionnaire-enableWhenExpression`: true where it is asked.
    public var enableWhen: String?
    /// The variables that its own expressions, and all in it, may name. Each may name those before it, and those around it.
    public var variables: [QuestionnaireVariable]

    /// Makes expressions of these texts.
    package init(
        calculated: String? = nil, initial: String? = nil, enableWhen: String? = nil,
        variables: [QuestionnaireVariable] = []
    ) {
        self.calculated = calculated
        self.initial = initial
        self.enableWhen = enableWhen
        self.variables = variables
    }
}

/// A name for the result of an expression: FHIR's extension `variable`. The expression begins at the item that it stands at, each time
/// that the item is there.
public struct QuestionnaireVariable: Hashable, Sendable {
    /// Its name, without `%`.
    public var name: String
    /// An expression in FHIRPath.
    public var expression: String

    /// Makes a variable of these texts.
    package init(name: String, expression: String) {
        self.name = name
        self.expression = expression
    }
}
