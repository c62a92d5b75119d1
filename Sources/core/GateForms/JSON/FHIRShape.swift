/// The elements of one of R4's types, as far as Gate uses it.
struct FHIRShape {
    struct Element {
        enum Kind {
            case primitive(PrimitiveText)
            /// Another shape, by its name.
            case shape(String)
            /// Gate does not look into it.
            case anything
        }

        var kind: Kind
        var isList: Bool
        var isRequired: Bool
        /// Like "value[x]", of which one type may be there; `nil` if the element has only one type.
        var choice: String?
    }

    /// Like "Questionnaire.item".
    var name: String
    /// The elements by key. "valueString" and the like are each an element.
    private(set) var elements: [String: Element]
    /// The keys that have to be there.
    private(set) var requiredKeys: [String] = []
    /// Like "value[x]", if one of its types has to be there.
    private(set) var requiredChoices: [String] = []

    /// The shape of that name; `nil` if Gate does not look into it.
    static func named(_ name: String) -> FHIRShape? { all[name] }

    static let all: [String: FHIRShape] = {
        var shapes: [String: FHIRShape] = [:]
        for line in FHIRShapeTable.text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].filter { $0 != " " }
            shapes[name] = FHIRShape(name: name, line: parts[1])
        }
        return shapes
    }()
}

extension FHIRShape {
    private init(name: String, line: Substring) {
        self.name = name
        elements = [:]
        for column in line.split(separator: ",") {
            let words = column.split(separator: " ")
            guard words.count == 2 else { continue }
            add(String(words[0]), words[1])
        }
        for base in FHIRShapeTable.bases where base.owns(name) {
            for (key, type) in base.elements { add(key, Substring(type)) }
        }
        let required = elements.filter(\.value.isRequired)
        requiredKeys = required.filter { $0.value.choice == nil }.keys.sorted()
        requiredChoices = Set(required.values.compactMap(\.choice)).sorted()
    }

    private mutating func add(_ key: String, _ type: Substring) {
        let isRequired = type.contains("!")
        let isList = type.contains("*")
        let types = type.filter { $0 != "!" && $0 != "*" }.split(separator: "|")
        for type in types {
            var element = Element(kind: Self.kind(String(type)), isList: isList, isRequired: isRequired, choice: nil)
            guard key.hasSuffix("[x]") else {
                elements[key] = element
                continue
            }
            element.choice = key
            elements[key.dropLast(3) + type.prefix(1).uppercased() + type.dropFirst()] = element
        }
    }

    private static func kind(_ type: String) -> Element.Kind {
        if let primitive = PrimitiveText(rawValue: type) { return .primitive(primitive) }
        return switch type {
        // These have a quantity's elements, and differ only in their use.
        case "Age", "Count", "Distance", "Duration": .shape("Quantity")
        default: FHIRShapeTable.unseen.contains(type) ? .anything : .shape(type)
        }
    }
}

// MARK: - Elements by their key alone

extension FHIRShape {
    /// How JSON writes the value of an element that was a plain scalar.
    static func kind(of key: String, in objectKey: String) -> PrimitiveText.Kind {
        if booleans.contains(key) { return .boolean }
        if numbers.contains(key) { return .number }
        // `value` is the number of a quantity, and a text everywhere else.
        let isQuantity = amounts.contains { objectKey.hasSuffix($0) } || quantities.contains(objectKey)
        return key == "value" && isQuantity ? .number : .text
    }

    private static let booleans: Set<String> = [
        "abstract", "answerBoolean", "experimental", "immutable", "inactive", "initialSelected", "readOnly", "repeats",
        "required", "userSelected", "valueBoolean",
    ]
    private static let numbers: Set<String> = [
        "answerDecimal", "answerInteger", "maxLength", "offset", "rank", "size", "total", "valueDecimal",
        "valueInteger", "valuePositiveInt", "valueUnsignedInt",
    ]
    private static let amounts = ["Quantity", "Age", "Count", "Distance", "Duration", "Money"]
    private static let quantities: Set<String> = ["low", "high", "numerator", "denominator"]
}
