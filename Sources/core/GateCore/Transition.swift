public import GateModel

/// The other inputs of the core, besides the command: time, peer and randomness.
public struct Context {
    public var now: BootTime
    package var localTime: LocalTime
    package var peer: Peer
    public var random: any RandomNumberGenerator
    /// The slow part of the command, if it was done beforehand and elsewhere; else `nil`.
    public var prepared: FormPreparation?

    package init(
        now: BootTime, localTime: LocalTime, peer: Peer, random: any RandomNumberGenerator,
        prepared: FormPreparation? = nil
    ) {
        self.now = now
        self.localTime = localTime
        self.peer = peer
        self.random = random
        self.prepared = prepared
    }

    public var wallTime: WallTime { localTime.time }
}

/// The result of one command as plain values: what to store, publish, do and answer.
///
/// The daemon commits `records` and `audit`, then publishes the differences between the states before and after, then
/// does the `effects`, then sends `reply`. If `isChange` is false, there is nothing to commit. The new state is still
/// taken over (a presenter may have registered, for example), and the reply waits only for earlier transitions.
public struct Transition: Hashable, Sendable {
    /// The revision after the command. Unchanged if `isChange` is false.
    public var revision: Revision
    /// Whether the revision is new. Every change that a watcher can see makes a new revision.
    public var isChange: Bool
    /// The rows to write, in order.
    package var records: [RecordChange]
    /// The journal entries, all with this revision.
    public var audit: [AuditEntry]
    /// Tasks for the daemon, in order, to be done once the transition is durable.
    package var effects: [Effect]
    public var reply: Reply

    package init(
        revision: Revision, isChange: Bool, records: [RecordChange], audit: [AuditEntry], effects: [Effect] = [],
        reply: Reply
    ) {
        self.revision = revision
        self.isChange = isChange
        self.records = records
        self.audit = audit
        self.effects = effects
        self.reply = reply
    }
}

/// A task that the core gives to the daemon.
package enum Effect: Hashable, Sendable {
    /// Answer the call that was told `Reply.waiting`, now with another reply.
    case settle(WaitID, Reply)
    /// Check away from the event loop whether this is the secret, and report `PresentationCommand.secretChecked`.
    case checkSecret(presentation: UInt64, SecretCheck)
    /// Check away from the event loop whether this is the account's password, and report
    /// `SignInCommand.passwordChecked`.
    ///
    /// - Parameter hash: a crypt(3) hash; `nil`: there is no such account. The daemon then does the same work with a
    ///   hash that no password has, so that the time does not tell, and reports `wrong`.
    case checkPassword(PasswordCheckID, GateSecret, hash: String?)
    /// Sign a guardian's answer, and send it to the device that asks.
    case answer(AnswerToSend)
}

/// A typed secret, and what to compare it with.
package enum SecretCheck: Hashable, Sendable {
    /// Compared with a crypt(3) hash.
    case passcode(GateSecret, hash: String)
    /// Compared with the codes of the key around this time. Time steps up to `usedStep` are not accepted again.
    case totp(GateSecret, key: GateSecret, at: WallTime, usedStep: UInt64)
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
    /// A crypt(3) hash; `nil`: no passcode is set up.
    case passcodeSet(hash: String?)
    /// `nil`: no authenticator is set up.
    case totpSet(TOTPEnrolment?)
    case accountSet(GateAccount, passwordHash: String)
    case accountRemoved(name: String)
    case claimSet(Claim)
    case claimRemoved(Claim.ID)
    /// The number that names the next claim made by hand.
    case nextManualClaimSet(UInt64)
    /// The time of RevenueCat's newest statement about a user.
    case customerHeard(appUser: String, at: WallTime)
    case customerForgotten(appUser: String)
    /// A notification of the App Store was processed.
    case notificationTaken(id: String, order: UInt64)
    case notificationForgotten(id: String)
    /// A text for the household's other devices, under its number.
    case receiptSet(KeptReceipt)
    case receiptRemoved(UInt64)
    /// A draft without its answers, which are rows of their own.
    case draftSet(FormDraftKey, FormDraftRecord)
    /// The draft and all of its answers.
    case draftRemoved(FormDraftKey)
    case draftRowSet(FormDraftKey, FormPath, FormRow)
    case draftRowRemoved(FormDraftKey, FormPath)
    case responseSet(ResponseRecord)
    case responseRemoved(UInt64)
    /// The id of the next response. Ids never repeat within a store.
    case nextResponseSet(UInt64)
    /// A form that an app brought, under its name.
    case appFormSet(FormDescription)
    case appFormRemoved(name: String)
    case partSet(PartRecord)
    case partRemoved(UInt64)
    /// Bytes that an answer names. Only the store keeps them.
    case attachmentStored(AttachmentDigest, [UInt8])
    /// No answer names these bytes any more.
    case attachmentRemoved(AttachmentDigest)
    /// The release notes of this version of the app were seen.
    case whatsNewSeen(WhatsNewKey, AppVersion)
    /// All seen versions of this key are forgotten.
    case whatsNewForgotten(WhatsNewKey)
    case householdListSet(SignedHouseholdList)
    case householdPolicySet(SignedHouseholdPolicy)
    /// This device's key, also in place of an earlier one.
    case deviceKeySet(DeviceKey)
    /// The time at which a guardian last opened something here, by the later of the wall clock and earlier evidence;
    /// `nil`: forget it.
    case householdSeen(at: WallTime?)
    /// Replaces everything except the revision and the journal. The bytes of attachments come from the backup.
    indirect case restored(DurableRecords)
}

