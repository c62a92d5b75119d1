/// A text that a store has signed, as it came: what each device of a household can check itself (H-05).
package struct StoreReceipt: Hashable, Sendable {
    /// The kinds of what Apple's App Store signs.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// JWSTransaction.
        case transaction
        /// JWSRenewalInfo.
        case renewal
        /// A server notification, version 2.
        case notification
    }

    /// The longest text that other devices get, in UTF-8.
    package static let maximumByteCount = 64 << 10

    /// Its kind.
    package var kind: Kind
    /// A JWS in compact form, or the JSON that a notification comes in.
    package var text: String

    /// Makes a receipt of these values.
    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Takes the bytes as they came; `nil`: they are not UTF-8, or too long for others.
    package init?(_ kind: Kind, bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        self.init(kind, text)
    }
}

/// A receipt that was submitted on this device, kept for the others.
package struct KeptReceipt: Hashable, Sendable {
    /// The parts of a claim, of each of which the newest word counts.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// The purchase.
        case purchase
        /// The renewal of a subscription.
        case renewal
    }

    /// Names it among those of this device, from 1: its topic at the broker.
    package var number: UInt64
    /// StoreKit's original transaction.
    package var claim: String
    /// The part of the claim that it says.
    package var part: Part
    /// When the store said so.
    package var saidAt: WallTime
    /// The text.
    package var receipt: StoreReceipt

    /// Makes a receipt of these values.
    package init(number: UInt64, claim: String, part: Part, saidAt: WallTime, receipt: StoreReceipt) {
        self.number = number
        self.claim = claim
        self.part = part
        self.saidAt = saidAt
        self.receipt = receipt
    }
}

/// A receipt on its way between devices, as its sender signs it.
package struct SharedReceipt: Hashable, Sendable {
    /// The household.
    package var household: HouseholdID
    /// The device where it was submitted.
    package var device: HouseholdID
    /// The holder there: the device, or the account of that name on each.
    package var holder: Claim.Holder
    /// The text. Each device checks it itself.
    package var receipt: StoreReceipt

    /// Makes a receipt of these values.
    package init(household: HouseholdID, device: HouseholdID, holder: Claim.Holder, receipt: StoreReceipt) {
        self.household = household
        self.device = device
        self.holder = holder
        self.receipt = receipt
    }
}

/// A receipt of this device on its way to the others.
package struct OutgoingReceipt: Hashable, Sendable {
    /// As `KeptReceipt.number`.
    package var number: UInt64
    /// A JWS in compact form; empty: this device shares nothing, and the broker is to forget it.
    package var signed: [UInt8]

    /// Makes a receipt of these values.
    package init(number: UInt64, signed: [UInt8]) {
        self.number = number
        self.signed = signed
    }
}

/// All receipts of this device that others are to have, at one moment.
package struct OutgoingReceipts: Hashable, Sendable {
    /// Counts changes.
    package var change: UInt64
    /// By number.
    package var receipts: [OutgoingReceipt]

    /// Makes a list of these values.
    package init(change: UInt64, receipts: [OutgoingReceipt]) {
        self.change = change
        self.receipts = receipts
    }
}
