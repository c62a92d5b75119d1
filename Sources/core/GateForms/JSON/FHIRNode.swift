/// A FHIR resource as a tree. Scalars from JSON have types; for plain ones from YAML (`.plain`) the reader decides.
public struct FHIRNode: Hashable, Sendable {
    public struct Place: Hashable, Sendable {
        /// The line, from 1.
        public var line: Int
        /// The column, from 1, in Unicode scalars.
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    public enum Content: Hashable, Sendable {
        /// Has no key twice.
        case object([Entry])
        case array([FHIRNode])
        case string(String)
        /// The number as it is written.
        case number(String)
        case boolean(Bool)
        case null
        /// From YAML: a word, a number or a truth value, which depends on the element.
        case plain(String)
    }

    public struct Entry: Hashable, Sendable {
        public var key: String
        public var keyPlace: Place?
        public var value: FHIRNode

        public init(key: String, keyPlace: Place? = nil, value: FHIRNode) {
            self.key = key
            self.keyPlace = keyPlace
            self.value = value
        }
    }

    /// `nil` if the node was not read from a text.
    public var place: Place?
    public var content: Content

    public init(_ content: Content, place: Place? = nil) {
        self.place = place
        self.content = content
    }
}

extension FHIRNode.Place: Comparable {
    public static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

// MARK: - What is in it

extension FHIRNode {
    /// The entries of an object; empty for anything else.
    var entries: [Entry] { if case .object(let entries) = content { entries } else { [] } }

    package var elements: [FHIRNode] { if case .array(let elements) = content { elements } else { [] } }

    package subscript(key: String) -> FHIRNode? { entries.first { $0.key == key }?.value }

    /// The text of a string or a plain scalar; `nil` if it is empty, or for anything else.
    package var text: String? {
        switch content {
        case .string(let text), .plain(let text): text.isEmpty ? nil : text
        case .object, .array, .number, .boolean, .null: nil
        }
    }

    /// The text of a number or a plain scalar; `nil` for anything else.
    var numberText: String? {
        switch content {
        case .number(let text), .plain(let text): text
        case .object, .array, .string, .boolean, .null: nil
        }
    }

    var integer: Int32? { numberText.flatMap(PrimitiveText.integer) }

    package var boolean: Bool? {
        switch content {
        case .boolean(let value): value
        case .plain("true"): true
        case .plain("false"): false
        case .object, .array, .string, .number, .null, .plain: nil
        }
    }

    /// For a sentence that says what was found.
    var found: String {
        switch content {
        case .object: "an object"
        case .array: "an array"
        case .string: "a text in quotes"
        case .number(let text): "the number \(text.shortened)"
        case .boolean(let value): "\(value)"
        case .null: "null"
        case .plain(""): "nothing"
        case .plain(let text): "'\(text.shortened)'"
        }
    }
}
