import GateModel
import Testing

@testable import GateDaemon

@Suite("The stream of a presenter")
struct PresenterStreamStateMachineTests {
    private var stream = PresenterStreamStateMachine<PresentationSummary?>()
    private let first = Self.summary(1)
    private let second = Self.summary(2)

    private static func summary(_ id: UInt64) -> PresentationSummary {
        PresentationSummary(
            id: id, purpose: .authorize, kind: .challenge(.confirm), deadline: BootTime(nanoseconds: 5), style: .sheet,
            isDismissible: true, stage: .offered, asked: PresentationContext(uid: 1, pid: 2, program: ""))
    }

    @Test("it is told at once that it is registered, even where there is nothing to show")
    mutating func registered() {
        #expect(stream.changed(first, isBacklogged: false) == .wait)
        #expect(stream.registered(nil) == .send(nil))
    }

    @Test("it is told each change, and nothing twice")
    mutating func changes() {
        _ = stream.registered(first)
        #expect(stream.changed(first, isBacklogged: false) == .wait)
        #expect(stream.changed(second, isBacklogged: false) == .send(second))
        #expect(stream.changed(nil, isBacklogged: false) == .send(nil))
        #expect(stream.changed(nil, isBacklogged: false) == .wait)
        #expect(stream.drained(nil) == .wait)
    }

    @Test("one that does not read gets the newest when it reads again")
    mutating func behind() {
        _ = stream.registered(nil)
        #expect(stream.changed(first, isBacklogged: true) == .wait)
        #expect(stream.changed(second, isBacklogged: false) == .wait)
        #expect(stream.drained(second) == .send(second))
        #expect(stream.drained(second) == .wait)
        #expect(stream.changed(nil, isBacklogged: false) == .send(nil))
    }

    @Test("what came and went while it did not read is not told")
    mutating func cameAndWent() {
        _ = stream.registered(nil)
        #expect(stream.changed(first, isBacklogged: true) == .wait)
        #expect(stream.drained(nil) == .wait)
        #expect(stream.changed(first, isBacklogged: false) == .send(first))
    }
}
