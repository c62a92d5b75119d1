import FoundationEssentials
package import GateModel

extension SharedReceipt {
    /// Reads a payload, and checks no signature. `SignedText.verify` checks that the payload's device sent it. What was
    /// bought is proved by the store's own signature, which is in the receipt.
    /// - Throws: `malformed`.
    package init(payload: [UInt8]) throws(GuardianError) {
        let json = try Payload.decode(ReceiptPayload.self, from: payload, as: "The receipt")
        guard json.version == 1, let household = HouseholdID(json.household), let device = HouseholdID(json.device),
            let kind = StoreReceipt.Kind(rawValue: json.kind),
            json.receipt.utf8.count <= StoreReceipt.maximumByteCount,
            json.account?.isNameLine(atMost: GatePerson.maximumNameByteCount) ?? true
        else { throw .malformed("The receipt") }
        self.init(
            household: household, device: device, holder: json.account.map { .account($0) } ?? .device,
            receipt: StoreReceipt(kind, json.receipt))
    }

    package var payload: [UInt8] {
        let account: String? =
            switch holder {
            case .account(let name): name
            case .device: nil
            }
        return SortedJSON.bytes(
            of: ReceiptPayload(
                version: 1, household: household.description, device: device.description, account: account,
                kind: receipt.kind.rawValue, receipt: receipt.text))
    }
}

private struct ReceiptPayload: Codable {
    var version: Int
    var household: String
    var device: String
    /// Absent if the whole device holds the purchase.
    var account: String?
    var kind: String
    var receipt: String
}
