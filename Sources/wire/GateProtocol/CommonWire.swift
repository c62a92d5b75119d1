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

    /// An absent message reads as epoch 0, number 0, the defaults of its fields.
    init(reading message: UnsafeMutablePointer<Gate__V1__Revision>?) {
        self = message.map { Revision(reading: $0.pointee) } ?? Revision(epoch: 0, number: 0)
    }
}

extension ModeState: MessageMapping {
    /// An unknown mode reads as child, without a deadline, so that a reader fails closed.
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

extension Presenting: EnumMapping {
    var wire: Gate__V1__Presenting {
        switch self {
        case .here: GATE__V1__PRESENTING__PRESENTING_HERE
        case .elsewhere: GATE__V1__PRESENTING__PRESENTING_ELSEWHERE
        case .elsewhereIfPossible: GATE__V1__PRESENTING__PRESENTING_ELSEWHERE_IF_POSSIBLE
        }
    }

    /// Reads both fields of a request. Programs that know only `presents_itself` leave `presenting` unspecified.
    ///
    /// - Throws: `INVALID_ARGUMENT` if this version does not know the value, or the two fields contradict each other.
    init(_ presenting: Gate__V1__Presenting, _ presentsItself: protobuf_c_boolean) throws(GateError) {
        let asked = try Self.optional(wire: presenting, of: "presenting")
        guard let asked, presentsItself != 0, asked != .here else {
            self = asked ?? (presentsItself != 0 ? .here : .elsewhere)
            return
        }
        throw .wrong("presenting", "says something else than \"presents_itself\"; leave one of them out")
    }

    /// Every daemon understands `presents_itself`, so `presenting` is set only for what that can't say.
    var fields: (presenting: Gate__V1__Presenting, presentsItself: protobuf_c_boolean) {
        switch self {
        case .here: (GATE__V1__PRESENTING__PRESENTING_UNSPECIFIED, 1)
        case .elsewhere: (GATE__V1__PRESENTING__PRESENTING_UNSPECIFIED, 0)
        case .elsewhereIfPossible: (wire, 0)
        }
    }
}

/// A uid in a message of its own, so that it can be absent: uid 0 is root.
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

/// Fields of milliseconds in which 0 stands for `nil`: for none, or for the usual length.
enum OptionalMilliseconds {
    static func duration(_ milliseconds: Int64) -> Duration? {
        milliseconds == 0 ? nil : .milliseconds(milliseconds)
    }

    /// Zero or less is sent as -1 or less, so that the daemon refuses it; 0 would stand for `nil`.
    static func wire(_ duration: Duration?) -> Int64 {
        guard let duration else { return 0 }
        return duration > .zero ? duration.wireMilliseconds : min(duration.wireMilliseconds, -1)
    }
}

extension Duration {
    /// Whole milliseconds, rounded up. A number that does not fit into 64 bits is clamped.
    var wireMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: attosecondsPerMillisecond)
        // Both have the same sign, so the second addition can't undo an overflow of the seconds.
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(quotient + (remainder > 0 ? 1 : 0))
        return overflow || overflowOfSum ? (self < .zero ? .min : .max) : sum
    }
}
