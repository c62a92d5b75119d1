/// One thing that somebody did, or that came due, in the journal (G-05).
public struct AuditEntry: Hashable, Sendable {
    /// The kind of an entry. The names are those of `AuditKind` in watch.proto, and of the store's rows.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case started
        case challengeOpened
        case answeredRight
        case answeredWrong
        case dismissed
        case expired
        case cancelled
        case requesterLost
        case withdrawn
        case parentEntered
        case parentLeft
        case locked
        case extended
        case leaseExpired
        case overridden
        case lockedOut
        case storeDamaged
        case recovered
        case reloaded
        case claimed
        case shown
        case presenterLost
        case refused
        case granted
        case redeemed
        case revoked
        case grantExpired
        case lockoutCleared
        case secretSet
        case secretRemoved
        case signInOpened
        case paywallOpened
        case paid
        case signedIn
        case signInFailed
        case signedOut
        case sessionExpired
        case registered
        case passwordChanged
        case accountRemoved
        case entitlementClaimed
        case claimRevoked
        case entitlementChanged
        case providerChanged
        case formAsked
        case formOpened
        case formSaved
        case formCompleted
        case formDiscarded
        case responseWithdrawn
        case whatsNewOpened
        case whatsNewSeen
        case whatsNewReset
        case accountConfirmed
        case backedUp
        case restored
        /// One that a newer version wrote.
        case unrecognized
    }

    /// The peer that did it, as the kernel says.
    public struct Actor: Hashable, Sendable {
        public var uid: UInt32
        public var pid: Int32
        /// The owner who is billed for the entry's place in the journal. Only a store that writes it asks; who reads it
        /// finds the user.
        public var owner: Owner

        /// - Parameter owner: `nil`: the user itself.
        public init(uid: UInt32, pid: Int32, owner: Owner? = nil) {
            self.uid = uid
            self.pid = pid
            self.owner = owner ?? .user(uid)
        }
    }

    /// The number of the revision it belongs to.
    public var number: UInt64
    public var time: WallTime
    public var kind: Kind
    /// `nil` where the daemon did it by itself.
    public var actor: Actor?
    /// The owner of the request that it is about, where the daemon did it by itself: anyone who makes it do much has
    /// that on their bill, and Gate's entries stay.
    public var requester: Owner?
    /// The owner who is billed for the entry's place in the journal; `nil`: Gate itself.
    public var owner: Owner? { actor?.owner ?? requester }
    /// The mode after the transition.
    public var mode: Mode
    /// The detail that the kind does not say: a reason, a duration, a file. Holds no secret.
    public var detail: String

    public init(
        number: UInt64, time: WallTime, kind: Kind, actor: Actor?, requester: Owner? = nil, mode: Mode, detail: String
    ) {
        self.requester = requester
        self.number = number
        self.time = time
        self.kind = kind
        self.actor = actor
        self.mode = mode
        self.detail = detail
    }
}
