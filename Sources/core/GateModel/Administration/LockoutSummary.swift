/// The wrong answers that were counted for one owner at one gate.
public struct LockoutSummary: Hashable, Sendable {
    /// Whose wrong answers count together. One person may have many uids, so counting by uid would not stop guessing.
    @nonexhaustive
    public enum Owner: Hashable, Sendable {
        /// The user with this uid, including the subordinate uids (`/etc/subuid`) that belong to it.
        case user(UInt32)
        /// All uids that have neither an account on this device nor a place in a range of subordinate uids.
        case withoutAccount
        /// All uids in subordinate ranges that belong to root.
        case rangesOfRoot
        /// Everybody who never gave the right answer to a secret of the device.
        case strangers
    }

    /// Whose wrong answers these are.
    public var owner: Owner
    /// The gate at which they were given; `nil` if this version does not know the gate.
    public var gate: Lockout.Gate?
    /// The number of wrong answers since the last right one.
    public var wrongAnswers: Int
    /// After this many wrong answers nothing more is checked until an administrator clears them; `nil`: no limit.
    public var limit: Int?
    /// How much longer the owner is locked out, in whole milliseconds; `nil` if it is not locked out.
    public var remaining: Duration?

    package init(owner: Owner, gate: Lockout.Gate?, wrongAnswers: Int, limit: Int?, remaining: Duration?) {
        self.owner = owner
        self.gate = gate
        self.wrongAnswers = wrongAnswers
        self.limit = limit
        self.remaining = remaining
    }
}

extension LockoutSummary.Owner {
    package init(_ owner: Owner) {
        self =
            switch owner {
            case .withoutAccount: .withoutAccount
            case .rangesOfRoot: .rangesOfRoot
            case .strangers: .strangers
            default: .user(owner.number)
            }
    }
}

extension LockoutSummary.Owner: CustomStringConvertible {
    /// English words for people, to follow "of": "uid 1000".
    public var description: String {
        switch self {
        case .user(let uid): "uid \(uid)"
        case .withoutAccount: "uids without an account"
        case .rangesOfRoot: "ranges of root"
        case .strangers: "everybody who never gave it right"
        }
    }
}
