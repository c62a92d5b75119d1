import GateCore
import Testing

@testable import GateDaemon

@Suite("Calls that wait")
struct WaitingCallsTests {
    private var calls = WaitingCalls<String>()
    private let call = StreamKey(connection: 1, stream: 3)
    private let other = StreamKey(connection: 2, stream: 3)

    @Test("a call is answered once")
    mutating func once() {
        calls.began(WaitID(1), by: call, answer: "a")
        calls.began(WaitID(2), by: other, answer: "b")
        #expect(calls.settled(WaitID(2)) == "b")
        #expect(calls.settled(WaitID(2)) == nil)
        #expect(calls.callEnded(other) == nil)
        #expect(calls.settled(WaitID(1)) == "a")
        #expect(calls.count == 0)
    }

    @Test("a call that has ended is not answered, and its wait is returned to be ended")
    mutating func ended() {
        calls.began(WaitID(1), by: call, answer: "a")
        #expect(calls.callEnded(other) == nil)
        #expect(calls.callEnded(call) == WaitID(1))
        #expect(calls.callEnded(call) == nil)
        #expect(calls.settled(WaitID(1)) == nil)
    }

    @Test("a reused stream id is answered by its new wait alone")
    mutating func usedAgain() {
        calls.began(WaitID(1), by: call, answer: "a")
        _ = calls.settled(WaitID(1))
        calls.began(WaitID(2), by: call, answer: "b")
        #expect(calls.settled(WaitID(1)) == nil)
        #expect(calls.callEnded(call) == WaitID(2))
    }

    @Test("at the end all waiting calls are returned, in the order they began")
    mutating func takeAll() {
        for number in (1...20).reversed() {
            calls.began(
                WaitID(UInt64(number)), by: StreamKey(connection: 1, stream: UInt32(number)), answer: "\(number)")
        }
        #expect(calls.takeAll() == (1...20).map { "\($0)" })
        #expect(calls.takeAll().isEmpty)
    }
}
