/// The FHIRPath expressions of an item, which give its answers and decide whether it is asked. `nil`: none.
public struct QuestionnaireItemExpressions: Hashable, Sendable {
    /// Extension `sdc-questionnaire-calculatedExpression`: the answers, calculated anew after changes.
    public var calculated: String?
    /// Extension `sdc-questionnaire-initialExpression`: the answers that the item has at first.
    public var initial: String?
    /// Extension `sdc-questionnaire-enableWhenExpression`: the item is asked while this is true.
    public var enableWhen: String?
    /// The variables for expressions of this item and all items in it. Each may use those before it and around it.
    public var variables: [QuestionnaireVariable]

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

/// A name for the result of an expression: FHIR's extension `variable`. The expression is about the item that defines
/// it, and is evaluated separately for each repetition of that item.
public struct QuestionnaireVariable: Hashable, Sendable {
    /// The name, without `%`.
    public var name: String
    /// The expression in FHIRPath.
    public var expression: String

    package init(name: String, expression: String) {
        self.name = name
        self.expression = expression
    }
}
