import GateModel

extension FHIRNode {
    /// The tree as JSON, always in the same form: elements in their order, no white space, and no unnecessary escapes.
    /// The element decides whether a `.plain` scalar becomes a truth value, a number or a text.
    public func json() -> [UInt8] {
        var writing = JSONWriting()
        writing.write(self, JSONWriting.Position())
        return writing.bytes
    }
}

private struct JSONWriting {
    /// The keys that decide the type of a plain scalar.
    struct Position {
        var key = ""
        /// The key of the object that it is in.
        var objectKey = ""
    }

    private(set) var bytes: [UInt8] = []

    mutating func write(_ node: FHIRNode, _ position: Position) {
        switch node.content {
        case .object(let entries):
            bytes.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(entry.key)
                bytes.append(UInt8(ascii: ":"))
                write(entry.value, Position(key: entry.key, objectKey: position.key))
            }
            bytes.append(UInt8(ascii: "}"))
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element, position)
            }
            bytes.append(UInt8(ascii: "]"))
        case .string(let text): write(text)
        case .number(let text): bytes += text.utf8
        case .boolean(let value): bytes += value.description.utf8
        case .null: bytes += "null".utf8
        case .plain(let text): if isBare(text, position) { bytes += text.utf8 } else { write(text) }
        }
    }

    private func isBare(_ text: String, _ position: Position) -> Bool {
        switch FHIRShape.kind(of: position.key, in: position.objectKey) {
        case .boolean: text == "true" || text == "false"
        case .number: PrimitiveText.isNumber(text)
        case .text: false
        }
    }

    private mutating func write(_ text: String) {
        bytes += JSONString.quoted(text).utf8
    }
}