/// The key of a draft. A holder may have several drafts of one form.
public struct FormDraftKey: Hashable, Sendable {
    public var holder: FormHolder
    /// The name of the questionnaire.
    public var name: String
    /// Equal to `FormSummary.draftID`.
    public var id: UInt64

    public init(holder: FormHolder, name: String, id: UInt64 = 0) {
        self.holder = holder
        self.name = name
        self.id = id
    }
}

/// A draft without its answers.
public struct FormDraftRecord: Hashable, Sendable {
    /// Equal to `FormSummary.revision`.
    public var revision: UInt64
    /// The newest revision at which answers were entered. Later ones brought only suggestions or other words around the
    /// same answers, so they don't disturb a person who is entering something.
    public var enteredRevision: UInt64
    public var openedAt: WallTime
    /// The label that a person gave the draft; empty: the label is made from its answers.
    public var label: String

    /// - Parameter enteredRevision: `nil`: equal to `revision`.
    public init(revision: UInt64, enteredRevision: UInt64? = nil, openedAt: WallTime, label: String = "") {
        self.revision = revision
        self.enteredRevision = enteredRevision ?? revision
        self.openedAt = openedAt
        self.label = label
    }
}

/// What a draft stores at one path.
public enum FormRow: Hashable, Sendable {
    /// The answers to a question; never empty.
    case answers([FormValue])
    /// The answers that a person gave instead of those that the form calculates; never empty.
    case entered([FormValue])
    /// The number of instances of a repeating group. A group without this row has one.
    case instances(Int)
}

extension FormRow {
    /// The answers; `nil` if the row belongs to a group.
    package var values: [FormValue]? {
        switch self {
        case .answers(let values), .entered(let values): values
        case .instances: nil
        }
    }
}

/// A completed or saved form.
public struct ResponseRecord: Hashable, Sendable {
    public var summary: ResponseSummary
    public var response: QuestionnaireResponse

    public init(summary: ResponseSummary, response: QuestionnaireResponse) {
        self.summary = summary
        self.response = response
    }
}

/// Answers that were kept for use in other forms.
public struct PartRecord: Hashable, Sendable {
    public var summary: PartSummary
    /// One group, with its `definition` and those of its items; or one question.
    public var content: QuestionnaireResponseItem

    public init(summary: PartSummary, content: QuestionnaireResponseItem) {
        self.summary = summary
        self.content = content
    }
}

/// The person and the app whose seen release notes are remembered.
public struct WhatsNewKey: Hashable, Sendable {
    public var holder: FormHolder
    public var app: String

    public init(holder: FormHolder, app: String) {
        self.holder = holder
        self.app = app
    }
}

/// An account, and the hash that its password is compared with.
public struct AccountRecord: Hashable, Sendable {
    public var account: GateAccount
    /// A crypt(3) hash.
    public var passwordHash: String

    public init(account: GateAccount, passwordHash: String) {
        self.account = account
        self.passwordHash = passwordHash
    }
}

/// An authenticator that was set up.
public struct TOTPEnrolment: Hashable, Sendable {
    public var key: GateSecret
    /// The newest time step whose code was used. Each code is accepted once.
    public var usedStep: UInt64

    public init(key: GateSecret, usedStep: UInt64) {
        self.key = key
        self.usedStep = usedStep
    }
}

/// The answer to the peer. A refusal can be part of a committed transition, too: a wrong answer is counted, and the
/// peer is told.
public indirect enum Reply: Hashable, Sendable {
    case done
    /// A presentation for this peer to show: of its own request, or one that it claimed.
    case presentation(Presentation)
    /// The call waits for an `Effect.settle`.
    case waiting(WaitID)
    case granted(Grant)
    /// The entitlement is active.
    case entitled(PaywallOutcome)
    /// The new claim's id.
    case claimed(Claim.ID)
    /// A draft was opened or changed.
    case form(FormChange)
    /// The id of a kept response, of a form that was completed or saved.
    case responded(UInt64)
    /// The id of a kept part.
    case keptPart(UInt64)
    case whatsNew(WhatsNewOutcome)
    /// A grant was redeemed. The requester is the process that had asked for it; `subject` is the process for which a
    /// broker had asked.
    case redeemed(requesterUID: UInt32, requesterPID: Int32, subject: Subject? = nil)
    /// How many items were affected, such as the number of grants that were revoked.
    case count(Int)
    case refused(GateError)
    /// This device's guardian may send the command, under this id.
    case sending(HouseholdID)
    /// This guardian's answer may be signed and sent.
    case answering(AnswerToSend)
    /// The acting connection's challenge for guardians' commands.
    case challenge([UInt8])
    /// A guardian's command was performed or refused, as its result says.
    case obeyed(ObeyedCommand)
    /// Gate is open again. The damaged store is in the file named.
    case recovered(quarantinedFile: String)
}
