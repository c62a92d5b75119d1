import CGateProtocol
import GateModel

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Memory for the C structs of one message, on its way in or out. Everything taken from it is freed at once, with it.
///
/// It begins with a buffer on the stack, which is enough for an ordinary message, so that a request costs no `malloc`.
/// What does not fit goes to blocks of its own.
///
/// Whatever was taken is wiped when it is freed, since it may be a passcode, and a copy of one in a message that was
/// refused half-way is nobody's to remember. All of it, always: a few hundred bytes cost less than to know which.
/// What is not in here is not wiped by it: the array that `encoded()` returns (use `withEncoded` for a secret), the
/// buffers of the transport, where a frame lies until another takes its place, and registers that the system saved.
struct MessageArena: ~Copyable {
    /// Enough for a `ToggleResponse` with its presentation.
    private static let stackBytes = 768
    private static let blockBytes = 4096
    /// As `malloc` aligns: enough for any C struct.
    private static let alignment = 16

    /// The beginning of a block.
    private struct BlockHeader: BitwiseCopyable {
        /// The block, or the buffer on the stack, that was in use before it.
        var previous: UnsafeMutableRawPointer?
        /// How many bytes were taken from that one.
        var takenBefore: Int
    }

    /// The newest block, or the buffer on the stack; memory is taken from its end.
    private var region: UnsafeMutableRawPointer
    private var taken: Int
    private var capacity: Int
    private var blockCount = 0

    private init(_ buffer: UnsafeMutableRawBufferPointer) {
        region = buffer.baseAddress!
        taken = 0
        capacity = buffer.count
    }

    deinit {
        var region = region
        var taken = taken
        for _ in 0..<blockCount {
            let header = region.load(as: BlockHeader.self)
            explicit_bzero(region, taken)
            region.deallocate()
            guard let previous = header.previous else { return }
            region = previous
            taken = header.takenBefore
        }
        explicit_bzero(region, taken)
    }

    /// Runs `body` with a fresh arena. No pointer from it may leave `body`.
    static func with<R, E>(_ body: (inout MessageArena) throws(E) -> R) throws(E) -> R {
        try withUnsafeTemporaryAllocation(byteCount: stackBytes, alignment: alignment) { buffer throws(E) -> R in
            var arena = MessageArena(buffer)
            return try body(&arena)
        }
    }

    /// Uninitialised memory.
    mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let (padded, overflow) = byteCount.addingReportingOverflow(Self.alignment - 1)
        precondition(byteCount >= 0 && !overflow, "a message of \(byteCount) bytes")
        let needed = padded & ~(Self.alignment - 1)
        if needed > capacity - taken { addBlock(for: needed) }
        defer { taken += needed }
        return region + taken
    }

    private mutating func addBlock(for needed: Int) {
        let byteCount = max(Self.blockBytes, needed + Self.alignment)
        let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: Self.alignment)
        block.storeBytes(of: BlockHeader(previous: region, takenBefore: taken), as: BlockHeader.self)
        region = block
        taken = Self.alignment
        capacity = byteCount
        blockCount += 1
    }
}

// MARK: What a message is built of

extension MessageArena {
    /// A C struct whose fields have their defaults.
    mutating func blank<CMessage: CStruct>() -> UnsafeMutablePointer<CMessage> {
        let message = allocate(MemoryLayout<CMessage>.size).bindMemory(to: CMessage.self, capacity: 1)
        CMessage.initialise(message)
        return message
    }

    /// The C struct of a nested message.
    mutating func message<Value: MessageMapping>(_ value: Value) -> UnsafeMutablePointer<Value.CMessage> {
        let message: UnsafeMutablePointer<Value.CMessage> = blank()
        value.write(to: &message.pointee, in: &self)
        return message
    }

    /// The C struct of a nested message that may be absent.
    mutating func message<Value: MessageMapping>(optional value: Value?) -> UnsafeMutablePointer<Value.CMessage>? {
        guard let value else { return nil }
        return message(value)
    }

