import CGateProtocol

/// Memory for the C structs of one message, on its way in or out. Everything taken from it is freed at once, with it.
///
/// It begins with a buffer on the stack, which is enough for an ordinary message, so that a request costs no `malloc`.
/// What does not fit goes to blocks of its own.
struct MessageArena: ~Copyable {
    /// Enough for a `ToggleResponse` with its presentation.
    private static let stackBytes = 768
    private static let blockBytes = 4096
    /// As `malloc` aligns: enough for any C struct.
    private static let alignment = 16

    private var next: UnsafeMutableRawPointer
    private var remainingBytes: Int
    /// The newest block; each begins with the address of the one before it.
    private var newestBlock: UnsafeMutableRawPointer?

    private init(_ buffer: UnsafeMutableRawBufferPointer) {
        next = buffer.baseAddress!
        remainingBytes = buffer.count
    }

    deinit {
        var block = newestBlock
        while let current = block {
            block = current.load(as: UnsafeMutableRawPointer?.self)
            current.deallocate()
        }
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
        if needed > remainingBytes { addBlock(for: needed) }
        let taken = next
        next += needed
        remainingBytes -= needed
        return taken
    }

    private mutating func addBlock(for needed: Int) {
        let byteCount = max(Self.blockBytes, needed + Self.alignment)
        let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: Self.alignment)
        block.storeBytes(of: newestBlock, as: UnsafeMutableRawPointer?.self)
        newestBlock = block
        next = block + Self.alignment
        remainingBytes = byteCount - Self.alignment
    }
}

// MARK: What a message is built of

extension MessageArena {
    /// The C struct of a nested message.
    mutating func message<Value: MessageMapping>(_ value: Value) -> UnsafeMutablePointer<Value.CMessage> {
        let message = allocate(MemoryLayout<Value.CMessage>.size).bindMemory(to: Value.CMessage.self, capacity: 1)
        Value.initialise(message)
        value.write(to: &message.pointee, in: &self)
        return message
    }

    /// A repeated field of messages.
    mutating func messages<Value: MessageMapping>(
        _ values: [Value]
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Value.CMessage>?>? {
        guard !values.isEmpty else { return nil }
        let array = list(of: UnsafeMutablePointer<Value.CMessage>?.self, count: values.count)
        for (index, value) in values.enumerated() {
            array[index] = message(value)
        }
        return array
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
    mutating func strings(_ texts: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        guard !texts.isEmpty else { return nil }
        let array = list(of: UnsafeMutablePointer<CChar>?.self, count: texts.count)
        for (index, text) in texts.enumerated() {
            array[index] = string(text)
        }
        return array
    }

    /// A bytes field.
    mutating func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        guard !bytes.isEmpty else { return ProtobufCBinaryData(len: 0, data: nil) }
        return ProtobufCBinaryData(len: bytes.count, data: numbers(bytes))
    }

    /// A repeated field of numbers or enum values.
    mutating func numbers<Number: BitwiseCopyable>(_ numbers: [Number]) -> UnsafeMutablePointer<Number>? {
        guard !numbers.isEmpty else { return nil }
        let array = list(of: Number.self, count: numbers.count)
        array.update(from: numbers, count: numbers.count)
        return array
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
    /// What the bytes say, as the C struct of `descriptor`; `nil` where libprotobuf-c refuses them. The bytes have
    /// passed the scan.
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

    /// The encoded form of a C struct.
    static func pack(_ message: UnsafePointer<ProtobufCMessage>) -> [UInt8] {
        let byteCount = protobuf_c_message_get_packed_size(message)
        guard byteCount > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialisedCount in
            initialisedCount = protobuf_c_message_pack(message, buffer.baseAddress)
        }
    }
}
