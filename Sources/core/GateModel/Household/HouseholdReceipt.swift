/// A text that a store signed, exactly as submitted, so that each device of a household can check the signature.
package struct StoreReceipt: Hashable, Sendable {
    /// The texts that Apple's App Store signs.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// A JWSTransaction.
        case transaction
        /// A JWSRenewalInfo.
        case renewal
        /// A server notification, version 2.
        case notification
    }

    /// The longest text that is shared with other devices, in bytes of UTF-8.
    package static let maximumByteCount = 64 << 10

    package var kind: Kind
    /// A JWS in compact form, or the JSON in which a notification arrives.
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// `nil` if the bytes are not UTF-8, or too long to be shared.
    package init?(_ kind: Kind, bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        self.init(kind, text)
    }
}

/// A receipt that was submitted on this device and is kept for the other devices.
package struct KeptReceipt: Hashable, Sendable {
    /// The parts of a claim. For each part only the newest receipt is kept.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case purchase
        case renewal
    }

    /// Numbers the receipts of this device, from 1. It is part of the topic at the broker.
    package var number: UInt64
    /// The id of StoreKit's original transaction.
    package var claim: String
    package var part: Part
    /// When the store said so.
    package var saidAt: WallTime
    package var receipt: StoreReceipt

    package init(number: UInt64, claim: String, part: Part, saidAt: WallTime, receipt: StoreReceipt) {
        self.number = number
        self.claim = claim
        self.part = part
        self.saidAt = saidAt
        self.receipt = receipt
    }
}

/// A receipt on its way between devices: the content that the sending device signs.
package struct SharedReceipt: Hashable, Sendable {
    package var household: HouseholdID
    /// The device where the receipt was submitted.
    package var device: HouseholdID
    /// Who holds the purchase there: everybody, or the account with this name, which each device looks up for itself.
    package var holder: Claim.Holder
    /// The store's text. Each receiving device checks it itself.
    package var receipt: StoreReceipt

    package init(household: HouseholdID, device: HouseholdID, holder: Claim.Holder, receipt: StoreReceipt) {
        self.household = household
        self.device = device
        self.holder = holder
        self.receipt = receipt
    }
}

/// A receipt of this device on its way to the other devices.
package struct OutgoingReceipt: Hashable, Sendable {
    package var number: UInt64
    /// A JWS in compact form; empty if this device shares nothing any more, so that the broker drops the receipt.
    package var signed: [UInt8]

    package init(number: UInt64, signed: [UInt8]) {
        self.number = number
        self.signed = signed
    }
}

/// All receipts of this device that other devices should have, at one moment.
package struct OutgoingReceipts: Hashable, Sendable {
    /// Counts the changes of this list.
    package var change: UInt64
    /// In the order of their numbers.
    package var receipts: [OutgoingReceipt]

    package init(change: UInt64, receipts: [OutgoingReceipt]) {
        self.change = change
        self.receipts = receipts
    }
}
