public import GateModel

/// The part of the core's state that survives a restart of the daemon. Parent mode and open challenges are not in it:
/// after a start the mode is child.
public struct DurableRecords: Hashable, Sendable {
    /// The newest committed revision.
    public var revision: Revision
    /// Wrong answers and lockouts. No entry: no wrong answer since the last right one.
    package var lockouts: [Lockout.Key: Lockout]
    /// The file to which the damaged store was moved; `nil` unless Gate is closed because of damage.
    public var quarantinedFile: String?
    /// The id of the next presentation. The first is 1.
    public var nextPresentation: UInt64
    /// Grants that still hold for a while, so that the user is not asked again.
    package var keptGrants: KeptGrants
    /// A crypt(3) hash; `nil`: no passcode is set up.
    public var passcodeHash: String?
    /// `nil`: no authenticator is set up.
    public var totp: TOTPEnrolment?
    public var accounts: [String: AccountRecord]
    public var claims: [Claim.ID: Claim]
    /// The number that names the next claim made by hand. The first is 1.
    public var nextManualClaim: UInt64
    /// For each RevenueCat user, the time of RevenueCat's newest statement about them.
    public var customers: [String: WallTime]
    /// The App Store's notifications that were processed: for each id, the notification's place in the order of
    /// arrival, from 1.
    public var notifications: [String: UInt64]
    /// The newest texts of StoreKit claims that were submitted on this device, by number, to be sent to the household's
    /// other devices.
    package var receipts: [UInt64: KeptReceipt]
    /// The forms that are being filled in.
    public var drafts: [FormDraftKey: FormDraftRecord]
    /// The newest revision of any draft. Each revision is used once, even if a draft is thrown away and begun again.
    public var lastDraftRevision: UInt64
    /// The id of the next draft that is begun beside another one of the same form, from 1. Other drafts have the id 0.
    public var nextDraft: UInt64
    /// The answers of the drafts.
    public var draftRows: [FormDraftKey: [FormPath: FormRow]]
    public var responses: [UInt64: ResponseRecord]
    /// The id of the next response. The first is 1.
    public var nextResponse: UInt64
    /// Answers that were kept for use in other forms.
    public var parts: [UInt64: PartRecord]
    /// The id of the next part. The first is 1.
    public var nextPart: UInt64
    /// The forms that apps brought, by their names (`AppsOwnName`). A form is kept as long as a draft of it exists.
    public var appForms: [String: FormDescription]
    /// The size in bytes of each attachment. Only the store has the bytes themselves.
    public var attachments: [AttachmentDigest: Int]
    /// For each person and app, the versions whose release notes the person has seen.
    public var whatsNewSeen: [WhatsNewKey: Set<AppVersion>]
    /// The household's list and policy, and this device's key.
    public var household: HouseholdRecord

    package init(
        revision: Revision, lockouts: [Lockout.Key: Lockout] = [:], quarantinedFile: String? = nil,
        nextPresentation: UInt64 = 1, keptGrants: [KeptGrant.Key: KeptGrant] = [:], passcodeHash: String? = nil,
        totp: TOTPEnrolment? = nil, accounts: [String: AccountRecord] = [:], claims: [Claim.ID: Claim] = [:],
        nextManualClaim: UInt64 = 1, customers: [String: WallTime] = [:], notifications: [String: UInt64] = [:],
        receipts: [UInt64: KeptReceipt] = [:], drafts: [FormDraftKey: FormDraftRecord] = [:],
        lastDraftRevision: UInt64 = 0,
        nextDraft: UInt64 = 1,
        draftRows: [FormDraftKey: [FormPath: FormRow]] = [:],
        responses: [UInt64: ResponseRecord] = [:], nextResponse: UInt64 = 1, parts: [UInt64: PartRecord] = [:],
        nextPart: UInt64 = 1, appForms: [String: FormDescription] = [:],
        attachments: [AttachmentDigest: Int] = [:],
        whatsNewSeen: [WhatsNewKey: Set<AppVersion>] = [:], household: HouseholdRecord = HouseholdRecord()
    ) {
        self.revision = revision
        self.lockouts = lockouts
        self.quarantinedFile = quarantinedFile
        self.nextPresentation = nextPresentation
        self.keptGrants = KeptGrants(keptGrants)
        self.passcodeHash = passcodeHash
        self.totp = totp
        self.accounts = accounts
        self.claims = claims
        self.nextManualClaim = nextManualClaim
        self.customers = customers
        self.notifications = notifications
        self.receipts = receipts
        self.drafts = drafts
        self.lastDraftRevision = lastDraftRevision
        self.nextDraft = nextDraft
        self.draftRows = draftRows
        self.responses = responses
        self.nextResponse = nextResponse
        self.parts = parts
        self.nextPart = nextPart
        self.appForms = appForms
        self.attachments = attachments
        self.whatsNewSeen = whatsNewSeen
        self.household = household
    }

