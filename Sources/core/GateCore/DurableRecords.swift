public import GateModel

/// The part of the core's state that survives a restart of the daemon. Parent mode and open challenges are not in it:
/// after a start the mode is child.
public struct DurableRecords: Hashable, Sendable {
    public var revision: Revision
    /// Wrong answers and lockouts. No entry: no wrong answer since the last right one.
    package var lockouts: [Lockout.Key: Lockout] = [:]
    /// The file to which the damaged store was moved; `nil` unless Gate is closed because of damage.
    public var quarantinedFile: String?
    public var nextPresentation: UInt64 = 1
    /// Grants that still hold for a while, so that the user is not asked again.
    package var keptGrants = KeptGrants()
    /// Requests for gated actions that wait for a grown-up, were refused, or are over and not removed yet, by number.
    package var asks = AskBook()
    /// A crypt(3) hash; `nil`: no passcode is set up.
    public var passcodeHash: String?
    /// `nil`: no authenticator is set up.
    public var totp: TOTPEnrolment?
    public var people: [String: PersonRecord] = [:]
    public var claims: [Claim.ID: Claim] = [:]
    /// The number that names the next claim made by hand. The first is 1.
    public var nextManualClaim: UInt64 = 1
    /// For each RevenueCat user, the time of RevenueCat's newest statement about them.
    public var customers: [String: WallTime] = [:]
    /// The App Store's notifications that were processed, with their places in the order of arrival, from 1.
    public var notifications: [String: UInt64] = [:]
    /// The newest texts of StoreKit claims submitted on this device, by number, for the household's other devices.
    package var receipts: [UInt64: KeptReceipt] = [:]
    public var drafts: [FormDraftKey: FormDraftRecord] = [:]
    /// The newest revision of any draft. Each revision is used once, even if a draft is thrown away and begun again.
    public var lastDraftRevision: UInt64 = 0
    /// The id of the next draft that is begun as a further one (`beginsAnother`), from 1. Other drafts have the id 0.
    public var nextDraft: UInt64 = 1
    public var draftRows: [FormDraftKey: [FormPath: FormRow]] = [:]
    public var responses: [UInt64: ResponseRecord] = [:]
    public var nextResponse: UInt64 = 1
    public var parts: [UInt64: PartRecord] = [:]
    public var nextPart: UInt64 = 1
    /// The forms that apps brought, by their names (`AppsOwnName`). A form is kept as long as a draft of it or an open
    /// request to fill it in exists.
    public var appForms: [String: FormDescription] = [:]
    /// The size in bytes of each attachment. Only the store has the bytes themselves.
    public var attachments: [AttachmentDigest: Int] = [:]
    public var whatsNewSeen: [WhatsNewKey: Set<AppVersion>] = [:]
    /// The household's list and policy, this device's key, and when a guardian last opened something.
    public var household = HouseholdRecord()

    /// What grown-ups have chosen to stand before gated actions, by the actions' names, and which allowances and
    /// schedules they have chosen, by `TimeRule.choiceName`: all in the notation of policy files.
    package var gateChoices: [String: String] = [:]
    /// The time that people have used on each day.
    package var usage = UsageLedger()
    /// The time that people have used on the household's other devices.
    package var usageElsewhere = UsageElsewhere()
    /// The settings and choices that decide which age ranges apps are told.
    package var ages = AgeBook()

    package init(revision: Revision) {
        self.revision = revision
    }

    /// Applies all changes of a transition. A store in memory needs nothing else.
    public mutating func apply(_ transition: Transition) {
        revision = transition.revision
        for change in transition.records {
            apply(change)
        }
    }

    package mutating func apply(_ change: RecordChange) {
        switch change {
        case .lockoutSet(let key, let lockout): lockouts[key] = lockout
        case .lockoutRemoved(let key): lockouts[key] = nil
        case .damageSet(let file): quarantinedFile = file
        case .nextPresentationSet(let id): nextPresentation = id
        case .keptGrantSet(let key, let grant): keptGrants[key] = grant
        case .keptGrantRemoved(let key): keptGrants[key] = nil
        case .askSet(let number, let ask): asks[number] = ask
        case .askRemoved(let number): asks[number] = nil
        case .passcodeSet(let hash): passcodeHash = hash
        case .totpSet(let enrolment): totp = enrolment
        case .personSet(let person, let hash): people[person.name] = PersonRecord(person, passwordHash: hash)
        case .personRemoved(let name): people[name] = nil
        case .claimSet(let claim): claims[claim.id] = claim
        case .claimRemoved(let id): claims[id] = nil
        case .nextManualClaimSet(let number): nextManualClaim = number
        case .customerHeard(let user, let time): customers[user] = time
        case .customerForgotten(let user): customers[user] = nil
        case .notificationTaken(let id, let order): notifications[id] = order
        case .notificationForgotten(let id): notifications[id] = nil
        case .receiptSet(let receipt): receipts[receipt.number] = receipt
        case .receiptRemoved(let number): receipts[number] = nil
        case .forms(let change): apply(change)
        case .whatsNewSeen(let key, let version): whatsNewSeen[key, default: []].insert(version)
        case .whatsNewForgotten(let key): whatsNewSeen[key] = nil
        case .householdListSet(let list): household.list = list
        case .householdPolicySet(let policy): household.policy = policy
        case .deviceKeySet(let key): household.deviceKey = key
        case .householdSeen(let time): household.seenAt = time
        case .answerToAskSet(let name, let answer): household.answers[name] = answer
        case .answerToAskRemoved(let name): household.answers[name] = nil
        case .gateChoiceSet(let name, let notation): gateChoices[name] = notation
        case .gateChoiceRemoved(let name): gateChoices[name] = nil
        case .usageSet(let meter, let day, let milliseconds): usage[meter, day] = milliseconds
        case .usageRemoved(let meter, let day): usage[meter, day] = nil
        case .usageElsewhereSet(let key, let milliseconds): usageElsewhere[key] = milliseconds
        case .usageElsewhereRemoved(let key): usageElsewhere[key] = nil
        case .ageSettingsSet(let settings): ages.settings = settings
        case .ageChoiceSet(let key, let choice): ages[key] = choice
        case .ageChoiceRemoved(let key): ages[key] = nil
        case .restored(let restored):
            let revision = self.revision
            self = restored
            self.revision = revision
        }
    }

