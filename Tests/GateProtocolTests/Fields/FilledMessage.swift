import CGateProtocol

@testable import GateProtocol

/// The bytes of a message with every field set to a valid value that is not its default, made from its descriptor alone.
///
/// If fields exclude each other, the variant says which of them the message holds; it also chooses the values of enums. Over all
/// variants of a message each member of each oneof is set at least once, and each enum at least once to each of its values.
struct FilledMessage {
    private(set) var bytes = MessageBytes()
    /// What comes back when the message is decoded and encoded: all that is set, but for the exceptions.
    private(set) var kept = FieldContents()
    /// The exceptions that are the reason why a field does not come back.
    private(set) var usedExceptions: Set<String> = []

    /// - Parameter variant: from 0 up to the plan's `variantCount`.
    init(_ plan: MessagePlan, variant: Int) {
        self.init(plan, path: "", variant: variant, element: 0)
    }

    /// - Parameters:
    ///   - path: of the message, with a dot behind it; empty for the outermost.
    ///   - element: the place in the innermost list that the message is in, so that two elements differ.
    private init(_ plan: MessagePlan, path: String, variant: Int, element: Int) {
        for field in plan.fields {
            let alternatives = plan.alternatives(to: field)
            let chosen = alternatives[variant % alternatives.count]
            guard chosen.description.number == field.description.number else { continue }
            let isLost = plan.isLost(field, variant: variant, element: element)
            if isLost, let exception = field.exception { usedExceptions.insert(exception.field) }
            fill(
                field, path: path, variant: variant / alternatives.count,
                elements: field.description.isRepeated ? [0, 1] : [element], isKept: !isLost)
        }
    }

    private mutating func fill(_ field: FieldPlan, path: String, variant: Int, elements: [Int], isKept: Bool) {
        let (description, number) = (field.description, UInt64(field.description.number))
        let contents: [FieldContents.Content]
        switch description.kind {
        case .message:
            guard let plan = field.part else { return }
            for element in elements {
                let partPath = FieldContents.path(of: description, element, within: path)
                let part = FilledMessage(plan, path: partPath + ".", variant: variant, element: element)
                bytes = bytes.bytes(number, part.bytes.array)
                usedExceptions.formUnion(part.usedExceptions)
                if isKept { kept.add(part.kept) }
            }
            contents = elements.map { _ in .message }
        case .string, .bytes:
            let values = elements.map { field.bytes(element: $0) }
            for value in values { bytes = bytes.bytes(number, value) }
            contents = values.map { .bytes($0) }
        case .bool, .int32, .uint32, .int64, .uint64, .enumeration, .float, .double:
            // In order, as sets are written.
            let values = elements.map { field.number(variant: variant, element: $0) }.sorted()
            bytes =
                description.isRepeated
                ? bytes.bytes(number, values.reduce(MessageBytes()) { $0.varint($1) }.array)
                : bytes.number(number, values[0])
            contents = values.map { .number($0) }
        }
        if isKept { kept.insert(contents, of: description, within: path) }
    }
}
