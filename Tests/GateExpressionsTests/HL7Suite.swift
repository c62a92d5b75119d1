import GateExpressions
import GateForms
import GateModel

/// What Tests/Conformance/fhirpath/cases.py prints.
struct HL7Suite {
    struct Case {
        var name: String
        var expression: String
        var input: String
        /// The kind of its fault; empty: it has none.
        var invalid: String
        var isStrict: Bool
        var isPredicate: Bool
        var isUnordered: Bool
        var outputs: [(type: String, text: String)]
    }

    enum Result {
        case passed
        case failed(String)
        case outside(String)
    }

    struct Malformed: Error {}

    let cases: [Case]
    private let resources: [String: TreeNode]

    init(json: [UInt8]) throws {
        let root = try FHIRNode(json: json)
        cases = root["cases"].elements.map { node in
            Case(
                name: node["name"].text, expression: node["expression"].text, input: node["input"].text,
                invalid: node["invalid"].text, isStrict: node["strict"].isTrue, isPredicate: node["predicate"].isTrue,
                isUnordered: node["unordered"].isTrue,
                outputs: node["outputs"].elements.map { ($0.elements[0].text, $0.elements[1].text) })
        }
        let pairs = root["resources"].elements.map { ($0.elements[0].text, TreeNode($0.elements[1], isResource: true)) }
        resources = Dictionary(uniqueKeysWithValues: pairs)
    }

    func result(of one: Case, mended: String?) throws -> Result {
        // Gate does not know the definitions of all resources.
        if one.isStrict { return .outside("strict mode") }
        guard let now = CalendarMoment(text: "2026-03-01T12:00:00.000+01:00") else { throw Malformed() }
        let resource = resources[one.input] ?? TreeNode(typeName: "Nothing", children: [])
        let items: [ExpressionItem]
        do throws(ExpressionError) {
            let expression = try FormExpression(one.expression)
            var budget = ExpressionBudget(steps: 200_000)
            items = try expression.evaluate(ExpressionContext(resource: .node(resource), now: now), budget: &budget)
        } catch {
            if error.kind == .outsideSubset {
                return .outside(error.message.split(separator: " is not").first.map(String.init) ?? "")
            }
            return one.invalid.isEmpty ? .failed("\(error)") : .passed
        }
        guard one.invalid.isEmpty else { return .failed("no fault was found; the result is \(items.map(\.shown))") }
        if one.isPredicate {
            return !items.isEmpty == (one.outputs.first?.text == "true") ? .passed : .failed("another predicate")
        }
        var expected = one.outputs.map { Self.plain(mended ?? $0.text) }
        var found = items.map(\.shown)
        if one.isUnordered { (expected, found) = (expected.sorted(), found.sorted()) }
        return found == expected ? .passed : .failed("\(found) instead of \(expected)")
    }

    private static func plain(_ text: String) -> String {
        text.hasPrefix("@T") ? String(text.dropFirst(2)) : text.hasPrefix("@") ? String(text.dropFirst()) : text
    }
}

extension ExpressionItem {
    /// As the suite writes results.
    fileprivate var shown: String { value?.text ?? "an object" }
}

/// A resource of any type, as [name, type, value, children].
struct TreeNode: ExpressionNode {
    let typeName: String?
    let primitiveValue: ExpressionValue?
    let children: [(name: String, item: ExpressionItem)]

    init(typeName: String?, value: ExpressionValue? = nil, children: [(name: String, item: ExpressionItem)]) {
        self.typeName = typeName
        primitiveValue = value
        self.children = children
    }

    init(_ node: FHIRNode, isResource: Bool = false) {
        let parts = node.elements
        self.init(
            typeName: isResource ? parts[0].text : nil, value: Self.value(parts[1].text, parts[2].text),
            children: parts[3].elements.map { ($0.elements[0].text, .node(TreeNode($0))) })
    }

    static func value(_ type: String, _ text: String) -> ExpressionValue? {
        switch type {
        case "Boolean": .boolean(text == "true")
        case "Integer": Int32(text).map { .integer($0) }
        case "Decimal": ExactDecimal(text: text).map { .decimal($0) }
        case "Date": FormDate(text).map { .date($0) }
        case "DateTime": CalendarMoment(text: text).map { .dateTime($0) }
        case "Time": ClockTime(text: text).map { .time($0) }
        case "Quantity":
            ExactDecimal(text: String(text.prefix { $0 != " " })).map { number in
                .quantity(ExpressionQuantity(number, .ucum(String(text.drop { $0 != " " }.dropFirst()))))
            }
        case "": nil
        default: .string(text)
        }
    }
}

extension FHIRNode {
    fileprivate subscript(key: String) -> FHIRNode {
        guard case .object(let entries) = content, let entry = entries.first(where: { $0.key == key }) else {
            return FHIRNode(.null)
        }
        return entry.value
    }

    fileprivate var elements: [FHIRNode] { if case .array(let elements) = content { elements } else { [] } }
    fileprivate var text: String { if case .string(let text) = content { text } else { "" } }
    fileprivate var isTrue: Bool { content == .boolean(true) }
}
