public import CProtobufC

/// Walks over an encoded message, and refuses what must not reach libprotobuf-c: malformed wire, groups, a known field
/// with the wire type of another type, NUL, invalid UTF-8 or too many combining marks in strings, and more depth,
/// fields or packed elements than `limits` allows. Unknown fields are skipped, but counted. It allocates nothing unless
/// it refuses the message, and reads nothing outside `bytes`.
public func scan(
    _ bytes: UnsafeRawBufferPointer,
    as descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
    limits: ScanLimits = .standard
) throws(ScanError) {
    var walk = Walk(limits: limits)
    try walk.message(bytes, as: descriptor, depth: 1)
}

/// One walk over a message and the messages in it. `limits.maximumDepth` bounds the recursion.
private struct Walk {
    let limits: ScanLimits
    var fields = 0

    init(limits: ScanLimits) {
        self.limits = limits
    }

    mutating func message(
        _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int
    ) throws(ScanError) {
        var reader = WireReader(bytes)
        while !reader.isAtEnd {
            try count(1, in: descriptor)
            let start = reader.position
            let tag = try number(reader.varint(), in: descriptor)
            try checkShort(reader.position - start, in: descriptor)
            guard tag >> 3 != 0, tag <= UInt64(UInt32.max), let wireType = WireType(rawValue: UInt8(tag & 7)) else {
                throw .malformed(message: descriptor.fullName)
            }
            let content: UnsafeRawBufferPointer
            switch wireType {
            case .varint:
                let start = reader.position
                _ = try number(reader.varint(), in: descriptor)
                content = bytes[fromOffset: start, to: reader.position]
            case .fixed64: content = try part(reader.take(8), in: descriptor)
            case .fixed32: content = try part(reader.take(4), in: descriptor)
            case .lengthDelimited:
                let start = reader.position
                let length = try number(reader.varint(), in: descriptor)
                let lengthBytes = reader.position - start
                content = try part(reader.take(length), in: descriptor)
                try checkShort(lengthBytes, in: descriptor)
            case .startGroup, .endGroup: throw .group(message: descriptor.fullName)
            }
            if let field = descriptor.field(numbered: UInt32(tag >> 3)) {
                try self.field(field, of: descriptor, holding: content, encodedAs: wireType, depth: depth)
            }
        }
    }

    private mutating func field(
        _ field: UnsafePointer<ProtobufCFieldDescriptor>, of descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
        holding content: UnsafeRawBufferPointer, encodedAs wireType: WireType, depth: Int
    ) throws(ScanError) {
        let type = field.pointee.type
        let expected = WireType(of: type)
        guard wireType == expected else {
            guard wireType == .lengthDelimited, field.pointee.label == PROTOBUF_C_LABEL_REPEATED else {
                throw .wrongWireType(field: field.fullName(in: descriptor))
            }
            return try packed(content, of: expected, field: field, in: descriptor)
        }
        guard expected == .lengthDelimited else { return }
        switch type {
        case PROTOBUF_C_TYPE_STRING:
            try text(content, field: field, in: descriptor)
        case PROTOBUF_C_TYPE_MESSAGE:
            guard depth < limits.maximumDepth else {
                throw .tooDeep(field: field.fullName(in: descriptor), limit: limits.maximumDepth)
            }
            let inner = field.pointee.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
            try message(content, as: inner, depth: depth + 1)
        default:
            break  // bytes may hold anything
        }
    }

    /// Counts each element, because libprotobuf-c allocates memory for each.
    private mutating func packed(
        _ content: UnsafeRawBufferPointer, of element: WireType, field: UnsafePointer<ProtobufCFieldDescriptor>,
        in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(ScanError) {
        switch element {
        case .varint:
            var reader = WireReader(content)
            while !reader.isAtEnd {
                try count(1, in: descriptor)
                guard case .value = reader.varint() else {
                    throw .malformedPacking(field: field.fullName(in: descriptor))
                }
            }
        case .fixed32, .fixed64:
            let size = element == .fixed32 ? 4 : 8
            guard content.count % size == 0 else { throw .malformedPacking(field: field.fullName(in: descriptor)) }
            try count(content.count / size, in: descriptor)
        case .lengthDelimited, .startGroup, .endGroup:
            throw .wrongWireType(field: field.fullName(in: descriptor))
        }
    }

    private func text(
        _ content: UnsafeRawBufferPointer, field: UnsafePointer<ProtobufCFieldDescriptor>,
        in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(ScanError) {
        var isASCII = true
        for byte in content {
            guard byte != 0 else { throw .nul(field: field.fullName(in: descriptor)) }
            if byte >= 0x80 { isASCII = false }
        }
        guard !isASCII else { return }
        let isSlow: Bool
        do {
            isSlow = hasTooManyMarks(try UTF8Span(validating: content.bindMemory(to: UInt8.self).span))
        } catch {
            throw .invalidUTF8(field: field.fullName(in: descriptor))
        }
        guard !isSlow else {
            throw .tooManyMarks(field: field.fullName(in: descriptor), limit: ScanLimits.maximumMarks)
        }
    }

    private func hasTooManyMarks(_ text: UTF8Span) -> Bool {
        var scalars = text.makeUnicodeScalarIterator()
        var marks = 0
        while let scalar = scalars.next() {
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > ScanLimits.maximumMarks { return true }
        }
        return false
    }

    private func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false  // The first combining mark is U+0300.
        case 0xF73, 0xF75, 0xF81: true  // These Tibetan vowels have no class, but are decomposed into marks.
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }

    private mutating func count(
        _ more: Int, in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(ScanError) {
        fields += more
        guard fields <= limits.maximumFields else {
            throw .tooManyFields(message: descriptor.fullName, limit: limits.maximumFields)
        }
    }

    /// libprotobuf-c reads at most five bytes of a tag or length, even if the rest of a longer one holds only zeros.
    private func checkShort(
        _ byteCount: Int, in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(ScanError) {
        guard byteCount <= 5 else { throw .malformed(message: descriptor.fullName) }
    }

    private func number(
        _ varint: WireReader.Varint, in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(ScanError) -> UInt64 {
        switch varint {
        case .value(let value): return value
        case .truncated: throw .truncated(message: descriptor.fullName)
        case .overlong: throw .malformed(message: descriptor.fullName)
        }
    }

    private func part(
        _ taken: UnsafeRawBufferPointer?, in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(ScanError) -> UnsafeRawBufferPointer {
        guard let taken else { throw .truncated(message: descriptor.fullName) }
        return taken
    }
}

extension UnsafePointer<ProtobufCMessageDescriptor> {
    fileprivate var fullName: String { String(cString: pointee.name) }

    /// Finds a field by its number, with a binary search: the generated table is sorted by number.
    fileprivate func field(numbered number: UInt32) -> UnsafePointer<ProtobufCFieldDescriptor>? {
        var low = 0
        var high = Int(pointee.n_fields)
        while low < high {
            let middle = (low + high) / 2
            let field = pointee.fields + middle
            if field.pointee.id == number { return field }
            if field.pointee.id < number { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
    fileprivate func fullName(in descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> String {
        "\(descriptor.fullName).\(String(cString: pointee.name))"
    }
}
