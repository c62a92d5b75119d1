import CProtobufC

/// An allocator for unpacking one envelope: 1 KiB of the stack first, and the heap for what does not fit. libprotobuf-c
/// allocates each string and message separately, which costs more than the rest of decoding. All memory is wiped after
/// use, because a payload may hold a password.
struct UnpackArena {
    /// Several times what an envelope with a small payload and no metadata needs.
    private static let byteCount = 1024
    /// The same as `malloc`'s, enough for any C type.
    private static let alignment = 16

    private let start: UnsafeMutableRawPointer
    private var used = 0

    private init(_ start: UnsafeMutableRawPointer) {
        self.start = start
    }

    /// Calls `body` with an allocator that is valid until it returns. `body` must free what it unpacked.
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
            // The block's size is stored in front of it, for `free`.
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
