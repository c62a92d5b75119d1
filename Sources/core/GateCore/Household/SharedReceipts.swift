package import GateModel

/// How a provider's statement reached this device.
package enum StatementSource: Hashable, Sendable {
    /// A program on this device submitted it, with the text that the store signed. `nil`: other devices can't check the
    /// text, or get it from the provider themselves.
    case provider(StoreReceipt?)
    /// Another device of the household shared it. `verifiedBy` is the public key that verified that device's signature.
    case device(HouseholdID, verifiedBy: [UInt8])

    var isShared: Bool {
        switch self {
        case .provider: false
        case .device: true
        }
    }
}

/// A purchase on one device counts on all of the household's devices, each of which checks the store's signature
/// itself. A device keeps the newest text of each claim for the others if the text was submitted on it.
extension GateState {
    /// - Throws: an error if this device does not share receipts, or the member is unknown or revoked.
    package func sharingMember(
        _ device: HouseholdID, verifiedBy key: [UInt8]
    ) throws(GateError) -> HouseholdMember {
        guard try household().sharesReceipts else { throw .receiptsNotShared }
        guard let member = householdList?.member(device), member.publicKey == key else {
            throw .badGuardian(.device, "The device that shares this is not on the household's list.")
        }
        guard !member.isRevoked else { throw .badGuardian(.revoked, "The device that shares this is revoked.") }
        return member
    }

    /// The receipts for the other devices, by number. `nil`: the others should forget what they got under this number.
    package var receiptsToShare: [UInt64: SharedReceipt?] {
        guard let settings = configuration.household else { return [:] }
        return records.receipts.mapValues { kept in
            guard settings.sharesReceipts, quarantinedFile == nil,
                let claim = records.claims[Claim.ID(.storeKit, kept.claim)], !isSaidByAnother(kept)
            else { return nil }
            return SharedReceipt(
                household: settings.household, device: settings.device, holder: claim.holder, receipt: kept.receipt)
        }
    }

    /// Whether the text is already shared as the claim's other part: one notification can contain both.
    private func isSaidByAnother(_ kept: KeptReceipt) -> Bool {
        kept.part == .renewal
            && records.receipts.values.contains {
                $0.part == .purchase && $0.claim == kept.claim && $0.receipt == kept.receipt
            }
    }

    /// Keeps the text for other devices if it says something new about the claim, and drops the earlier one.
    mutating func keepReceipt(
        of claim: Claim, _ before: Claim?, from source: StatementSource, _ draft: inout TransitionDraft
    ) {
        guard claim.id.provider == .storeKit else { return }
        if claim.purchase != before?.purchase {
            keepReceipt(of: claim, .purchase, claim.purchase.saidAt, from: source, &draft)
        }
        if let renewal = claim.renewal, renewal != before?.renewal {
            keepReceipt(of: claim, .renewal, renewal.saidAt, from: source, &draft)
        }
    }

    private mutating func keepReceipt(
        of claim: Claim, _ part: KeptReceipt.Part, _ saidAt: WallTime, from source: StatementSource,
        _ draft: inout TransitionDraft
    ) {
        let outdated = records.receipts.values.first { $0.claim == claim.id.name && $0.part == part }
        switch source {
        case .provider(let receipt?):
            let number = outdated?.number ?? (records.receipts.keys.max() ?? 0) + 1
            record(
                .receiptSet(
                    KeptReceipt(number: number, claim: claim.id.name, part: part, saidAt: saidAt, receipt: receipt)),
                &draft)
            makeRoomForReceipts(&draft)
        // The device from which the text came shares it with all.
        case .device, .provider(nil):
            if let outdated { record(.receiptRemoved(outdated.number), &draft) }
        }
    }

    private mutating func makeRoomForReceipts(_ draft: inout TransitionDraft) {
        let oldestFirst = records.receipts.values.sorted { ($0.saidAt, $0.number) < ($1.saidAt, $1.number) }
        var (count, bytes) = (oldestFirst.count, oldestFirst.reduce(0) { $0 + $1.receipt.text.utf8.count })
        for oldest in oldestFirst {
            guard count > Limits.sharedReceipts || bytes > Limits.sharedReceiptsByteCount else { return }
            record(.receiptRemoved(oldest.number), &draft)
            (count, bytes) = (count - 1, bytes - oldest.receipt.text.utf8.count)
        }
    }
}

extension GateError {
    package static let receiptsNotShared = GateError(
        .failedPrecondition, .notSetUp,
        "This device does not count what was bought on other devices. An administrator can change that: `receipts: true` in household.yaml.",
        parameters: ["what": "household-receipts"])
}
