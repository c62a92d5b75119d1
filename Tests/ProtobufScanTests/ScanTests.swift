import CProtobufC
import CTTRPC
import ProtobufScan
import Testing

@Suite("Scanning bytes before libprotobuf-c reads them")
struct ScanTests {
    private func scanNode(_ bytes: [UInt8], limits: ScanLimits = .standard) throws(ScanError) {
        try scanned(bytes, limits: limits).get()
    }

    private func scanned(_ bytes: [UInt8], limits: ScanLimits) -> Result<Void, ScanError> {
        bytes.withUnsafeBytes { buffer in
            Result { () throws(ScanError) in try scan(buffer, as: Node.descriptor, limits: limits) }
        }
    }

    @Test("an empty message passes")
    func empty() throws {
        try scanNode([])
    }

    @Test("a message with every kind of field passes")
    func everyKind() throws {
        let message: [UInt8] =
            field(1, field(2, Array("Grüße".utf8))) + field(2, Array("plain".utf8))
            + field(3, [1, 0x96, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]) + [3 << 3, 7]
            + field(4, [1, 0, 0, 0, 2, 0, 0, 0]) + field(5, [1, 0, 0, 0, 0, 0, 0, 0]) + field(6, [0, 0xFF, 0xC0])
            + field(7, []) + [0xA0, 0x01, 1]
        try scanNode(message)
    }

    @Test("a tag or a length of more than five bytes is refused, as libprotobuf-c refuses it")
    func longNumbers() {
        #expect(throws: ScanError.self) { try scanNode([0xF8, 0x80, 0x80, 0x80, 0x80, 0x00, 1]) }
        #expect(throws: ScanError.self) { try scanNode([0x7A, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 1]) }
    }

    @Test("unknown fields of every wire type are skipped")
    func unknownFields() throws {
        try scanNode([0x78, 1] + [0x79, 0, 0, 0, 0, 0, 0, 0, 0] + field(15, [0, 0xFF]) + [0x7D, 0, 0, 0, 0])
    }

    @Test("every cut of a valid message is refused or is a shorter message, and reads nothing beyond")
    func cuts() throws {
        let message = field(1, field(2, Array("Grüße".utf8))) + field(3, [0x96, 0x01]) + field(4, [1, 0, 0, 0])
        for length in 0...message.count {
            // The buffer is exactly as long as the cut bytes, so that a read beyond them is one beyond the allocation.
            let cut = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
            defer { cut.deallocate() }
            cut.copyBytes(from: message[..<length])
            do {
                try scan(UnsafeRawBufferPointer(cut), as: Node.descriptor)
                #expect([0, 11, 15, 21].contains(length))
            } catch {
                #expect(error == .truncated(message: "test.Node"), "\(length)")
            }
        }
    }

    @Test("a NUL in a string is refused by the name of the field")
    func nul() {
        #expect(throws: ScanError.nul(field: "test.Node.text")) { try scanNode(field(2, Array("a\0b".utf8))) }
        #expect(throws: ScanError.nul(field: "test.Node.names")) { try scanNode(field(7, [0])) }
    }

