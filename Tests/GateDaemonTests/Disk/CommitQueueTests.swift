import Testing

@testable import GateDaemon

@Suite("The queue of commits")
struct CommitQueueTests {
    /// The outcome of an element, for comparison.
    private enum Outcome: Equatable {
        case settle(Int)
        case commit([Int])
        case wait

        init(_ applied: CommitQueue<Int>.Applied) {
            switch applied {
            case .settle(let element): self = .settle(element)
            case .commit(let batch): self = .commit(batch)
            case .wait: self = .wait
            }
        }
    }

    private var queue = CommitQueue<Int>()

    @Test("a command that changed nothing is settled at once if no commit is under way")
    mutating func unchangedWhileIdle() {
        #expect(Outcome(queue.applied(1, needsCommit: false)) == .settle(1))
        #expect(queue.isIdle)
    }

    @Test("the first change is committed alone, and what comes meanwhile is committed together")
    mutating func groupCommit() {
        #expect(Outcome(queue.applied(1, needsCommit: true)) == .commit([1]))
        for element in 2...4 { #expect(Outcome(queue.applied(element, needsCommit: true)) == .wait) }
        let first = queue.commitSucceeded()
        #expect(first.settled == [1])
        #expect(first.next == [2, 3, 4])
        #expect(!queue.isIdle)
        let second = queue.commitSucceeded()
        #expect(second.settled == [2, 3, 4])
        #expect(second.next == nil)
        #expect(queue.isIdle)
    }

    @Test("a command that changed nothing waits for the commit it was based on, and needs none itself")
    mutating func unchangedBehindAChange() {
        _ = queue.applied(1, needsCommit: true)
        #expect(Outcome(queue.applied(2, needsCommit: false)) == .wait)
        let result = queue.commitSucceeded()
        #expect(result.settled == [1, 2])
        #expect(result.next == nil)
        #expect(queue.isIdle)
    }

    @Test("a command that changed nothing is settled in order with the changes around it")
    mutating func unchangedAmongChanges() {
        _ = queue.applied(1, needsCommit: true)
        _ = queue.applied(2, needsCommit: false)
        _ = queue.applied(3, needsCommit: true)
        let first = queue.commitSucceeded()
        #expect(first.settled == [1])
        #expect(first.next == [2, 3])
        #expect(queue.commitSucceeded().settled == [2, 3])
    }

    @Test("when a commit fails, everything applied after it fails too, in order")
    mutating func failure() {
        _ = queue.applied(1, needsCommit: true)
        _ = queue.applied(2, needsCommit: true)
        _ = queue.applied(3, needsCommit: false)
        #expect(queue.commitFailed() == [1, 2, 3])
        #expect(queue.isIdle)
        #expect(Outcome(queue.applied(4, needsCommit: true)) == .commit([4]))
    }

    @Test("every element is settled or failed exactly once, in order, whatever happens", arguments: 1...50)
    func everyElementOnce(seed: UInt64) {
        var random = Xorshift(state: seed)
        var queue = CommitQueue<Int>()
        var ended: [Int] = []
        var isCommitting = false
        for element in 0..<200 {
            switch queue.applied(element, needsCommit: Bool.random(using: &random)) {
            case .settle(let settled): ended.append(settled)
            case .commit: isCommitting = true
            case .wait: break
            }
            guard isCommitting, UInt8.random(in: 0..<3, using: &random) == 0 else { continue }
            if Bool.random(using: &random) {
                let (settled, next) = queue.commitSucceeded()
                ended += settled
                isCommitting = next != nil
            } else {
                ended += queue.commitFailed()
                isCommitting = false
            }
        }
        while isCommitting {
            let (settled, next) = queue.commitSucceeded()
            ended += settled
            isCommitting = next != nil
        }
        #expect(ended == Array(0..<200))
        #expect(queue.isIdle)
    }
}

/// A random generator whose numbers repeat.
struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
