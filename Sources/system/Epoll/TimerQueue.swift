import HeapModule
import NIOCore

/// Something to do at a moment. Confined to its event loop, so it can be `Sendable` unchecked.
final class LoopTimer: Comparable, @unchecked Sendable {
    fileprivate let deadline: NIODeadline
    /// Orders those of one moment as they came.
    fileprivate let number: UInt64
    /// Among those that wait for their moment.
    fileprivate var isQueued = false
    /// `nil`: cancelled, or done.
    private var actions: (ring: () -> Void, end: () -> Void)?

    /// - Parameters:
    ///   - number: no other timer of the loop has it.
    ///   - ring: called when it is due.
    ///   - end: called instead where it is not to ring any more.
    init(_ deadline: NIODeadline, number: UInt64, ring: @escaping () -> Void, end: @escaping () -> Void) {
        self.deadline = deadline
        self.number = number
        actions = (ring, end)
    }

    fileprivate var hasEnded: Bool { actions == nil }

    func ring() { take()?.ring() }

    func end() { take()?.end() }

    /// Ends it without a word. Returns whether it had not ended before.
    func cancel() -> Bool { take() != nil }

    private func take() -> (ring: () -> Void, end: () -> Void)? {
        defer { actions = nil }
        return actions
    }

    static func < (left: LoopTimer, right: LoopTimer) -> Bool {
        (left.deadline, left.number) < (right.deadline, right.number)
    }

    static func == (left: LoopTimer, right: LoopTimer) -> Bool { left === right }
}

/// The timers of an event loop, the next one first. It calls none of them: what a timer does may set others.
struct TimerQueue {
    private var timers = Heap<LoopTimer>()
    private var endedCount = 0

    /// Timers that have ended stay in the heap. Once there are so many, and half of all are, they are taken out.
    private static let keptEnded = 64

    mutating func add(_ timer: LoopTimer) {
        timer.isQueued = true
        timers.insert(timer)
    }

    /// The timer of this number, if it waits.
    func timer(_ number: UInt64) -> LoopTimer? {
        timers.unordered.first { $0.number == number && !$0.hasEnded }
    }

    /// This timer has ended before its moment.
    mutating func ended(_ timer: LoopTimer) {
        guard timer.isQueued else { return }
        endedCount += 1
        guard endedCount > Self.keptEnded, endedCount > timers.count / 2 else { return }
        timers = Heap(timers.unordered.filter { !$0.hasEnded })
        endedCount = 0
    }

    /// Takes those that are due, in order.
    mutating func takeDue(_ take: (LoopTimer) -> Void) {
        guard let first = timers.min else { return }
        let now = NIODeadline.now()
        guard first.deadline <= now || first.hasEnded else { return }
        while let next = timers.min, next.deadline <= now || next.hasEnded {
            timers.removeMin()
            next.isQueued = false
            if next.hasEnded { endedCount -= 1 } else { take(next) }
        }
    }

    /// How long an event loop may sleep; -1: for ever.
    var nanosecondsToNext: Int64 {
        timers.min.map { max(0, ($0.deadline - .now()).nanoseconds) } ?? -1
    }

    mutating func takeAll() -> [LoopTimer] {
        defer { timers = Heap() }
        return Array(timers.unordered)
    }
}
