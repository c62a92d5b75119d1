import GateModel
import NIOCore

/// The alarm for the nearest deadline of the state. Confined to the event loop.
final class DeadlineAlarm {
    private let context: LoopContext
    private var alarm: (any Alarm & Sendable)?
    private var deadline: BootTime?
    private var isToBeSet = false

    init(_ context: LoopContext) {
        self.context = context
    }

    /// Call this before the first deadline is set.
    func use(_ alarm: any Alarm & Sendable) {
        self.alarm = alarm
    }

    /// Sets the timer at the end of this turn of the event loop, once, however often this is called. Setting it also
    /// withdraws a ring that is due. In the middle of a turn, the loop would then read a timer that epoll has reported
    /// as readable and that no longer is.
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

    func rang() {
        deadline = nil
    }

    func stop() {
        deadline = nil
        alarm?.set(nil)
    }

    func end() {
        stop()
        alarm = nil
    }
}
