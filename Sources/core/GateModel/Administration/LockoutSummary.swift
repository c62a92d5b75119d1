/// The wrong answers of one owner at one gate (G-03).
public struct LockoutSummary: Hashable, Sendable {
    /// The people whose wrong answers count together (T-01).
    @nonexhaustive
    public enum Owner: Hashable, Sendable {
        /// The user with this uid, for itself and for the ranges of uids that belong to it.
        case user(UInt32)
        /// All uids together that no account of this device has, and no range.
        case withoutAccount
        /// All uids together that are in ranges of root's.
        case rangesOfRoot
        /// All together who never gave the right answer to a secret.
        case strangers
    }

    /// The one whose wrong answers these are.
    public var owner: Owner
    /// Where they were given; `nil`: at a gate that this version does not know.
    public var gate: Lockout.Gate?
    /// The number of wrong answers since the last right one.
    public var wrongAnswers: Int
    /// So many are taken, and then nothing is checked until an administrator clears them; `nil`: there is no such limit.
    public var limit: Int?
    /// How long the lock still lasts, in whole milliseconds; `nil`: not locked out.
    public var remaining: Duration?

    /// Makes a summary of these values.
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
    /// For people, after "of": "uid 1000".
    public var description: String {
        switch self {
        case .user(let uid): "uid \(uid)"
        case .withoutAccount: "uids without an account"
        case .rangesOfRoot: "ranges of root"
        case .strangers: "everybody who never gave it right"
        }
    }
}
