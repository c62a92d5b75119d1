/// A secret while a person types it (S-06): one place in memory of a fixed size, in which nothing stays that was taken or erased.
package final class TypedSecret {
    /// In bytes: a page, so that nothing else is in it where it is kept from being swapped.
    package static let capacity = 4096
    private let bytes: UnsafeMutableRawBufferPointer
    private var byteCount = 0
    /// How many characters were typed.
    package private(set) var count = 0

    /// Makes one with nothing in it.
    package init() {
        bytes = .allocate(byteCount: Self.capacity, alignment: Self.capacity)
        wipe(bytes)
    }

    deinit {
        wipe(bytes)
        bytes.deallocate()
    }

    /// Puts characters at the end.
    ///
    /// - Returns: whether there was room, and nothing in it that no key types; else all is as before.
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

    /// Takes the last character away.
    package func eraseBackwards() {
        guard count > 0 else { return }
        count -= 1
        var isWithin = true
        while isWithin, byteCount > 0 {
            byteCount -= 1
            // Each byte of a character but its first one begins with the bits 10.
            isWithin = bytes[byteCount] & 0b1100_0000 == 0b1000_0000
            bytes[byteCount] = 0
        }
    }

    /// Takes everything away.
    package func clear() {
        wipe(bytes)
        (byteCount, count) = (0, 0)
    }

    /// Hands over what was typed, and leaves nothing.
    package func take() -> GateSecret {
        defer { clear() }
        return GateSecret(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
    }

    /// The whole place. The pointer must not leave the body.
    package func withPlace<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { body(UnsafeRawBufferPointer(bytes)) }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}
