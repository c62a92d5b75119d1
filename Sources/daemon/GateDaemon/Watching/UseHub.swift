import GateCore
import GateModel
import GateProtocol
import TTRPCTransport

/// The streams of programs that are being used. Each stream gets the time that is left: at first, at the warnings, when
/// no time is left, and when the time that was sent last is not right any more. Confined to the event loop.
final class UseHub {
    /// One program that is being used.
    private struct Use {
        /// The number of its call, which is also the number of the use in the core.
        let number: UInt64
        let session: PeerSession
        let stream: UInt32
        var machine = UseStreamStateMachine()
    }

    private let clock: any Clock
    /// The state that all streams were sent last.
    private var told: GateState?
    private var uses: [StreamKey: Use] = [:]
    /// Reports which login sessions are on the screens; if it is `nil`, all time runs.
    var loginSessions: LoginSessionWatch?

    init(_ clock: any Clock) {
        self.clock = clock
    }

    func open(_ request: CountUseRequest, _ call: Call<CountUseResponse>, in sessions: Sessions) {
        let (key, number) = (call.streamKey, call.number)
        uses[key] = Use(number: number, session: call.session, stream: call.stream)
        let begin = Command.usage(
            .begin(number, gatedAction: request.gatedAction, details: request.details))
        sessions.pipeline.submit(begin, as: call.peer, for: call.caller) { [self] result in
            // If the stream has ended while the command was on its way to the disk, its end was reported then.
            guard let use = uses[key], use.number == number else { return }
            switch result {
            case .failure(let error):
                // A refused use is not in the core. If a commit failed, the core has forgotten it again.
                uses[key] = nil
                sessions.end(use.stream, of: use.session, error)
            case .success:
                tell(key, sessions.pipeline.durable, .began)
            }
        }
        loginSessions?.useBegan()
    }

    /// Returns the number of the use that this stream stood for; `nil` if it stood for none, or if its use did not
    /// begin.
    func remove(_ key: StreamKey) -> UInt64? { uses.removeValue(forKey: key)?.number }

    /// Sends the time that is left to all streams, if the new state could change it.
    func publish(_ state: GateState) {
        guard !uses.isEmpty else { return told = nil }
        if let told, state.hasSameTimeLeft(as: told) { return }
        told = state
        timeHasPassed(state)
    }

    /// Sends the time that is left to all streams, even if the state is the same because the store can't record a
    /// change.
    func timeHasPassed(_ state: GateState) {
        for key in uses.keys { tell(key, state, .changed) }
    }

    func drained(_ key: StreamKey, state: GateState) { tell(key, state, .changed) }

    private enum Occasion {
        case began
        case changed
    }

    private func tell(_ key: StreamKey, _ state: GateState, _ occasion: Occasion) {
        guard let use = uses[key] else { return }
        let now = clock.bootTime()
        guard let time = state.timeLeft(ofUse: use.number, at: now) else { return }
        let isToBeTold =
            switch occasion {
            case .began: uses[key]?.machine.began(time, at: now) ?? false
            case .changed:
                uses[key]?.machine.changed(time, at: now, isBacklogged: use.session.connection.isBacklogged) ?? false
            }
        guard isToBeTold else { return }
        use.session.connection.send(use.stream, message: CountUseResponse(time: time).encoded())
    }
}

/// The stream of one program that is being used, with the time that was sent last. A program that does not read gets
/// only the newest time when it reads again.
struct UseStreamStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// Its use is becoming durable, and nothing was sent yet. Can go to: told.
        case beginning
        /// This was sent last. Can go to: told, with another time.
        case told(Told)
    }

    /// What makes a new message necessary if it changes.
    private struct Told: Hashable {
        let isOver: Bool
        /// How many warnings have been reached.
        let warnings: Int
        /// When no time will be left if it goes on running; the earliest possible moment if none is left now; `nil` if
        /// nothing limits it.
        let end: BootTime?

        init(_ time: TimeLeft, at now: BootTime) {
            isOver = time.isOver
            warnings = time.left.map { left in UsageRules.warnings.count { left <= $0 } } ?? 0
            end = time.left.map { $0 > .zero ? now.advanced(by: $0) : BootTime(nanoseconds: .min) }
        }

        func differs(from other: Self, by tolerance: Duration) -> Bool {
            guard isOver == other.isOver, warnings == other.warnings, (end == nil) == (other.end == nil) else {
                return true
            }
            guard let end, let otherEnd = other.end else { return false }
            let distance = otherEnd.duration(to: end)
            return distance > tolerance || distance < .zero - tolerance
        }
    }

    /// How much the end may move without a message. It moves a little because time is stored in milliseconds.
    private static let tolerance = Duration.seconds(1)

    private var state = State.beginning

    /// The use is durable. Returns whether to send the time, which is always true.
    mutating func began(_ time: TimeLeft, at now: BootTime) -> Bool {
        state = .told(Told(time, at: now))
        return true
    }

    /// The state has changed, or the stream can take a message again. Returns whether to send the time.
    mutating func changed(_ time: TimeLeft, at now: BootTime, isBacklogged: Bool) -> Bool {
        switch state {
        case .beginning:
            return false
        case .told(let before):
            let told = Told(time, at: now)
            guard !isBacklogged, told.differs(from: before, by: Self.tolerance) else { return false }
            state = .told(told)
            return true
        }
    }
}
