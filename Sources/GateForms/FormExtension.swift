/// The extensions that Gate knows, by the end of their canonical URL.
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
    case referenceResource = "questionnaire-referenceResource"
    case constraint = "questionnaire-constraint"

    // MARK: Ours

    case parents
    case completedBy = "completed-by"

    /// Where one stands.
    enum Owner {
        case questionnaire
        case item
        case option
    }

    static let standardBase = "http://hl7.org/fhir/StructureDefinition/"
    static let gateBase = "https://gate.example/fhir/StructureDefinition/"

    /// The extension by which a value comes from an expression. It stands in place of the value.
    static let expressionURL = standardBase + "cqf-expression"

    var url: String { (isOurs ? Self.gateBase : Self.standardBase) + rawValue }

    static let byURL = Dictionary(uniqueKeysWithValues: allCases.map { ($0.url, $0) })

    private var isOurs: Bool {
        switch self {
        case .parents, .completedBy: true
        case .regex, .entryFormat, .minValue, .maxValue, .minLength, .maxDecimalPlaces, .maxSize, .mimeType, .minOccurs,
            .maxOccurs, .hidden, .optionExclusive, .unit, .unitOption, .referenceResource, .constraint:
            false
        }
    }

    var owners: [Owner] {
        switch self {
        case .completedBy: [.questionnaire]
        case .optionExclusive: [.option]
        case .constraint: [.questionnaire, .item]
        case .regex, .entryFormat, .minValue, .maxValue, .minLength, .maxDecimalPlaces, .maxSize, .mimeType, .minOccurs,
            .maxOccurs, .hidden, .unit, .unitOption, .referenceResource, .parents:
            [.item]
        }
    }

    /// Whether it may be there several times.
    var isRepeated: Bool {
        switch self {
        case .mimeType, .unitOption, .referenceResource, .parents, .constraint: true
        case .regex, .entryFormat, .minValue, .maxValue, .minLength, .maxDecimalPlaces, .maxSize, .minOccurs,
            .maxOccurs, .hidden, .optionExclusive, .unit, .completedBy:
            false
        }
    }

    /// Whether it has extensions of its own in place of a value.
    var isComplex: Bool { self == .constraint }

    /// The element that has its value; `nil`: that is up to the type of the item, or it has none.
    var valueKey: String? {
        switch self {
        case .regex, .entryFormat, .parents: "valueString"
        case .minLength, .maxDecimalPlaces, .minOccurs, .maxOccurs: "valueInteger"
        case .maxSize: "valueDecimal"
        case .mimeType, .referenceResource, .completedBy: "valueCode"
        case .hidden, .optionExclusive: "valueBoolean"
        case .unit, .unitOption: "valueCoding"
        case .minValue, .maxValue, .constraint: nil
        }
    }
}
