import Testing

@testable import GateClient

@Suite("When to try again")
struct ReconnectStateMachineTests {
    @Test("the first attempt after a loss comes almost at once")
    func firstWaitIsShort() {
        var machine = ReconnectStateMachine()
        machine.caughtUp()
        #expect(machine.failed(jitter: 0) == .milliseconds(5))
    }

    @Test("each wait is twice as long as the one before, up to a second")
    func waitsGrow() {
        var machine = ReconnectStateMachine()
        var waits: [Duration] = []
        for _ in 0..<10 {
            if let wait = machine.failed(jitter: 1) { waits.append(wait) }
            machine.waited()
        }
        let milliseconds = [10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000]
        #expect(waits == milliseconds.map { .milliseconds($0) })
    }

    @Test("a thousand failures in a row do not overflow")
    func manyFailures() {
        var machine = ReconnectStateMachine()
        var last: Duration?
        for _ in 0..<1000 {
            last = machine.failed(jitter: 1)
            machine.waited()
        }
        #expect(last == .seconds(1))
    }

    @Test("chance spreads a wait over the upper half of its length", arguments: [0, 0.25, 0.5, 0.999])
    func jitterSpreads(jitter: Double) throws {
        var machine = ReconnectStateMachine()
        let failed = machine.failed(jitter: jitter)
        let wait = try #require(failed)
        #expect(wait >= .milliseconds(5) && wait <= .milliseconds(10))
    }

    @Test("chance from outside its range can't make a wait longer or negative", arguments: [-5.0, 7.0])
    func jitterIsClamped(jitter: Double) throws {
        var machine = ReconnectStateMachine()
        let failed = machine.failed(jitter: jitter)
        let wait = try #require(failed)
        #expect(wait >= .milliseconds(5) && wait <= .milliseconds(10))
    }

    @Test("after catching up the next failure counts as the first")
    func successResets() {
        var machine = ReconnectStateMachine()
        for _ in 0..<5 {
            _ = machine.failed(jitter: 1)
            machine.waited()
        }
        machine.caughtUp()
        #expect(machine.failed(jitter: 1) == .milliseconds(10))
    }

    @Test("a connection that is lost before catching up does not reset the wait")
    func acceptingIsNotSuccess() {
        var machine = ReconnectStateMachine()
        _ = machine.failed(jitter: 1)
        machine.waited()
        #expect(machine.failed(jitter: 1) == .milliseconds(20))
    }

    @Test("a second report of the same loss changes nothing")
    func lossDuringWait() {
        var machine = ReconnectStateMachine()
        _ = machine.failed(jitter: 1)
        let waiting = machine
        #expect(machine.failed(jitter: 1) == nil)
        #expect(machine == waiting)
    }

    @Test("late events change nothing")
    func lateEvents() {
        var attempting = ReconnectStateMachine()
        let before = attempting
        attempting.waited()
        #expect(attempting == before)

        var attached = ReconnectStateMachine()
        attached.caughtUp()
        let attachedBefore = attached
        attached.caughtUp()
        attached.waited()
        #expect(attached == attachedBefore)

        var waiting = ReconnectStateMachine()
        _ = waiting.failed(jitter: 0)
        let waitingBefore = waiting
        waiting.caughtUp()
        #expect(waiting == waitingBefore)
    }
}
