import GateModel
import GateProtocol

/// The call of the carrier that waits for other news than those of a change. There is one at a time: the newest.
///
/// Confined to the event loop.
struct CollectingCall<Response: WireMessage> {
    private var waiting: (call: Call<Response>, after: UInt64)?

    var isWaiting: Bool { waiting?.call.caller.isWaiting ?? false }

    mutating func waits(_ call: Call<Response>, after change: UInt64) {
        if let other = waiting?.call, other.caller.isWaiting { other.fail(GateError.collectedElsewhere) }
        waiting = (call, change)
    }

    /// The call, where it is to be answered with the news of this change. It waits no longer then.
    mutating func take(where change: UInt64) -> Call<Response>? {
        guard let (call, after) = waiting, call.caller.isWaiting, after != change else { return nil }
        waiting = nil
        return call
    }
}
