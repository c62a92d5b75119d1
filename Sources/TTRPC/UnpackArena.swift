import CProtobufC

/// Memory for one unpacked envelope: a stretch of the stack first, the heap for what does not fit.
///
/// libprotobuf-c allocates every string and message by itself, which costs more than all the rest of decoding does. A payload
/// may hold a password: whatever was taken is wiped.
struct UnpackArena {
    /// An envelope with a small payload and no metadata fits several times.
    private static let byteCount = 1024
    /// As malloc's, enough for any C type.
    private static let alignment = 16

    private let start: UnsafeMutableRawPointer
    private var used = 0

    private init(_ start: UnsafeMutableRawPointer) {
        self.start = start
    }

    /// Calls `body` with an allocator that is good until it returns. What was unpacked must be freed within it.
    static func withAllocator<Result>(_ body: (UnsafeMutablePointer<ProtobufCAllocator>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: alignment) { bytes in
            var arena = UnpackArena(bytes.baseAddress!)
            defer { wipe_memory(arena.start, arena.used) }
            return withUnsafeMutablePointer(to: &arena) { arena in
                var allocator = ProtobufCAllocator(
                    alloc: { data, size in UnpackArena.at(data).pointee.allocate(size) },
                    free: { data, pointer in UnpackArena.at(data).pointee.free(pointer) },
                    allocator_data: UnsafeMutableRawPointer(arena))
                return withUnsafeMutablePointer(to: &allocator, body)
            }
        }
    }

    private static func at(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UnpackArena> {
        guard let data else { preconditionFailure("libprotobuf-c has lost the allocator's data") }
        return data.assumingMemoryBound(to: UnpackArena.self)
    }

    private mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        guard size <= UnpackArena.byteCount - used else {
            // Its size goes before it.
            let block = UnsafeMutableRawPointer.allocate(
                byteCount: UnpackArena.alignment + size, alignment: UnpackArena.alignment)
            block.storeBytes(of: size, as: Int.self)
            return block + UnpackArena.alignment
        }
        let pointer = start + used
        used = min((used + size + UnpackArena.alignment - 1) & ~(UnpackArena.alignment - 1), UnpackArena.byteCount)
        return pointer
    }

    private func free(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return }
        guard pointer < start || pointer >= start + UnpackArena.byteCount else { return }
        let block = pointer - UnpackArena.alignment
        wipe_memory(pointer, block.load(as: Int.self))
        block.deallocate()
    }
}
