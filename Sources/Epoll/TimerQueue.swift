import HeapModule
import NIOCore

/// Something to do at a moment. Confined to its event loop, so it can be `Sendable` unchecked.
final class LoopTimer: Comparable, @unchecked Sendable {
    fileprivate let deadline: NIODeadline
    /// Orders those of one moment as they came.
    fileprivate var number: UInt64 = 0
    /// The number of the scheduled callback that it is for.
    fileprivate var callback: UInt64?
    /// Among those that wait for their moment.
    fileprivate var isQueued = false
    /// `nil`: cancelled, or done.
    fileprivate var actions: (ring: () -> Void, end: () -> Void)?

    /// - Parameters:
    /// - ring: called when it is due.
    /// - end: called instead where the event loop ends before.
    init(_ deadline: NIODeadline, ring: @escaping () -> Void, end: @escaping () -> Void) {
        self.deadline = deadline
        actions = (ring, end)
    }

    func ring() {
        let ring = actions?.ring
        actions = nil
        ring?()
    }

    fileprivate func end() {
        let end = actions?.end
        actions = nil
        end?()
    }

    /// Returns whether there was something to cancel.
    fileprivate func cancel() -> Bool {
        defer { actions = nil }
        return actions != nil
    }

    fileprivate var isCancelled: Bool { actions == nil }

    static func < (left: LoopTimer, right: LoopTimer) -> Bool {
        (left.deadline, left.number) < (right.deadline, right.number)
    }

    static func == (left: LoopTimer, right: LoopTimer) -> Bool { left === right }
}

/// The timers of an event loop, the next one first.
struct TimerQueue {
    private var timers = Heap<LoopTimer>()
    private var lastNumber: UInt64 = 0
    private var cancelledCount = 0

    /// Cancelled timers stay in the heap. Once there are so many, and half of all are, they are taken out.
    private static let keptCancelled = 64

    mutating func add(_ timer: LoopTimer, callback: UInt64? = nil) {
        timer.callback = callback
        lastNumber += 1
        timer.number = lastNumber
        timer.isQueued = true
        timers.insert(timer)
    }

    mutating func cancel(_ timer: LoopTimer) {
        guard timer.cancel(), timer.isQueued else { return }
        cancelledCount += 1
        guard cancelledCount > Self.keptCancelled, cancelledCount > timers.count / 2 else { return }
        timers = Heap(timers.unordered.filter { !$0.isCancelled })
        cancelledCount = 0
    }

    /// Cancels a scheduled callback, which hears of it.
    mutating func cancel(callback: UInt64) {
        guard let timer = timers.unordered.first(where: { $0.callback == callback && !$0.isCancelled }) else { return }
        let end = timer.actions?.end
        cancel(timer)
        end?()
    }

    /// Takes those that are due, in order.
    mutating func takeDue(_ take: (LoopTimer) -> Void) {
        guard let first = timers.min else { return }
        let now = NIODeadline.now()
        guard first.deadline <= now || first.isCancelled else { return }
        while let next = timers.min, next.deadline <= now || next.isCancelled {
            timers.removeMin()
            next.isQueued = false
            if next.isCancelled { cancelledCount -= 1 } else { take(next) }
        }
    }

    /// How long an event loop may sleep; -1: for ever.
    var nanosecondsToNext: Int64 {
        timers.min.map { max(0, ($0.deadline - .now()).nanoseconds) } ?? -1
    }

    /// The event loop ends.
    mutating func endAll() {
        let ended = timers.unordered
        timers = Heap()
        for timer in ended { timer.end() }
    }
}
