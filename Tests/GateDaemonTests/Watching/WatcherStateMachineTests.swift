import Testing

@testable import GateDaemon

@Suite("A watcher of the state")
struct WatcherStateMachineTests {
    private var watcher = WatcherStateMachine(told: 4)

    @Test("a watcher that reads gets each change, and ranges that follow each other")
    mutating func live() {
        #expect(watcher.changed(.mode, number: 5, isBacklogged: false) == .send(first: 5))
        #expect(watcher.changed(.mode, number: 8, isBacklogged: false) == .send(first: 6))
        #expect(watcher.drained(number: 9) == .nothing)
        #expect(watcher.changed(.mode, number: 10, isBacklogged: false) == .send(first: 9))
    }

    @Test("a watcher that does not read gets one message for all it missed")
    mutating func behind() {
        #expect(watcher.changed(.mode, number: 5, isBacklogged: true) == .conflate)
        #expect(watcher.changed(.mode, number: 6, isBacklogged: true) == .conflate)
        #expect(watcher.drained(number: 7) == .send(.mode, first: 5))
        #expect(watcher.changed(.mode, number: 8, isBacklogged: false) == .send(first: 8))
    }

    @Test("a watcher that is behind gets nothing before what it missed, even when there is room")
    mutating func behindWithRoom() {
        _ = watcher.changed(.mode, number: 5, isBacklogged: true)
        #expect(watcher.changed(.mode, number: 6, isBacklogged: false) == .conflate)
        #expect(watcher.drained(number: 6) == .send(.mode, first: 5))
        #expect(watcher.drained(number: 6) == .nothing)
    }

    @Test("a slow watcher is told only of the topics that it missed")
    mutating func missedTopics() {
        #expect(watcher.changed(.presentations, number: 5, isBacklogged: true) == .conflate)
        #expect(watcher.drained(number: 5) == .send(.presentations, first: 5))
        #expect(watcher.changed(.presentations, number: 6, isBacklogged: true) == .conflate)
        #expect(watcher.changed(.mode, number: 7, isBacklogged: true) == .conflate)
        #expect(watcher.drained(number: 9) == .send([.mode, .presentations], first: 6))
    }

    @Test("a watcher's memory does not grow, however slow it is")
    mutating func constantMemory() {
        for number in 5...100_000 { _ = watcher.changed(.mode, number: UInt64(number), isBacklogged: true) }
        #expect(MemoryLayout.size(ofValue: watcher) <= 16)
        #expect(watcher.drained(number: 100_000) == .send(.mode, first: 5))
    }
}

@Suite("A reader of the journal")
struct AuditStateMachineTests {
    @Test("a reader gets page after page, and ends after the last one unless it follows")
    func readsToTheEnd() {
        var reader = AuditStateMachine(after: 0, follows: false)
        #expect(reader.pageSent(through: 10, isComplete: false, durable: 20, isBacklogged: false) == .read(after: 10))
        #expect(reader.pageSent(through: 20, isComplete: true, durable: 20, isBacklogged: false) == .end)
    }

    @Test("between pages the journal waits for a slow reader")
    func pausesBetweenPages() {
        var reader = AuditStateMachine(after: 0, follows: true)
        #expect(reader.pageSent(through: 10, isComplete: false, durable: 20, isBacklogged: true) == .wait)
        #expect(reader.changed(number: 21, isBacklogged: true) == .leave)
        #expect(reader.drained() == .read(after: 10))
        #expect(reader.drained() == .wait)
    }

    @Test("entries that became durable while the last page was read are read as well")
    func readsOnToTheNewest() {
        var reader = AuditStateMachine(after: 0, follows: true)
        #expect(reader.changed(number: 11, isBacklogged: false) == .leave)
        #expect(reader.pageSent(through: 10, isComplete: true, durable: 11, isBacklogged: false) == .read(after: 10))
        #expect(reader.pageSent(through: 11, isComplete: true, durable: 11, isBacklogged: false) == .wait)
        #expect(reader.changed(number: 12, isBacklogged: false) == .send)
    }

    @Test("entries that were read from the store before their publication are not sent twice")
    func tellsOnce() {
        var reader = AuditStateMachine(after: 0, follows: true)
        #expect(reader.pageSent(through: 12, isComplete: true, durable: 11, isBacklogged: false) == .wait)
        #expect(reader.changed(number: 12, isBacklogged: false) == .leave)
        #expect(reader.changed(number: 13, isBacklogged: false) == .send)
    }

    @Test("a slow follower reads on from the store, and misses nothing")
    func fallsBehind() {
        var reader = AuditStateMachine(after: 0, follows: true)
        _ = reader.pageSent(through: 10, isComplete: true, durable: 10, isBacklogged: false)
        #expect(reader.changed(number: 11, isBacklogged: true) == .leave)
        #expect(reader.changed(number: 12, isBacklogged: false) == .leave)
        #expect(reader.drained() == .read(after: 10))
        #expect(reader.pageSent(through: 12, isComplete: true, durable: 12, isBacklogged: false) == .wait)
        #expect(reader.changed(number: 13, isBacklogged: false) == .send)
    }
}
