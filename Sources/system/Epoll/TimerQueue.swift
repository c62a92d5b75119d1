import HeapModule
import NIOCore

/// An action at a deadline. Confined to its event loop, so it can be `Sendable` unchecked.
final class LoopTimer: Comparable, @unchecked Sendable {
    fileprivate let deadline: NIODeadline
    /// Orders timers with the same deadline as they were made.
    fileprivate let number: UInt64
    fileprivate var isQueued = false
    /// `nil` once the timer was cancelled, or one of the two was called.
    private var actions: (ring: () -> Void, end: () -> Void)?

    /// No other timer of the loop has this number. `ring` is called when the timer is due, `end` if it will never ring.
    init(_ deadline: NIODeadline, number: UInt64, ring: @escaping () -> Void, end: @escaping () -> Void) {
        self.deadline = deadline
        self.number = number
        actions = (ring, end)
    }

    fileprivate var hasEnded: Bool { actions == nil }

    func ring() { take()?.ring() }

    func end() { take()?.end() }

    /// Ends the timer without calling anything. Returns false if it had already ended.
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

/// The timers of an event loop, the next one first. It calls no timer itself, because a timer's action may add others.
struct TimerQueue {
    private var timers = Heap<LoopTimer>()
    private var endedCount = 0

    /// Ended timers stay in the heap. If there are more than this, and more than half of all, they are removed.
    private static let keptEnded = 64

    mutating func add(_ timer: LoopTimer) {
        timer.isQueued = true
        timers.insert(timer)
    }

    /// The timer with this number; `nil` if it has ended.
    func timer(_ number: UInt64) -> LoopTimer? {
        timers.unordered.first { $0.number == number && !$0.hasEnded }
    }

    /// This timer has ended before its deadline.
    mutating func ended(_ timer: LoopTimer) {
        guard timer.isQueued else { return }
        endedCount += 1
        guard endedCount > Self.keptEnded, endedCount > timers.count / 2 else { return }
        timers = Heap(timers.unordered.filter { !$0.hasEnded })
        endedCount = 0
    }

    /// Removes the timers that are due, in order, and passes them to `take`.
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

    /// How long an event loop may sleep, in nanoseconds; -1: until an event comes.
    var nanosecondsToNext: Int64 {
        timers.min.map { max(0, ($0.deadline - .now()).nanoseconds) } ?? -1
    }

    mutating func takeAll() -> [LoopTimer] {
        defer { timers = Heap() }
        return Array(timers.unordered)
    }
}
