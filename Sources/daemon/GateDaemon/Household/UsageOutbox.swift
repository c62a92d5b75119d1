import GateCore
import GateGuardians
import GateModel
import GateProtocol

/// Hands this device's report about used time to the carrier, which publishes it for the other devices; the broker
/// retains it. Signing the same report again gives the same bytes.
struct UsageOutbox {
    private var collecting = CollectingCall<CollectUsageResponse>()
    /// Grows when the report may have changed.
    private var change: UInt64 = 1

    var isCollected: Bool { collecting.isWaiting }

    mutating func collect(_ call: Call<CollectUsageResponse>, after change: UInt64, by state: GateState) {
        collecting.waits(call, after: change)
        handOut(by: state)
    }

    mutating func stateChanged(to state: GateState) {
        change += 1
        handOut(by: state)
    }

    private mutating func handOut(by state: GateState) {
        guard let call = collecting.take(where: change) else { return }
        let key = state.records.household.deviceKey.flatMap { SigningKey($0.secret) }
        let signed = key.flatMap { key in
            state.usageToShare.map { SignedText.sign($0.payload, as: .usage, with: key) }
        }
        call.answer(CollectUsageResponse(usage: OutgoingUsage(change: change, signed: signed ?? [])))
    }
}