    @Test(
        "a string that is not UTF-8 is refused",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0xFF],
        ] as [[UInt8]])
    func invalidUTF8(text: [UInt8]) {
        #expect(throws: ScanError.invalidUTF8(field: "test.Node.text")) { try scanNode(field(2, text)) }
        #expect(throws: Never.self) { try scanNode(field(6, text)) }
    }

    @Test("more combining marks in a row than any language writes are refused, since to compare them takes too long")
    func marks() {
        func marks(_ count: Int) -> String { (0..<count).map { $0.isMultiple(of: 2) ? "\u{315}" : "\u{301}" }.joined() }
        let most = ScanLimits.maximumMarks
        #expect(throws: ScanError.tooManyMarks(field: "test.Node.text", limit: most)) {
            try scanNode(field(2, Array("a\(marks(most + 1))".utf8)))
        }
        #expect(throws: Never.self) {
            try scanNode(field(2, Array("\(marks(most))a\(marks(most))é\(marks(most - 1))".utf8)))
        }
        #expect(throws: Never.self) { try scanNode(field(6, Array(marks(most + 1).utf8))) }
        // These vowels have no class, but are decomposed into marks.
        for vowel in ["\u{F73}", "\u{F75}", "\u{F81}"] {
            #expect(throws: ScanError.tooManyMarks(field: "test.Node.text", limit: most)) {
                try scanNode(field(2, Array(String(repeating: vowel, count: most + 1).utf8)))
            }
        }
    }

    @Test("sixteen nested messages pass, and seventeen are refused")
    func depth() {
        var nested: [UInt8] = []
        for _ in 1..<16 { nested = field(1, nested) }
        #expect(throws: Never.self) { try scanNode(nested) }
        #expect(throws: ScanError.tooDeep(field: "test.Node.child", limit: 16)) { try scanNode(field(1, nested)) }
    }

    @Test("twelve thousand nested messages are refused without deep recursion")
    func veryDeep() {
        var nested: [UInt8] = []
        for _ in 0..<12_000 { nested = field(1, nested) }
        #expect(throws: ScanError.tooDeep(field: "test.Node.child", limit: 16)) { try scanNode(nested) }
    }

    @Test("4,096 fields pass, and one more is refused, known or unknown")
    func fieldCount() {
        let known = Array(repeatElement(field(1, []), count: 4096).joined())
        #expect(throws: Never.self) { try scanNode(known) }
        #expect(throws: ScanError.tooManyFields(message: "test.Node", limit: 4096)) { try scanNode(known + [0x78, 1]) }
    }

    @Test("packed elements count as fields do")
    func packedCount() {
        #expect(throws: Never.self) { try scanNode(field(3, [UInt8](repeating: 1, count: 4095))) }
        for tooMany in [
            field(3, [UInt8](repeating: 1, count: 4096)), field(4, [UInt8](repeating: 1, count: 4 * 4096)),
            field(5, [UInt8](repeating: 1, count: 8 * 4096)),
        ] {
            #expect(throws: ScanError.tooManyFields(message: "test.Node", limit: 4096)) { try scanNode(tooMany) }
        }
    }

    @Test("fields of inner messages count against the same limit as the outer ones")
    func innerCount() {
        let inner = field(1, Array(repeatElement(field(2, []), count: 5).joined()))
        #expect(throws: Never.self) { try scanNode(inner, limits: ScanLimits(maximumDepth: 2, maximumFields: 6)) }
        #expect(throws: ScanError.tooManyFields(message: "test.Node", limit: 5)) {
            try scanNode(inner, limits: ScanLimits(maximumDepth: 2, maximumFields: 5))
        }
    }

    @Test("groups are refused")
    func groups() {
        #expect(throws: ScanError.group(message: "test.Node")) { try scanNode([0x7B, 0x7C]) }
        #expect(throws: ScanError.group(message: "test.Node")) { try scanNode([0x7C]) }
    }

    @Test(
        "bytes that no encoder writes are refused",
        arguments: [
            [0x00, 1],  // field number 0
            [0x7E, 0], [0x7F, 0],  // wire types 6 and 7
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],  // a tag of eleven bytes
            [0xF8, 0xFF, 0xFF, 0xFF, 0x7F, 0],  // a field number beyond 29 bits
            [0x78, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],  // a number beyond 64 bits
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(throws: ScanError.malformed(message: "test.Node")) { try scanNode(bytes) }
    }

    @Test("a length beyond the end, however large, is refused")
    func largeLength() {
        #expect(throws: ScanError.truncated(message: "test.Node")) {
            try scanNode([0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01])
        }
        #expect(throws: ScanError.truncated(message: "test.Node")) { try scanNode([0x12, 0x05, 0x61]) }
    }

    @Test("a known field with the wire type of another is refused")
    func wrongWireType() {
        #expect(throws: ScanError.wrongWireType(field: "test.Node.text")) { try scanNode([0x10, 1]) }
        #expect(throws: ScanError.wrongWireType(field: "test.Node.flag")) { try scanNode([0xA2, 0x01, 0]) }
        #expect(throws: ScanError.wrongWireType(field: "test.Node.names")) { try scanNode([0x38, 1]) }
        #expect(throws: ScanError.wrongWireType(field: "test.Node.numbers")) { try scanNode([0x1D, 0, 0, 0, 0]) }
    }

    @Test("a packed field must hold whole elements")
    func malformedPacking() {
        for (bytes, name) in [(field(3, [0x80]), "numbers"), (field(4, [1, 2, 3]), "words"), (field(5, [1]), "longs")] {
            #expect(throws: ScanError.malformedPacking(field: "test.Node.\(name)")) { try scanNode(bytes) }
        }
    }

    @Test("a generated descriptor names its fields in full")
    func generatedDescriptor() {
        var request = Ttrpc__Request()
        ttrpc__request__init(&request)
        let bytes = field(5, field(1, [0xFF]))
        #expect(throws: ScanError.invalidUTF8(field: "ttrpc.KeyValue.key")) {
            try bytes.withUnsafeBytes { try scan($0, as: request.base.descriptor) }
        }
    }

    @Test("random bytes are refused or scanned, and what is scanned unpacks or is refused by libprotobuf-c")
    func randomBytes() {
        var generator = SequenceGenerator(state: 1)
        for _ in 0..<20_000 {
            let length = Int.random(in: 0..<48, using: &generator)
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...40, using: &generator) }
            var request = Ttrpc__Request()
            ttrpc__request__init(&request)
            bytes.withUnsafeBytes { buffer in
                guard (try? scan(buffer, as: request.base.descriptor)) != nil else { return }
                let unpacked = ttrpc__request__unpack(
                    nil, buffer.count, buffer.bindMemory(to: UInt8.self).baseAddress)
                if let unpacked { ttrpc__request__free_unpacked(unpacked, nil) }
            }
        }
    }

    @Test("every error says which field or message is at fault")
    func descriptions() {
        let errors: [ScanError] = [
            .truncated(message: "m.M"), .malformed(message: "m.M"), .group(message: "m.M"),
            .wrongWireType(field: "m.M.f"), .malformedPacking(field: "m.M.f"), .nul(field: "m.M.f"),
            .invalidUTF8(field: "m.M.f"), .tooDeep(field: "m.M.f", limit: 16),
            .tooManyFields(message: "m.M", limit: 4096),
        ]
        for error in errors { #expect(error.description.hasPrefix("m.M")) }
    }
}

/// A random generator with the same numbers in every run (splitmix64).
private struct SequenceGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
