import GateModel

/// Finds what is wrong with a Quantity in itself, wherever it is.
struct QuantityCheck {
    struct Mistake {
        var code: FormIssue.Code
        /// The key of the element; `nil` for the quantity itself.
        var key: String?
        var place: FHIRNode.Place?
        var message: String
    }

    private static let comparators = ["<", "<=", ">=", ">"]

    static func mistakes(in node: FHIRNode) -> [Mistake] {
        var mistakes: [Mistake] = []
        if let comparator = node["comparator"]?.text, !comparators.contains(comparator) {
            mistakes.append(
                Mistake(
                    code: .codeInvalid, key: "comparator", place: node["comparator"]?.place,
                    message: "A comparator is \(comparators.listed), not '\(comparator.shortened)'."))
        }
        // FHIR's rule qty-3.
        if node["code"] != nil, node["system"] == nil {
            mistakes.append(
                Mistake(
                    code: .invariant, place: node.place,
                    message: "The code of a unit only means something within a system of codes. Add 'system'."))
        }
        return mistakes
    }
}
