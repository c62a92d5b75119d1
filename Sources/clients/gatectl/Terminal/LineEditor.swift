import GateModel

/// A line that is being typed: byte by byte from a pipe, or with the keys that correct it from a terminal. Its text is
/// wiped when the line is taken, since it may be a secret.
struct LineEditor: Hashable {
    enum Event: Hashable {
        case edited
        /// The line is finished. A new one begins.
        case finished(GateSecret)
        case ended
        /// The person closes the question.
        case dismissed
    }

    /// The most bytes of a line, since answers to questions are short. More bytes are dropped.
    static let maximumBytes = 200
    static let maximumFormBytes = 64 << 10

    enum Alphabet: Hashable {
        /// Printable ASCII.
        case ascii
        /// All characters that can be typed.
        case any
    }

    private let singleKeys: Set<UInt8>
    private let alphabet: Alphabet
    private let maximumBytes: Int
    private var bytes: [UInt8] = []

    /// `singleKeys` of a terminal finish the line by themselves if it is empty. Bytes after `maximumBytes` are dropped.
    init(
        singleKeys: Set<UInt8> = [], alphabet: Alphabet = .ascii, maximumBytes: Int = LineEditor.maximumBytes
    ) {
        self.singleKeys = singleKeys
        self.alphabet = alphabet
        self.maximumBytes = maximumBytes
        // Reserved at once, so that growing leaves no copy of a secret in memory.
        bytes.reserveCapacity(min(maximumBytes, Self.maximumBytes))
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var isEmpty: Bool { bytes.isEmpty }

    /// The number of characters, counted without making a String, which could not be wiped.
    var characterCount: Int { bytes.count { $0 & 0xc0 != 0x80 } }

    /// For a terminal.
    mutating func keyReceived(_ key: Key) -> Event {
        switch key {
        case .enter: return finish()
        case .end: return bytes.isEmpty ? .ended : .edited
        case .escape: return .dismissed
        case .backspace: removeLast()
        case .clear: wipeAll()
        case .byte(let byte):
            if bytes.isEmpty, singleKeys.contains(byte) {
                append(byte)
                return finish()
            }
            if byte < 0x80 || alphabet == .any { append(byte) }
        case .redraw, .up, .down, .pageUp, .pageDown, .tab, .backTab, .back, .press, .release: break
        }
        return .edited
    }

    /// For a pipe.
    mutating func byteReceived(_ byte: UInt8) -> Event {
        guard byte == UInt8(ascii: "\n") else {
            append(byte)
            return .edited
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return finish()
    }

    /// The input has ended. A last line without a line end counts, too.
    mutating func inputEnded() -> Event {
        bytes.isEmpty ? .ended : finish()
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < maximumBytes { bytes.append(byte) }
    }

    /// Removes a whole character, however many bytes it has.
    private mutating func removeLast() {
        while let last = bytes.last {
            bytes[bytes.count - 1] = 0
            bytes.removeLast()
            if last & 0xc0 != 0x80 { return }
        }
    }

    private mutating func wipeAll() {
        bytes.withUnsafeMutableBytes { wipe($0) }
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func finish() -> Event {
        defer { wipeAll() }
        return .finished(bytes.withUnsafeBytes { GateSecret($0) })
    }
}
