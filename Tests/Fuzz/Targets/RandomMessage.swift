import CProtobufC
import GateScripting

/// Wire bytes that fit a message's descriptor, mostly: fields in any order, some twice, some unknown, some of the wrong
/// type.
struct RandomMessage {
    private(set) var bytes: [UInt8] = []

    init(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, using random: inout SeededGenerator, depth: Int = 0) {
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            let fieldCount = Int(descriptor.pointee.n_fields)
            guard fieldCount > 0, !random.chance(1, in: 10) else {
                unknownField(using: &random)
                continue
            }
            let field = descriptor.pointee.fields[Int.random(in: 0..<fieldCount, using: &random)]
            self.field(field, using: &random, depth: depth)
        }
    }

    private mutating func field(
        _ field: ProtobufCFieldDescriptor, using random: inout SeededGenerator, depth: Int
    ) {
        let number = UInt64(field.id)
        switch field.type {
        case PROTOBUF_C_TYPE_STRING: lengthDelimited(number, random.text())
        case PROTOBUF_C_TYPE_BYTES: lengthDelimited(number, random.bytes(upTo: 40))
        case PROTOBUF_C_TYPE_MESSAGE:
            guard depth < 4 else { return }
            let nested = field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
            lengthDelimited(number, RandomMessage(nested, using: &random, depth: depth + 1).bytes)
        default:
            if field.label == PROTOBUF_C_LABEL_REPEATED, random.chance(1, in: 2) {
                var packed = RandomMessage()
                for _ in 0..<Int.random(in: 0..<5, using: &random) { packed.varint(random.integer()) }
                lengthDelimited(number, packed.bytes)
            } else {
                varint(number << 3)
                varint(random.chance(1, in: 2) ? .random(in: 0..<9, using: &random) : random.integer())
            }
        }
    }

    private init() {}

    private mutating func unknownField(using random: inout SeededGenerator) {
        let number = random.chance(1, in: 2) ? .random(in: 0..<20, using: &random) : random.integer() & 0x1FFF_FFFF
        let wireType = UInt64.random(in: 0..<8, using: &random)
        switch wireType {
        case 2: lengthDelimited(number, random.bytes(upTo: 10))
        default:
            varint(number << 3 | wireType)
            if wireType == 0 { varint(random.integer()) } else { bytes += random.bytes(upTo: 8) }
        }
    }

    private mutating func lengthDelimited(_ number: UInt64, _ content: [UInt8]) {
        varint(number << 3 | 2)
        varint(UInt64(content.count))
        bytes += content
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
