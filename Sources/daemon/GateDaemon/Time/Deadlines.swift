import GateCore
import GateModel
import Logging

/// Records deadlines that are due, and ends watch streams if that is not possible. Confined to the event loop.
final class Deadlines {
    /// How long it may take to record a deadline before watch streams are ended. A disk may hang without failing.
    static let recordingTime = Duration.seconds(1)

    private let context: LoopContext
    private let pipeline: CommandPipeline
    private let sessions: Sessions
    private var isRecordingLater = false

    init(_ pipeline: CommandPipeline, _ sessions: Sessions) {
        (context, self.pipeline, self.sessions) = (pipeline.context, pipeline, sessions)
        pipeline.commitFailed = { [weak self] in self?.endWatchesIfOverdue(.storeFailed($0)) }
    }

    func alarmRang() {
        pipeline.alarm.rang()
        context.zone.readAgain()
        guard let deadline = pipeline.head.nextDeadline else { return }
        guard deadline <= context.clock.bootTime() else { return pipeline.alarm.set(deadline) }
        deadlineCame()
    }

    /// The wall clock was set, so what expires by it may be over by now, or last longer.
    func wallClockWasSet() {
        guard !context.isStopping else { return }
        context.zone.readAgain()
        deadlineCame()
    }

    /// A file in `/etc` has changed. If it was the time zone, schedules open and close at other moments.
    func zoneMayHaveChanged() {
        guard !context.isStopping, context.zone.readAgain() else { return }
        deadlineCame()
    }

    private func deadlineCame() {
        pipeline.submit(.daemon(.deadlineReached), as: .daemon) { [self] result in
            guard case .failure(let error) = result else { return }
            context.logger.error("a deadline could not be recorded, so gated tries again: \(error)")
            recordOverdueLater()
        }
        context.later(Self.recordingTime) { [self] in endWatchesIfOverdue(by: Self.recordingTime, .recordingHangs) }
    }

    /// Tries again in a second. The alarm would not do that: it rings only for deadlines of the state, and what ended
    /// because the wall clock was set has none until it is recorded.
    private func recordOverdueLater() {
        guard !isRecordingLater, !context.isStopping else { return }
        isRecordingLater = true
        context.later(.seconds(1)) { [self] in
            isRecordingLater = false
            if !context.isStopping, pipeline.durable.isOverdue(context.clock) { deadlineCame() }
        }
    }

    /// If the end of something can't be recorded, there is no revision with which to publish it. So the streams of
    /// watchers are ended: without a stream, clients assume child mode, nobody signed in, and nothing paid for.
    private func endWatchesIfOverdue(by margin: Duration = .zero, _ error: GateError) {
        // Use goes on counting even if its time can't be stored.
        pipeline.publisher.uses.timeHasPassed(pipeline.durable)
        guard pipeline.durable.isOverdue(by: margin, context.clock) else { return }
        sessions.endStreams(error) { _, kind in kind == .watch }
    }
}
