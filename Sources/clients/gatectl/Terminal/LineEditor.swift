import GateModel

/// The line that is being typed: from a pipe byte by byte as it comes, from a terminal with the keys that correct it. What
/// was typed is wiped when it is taken: it may be a secret.
struct LineEditor: Hashable {
    /// The event that came of it.
    enum Event: Hashable {
        /// The text on the line is another one, or the same.
        case edited
        /// The line is finished, and a new one begins.
        case finished(GateSecret)
        /// Nothing more will come.
        case ended
        /// The person closes the question.
        case dismissed
    }

    /// Answers to questions are short. What is typed past this is dropped.
    static let maximumBytes = 200
    /// The most bytes of an answer in a form.
    static let maximumFormBytes = 64 << 10

    /// The characters that are taken from a terminal.
    enum Alphabet: Hashable {
        /// Printable ASCII.
        case ascii
        /// Whatever can be typed.
        case any
    }

    private let singleKeys: Set<UInt8>
    private let alphabet: Alphabet
    private let maximumBytes: Int
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - singleKeys: keys of a terminal that, first on the line, finish it by themselves.
    ///   - maximumBytes: what is typed past this is dropped.
    init(
        singleKeys: Set<UInt8> = [], alphabet: Alphabet = .ascii, maximumBytes: Int = LineEditor.maximumBytes
    ) {
        self.singleKeys = singleKeys
        self.alphabet = alphabet
        self.maximumBytes = maximumBytes
        // All its room at once, so that no half-filled copy of a secret is left behind.
        bytes.reserveCapacity(min(maximumBytes, Self.maximumBytes))
    }

    /// The present text of the line.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var isEmpty: Bool { bytes.isEmpty }

    /// How many characters are on the line, without making a text of them that nobody could wipe.
    var characterCount: Int { bytes.count { $0 & 0xc0 != 0x80 } }

    /// A key of a terminal.
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

    /// A byte of a pipe.
    mutating func byteReceived(_ byte: UInt8) -> Event {
        guard byte == UInt8(ascii: "\n") else {
            append(byte)
            return .edited
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return finish()
    }

    /// There is no more input. A last line without its end is a line too.
    mutating func inputEnded() -> Event {
        bytes.isEmpty ? .ended : finish()
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < maximumBytes { bytes.append(byte) }
    }

    /// A whole character, whatever bytes it has.
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
