/// Encodes fields by hand, for bytes that our encoder would not write.
struct MessageBytes {
    private(set) var array: [UInt8] = []

    init() {}

    /// Adds fields to bytes that are already encoded.
    init(array: [UInt8]) {
        self.array = array
    }

    /// `MessageBytes { $0.number(1, 5).bytes(2, [7]) }`
    init(_ build: (MessageBytes) -> MessageBytes) {
        self = build(MessageBytes())
    }

    /// A varint.
    func number(_ field: UInt64, _ value: UInt64) -> MessageBytes {
        var copy = self
        copy.append(field << 3)
        copy.append(value)
        return copy
    }

    /// A string, bytes, a message, packed numbers.
    func bytes(_ field: UInt64, _ value: [UInt8]) -> MessageBytes {
        var copy = self
        copy.append(field << 3 | 2)
        copy.append(UInt64(value.count))
        copy.array += value
        return copy
    }

    /// A number of a packed field, which `bytes` takes as a whole.
    func varint(_ value: UInt64) -> MessageBytes {
        var copy = self
        copy.append(value)
        return copy
    }

    private mutating func append(_ varint: UInt64) {
        var rest = varint
        while rest >= 0x80 {
            array.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        array.append(UInt8(rest))
    }
}