    private mutating func apply(_ change: FormRecordChange) {
        switch change {
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
        }
    }

    /// Removes the draft's entry, too, with its last answer, so that the records equal those after a restart.
    private mutating func removeRow(_ path: FormPath, of key: FormDraftKey) {
        draftRows[key]?[path] = nil
        if draftRows[key]?.isEmpty ?? false { draftRows[key] = nil }
    }

    /// Adapts the records after a reboot of the device. Moments of the old boot clock mean nothing now. So each lockout
    /// that was running begins again with its whole length, and kept grants are dropped: a reboot gains nothing. A
    /// grown-up's yes to an ask stays, since it ends by the wall clock, too.
    public mutating func deviceRebooted(at now: BootTime) {
        var answers: [KeptGrant.Key: KeptGrant] = [:]
        for (key, grant) in keptGrants {
            guard let yes = grant.yes else { continue }
            answers[key] = KeptGrant(deadline: now.advanced(by: yes.until.duration(since: yes.from)), yes: yes)
        }
        keptGrants = KeptGrants(answers)
        for (key, lockout) in lockouts where lockout.lockedUntil != nil {
            lockouts[key]?.lockedUntil = now.advanced(by: lockout.lockDuration)
        }
    }
}

/// One change of a row in the durable records. A `…Set` replaces the row with the same key.
package enum RecordChange: Hashable, Sendable {
    case lockoutSet(Lockout.Key, Lockout)
    case lockoutRemoved(Lockout.Key)
    /// Gate closed because of damage, and the damaged store was moved to this file; `nil`: Gate is open.
    case damageSet(quarantinedFile: String?)
    /// The id of the next presentation. Ids never repeat within a store.
    case nextPresentationSet(UInt64)
    case keptGrantSet(KeptGrant.Key, KeptGrant)
    case keptGrantRemoved(KeptGrant.Key)
    case askSet(UInt64, AskRecord)
    case askRemoved(UInt64)
    case passcodeSet(hash: String?)
    case totpSet(TOTPEnrolment?)
    /// The hash is `nil` for a person without a password.
    case personSet(GatePerson, passwordHash: String?)
    case personRemoved(name: String)
    case claimSet(Claim)
    case claimRemoved(Claim.ID)
    case nextManualClaimSet(UInt64)
    case customerHeard(appUser: String, at: WallTime)
    case customerForgotten(appUser: String)
    case notificationTaken(id: String, order: UInt64)
    case notificationForgotten(id: String)
    case receiptSet(KeptReceipt)
    case receiptRemoved(UInt64)
    case forms(FormRecordChange)
    case whatsNewSeen(WhatsNewKey, AppVersion)
    case whatsNewForgotten(WhatsNewKey)
    case householdListSet(SignedHouseholdList)
    case householdPolicySet(SignedHouseholdPolicy)
    /// This device's key, also in place of an earlier one.
    case deviceKeySet(DeviceKey)
    /// When a guardian last opened something, by the later of wall clock and earlier evidence; `nil`: forget it.
    case householdSeen(at: WallTime?)
    case answerToAskSet(RequestName, AnswerToAsk)
    case answerToAskRemoved(RequestName)
    case gateChoiceSet(gatedAction: String, notation: String)
    case gateChoiceRemoved(gatedAction: String)
    case usageSet(UsageMeter, day: Int64, milliseconds: Int64)
    case usageRemoved(UsageMeter, day: Int64)
    case usageElsewhereSet(UsageElsewhere.Key, milliseconds: Int64)
    case usageElsewhereRemoved(UsageElsewhere.Key)
    case ageSettingsSet(AgeSettings)
    case ageChoiceSet(AgeBook.Key, AgeBook.Choice)
    case ageChoiceRemoved(AgeBook.Key)
    /// Replaces everything except the revision and the journal. The bytes of attachments come from the backup.
    indirect case restored(DurableRecords)
}

/// A change of the records of forms. Answers in it may name attachments, which `AttachmentLedger` counts.
package enum FormRecordChange: Hashable, Sendable {
    /// A draft without its answers, which are rows of their own.
    case draftSet(FormDraftKey, FormDraftRecord)
    /// The draft and all of its answers.
    case draftRemoved(FormDraftKey)
    case draftRowSet(FormDraftKey, FormPath, FormRow)
    case draftRowRemoved(FormDraftKey, FormPath)
    case responseSet(ResponseRecord)
    case responseRemoved(UInt64)
    case nextResponseSet(UInt64)
    case appFormSet(FormDescription)
    case appFormRemoved(name: String)
    case partSet(PartRecord)
    case partRemoved(UInt64)
    /// The bytes of a document that an answer names. Only the store keeps them.
    case attachmentStored(AttachmentDigest, [UInt8])
    case attachmentRemoved(AttachmentDigest)
}
