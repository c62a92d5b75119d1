import GateCore
import GateGuardians
import GateModel
import GateProtocol

/// The receipts that this device shares with the others, for the carrier. Each is signed once.
struct ReceiptOutbox {
    /// Everything that decides which receipts are shared, and how they are signed.
    private struct Basis: Equatable {
        var receipts: [UInt64: KeptReceipt] = [:]
        var claims: [Claim.ID: Claim] = [:]
        var settings: HouseholdSettings?
        var isClosed = false

        init() {}

        init(_ state: GateState) {
            (receipts, claims) = (state.records.receipts, state.records.claims)
            (settings, isClosed) = (state.configuration.household, state.quarantinedFile != nil)
        }
    }

    private struct Signed {
        let receipt: SharedReceipt
        let key: DeviceKey
        let signed: [UInt8]
    }

    private var collecting = CollectingCall<CollectReceiptsResponse>()
    /// Grows when what is shared changes.
    private var change: UInt64 = 1
    private var basis = Basis()
    private var signed: [UInt64: Signed] = [:]

    var isCollected: Bool { collecting.isWaiting }

    mutating func collect(_ call: Call<CollectReceiptsResponse>, after change: UInt64, by state: GateState) {
        collecting.waits(call, after: change)
        handOut(by: state)
    }

    mutating func stateChanged(to state: GateState) {
        let now = Basis(state)
        guard now != basis else { return }
        basis = now
        change += 1
        handOut(by: state)
    }

    private mutating func handOut(by state: GateState) {
        guard let call = collecting.take(where: change) else { return }
        call.answer(CollectReceiptsResponse(receipts: outgoing(by: state)))
    }

    private mutating func outgoing(by state: GateState) -> OutgoingReceipts {
        let shared = state.receiptsToShare
        signed = signed.filter { shared[$0.key] != nil }
        return OutgoingReceipts(
            change: change,
            receipts: shared.sorted { $0.key < $1.key }.map { number, receipt in
                OutgoingReceipt(number: number, signed: receipt.flatMap { sign($0, number, by: state) } ?? [])
            })
    }

    private mutating func sign(_ receipt: SharedReceipt, _ number: UInt64, by state: GateState) -> [UInt8]? {
        guard let key = state.records.household.deviceKey, let signingKey = SigningKey(key.secret) else { return nil }
        if let known = signed[number], known.receipt == receipt, known.key == key { return known.signed }
        let new = SignedText.sign(receipt.payload, as: .receipt, with: signingKey)
        signed[number] = Signed(receipt: receipt, key: key, signed: new)
        return new
    }
}
