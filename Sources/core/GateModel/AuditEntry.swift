/// One thing that somebody did, or that came due, in the journal (G-05).
public struct AuditEntry: Hashable, Sendable {
    /// The kind of an entry. The names are those of `AuditKind` in watch.proto, and of the store's rows.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The daemon started.
        case started
        /// A question was asked.
        case challengeOpened
        /// It was answered rightly.
        case answeredRight
        /// It was answered wrongly.
        case answeredWrong
        /// A person closed something without an answer.
        case dismissed
        /// Nobody answered in time.
        case expired
        /// The requester took its request back.
        case cancelled
        /// The requester died.
        case requesterLost
        /// A presentation was withdrawn.
        case withdrawn
        /// Parent mode began.
        case parentEntered
        /// Parent mode was left.
        case parentLeft
        /// The device was locked.
        case locked
        /// Parent mode was extended.
        case extended
        /// Parent mode ended by itself.
        case leaseExpired
        /// An administrator set the mode.
        case overridden
        /// There were too many wrong answers.
        case lockedOut
        /// A damaged store was set aside.
        case storeDamaged
        /// An administrator opened Gate again after that.
        case recovered
        /// The configuration was read again.
        case reloaded
        /// A presenter took a presentation.
        case claimed
        /// It was shown.
        case shown
        /// A presenter died.
        case presenterLost
        /// A grown-up said no.
        case refused
        /// A grant was given.
        case granted
        /// A grant was taken.
        case redeemed
        /// Kept grants were ended.
        case revoked
        /// A grant ended unused.
        case grantExpired
        /// Wrong answers were forgotten.
        case lockoutCleared
        /// A secret was set up.
        case secretSet
        /// A secret was removed.
        case secretRemoved
        /// A sign-in was shown.
        case signInOpened
        /// A paywall was shown.
        case paywallOpened
        /// It was paid for.
        case paid
        /// Somebody signed in.
        case signedIn
        /// Somebody tried, and did not get in.
        case signInFailed
        /// Somebody signed out.
        case signedOut
        /// A session ended by itself.
        case sessionExpired
        /// An account was made.
        case registered
        /// A password was changed.
        case passwordChanged
        /// An account was removed.
        case accountRemoved
        /// A provider made a claim.
        case entitlementClaimed
        /// An administrator revoked a claim.
        case claimRevoked
        /// An entitlement began or ended.
        case entitlementChanged
        /// A provider can be reached again, or no longer.
        case providerChanged
        /// A form was asked for.
        case formAsked
        /// A draft was opened.
        case formOpened
        /// A draft was saved.
        case formSaved
        /// A form was completed.
        case formCompleted
        /// A draft was discarded.
        case formDiscarded
        /// A response was withdrawn.
        case responseWithdrawn
        /// News of an app were shown.
        case whatsNewOpened
        /// Somebody has seen them.
        case whatsNewSeen
        /// They count as not seen again.
        case whatsNewReset
        /// An administrator confirmed an account.
        case accountConfirmed
        /// A backup was made.
        case backedUp
        /// A backup was restored.
        case restored
        /// The household has a new list of devices and guardians.
        case householdListed
        /// A guardian's command went to other devices.
        case commandSent
        /// One that a newer version wrote.
        case unrecognized
    }

    /// The peer that did it, as the kernel says.
    public struct Actor: Hashable, Sendable {
        /// Its user.
        public var uid: UInt32
        /// Its process id.
        public var pid: Int32
        /// The broker that asked for it; `nil`: it asked itself.
        public var broker: Broker?
        /// The guardian of the household whose signed command it brought; `nil`: it acted for itself.
        public var guardian: GuardianName?
        /// The owner who is billed for the entry's place in the journal. Only a store that writes it asks; who reads it
        /// finds the user.
        package var owner: Owner

        /// Makes an actor of these values; without an owner, the user is billed.
        package init(
            uid: UInt32, pid: Int32, broker: Broker? = nil, guardian: GuardianName? = nil, owner: Owner? = nil
        ) {
            self.uid = uid
            self.pid = pid
            self.broker = broker
            self.guardian = guardian
            self.owner = owner ?? .user(uid)
        }
    }

    /// The number of the revision it belongs to.
    public var number: UInt64
    /// When it happened, on the clock on the wall.
    public var time: WallTime
    /// The kind of thing that happened.
    public var kind: Kind
    /// `nil` where the daemon did it by itself.
    public var actor: Actor?
    /// The owner of the request that it is about, where the daemon did it by itself: anyone who makes it do much has
    /// that on their bill, and Gate's entries stay.
    package var requester: Owner?
    /// The owner who is billed for the entry's place in the journal; `nil`: Gate itself.
    package var owner: Owner? { actor?.owner ?? requester }
    /// The mode after the transition.
    public var mode: Mode
    /// The detail that the kind does not say: a reason, a duration, a file. Holds no secret.
    public var detail: String

    /// Makes an entry of these values.
    package init(
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
