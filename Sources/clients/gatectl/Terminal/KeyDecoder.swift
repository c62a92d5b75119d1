/// A key of a terminal.
enum Key: Hashable, Sendable {
    /// A byte of text: printable ASCII, or part of a character in UTF-8.
    case byte(UInt8)
    case enter
    case backspace
    /// Ctrl-U
    case clear
    /// Ctrl-D
    case end
    /// Ctrl-B
    case back
    /// Ctrl-L
    case redraw
    case escape
    case up
    case down
    case pageUp
    case pageDown
    case tab
    /// Shift and the tab key.
    case backTab
    /// The first button of the mouse went down, on this character of the screen; the first is 0, 0.
    case press(column: Int, row: Int)
    /// A button of the mouse went up.
    case release
}

/// Keys, from the bytes that a terminal sends for them.
struct KeyDecoder: Hashable {
    private enum State: Hashable {
        /// The next byte begins a key. Can go to: escape.
        case start
        /// After ESC: the key of this name if nothing follows at once. Can go to: sequence, single, start.
        case escape
        /// Within `ESC [ …` with these bytes so far. Can go to: start.
        case sequence([UInt8])
        /// After `ESC O`, which one more byte ends. Can go to: start.
        case single
        /// Within `ESC [ < …`, a report of the mouse, with these bytes so far. Can go to: start.
        case mouse([UInt8], waits: Int)
        /// After `ESC [ M`, the same in three bytes, of which these came. Can go to: start.
        case shortMouse([UInt8], waits: Int)
    }

    /// How long a terminal may take between the bytes of one key, in milliseconds; what comes later is a key of its own.
    static let patienceMilliseconds: CInt = 50
    /// No key is longer.
    private static let maximumSequenceBytes = 16
    /// How many times the patience is for the rest of what the mouse did. Nobody types its beginning, and its rest would be
    /// digits that answer something.
    private static let mouseWaits = 20

    private var state = State.start

    /// Whether ESC came, and it is not yet clear whether that was all.
    var isWaiting: Bool { state != .start }

    /// `nil`: it is no whole key yet, or one that means nothing here.
    mutating func byteReceived(_ byte: UInt8) -> Key? {
        switch state {
        case .start:
            return key(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .sequence([])
            case UInt8(ascii: "O"): state = .single
            // Alt and another key.
            case _: state = .start
            }
            return nil
        case .sequence([]) where byte == UInt8(ascii: "<"):
            state = .mouse([], waits: 0)
            return nil
        case .sequence([]) where byte == UInt8(ascii: "M"):
            state = .shortMouse([], waits: 0)
            return nil
        case .sequence(let bytes):
            guard (0x40...0x7e).contains(byte) || bytes.count >= Self.maximumSequenceBytes else {
                state = .sequence(bytes + [byte])
                return nil
            }
            state = .start
            return Self.key(sequence: bytes + [byte])
        case .single:
            state = .start
            return Self.key(sequence: [byte])
        case .mouse(let bytes, _):
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"):
                state = bytes.count < Self.maximumSequenceBytes ? .mouse(bytes + [byte], waits: 0) : .start
                return nil
            case UInt8(ascii: "M"), UInt8(ascii: "m"):
                state = .start
                return MouseReport(bytes, isRelease: byte == UInt8(ascii: "m"))?.key
            case _:
                // It was cut off, and this is the next key.
                state = .start
                return key(byte)
            }
        case .shortMouse(let bytes, _):
            guard bytes.count == 2 else {
                state = .shortMouse(bytes + [byte], waits: 0)
                return nil
            }
            state = .start
            return MouseReport(short: bytes + [byte])?.key
        }
    }

    /// Nothing came for as long as the patience lasts.
    mutating func waitedInVain() -> Key? {
        let state = state
        self.state = .start
        switch state {
        case .escape: return .escape
        case .start, .sequence, .single: return nil
        case .mouse(let bytes, let waits):
            if waits + 1 < Self.mouseWaits { self.state = .mouse(bytes, waits: waits + 1) }
            return nil
        case .shortMouse(let bytes, let waits):
            if waits + 1 < Self.mouseWaits { self.state = .shortMouse(bytes, waits: waits + 1) }
            return nil
        }
    }

    private mutating func key(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .enter
        case 0x02: return .back
        case 0x04: return .end
        case 0x08, 0x7f: return .backspace
        case 0x09: return .tab
        case 0x0c: return .redraw
        case 0x15: return .clear
        case 0x1b:
            state = .escape
            return nil
        case 0x20...0x7e, 0x80...: return .byte(byte)
        case _: return nil
        }
    }

    private static func key(sequence: [UInt8]) -> Key? {
        switch sequence {
        case Array("A".utf8): .up
        case Array("B".utf8): .down
        case Array("5~".utf8): .pageUp
        case Array("6~".utf8): .pageDown
        case Array("Z".utf8): .backTab
        case _: nil
        }
    }
}
