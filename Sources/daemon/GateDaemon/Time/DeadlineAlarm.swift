import GateModel
import NIOCore

/// The alarm for the nearest deadline of the state.
///
/// Confined to the event loop.
final class DeadlineAlarm {
    private let context: LoopContext
    private var alarm: (any Alarm & Sendable)?
    private var deadline: BootTime?
    private var isToBeSet = false

    init(_ context: LoopContext) {
        self.context = context
    }

    /// Before the first deadline.
    func use(_ alarm: any Alarm & Sendable) {
        self.alarm = alarm
    }

    /// Sets the timer once this turn of the event loop is over, however often it is called. Setting it also takes back a
    /// ring that is due; were that done in the middle of a turn, the event loop would come to a timer that it was told is
    /// readable, and is not.
    func set(_ deadline: BootTime?) {
        guard deadline != self.deadline, !context.isStopping else { return }
        self.deadline = deadline
        guard !isToBeSet else { return }
        isToBeSet = true
        context.eventLoop.assumeIsolated().execute { [self] in
            isToBeSet = false
            if !context.isStopping { alarm?.set(self.deadline) }
        }
    }

    /// It has rung, and is set to nothing now.
    func rang() {
        deadline = nil
    }

    /// It rings no more.
    func stop() {
        deadline = nil
        alarm?.set(nil)
    }

    func end() {
        stop()
        alarm = nil
    }
}
