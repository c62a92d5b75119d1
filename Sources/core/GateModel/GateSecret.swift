/// Bytes that must not outlive their use: wiped when the last holder lets go, and never printed.
public struct GateSecret: Hashable, Sendable {
    private let storage: Storage

    private final class Storage: @unchecked Sendable {
        // Written in `init` and `deinit` alone.
        let bytes: UnsafeMutableRawBufferPointer

        init(_ source: UnsafeRawBufferPointer) {
            bytes = .allocate(byteCount: source.count, alignment: 1)
            bytes.copyMemory(from: source)
        }

        deinit {
            wipe(bytes)
            bytes.deallocate()
        }
    }

    /// Copies the bytes; wiping where they came from is up to the caller.
    public init(_ source: UnsafeRawBufferPointer) {
        storage = Storage(source)
    }

    /// Copies the bytes. The source is not wiped.
    public init(_ source: some Sequence<UInt8>) {
        var bytes = Array(source)
        self.init(wiping: &bytes)
    }

    /// Takes the bytes over and leaves zeros.
    public init(wiping bytes: inout [UInt8]) {
        storage = bytes.withUnsafeBytes { Storage($0) }
        bytes.withUnsafeMutableBytes { wipe($0) }
    }

    /// The number of bytes.
    public var byteCount: Int { storage.bytes.count }

    /// The pointer must not leave the body.
    public func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// In a time that depends on the lengths alone.
    public static func == (left: GateSecret, right: GateSecret) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        return zip(left.storage.bytes, right.storage.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Hashes the length alone: a hash of the bytes would tell of them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(byteCount)
    }
}

extension GateSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Zeros, written even though nobody will read them.
@_optimize(none)
@inline(never)
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    for index in bytes.indices { bytes[index] = 0 }
}
