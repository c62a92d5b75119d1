/// Bytes that are wiped when the last copy of this value is gone, and that are never printed.
public struct GateSecret: Hashable, Sendable {
    private let storage: Storage

    private final class Storage: @unchecked Sendable {
        // Written only in `init` and `deinit`, so the class can be `Sendable` unchecked.
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

    /// Copies the bytes. The caller has to wipe the source.
    public init(_ source: UnsafeRawBufferPointer) {
        storage = Storage(source)
    }

    /// Copies the bytes. The source itself is not wiped.
    public init(_ source: some Sequence<UInt8>) {
        var bytes = Array(source)
        self.init(wiping: &bytes)
    }

    /// Copies the bytes and overwrites the source with zeros.
    public init(wiping bytes: inout [UInt8]) {
        storage = bytes.withUnsafeBytes { Storage($0) }
        bytes.withUnsafeMutableBytes { wipe($0) }
    }

    /// The length of the secret.
    public var byteCount: Int { storage.bytes.count }

    /// Lends the bytes to `body`. The pointer must not be used after `body` returns.
    public func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// Takes a time that depends only on the lengths, so it does not show where two secrets differ.
    public static func == (left: GateSecret, right: GateSecret) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        return zip(left.storage.bytes, right.storage.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Hashes only the length: a hash of the bytes would give information about them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(byteCount)
    }
}

extension GateSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The attributes keep the compiler from dropping writes that nobody reads.
@_optimize(none)
@inline(never)
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    for index in bytes.indices { bytes[index] = 0 }
}
