/// The extensions that Gate knows. Raw values are the ends of their canonical URLs.
enum FormExtension: String, CaseIterable {
    // MARK: FHIR's

    case regex
    case entryFormat
    case minValue
    case maxValue
    case minLength
    case maxDecimalPlaces
    case maxSize
    case mimeType
    case minOccurs = "questionnaire-minOccurs"
    case maxOccurs = "questionnaire-maxOccurs"
    case hidden = "questionnaire-hidden"
    case optionExclusive = "questionnaire-optionExclusive"
    case unit = "questionnaire-unit"
    case unitOption = "questionnaire-unitOption"
    case unitValueSet = "questionnaire-unitValueSet"
    case minQuantity = "sdc-questionnaire-minQuantity"
    case maxQuantity = "sdc-questionnaire-maxQuantity"
    case referenceResource = "questionnaire-referenceResource"
    case constraint = "questionnaire-constraint"
    case variable
    case calculatedExpression = "sdc-questionnaire-calculatedExpression"
    case initialExpression = "sdc-questionnaire-initialExpression"
    case enableWhenExpression = "sdc-questionnaire-enableWhenExpression"

    // MARK: Ours

    case parents
    case mask
    case oneLine = "one-line"
    case completedBy = "completed-by"
    case label

    enum Owner {
        case questionnaire
        case item
        case option
    }

    static let standardBase = "http://hl7.org/fhir/StructureDefinition/"
    static let gateBase = "https://gate.example/fhir/StructureDefinition/"

    /// The extension that stands in place of a value, and gives it by an expression.
    static let expressionURL = standardBase + "cqf-expression"

    /// The base of the extensions of HL7's guide on Structured Data Capture.
    static let captureBase = "http://hl7.org/fhir/uv/sdc/StructureDefinition/"

    var url: String { base + rawValue }

    static let byURL = Dictionary(uniqueKeysWithValues: allCases.map { ($0.url, $0) })

    private var base: String {
        switch self {
        case .parents, .mask, .oneLine, .completedBy, .label: Self.gateBase
        case .minQuantity, .maxQuantity, .calculatedExpression, .initialExpression, .enableWhenExpression:
            Self.captureBase
        case .regex, .entryFormat, .minValue, .maxValue, .minLength, .maxDecimalPlaces, .maxSize, .mimeType, .minOccurs,
            .maxOccurs, .hidden, .optionExclusive, .unit, .unitOption, .unitValueSet, .referenceResource, .constraint,
            .variable:
            Self.standardBase
        }
    }

    var owners: [Owner] {
        switch self {
        case .completedBy, .label: [.questionnaire]
        case .optionExclusive: [.option]
        case .constraint, .variable: [.questionnaire, .item]
        case .regex, .entryFormat, .minValue, .maxValue, .minLength, .maxDecimalPlaces, .maxSize, .mimeType, .minOccurs,
            .maxOccurs, .hidden, .unit, .unitOption, .unitValueSet, .minQuantity, .maxQuantity, .referenceResource,
            .calculatedExpression, .initialExpression, .enableWhenExpression, .parents, .mask, .oneLine:
            [.item]
        }
    }

    var isRepeated: Bool {
        switch self {
        case .mimeType, .unitOption, .referenceResource, .parents, .constraint, .variable, .label: true
        case .regex, .entryFormat, .minValue, .maxValue, .minLength, .maxDecimalPlaces, .maxSize, .minOccurs,
            .maxOccurs, .hidden, .optionExclusive, .unit, .unitValueSet, .minQuantity, .maxQuantity, .mask, .oneLine,
            .calculatedExpression, .initialExpression, .enableWhenExpression, .completedBy:
            false
        }
    }

    /// Whether it has extensions of its own in place of a value.
    var isComplex: Bool { self == .constraint }

    /// The key of the extension's value; `nil` if the value can have several types, or if there is none.
    var valueKey: String? {
        switch self {
        case .regex, .entryFormat, .parents, .mask: "valueString"
        case .minLength, .maxDecimalPlaces, .minOccurs, .maxOccurs: "valueInteger"
        case .maxSize: "valueDecimal"
        case .mimeType, .referenceResource, .completedBy: "valueCode"
        case .hidden, .optionExclusive, .oneLine: "valueBoolean"
        case .unit, .unitOption: "valueCoding"
        case .unitValueSet: "valueCanonical"
        case .minQuantity, .maxQuantity: "valueQuantity"
        case .variable, .calculatedExpression, .initialExpression, .enableWhenExpression: "valueExpression"
        case .minValue, .maxValue, .constraint, .label: nil
        }
    }
}
