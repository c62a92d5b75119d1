/// The line that is being typed, byte by byte: from a pipe as it comes, from a terminal with the keys that correct it.
struct LineEditor: Hashable {
    /// What a byte brought about.
    enum Event: Hashable {
        /// The text on the line is another one, or the same.
        case edited
        /// The line is finished, and a new one begins.
        case finished(String)
        /// Nothing more will come.
        case ended
    }

    private enum State: Hashable {
        /// Bytes are text and keys. Can go to: escape.
        case text
        /// After ESC. Can go to: sequence, text.
        case escape
        /// Within the sequence of an arrow key or the like, of which nothing is meant. Can go to: text.
        case sequence
    }

    /// Answers are short. What is typed past this is dropped.
    static let maximumBytes = 200

    /// Whether keys like backspace are looked for: so on a terminal, not on a pipe.
    let isTerminal: Bool
    private var state = State.text
    private var bytes: [UInt8] = []

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    /// What is on the line now.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func byteReceived(_ byte: UInt8) -> Event {
        switch state {
        case .text: return isTerminal ? keyReceived(byte) : pipeByteReceived(byte)
        case .escape:
            // ESC [ and ESC O begin a sequence; any other key ends here.
            state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .text
            return .edited
        case .sequence:
            if (0x40...0x7e).contains(byte) { state = .text }
            return .edited
        }
    }

    /// There is no more input. A last line without its end is a line too.
    mutating func inputEnded() -> Event {
        bytes.isEmpty ? .ended : finish()
    }

    private mutating func pipeByteReceived(_ byte: UInt8) -> Event {
        switch byte {
        case UInt8(ascii: "\n"):
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return finish()
        default:
            append(byte)
            return .edited
        }
    }

    private mutating func keyReceived(_ byte: UInt8) -> Event {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return finish()
        case 0x04: return bytes.isEmpty ? .ended : .edited  // Ctrl-D
        case 0x08, 0x7f: _ = bytes.popLast()
        case 0x15: bytes.removeAll()  // Ctrl-U
        case 0x1b: state = .escape
        case 0x20...0x7e: append(byte)
        default: break
        }
        return .edited
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < Self.maximumBytes { bytes.append(byte) }
    }

    private mutating func finish() -> Event {
        defer { bytes.removeAll() }
        return .finished(text)
    }
}
