import CGateProtocol
import GateModel

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Memory for the C structs of one message that is being encoded or decoded, freed at once, with the arena. It begins
/// with a buffer on the stack, which is enough for an ordinary message, so that a request costs no `malloc`. Larger
/// messages also get blocks on the heap.
///
/// All memory that was used is wiped when it is freed: it may hold a passcode, even in a message that was refused
/// half-way, and finding that out would cost more than wiping a few hundred bytes. These copies are not in the arena,
/// so it does not wipe them: the array that `encoded()` returns, the arrays and buffers from which the transport sends
/// (those in which it receives are wiped), and registers that the system saved.
struct MessageArena: ~Copyable {
    /// Enough for a `ToggleResponse` with its presentation.
    private static let stackBytes = 768
    private static let blockBytes = 4096
    /// The alignment of `malloc`, which is enough for any C struct.
    private static let alignment = 16

    private struct BlockHeader: BitwiseCopyable {
        /// The block that was in use before this one, or the buffer on the stack.
        var previous: UnsafeMutableRawPointer?
        var takenBefore: Int
    }

    /// The newest block, or the buffer on the stack. Memory is taken from its front.
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

    /// Returns uninitialised memory.
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

    mutating func message<Value: MessageMapping>(_ value: Value) -> UnsafeMutablePointer<Value.CMessage> {
        let message: UnsafeMutablePointer<Value.CMessage> = blank()
        value.write(to: &message.pointee, in: &self)
        return message
    }

    /// `nil` if the message is absent.
    mutating func message<Value: MessageMapping>(optional value: Value?) -> UnsafeMutablePointer<Value.CMessage>? {
        guard let value else { return nil }
        return message(value)
    }

    mutating func messages<Value: MessageMapping>(_ values: [Value]) -> CList<Value.CMessage> {
        guard !values.isEmpty else { return (nil, 0) }
        let array = list(of: UnsafeMutablePointer<Value.CMessage>?.self, count: values.count)
        for (index, value) in values.enumerated() {
            array[index] = message(value)
        }
        return (array, values.count)
    }

    /// A string field. Like any C string, the text ends at its first NUL.
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

    mutating func strings(_ texts: [String]) -> CList<CChar> {
        guard !texts.isEmpty else { return (nil, 0) }
        let array = list(of: UnsafeMutablePointer<CChar>?.self, count: texts.count)
        for (index, text) in texts.enumerated() {
            array[index] = string(text)
        }
        return (array, texts.count)
    }

    mutating func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        guard !bytes.isEmpty else { return ProtobufCBinaryData(len: 0, data: nil) }
        return ProtobufCBinaryData(len: bytes.count, data: numbers(bytes).numbers)
    }

    /// A bytes field with a secret, of which no copy is left outside the arena.
    mutating func bytes(_ secret: GateSecret) -> ProtobufCBinaryData {
        secret.withBytes { bytes in
            guard let source = bytes.baseAddress, !bytes.isEmpty else { return ProtobufCBinaryData(len: 0, data: nil) }
            let copy = allocate(bytes.count)
            copy.copyMemory(from: source, byteCount: bytes.count)
            return ProtobufCBinaryData(
                len: bytes.count, data: copy.bindMemory(to: UInt8.self, capacity: bytes.count))
        }
    }

    mutating func numbers<Number: BitwiseCopyable>(
        _ numbers: [Number]
    ) -> (numbers: UnsafeMutablePointer<Number>?, count: Int) {
        guard !numbers.isEmpty else { return (nil, 0) }
        let array = list(of: Number.self, count: numbers.count)
        array.update(from: numbers, count: numbers.count)
        return (array, numbers.count)
    }

    /// Uninitialised memory for the elements of a repeated field.
    mutating func list<Element: BitwiseCopyable>(
        of type: Element.Type, count: Int
    ) -> UnsafeMutablePointer<Element> {
        allocate(count * MemoryLayout<Element>.stride).bindMemory(to: Element.self, capacity: count)
    }
}

// MARK: libprotobuf-c

extension MessageArena {
    /// Unpacks bytes that have passed the scan into a C struct in the arena; `nil` if libprotobuf-c refuses them.
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

    /// Encodes a C struct, into an array that is not wiped.
    static func pack(_ message: UnsafePointer<ProtobufCMessage>) -> [UInt8] {
        let byteCount = protobuf_c_message_get_packed_size(message)
        guard byteCount > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialisedCount in
            initialisedCount = protobuf_c_message_pack(message, buffer.baseAddress)
        }
    }
}
