/// A key that a person pressed at a terminal, or an act of the mouse.
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
    /// Shift-Tab
    case backTab
    /// The first button of the mouse went down at this place on the screen, counted in characters from 0.
    case press(column: Int, row: Int)
    /// A button of the mouse went up.
    case release
}

/// Makes keys of the bytes that a terminal sends.
struct KeyDecoder: Hashable {
    private enum State: Hashable {
        /// The next byte begins a key. Can go to `escape`.
        case start
        /// After ESC, which is a key itself if nothing follows at once. Can go to `sequence`, `single` or `start`.
        case escape
        /// Within `ESC [ …`, after these bytes. Can go to `start`, and before any bytes to `mouse` or `shortMouse`.
        case sequence([UInt8])
        /// After `ESC O`, which one more byte ends. Can go to `start`.
        case single
        /// Within `ESC [ < …`, a mouse report, after these bytes. Can go to `start`, or `escape` if a key cuts it off.
        case mouse([UInt8], waits: Int)
        /// Within `ESC [ M` and three bytes, an older report of the mouse, after these bytes. Can go to `start`.
        case shortMouse([UInt8], waits: Int)
    }

    /// How long a terminal may take between the bytes of one key, in milliseconds. Later bytes begin a new key.
    static let patienceMilliseconds: CInt = 50
    /// The longest sequence, in bytes. Real keys are shorter.
    private static let maximumSequenceBytes = 16
    /// How many times as long a terminal may take within a report of the mouse. Nobody types the beginning of one, and
    /// the digits in the rest would be taken for an answer.
    private static let mouseWaits = 20

    private var state = State.start

    /// Whether the bytes so far may be only part of a key.
    var isWaiting: Bool { state != .start }

    /// The key that the byte completes; `nil` if the key is not complete, or has no meaning here.
    mutating func byteReceived(_ byte: UInt8) -> Key? {
        switch state {
        case .start:
            return key(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .sequence([])
            case UInt8(ascii: "O"): state = .single
            // Alt and another key mean nothing here.
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
                // The report was cut off, and this byte begins the next key.
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

    /// Call it when nothing came for `patienceMilliseconds`.
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
