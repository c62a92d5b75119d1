import NIOCore
import TTRPC

/// The deadlines of the calls of one connection.
///
/// Most calls are answered within the read that brought them. No timer is set for those.
struct CallDeadlines {
    /// Timeouts of calls that came with this read and are not answered yet.
    private var new: [UInt32: Duration] = [:]
    private var scheduled: [UInt32: Scheduled<Void>] = [:]

    mutating func add(_ timeout: Duration, of streamID: UInt32) {
        new[streamID] = timeout
    }

    /// Sets a timer for each call that came with the read and is not answered yet. Called when the read is over.
    mutating func schedule(on eventLoop: any EventLoop, _ passed: @escaping @Sendable (UInt32) -> Void) {
        guard !new.isEmpty else { return }
        for (streamID, timeout) in new {
            // Nobody waits longer than a year, and the sum with the current time must not overflow.
            guard timeout < .seconds(365 * 86400) else { continue }
            scheduled[streamID] = eventLoop.scheduleTask(in: TimeAmount(timeout)) { passed(streamID) }
        }
        new = [:]
    }

    /// The call has ended, by its deadline or otherwise.
    mutating func forget(_ streamID: UInt32) {
        if !new.isEmpty { new[streamID] = nil }
        if !scheduled.isEmpty { scheduled.removeValue(forKey: streamID)?.cancel() }
    }

    mutating func forgetAll() {
        for deadline in scheduled.values { deadline.cancel() }
        self = CallDeadlines()
    }
}