    /// A repeated field of messages.
    mutating func messages<Value: MessageMapping>(_ values: [Value]) -> CList<Value.CMessage> {
        guard !values.isEmpty else { return (nil, 0) }
        let array = list(of: UnsafeMutablePointer<Value.CMessage>?.self, count: values.count)
        for (index, value) in values.enumerated() {
            array[index] = message(value)
        }
        return (array, values.count)
    }

    /// A string field. A NUL in the text ends it there, as in any C string.
    mutating func string(_ text: String) -> UnsafeMutablePointer<CChar> {
        var text = text
        return text.withUTF8 { utf8 in
            let length = utf8.firstIndex(of: 0) ?? utf8.count
            let copy = allocate(length + 1)
            if length > 0 { copy.copyMemory(from: utf8.baseAddress!, byteCount: length) }
            copy.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
            return copy.bindMemory(to: CChar.self, capacity: length + 1)
        }
    }

    /// A repeated field of strings.
    mutating func strings(_ texts: [String]) -> CList<CChar> {
        guard !texts.isEmpty else { return (nil, 0) }
        let array = list(of: UnsafeMutablePointer<CChar>?.self, count: texts.count)
        for (index, text) in texts.enumerated() {
            array[index] = string(text)
        }
        return (array, texts.count)
    }

    /// A bytes field.
    mutating func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        guard !bytes.isEmpty else { return ProtobufCBinaryData(len: 0, data: nil) }
        return ProtobufCBinaryData(len: bytes.count, data: numbers(bytes).numbers)
    }

    /// A bytes field that must not outlive the message.
    mutating func bytes(_ secret: GateSecret) -> ProtobufCBinaryData {
        secret.withBytes { bytes in
            guard let source = bytes.baseAddress, !bytes.isEmpty else { return ProtobufCBinaryData(len: 0, data: nil) }
            let copy = allocate(bytes.count)
            copy.copyMemory(from: source, byteCount: bytes.count)
            return ProtobufCBinaryData(
                len: bytes.count, data: copy.bindMemory(to: UInt8.self, capacity: bytes.count))
        }
    }

    /// A repeated field of numbers or enum values.
    mutating func numbers<Number: BitwiseCopyable>(
        _ numbers: [Number]
    ) -> (numbers: UnsafeMutablePointer<Number>?, count: Int) {
        guard !numbers.isEmpty else { return (nil, 0) }
        let array = list(of: Number.self, count: numbers.count)
        array.update(from: numbers, count: numbers.count)
        return (array, numbers.count)
    }

    /// Uninitialised memory for a repeated field.
    mutating func list<Element: BitwiseCopyable>(
        of type: Element.Type, count: Int
    ) -> UnsafeMutablePointer<Element> {
        allocate(count * MemoryLayout<Element>.stride).bindMemory(to: Element.self, capacity: count)
    }
}

// MARK: libprotobuf-c

extension MessageArena {
    /// Unpacks bytes that have passed the scan into the C struct of `descriptor`. `nil` where libprotobuf-c refuses them.
    mutating func unpack(
        _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) -> UnsafeMutablePointer<ProtobufCMessage>? {
        withUnsafeMutablePointer(to: &self) { arena in
            var allocator = ProtobufCAllocator(
                alloc: { arena, byteCount in
                    arena?.assumingMemoryBound(to: MessageArena.self).pointee.allocate(byteCount)
                },
                free: { _, _ in },
                allocator_data: arena)
            return protobuf_c_message_unpack(
                descriptor, &allocator, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The encoded form of a C struct, in the arena.
    mutating func packed(_ message: UnsafePointer<ProtobufCMessage>) -> UnsafeRawBufferPointer {
        let byteCount = protobuf_c_message_get_packed_size(message)
        let bytes = allocate(byteCount)
        let count = protobuf_c_message_pack(message, bytes.bindMemory(to: UInt8.self, capacity: byteCount))
        return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// The encoded form of a C struct.
    static func pack(_ message: UnsafePointer<ProtobufCMessage>) -> [UInt8] {
        let byteCount = protobuf_c_message_get_packed_size(message)
        guard byteCount > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialisedCount in
            initialisedCount = protobuf_c_message_pack(message, buffer.baseAddress)
        }
    }
}
