/// Reads an encoded message of any type by the numbers of its fields, until the end or the first malformed field.
struct EncodedFields {
    let bytes: ArraySlice<UInt8>

    func messages(_ number: UInt64) -> [EncodedFields] {
        contents(number).compactMap { if case .bytes(let bytes) = $0 { EncodedFields(bytes: bytes) } else { nil } }
    }

    func texts(_ number: UInt64) -> [String] {
        messages(number).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// The last string in the field; empty if the field is absent.
    func text(_ number: UInt64) -> String { texts(number).last ?? "" }

    func numbers(_ number: UInt64) -> [UInt64] {
        contents(number).compactMap { if case .number(let value) = $0 { value } else { nil } }
    }

    func flag(_ number: UInt64) -> Bool { numbers(number).contains { $0 != 0 } }

    private enum Content {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed
    }

    private func contents(_ number: UInt64) -> [Content] {
        var rest = bytes
        var contents: [Content] = []
        while let tag = Self.varint(&rest), let content = Self.content(wireType: tag & 7, &rest) {
            if tag >> 3 == number { contents.append(content) }
        }
        return contents
    }

    private static func content(wireType: UInt64, _ rest: inout ArraySlice<UInt8>) -> Content? {
        switch wireType {
        case 0:
            return varint(&rest).map(Content.number)
        case 1, 5:
            return take(wireType == 1 ? 8 : 4, &rest).map { _ in .fixed }
        case 2:
            return varint(&rest).flatMap { take($0, &rest) }.map(Content.bytes)
        default:
            return nil
        }
    }

    private static func take(_ count: UInt64, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64, let byte = rest.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
