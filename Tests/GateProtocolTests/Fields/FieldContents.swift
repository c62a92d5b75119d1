import CGateProtocol

@testable import GateProtocol

/// What the fields of an encoded message say, by their paths: `entries[0].by.uid`. A field with its default is not in it.
struct FieldContents: Hashable {
    enum Content: Hashable {
        case number(UInt64)
        case bytes([UInt8])
        /// A message, whose contents are those of its own fields.
        case message
    }

    private var contents: [String: Content] = [:]

    init() {}

    init(_ bytes: [UInt8], as message: MessageDescriptor) {
        read(EncodedFields(bytes: bytes[...]), as: message, path: "")
    }

    /// Like `entries[0].by`, for an element of a repeated field.
    /// - Parameter path: of the message that the field is in, with a dot behind it.
    static func path(of field: FieldDescription, _ index: Int, within path: String) -> String {
        path + field.name + (field.isRepeated ? "[\(index)]" : "")
    }

    mutating func add(_ others: FieldContents) {
        contents.merge(others.contents) { _, new in new }
    }

    mutating func insert(_ values: [Content], of field: FieldDescription, within path: String) {
        for (index, value) in values.enumerated() { contents[Self.path(of: field, index, within: path)] = value }
    }

    /// The sorted paths of fields that the others lack, or have with other contents.
    func paths(notIn others: FieldContents) -> [String] {
        contents.filter { others.contents[$0.key] != $0.value }.map(\.key).sorted()
    }

    private mutating func read(_ encoded: EncodedFields, as message: MessageDescriptor, path: String) {
        for field in FieldDescription.all(of: message) {
            let parts = encoded.messages(UInt64(field.number))
            switch field.kind {
            case .message(let descriptor):
                insert(parts.map { _ in .message }, of: field, within: path)
                for (index, part) in parts.enumerated() {
                    read(part, as: descriptor, path: Self.path(of: field, index, within: path) + ".")
                }
            case .string, .bytes:
                insert(parts.map { .bytes(Array($0.bytes)) }, of: field, within: path)
            case .bool, .int32, .uint32, .int64, .uint64, .enumeration, .float, .double:
                let numbers = encoded.numbers(UInt64(field.number)) + parts.flatMap { Self.packed($0.bytes) }
                insert(numbers.map { .number($0) }, of: field, within: path)
            }
        }
    }

    private static func packed(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            numbers.append(number)
            (number, shift) = (0, 0)
        }
        return numbers
    }
}