    /// Applies all changes of a transition. A store in memory needs nothing else.
    public mutating func apply(_ transition: Transition) {
        revision = transition.revision
        for change in transition.records {
            apply(change)
        }
    }

    /// Applies one change.
    package mutating func apply(_ change: RecordChange) {
        switch change {
        case .lockoutSet(let key, let lockout): lockouts[key] = lockout
        case .lockoutRemoved(let key): lockouts[key] = nil
        case .damageSet(let file): quarantinedFile = file
        case .nextPresentationSet(let id): nextPresentation = id
        case .keptGrantSet(let key, let grant): keptGrants[key] = grant
        case .keptGrantRemoved(let key): keptGrants[key] = nil
        case .passcodeSet(let hash): passcodeHash = hash
        case .totpSet(let enrolment): totp = enrolment
        case .accountSet(let account, let hash):
            accounts[account.name] = AccountRecord(account: account, passwordHash: hash)
        case .accountRemoved(let name): accounts[name] = nil
        case .claimSet(let claim): claims[claim.id] = claim
        case .claimRemoved(let id): claims[id] = nil
        case .nextManualClaimSet(let number): nextManualClaim = number
        case .customerHeard(let user, let time): customers[user] = time
        case .customerForgotten(let user): customers[user] = nil
        case .notificationTaken(let id, let order): notifications[id] = order
        case .notificationForgotten(let id): notifications[id] = nil
        case .receiptSet(let receipt): receipts[receipt.number] = receipt
        case .receiptRemoved(let number): receipts[number] = nil
        case .draftSet(let key, let draft):
            drafts[key] = draft
            lastDraftRevision = max(lastDraftRevision, draft.revision)
            nextDraft = max(nextDraft, key.id &+ 1)
        case .draftRemoved(let key):
            drafts[key] = nil
            draftRows[key] = nil
        case .draftRowSet(let key, let path, let row): draftRows[key, default: [:]][path] = row
        case .draftRowRemoved(let key, let path): removeRow(path, of: key)
        case .responseSet(let record): responses[record.summary.id] = record
        case .responseRemoved(let id): responses[id] = nil
        case .nextResponseSet(let id): nextResponse = id
        case .partSet(let part):
            parts[part.summary.id] = part
            nextPart = max(nextPart, part.summary.id &+ 1)
        case .partRemoved(let id): parts[id] = nil
        case .appFormSet(let form): appForms[form.questionnaire.name] = form
        case .appFormRemoved(let name): appForms[name] = nil
        case .attachmentStored(let digest, let bytes): attachments[digest] = bytes.count
        case .attachmentRemoved(let digest): attachments[digest] = nil
        case .whatsNewSeen(let key, let version): whatsNewSeen[key, default: []].insert(version)
        case .whatsNewForgotten(let key): whatsNewSeen[key] = nil
        case .householdListSet(let list): household.list = list
        case .householdPolicySet(let policy): household.policy = policy
        case .deviceKeySet(let key): household.deviceKey = key
        case .householdSeen(let time): household.seenAt = time
        case .restored(let restored):
            let revision = self.revision
            self = restored
            self.revision = revision
        }
    }

    /// Removes the draft's entry, too, with its last answer, so that the records equal those after a restart.
    private mutating func removeRow(_ path: FormPath, of key: FormDraftKey) {
        draftRows[key]?[path] = nil
        if draftRows[key]?.isEmpty ?? false { draftRows[key] = nil }
    }

    /// Adapts the records after a reboot of the device. Moments of the old boot clock mean nothing now. So each lockout
    /// that was running begins again with its whole length, and kept grants are dropped: a reboot gains nothing.
    public mutating func deviceRebooted(at now: BootTime) {
        keptGrants = KeptGrants()
        for (key, lockout) in lockouts where lockout.lockedUntil != nil {
            lockouts[key]?.lockedUntil = now.advanced(by: lockout.lockDuration)
        }
    }
}
