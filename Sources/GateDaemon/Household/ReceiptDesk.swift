import GateCore
import GateGuardians
import GateModel

/// The receipts of this device that others are to have, as they are carried. Each is signed once.
struct ReceiptDesk {
    /// What the others are to have follows from it.
    private struct Basis: Equatable {
        var receipts: [UInt64: KeptReceipt] = [:]
        var claims: [Claim.ID: Claim] = [:]
        var settings: HouseholdSettings?
        var isClosed = false

        init() {}

        init(_ state: GateState) {
            (receipts, claims) = (state.records.receipts, state.records.claims)
            (settings, isClosed) = (state.configuration.household, state.setAside != nil)
        }
    }

    private struct Signed {
        let receipt: SharedReceipt
        let key: DeviceKey
        let signed: [UInt8]
    }

    /// Counts changes of what is shared.
    private(set) var change: UInt64 = 1
    private var basis = Basis()
    private var signed: [UInt64: Signed] = [:]

    /// - Returns: whether something else may be shared than before.
    mutating func stateChanged(to state: GateState) -> Bool {
        let now = Basis(state)
        guard now != basis else { return false }
        basis = now
        change += 1
        return true
    }

    /// All that are shared.
    mutating func outgoing(by state: GateState) -> OutgoingReceipts {
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
