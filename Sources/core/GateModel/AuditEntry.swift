/// One entry of the journal: something that a process did, or that the daemon did by itself.
public struct AuditEntry: Hashable, Sendable {
    /// What happened. The names are those of `AuditKind` in watch.proto and of the rows in the store.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The daemon started.
        case started
        /// A question was asked.
        case challengeOpened
        /// The question was answered correctly.
        case answeredRight
        /// The question was answered wrongly.
        case answeredWrong
        /// A person closed a presentation without an answer.
        case dismissed
        /// Nobody answered in time.
        case expired
        /// A request or an ask was cancelled by its requester, or by an administrator.
        case cancelled
        /// The requester's connection ended, for example because the program died.
        case requesterLost
        /// A presentation or an ask was withdrawn, for example because the mode or the policy changed, or an
        /// administrator closed it.
        case withdrawn
        /// Parent mode began.
        case parentEntered
        /// Somebody left parent mode.
        case parentLeft
        /// The device was locked: parent mode ended at once, or a question for it was closed.
        case locked
        /// Parent mode was extended.
        case extended
        /// Parent mode ended because its lease ran out.
        case leaseExpired
        /// An administrator or a guardian set the mode.
        case overridden
        /// Somebody was locked out after too many wrong answers, or after leaving too many questions unanswered.
        case lockedOut
        /// The store was damaged, and was set aside.
        case storeDamaged
        /// An administrator let Gate start anew after a damaged store.
        case recovered
        /// The configuration was read again.
        case reloaded
        /// A presenter claimed a presentation.
        case claimed
        /// A presenter said that a person can see the presentation.
        case shown
        /// A presenter lost a presentation that it had: it died, left, or kept the sign-in cover for too long.
        case presenterLost
        /// A grown-up said no.
        case refused
        /// A grant was given.
        case granted
        /// A grant was redeemed.
        case redeemed
        /// A kept grant was ended before its time.
        case revoked
        /// A kept grant expired, so that the user is asked again.
        case grantExpired
        /// An administrator cleared wrong answers.
        case lockoutCleared
        /// A secret was set up.
        case secretSet
        /// A secret was removed.
        case secretRemoved
        /// A sign-in was opened, to be shown to a person.
        case signInOpened
        /// A paywall was opened, to be shown to a person.
        case paywallOpened
        /// The paywall was closed because the entitlement was paid for.
        case paid
        /// Somebody signed in.
        case signedIn
        /// A sign-in failed.
        case signInFailed
        /// A session was ended before its time: somebody signed out, or was signed out.
        case signedOut
        /// A session expired.
        case sessionExpired
        /// An account was registered.
        case registered
        /// A password was changed.
        case passwordChanged
        /// A person was removed from the list.
        case accountRemoved
        /// A claim was made or changed, by a provider or an administrator.
        case entitlementClaimed
        /// An administrator revoked a claim.
        case claimRevoked
        /// The status of an entitlement changed.
        case entitlementChanged
        /// A provider can be reached again, or can no longer be reached, or has other offers.
        case providerChanged
        /// An app asked for a form.
        case formAsked
        /// A draft was opened.
        case formOpened
        /// The answers of a draft were saved as a response that is not completed.
        case formSaved
        /// A form was completed.
        case formCompleted
        /// A draft was discarded.
        case formDiscarded
        /// A response was withdrawn or deleted.
        case responseWithdrawn
        /// What is new in an app was opened, to be shown to a person.
        case whatsNewOpened
        /// Somebody has seen what is new.
        case whatsNewSeen
        /// What is new counts as unseen again.
        case whatsNewReset
        /// An administrator confirmed a person, and gave them a new password.
        case accountConfirmed
        /// A backup was made.
        case backedUp
        /// A backup was restored.
        case restored
        /// The household's list of devices and guardians was replaced.
        case householdListed
        /// A guardian's command or answer was sent to other devices.
        case commandSent
        /// A person came onto the list, or something about them was changed.
        case personSet
        /// Somebody changed what stands before a gated action.
        case gateChanged
        /// Somebody has stopped using something whose time is counted.
        case used
        /// Age ranges were turned on or off, or the ages that bound them were changed.
        case ageSettingsChanged
        /// Somebody has chosen whether an app gets a person's age range.
        case ageChosen
        /// A kind that a newer version of Gate wrote.
        case unrecognized
    }

    /// The process that did it, as the kernel attests it.
    public struct Actor: Hashable, Sendable {
        /// The user of the process.
        public var uid: UInt32
        /// The process id.
        public var pid: Int32
        /// The broker that asked on behalf of this process; `nil` if the process asked itself.
        public var broker: Broker?
        /// The guardian of the household whose signed command the process delivered; `nil` if it acted for itself.
        public var guardian: GuardianName?
        /// The owner who is billed for the entry's place in the journal. It matters only while the entry is written:
        /// entries read from the store have the user here.
        package var owner: Owner

        /// - Parameter owner: `nil`: the user is billed.
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

    /// The number of the revision that this entry belongs to. One revision can have several entries.
    public var number: UInt64
    /// When it happened, by the wall clock.
    public var time: WallTime
    /// What happened.
    public var kind: Kind
    /// The process that did it; `nil` if the daemon did it by itself.
    public var actor: Actor?
    /// The owner of the request that the entry is about, if the daemon did it by itself. That owner is billed, so that
    /// nobody can push Gate's own entries out of the journal by making the daemon write many.
    package var requester: Owner?
    /// The owner who is billed for the entry's place in the journal; `nil` if that is Gate itself.
    package var owner: Owner? { actor?.owner ?? requester }
    /// The mode after the transition.
    public var mode: Mode
    /// What the kind does not say: a reason, a duration, a file. Never contains a secret. May be empty.
    public var detail: String

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
