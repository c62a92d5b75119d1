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

    @Test("a new presenter is sent a message at once, even if there is nothing to show")
    mutating func registered() {
        #expect(stream.changed(first, isBacklogged: false) == .wait)
        #expect(stream.registered(nil) == .send(nil))
    }

    @Test("a presenter is sent each change once")
    mutating func changes() {
        _ = stream.registered(first)
        #expect(stream.changed(first, isBacklogged: false) == .wait)
        #expect(stream.changed(second, isBacklogged: false) == .send(second))
        #expect(stream.changed(nil, isBacklogged: false) == .send(nil))
        #expect(stream.changed(nil, isBacklogged: false) == .wait)
        #expect(stream.drained(nil) == .wait)
    }

    @Test("a presenter that was slow gets the newest state when it reads again")
    mutating func behind() {
        _ = stream.registered(nil)
        #expect(stream.changed(first, isBacklogged: true) == .wait)
        #expect(stream.changed(second, isBacklogged: false) == .wait)
        #expect(stream.drained(second) == .send(second))
        #expect(stream.drained(second) == .wait)
        #expect(stream.changed(nil, isBacklogged: false) == .send(nil))
    }

    @Test("a presentation that came and went while the presenter was slow is not sent")
    mutating func cameAndWent() {
        _ = stream.registered(nil)
        #expect(stream.changed(first, isBacklogged: true) == .wait)
        #expect(stream.drained(nil) == .wait)
        #expect(stream.changed(first, isBacklogged: false) == .send(first))
    }
}
