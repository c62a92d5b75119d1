/// A secret while a person types it, in a buffer of fixed size. Erased or taken characters are overwritten at once.
package final class TypedSecret {
    /// The size of the buffer in bytes: one page, so that nothing else lies in the memory that is kept from swapping.
    package static let capacity = 4096
    private let bytes: UnsafeMutableRawBufferPointer
    private var byteCount = 0
    /// The number of characters, in Unicode scalars.
    package private(set) var count = 0

    package init() {
        bytes = .allocate(byteCount: Self.capacity, alignment: Self.capacity)
        wipe(bytes)
    }

    deinit {
        wipe(bytes)
        bytes.deallocate()
    }

    /// Returns false, and changes nothing, if there is no room, or the text contains control characters.
    package func append(_ text: String) -> Bool {
        guard byteCount + text.utf8.count <= Self.capacity, !text.unicodeScalars.contains(where: \.isControl) else {
            return false
        }
        for byte in text.utf8 {
            bytes[byteCount] = byte
            byteCount += 1
        }
        count += text.unicodeScalars.count
        return true
    }

    package func eraseBackwards() {
        guard count > 0 else { return }
        count -= 1
        var isWithin = true
        while isWithin, byteCount > 0 {
            byteCount -= 1
            // In UTF-8, each byte of a character except the first begins with the bits 10.
            isWithin = bytes[byteCount] & 0b1100_0000 == 0b1000_0000
            bytes[byteCount] = 0
        }
    }

    package func clear() {
        wipe(bytes)
        (byteCount, count) = (0, 0)
    }

    /// Returns what was typed, and wipes the buffer.
    package func take() -> GateSecret {
        defer { clear() }
        return GateSecret(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
    }

    /// Lends the whole buffer to `body`. The pointer must not be used after `body` returns.
    package func withPlace<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { body(UnsafeRawBufferPointer(bytes)) }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}
