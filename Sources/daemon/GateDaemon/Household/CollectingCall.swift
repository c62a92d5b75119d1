import GateModel
import GateProtocol

/// The call with which the carrier waits for news. Only one waits at a time: a newer one makes the older one fail.
/// Confined to the event loop.
struct CollectingCall<Response: WireMessage> {
    private var waiting: (call: Call<Response>, after: UInt64)?

    var isWaiting: Bool { waiting?.call.caller.isWaiting ?? false }

    mutating func waits(_ call: Call<Response>, after change: UInt64) {
        if let other = waiting?.call, other.caller.isWaiting { other.fail(GateError.collectedElsewhere) }
        waiting = (call, change)
    }

    /// Removes and returns the call if it does not know this change yet; `nil` if it does, or if no call waits.
    mutating func take(where change: UInt64) -> Call<Response>? {
        guard let (call, after) = waiting, call.caller.isWaiting, after != change else { return nil }
        waiting = nil
        return call
    }
}
