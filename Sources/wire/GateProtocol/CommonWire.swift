import CGateProtocol
import GateModel

// common.proto

extension Revision: MessageMapping {
    init(reading message: Gate__V1__Revision) {
        self.init(epoch: message.epoch, number: message.number)
    }

    func write(to message: inout Gate__V1__Revision, in arena: inout MessageArena) {
        message.epoch = epoch
        message.number = number
    }

    /// An absent message is one whose fields have their defaults.
    init(reading message: UnsafeMutablePointer<Gate__V1__Revision>?) {
        self = message.map { Revision(reading: $0.pointee) } ?? Revision(epoch: 0, number: 0)
    }
}

extension ModeState: MessageMapping {
    /// A mode that this version does not know is child: fail closed.
    init(reading message: Gate__V1__ModeState) {
        guard let mode = Mode(wire: message.mode) else {
            self = .closed
            return
        }
        let nanoseconds = message.deadline_boottime_nanoseconds
        self.init(mode: mode, deadline: nanoseconds == 0 ? nil : BootTime(nanoseconds: nanoseconds))
    }

    func write(to message: inout Gate__V1__ModeState, in arena: inout MessageArena) {
        message.mode = mode.wire
        message.deadline_boottime_nanoseconds = deadline?.nanoseconds ?? 0
    }

    init(reading message: UnsafeMutablePointer<Gate__V1__ModeState>?) {
        self = message.map { ModeState(reading: $0.pointee) } ?? .closed
    }
}

extension Mode: EnumMapping {
    var wire: Gate__V1__ModeState__Mode {
        switch self {
        case .child: GATE__V1__MODE_STATE__MODE__MODE_CHILD
        case .verifying: GATE__V1__MODE_STATE__MODE__MODE_VERIFYING
        case .parent: GATE__V1__MODE_STATE__MODE__MODE_PARENT
        }
    }
}

extension Subject: MessageMapping {
    init(reading message: Gate__V1__Subject) {
        self.init(uid: message.uid, pid: message.pid, startTime: message.start_time_ticks)
    }

    func write(to message: inout Gate__V1__Subject, in arena: inout MessageArena) {
        message.uid = uid
        message.pid = pid
        message.start_time_ticks = startTime
    }
}

extension Broker: MessageMapping {
    init(reading message: Gate__V1__Broker) {
        self.init(uid: message.uid, program: String(reading: message.program))
    }

    func write(to message: inout Gate__V1__Broker, in arena: inout MessageArena) {
        message.uid = uid
        message.program = arena.string(program)
    }
}

/// A user, as a part of a message that may be absent.
struct WireUser: MessageMapping {
    let uid: UInt32

    init(_ uid: UInt32) {
        self.uid = uid
    }

    init(reading message: Gate__V1__User) {
        uid = message.uid
    }

    func write(to message: inout Gate__V1__User, in arena: inout MessageArena) {
        message.uid = uid
    }
}

/// A field of milliseconds where 0 stands for what is usual.
enum OptionalMilliseconds {
    static func duration(_ milliseconds: Int64) -> Duration? {
        milliseconds == 0 ? nil : .milliseconds(milliseconds)
    }

    /// No length at all is none that is usual either: it travels as -1, for the daemon to refuse.
    static func wire(_ duration: Duration?) -> Int64 {
        guard let duration else { return 0 }
        return duration > .zero ? duration.wireMilliseconds : min(duration.wireMilliseconds, -1)
    }
}

extension Duration {
    /// Whole milliseconds, rounded up. Whatever 64 bits of milliseconds can tell comes back as it was; beyond, clamped.
    var wireMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: attosecondsPerMillisecond)
        // Seconds and attoseconds have the same sign.
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(quotient + (remainder > 0 ? 1 : 0))
        return overflow || overflowOfSum ? (self < .zero ? .min : .max) : sum
    }
}
