public import GateModel

/// Everything of the core's state that outlives the daemon. Parent mode and open challenges are not in it: after a
/// start the mode is child.
public struct DurableRecords: Hashable, Sendable {
    /// The newest committed revision.
    public var revision: Revision
    /// The wrong answers and lockouts (G-03). No entry: nothing wrong since the last right answer.
    package var lockouts: [Lockout.Key: Lockout]
    /// While closed for damage: the file that the damaged store was set aside to.
    public var quarantinedFile: String?
    /// The id that the next presentation gets; from 1.
    public var nextPresentation: UInt64
    /// The kept grants: users who are not asked again for something, for a while.
    package var keptGrants: KeptGrants
    /// A hash as crypt(3) makes it; `nil`: no passcode is set up.
    public var passcodeHash: String?
    /// `nil`: no authenticator is set up.
    public var totp: TOTPEnrolment?
    /// The accounts by name.
    public var accounts: [String: AccountRecord]
    public var claims: [Claim.ID: Claim]
    /// The name that the next claim by hand gets; from 1.
    public var nextManualClaim: UInt64
    /// The newest that RevenueCat said of each of its users.
    public var customers: [String: WallTime]
    /// Notifications of the App Store that were taken, by id, each with its place in their order; from 1.
    public var notifications: [String: UInt64]
    /// The newest texts of StoreKit claims that were submitted here, by number: for other devices of the household (H-05).
    package var receipts: [UInt64: KeptReceipt]
    /// Forms that are being filled in.
    public var drafts: [FormDraftKey: FormDraftRecord]
    /// The newest revision that any draft has had: none comes twice, not even where a draft is thrown away and begun anew.
    public var lastDraftRevision: UInt64
    /// The id that the next draft beside others gets; from 1.
    public var nextDraft: UInt64
    /// Their answers.
    public var draftRows: [FormDraftKey: [FormPath: FormRow]]
    public var responses: [UInt64: ResponseRecord]
    /// The id that the next response gets; from 1.
    public var nextResponse: UInt64
    /// The answers that other forms may take (F-72).
    public var parts: [UInt64: PartRecord]
    /// The id that the next part gets; from 1.
    public var nextPart: UInt64
    /// The forms that apps brought, by their names (`AppsOwnName`), as long as somebody fills them in (F-85).
    public var appForms: [String: FormDescription]
    /// How many bytes each attachment has; the store alone has the bytes.
    public var attachments: [AttachmentDigest: Int]
    /// The versions that each person has seen what is new of.
    public var whatsNewSeen: [WhatsNewKey: Set<AppVersion>]
    /// The household's list, and this device's key.
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

    /// Brings the records to where they are after a transition. A store in memory is this line.
    public mutating func apply(_ transition: Transition) {
        revision = transition.revision
        for change in transition.records {
            apply(change)
        }
    }

    /// Takes over one changed row.
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

    /// A draft without answers has no entry, as after a start.
    private mutating func removeRow(_ path: FormPath, of key: FormDraftKey) {
        draftRows[key]?[path] = nil
        if draftRows[key]?.isEmpty ?? false { draftRows[key] = nil }
    }

    /// The device was booted since the records were written: moments of the old boot clock mean nothing now, so anyone
    /// who was locked out waits the whole lock again (G-03), and anyone who was not asked again is asked again. Turning
    /// the device off and on gains nothing.
    public mutating func deviceRebooted(at now: BootTime) {
        keptGrants = KeptGrants()
        for (key, lockout) in lockouts where lockout.lockedUntil != nil {
            lockouts[key]?.lockedUntil = now.advanced(by: lockout.lockDuration)
        }
    }
}
