import GateCore
import GateModel
import Logging
import NIOCore

/// When something comes due, and how it is recorded.
extension Authority {
    /// How long the end of a lease may take to be recorded before watchers are let go. A disk may hang without failing.
    static let recordingTime = Duration.seconds(1)

    func endWatches(_ error: GateError) {
        endStreams(error) { _, kind in kind == .watch }
    }

    /// Sets the timer once this turn of the event loop is over, however often it is called. Setting it also takes back a
    /// ring that is due; were that done in the middle of a turn, the event loop would come to a timer that it was told is
    /// readable, and is not.
    func setAlarm(_ deadline: BootTime?) {
        guard deadline != alarmDeadline, !isStopping else { return }
        alarmDeadline = deadline
        guard !isAlarmToBeSet else { return }
        isAlarmToBeSet = true
        eventLoop.execute { self.assumeIsolated { $0.alarmIsToBeSet() } }
    }

    private func alarmIsToBeSet() {
        isAlarmToBeSet = false
        guard !isStopping else { return }
        alarm?.set(alarmDeadline)
    }

    func alarmRang() {
        alarmDeadline = nil
        guard let deadline = head.nextDeadline else { return }
        guard deadline <= clock.bootTime() else { return setAlarm(deadline) }
        deadlineCame()
    }

    /// The wall clock was set: what expires by it may be over by now, or not for long.
    func wallClockWasSet() {
        guard !isStopping else { return }
        deadlineCame()
    }

    func deadlineCame() {
        submit(.deadlineReached, as: .daemon) { [self] result in
            guard case .failure(let error) = result else { return }
            logger.error("a deadline could not be recorded: \(error)")
            recordOverdueLater()
        }
        eventLoop.scheduleTask(in: TimeAmount(Self.recordingTime)) {
            self.assumeIsolated { if $0.isOverdue(by: Self.recordingTime) { $0.endWatches(.recordingHangs) } }
        }
    }
}
