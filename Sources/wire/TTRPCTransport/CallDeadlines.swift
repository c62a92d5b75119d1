import NIOCore

/// The deadlines of a connection's calls. Most calls are answered in the read that brought them, so timers are set only
/// after the read, for calls that are still open.
struct CallDeadlines {
    /// The timeouts of calls that arrived in the current read and are still open.
    private var new: [UInt32: Duration] = [:]
    private var scheduled: [UInt32: Scheduled<Void>] = [:]

    mutating func add(_ timeout: Duration, of streamID: UInt32) {
        new[streamID] = timeout
    }

    /// Sets a timer for each call in `new`. Call it after each read.
    mutating func schedule(on eventLoop: any EventLoop, _ passed: @escaping @Sendable (UInt32) -> Void) {
        guard !new.isEmpty else { return }
        for (streamID, timeout) in new {
            // A timeout of a year or more needs no timer, and could overflow when added to the current time.
            guard timeout < .seconds(365 * 86400) else { continue }
            scheduled[streamID] = eventLoop.scheduleTask(in: TimeAmount(timeout)) { passed(streamID) }
        }
        new = [:]
    }

    /// The call has ended, at its deadline or before.
    mutating func forget(_ streamID: UInt32) {
        if !new.isEmpty { new[streamID] = nil }
        if !scheduled.isEmpty { scheduled.removeValue(forKey: streamID)?.cancel() }
    }

    mutating func forgetAll() {
        for deadline in scheduled.values { deadline.cancel() }
        self = CallDeadlines()
    }
}
