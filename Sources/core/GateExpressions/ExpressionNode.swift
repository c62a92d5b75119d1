/// An element of a resource that expressions can walk through. Responses conform to it, so that nothing is copied.
package protocol ExpressionNode: Sendable {
    /// The type name that a path may begin with, like "QuestionnaireResponse"; `nil` if there is none.
    var typeName: String? { get }
    /// The value of a primitive element or a quantity. `nil` for any other element, and for a value that expressions
    /// can't calculate with, like a number with too many digits.
    var primitiveValue: ExpressionValue? { get }
    /// The child elements in order, with their names. A choice of types is named without its type: "value".
    var children: [(name: String, item: ExpressionItem)] { get }
    func children(named name: String) -> [ExpressionItem]
    /// How many elements the tree has looked at so far. The evaluator charges the increase to the budget.
    var lookedCount: Int { get }
    /// The items directly in this element with one of these linkIds, in order; `nil` if it can't look them up.
    func items(linkIDs: [String]) -> [ExpressionItem]?
}

extension ExpressionNode {
    package var typeName: String? { nil }
    package var primitiveValue: ExpressionValue? { nil }
    package func items(linkIDs: [String]) -> [ExpressionItem]? { nil }
    package var lookedCount: Int { 0 }
    package func children(named name: String) -> [ExpressionItem] {
        children.filter { $0.name == name }.map(\.item)
    }
}

/// One item of a collection.
package enum ExpressionItem: Sendable {
    case value(ExpressionValue)
    case node(any ExpressionNode)

    /// `nil` for an object.
    package var value: ExpressionValue? {
        switch self {
        case .value(let value): value
        case .node(let node): node.primitiveValue
        }
    }

    /// For error messages.
    package var typeName: String { value?.typeName ?? "an object" }
}
