import GateCore

/// The calls whose answer waits for a person. Each is answered once, by `Effect.settle`, or ends before that.
struct WaitingCalls<Answer> {
    private struct Waiting {
        let call: StreamKey
        let answer: Answer
    }

    private var waiting: [WaitID: Waiting] = [:]
    private var waits: [StreamKey: WaitID] = [:]

    var count: Int { waiting.count }

    /// The reply to this call was `waiting`, and that is durable.
    mutating func began(_ wait: WaitID, by call: StreamKey, answer: Answer) {
        waiting[wait] = Waiting(call: call, answer: answer)
        waits[call] = wait
    }

    /// Removes a call and returns its answer; `nil` if the call has ended before.
    mutating func settled(_ wait: WaitID) -> Answer? {
        guard let settled = waiting.removeValue(forKey: wait) else { return nil }
        waits[settled.call] = nil
        return settled.answer
    }

    /// Removes a call that has ended before its answer. Returns what it waited for; `nil` if it was not waiting.
    mutating func callEnded(_ call: StreamKey) -> WaitID? {
        guard let wait = waits.removeValue(forKey: call) else { return nil }
        waiting[wait] = nil
        return wait
    }

    /// The call that waits for `wait`; `nil` if none does.
    func call(waitingFor wait: WaitID) -> StreamKey? { waiting[wait]?.call }

    /// Removes all calls and returns their answers, in the order in which the calls began to wait.
    mutating func takeAll() -> [Answer] {
        defer { self = WaitingCalls() }
        return waiting.sorted { $0.key.number < $1.key.number }.map(\.value.answer)
    }
}
