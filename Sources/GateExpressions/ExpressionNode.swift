/// An element of a resource, for expressions to walk through. A response adopts it without being copied.
package protocol ExpressionNode: Sendable {
    /// The type that a path may begin with: "QuestionnaireResponse". `nil`: it has no name that paths use.
    var typeName: String? { get }
    /// The value that it stands for: of a primitive, and of a quantity. `nil`: it is an object.
    var primitiveValue: ExpressionValue? { get }
    /// Its elements in order, with their names; choices of types without the type: "value".
    var children: [(name: String, item: ExpressionItem)] { get }
    /// The elements of that name.
    func children(named name: String) -> [ExpressionItem]
    /// How many times something was looked at so far, in the tree that it is in, beside what was found: an expression pays for it.
    var lookedCount: Int { get }
    /// The items of any of these linkIds that are directly in it, in order, for those that can look them up. `nil`: it can't.
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

    /// The value that it is or stands for. `nil`: it is an object.
    package var value: ExpressionValue? {
        switch self {
        case .value(let value): value
        case .node(let node): node.primitiveValue
        }
    }

    /// For a sentence that says what was found.
    package var typeName: String { value?.typeName ?? "an object" }
}
