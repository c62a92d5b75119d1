/// What an expression can read while it is evaluated.
package struct ExpressionContext: Sendable {
    /// `%resource` and `%rootResource`.
    package var resource: ExpressionItem
    /// `%context`, at which paths begin.
    package var context: ExpressionItem
    /// `now()`, with seconds and time zone. `today()` and `timeOfDay()` are parts of it.
    package var now: CalendarMoment
    /// The values of the variables that the form defines, by their names without `%`.
    package var variables: [String: [ExpressionItem]]

    /// - Parameter context: `nil`: the resource.
    package init(
        resource: ExpressionItem, context: ExpressionItem? = nil, now: CalendarMoment,
        variables: [String: [ExpressionItem]] = [:]
    ) {
        self.resource = resource
        self.context = context ?? resource
        self.now = now
        self.variables = variables
    }
}

/// The names that an expression may use. Parsing rejects all others.
package struct ExpressionVocabulary: Sendable {
    /// The names of the variables that the form defines, without `%`.
    package var variables: Set<String>
    /// The names of elements; `nil`: any.
    package var elements: Set<String>?

    package init(variables: Set<String> = [], elements: Set<String>? = nil) {
        self.variables = variables
        self.elements = elements
    }

    /// Whether every expression has this variable, like `%resource` and FHIR's constants.
    package static func isBuiltIn(_ variable: String) -> Bool {
        ["resource", "rootResource", "context"].contains(variable) || constant(variable) != nil
    }

    /// The value of one of FHIR's constants, like `%ucum`; `nil` if there is none of this name.
    package static func constant(_ variable: String) -> String? {
        switch variable {
        case "ucum": "http://unitsofmeasure.org"
        case "sct": "http://snomed.info/sct"
        case "loinc": "http://loinc.org"
        case _ where variable.hasPrefix("vs-"): "http://hl7.org/fhir/ValueSet/" + variable.dropFirst(3)
        case _ where variable.hasPrefix("ext-"): "http://hl7.org/fhir/StructureDefinition/" + variable.dropFirst(4)
        case _: nil
        }
    }
}
