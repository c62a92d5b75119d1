public import GateModel

/// The result of one command: everything that has to be stored, published, done and answered, as plain values.
///
/// The daemon commits `records` and `audit`, then publishes what changed between the state before and after, does the
/// `effects`, then sends `reply`. A transition with `isChange == false` has nothing to commit; its state (a presenter that
/// registered, say) is taken over all the same, and its reply waits only for what was applied before it.
public struct Transition: Hashable, Sendable {
    /// The revision after it. Unchanged where there was nothing to commit.
    public var revision: Revision
    /// Whether the revision is new. Everything that a watcher can see makes a new one.
    public var isChange: Bool
    /// Rows to write, in order.
    package var records: [RecordChange]
    /// Journal entries, all of this revision.
    public var audit: [AuditEntry]
    /// The daemon's tasks, in order, once it is durable.
    package var effects: [Effect]
    /// The reply to the peer.
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
    /// Answer the call that was told `Reply.waiting`. Never `waiting` again.
    case settle(WaitID, Reply)
    /// Find out whether this is the secret, away from the event loop, and report `DaemonCommand.secretChecked`.
    case checkSecret(presentation: UInt64, SecretCheck)
    /// Find out whether this is the password, away from the event loop, and report `DaemonCommand.passwordChecked`.
    ///
    /// - Parameter hash: as crypt(3) makes it; `nil`: there is no such account. Then the same work is done with the hash of
    ///   nobody's password, so that the time does not tell, and the outcome is `wrong`.
    case checkPassword(PasswordCheckID, GateSecret, hash: String?)
    /// Sign a guardian's answer, and have it carried to the device that asks.
    case answer(AnswerToSend)
}

/// A typed secret, and what it is to be compared with.
package enum SecretCheck: Hashable, Sendable {
    /// Against a hash as crypt(3) makes it.
    case passcode(GateSecret, hash: String)
    /// Against the key, at this time. Steps up to `usedStep` were used before.
    case totp(GateSecret, key: GateSecret, at: WallTime, usedStep: UInt64)
}

/// One row of durable state that changed.
package enum RecordChange: Hashable, Sendable {
    case lockoutSet(Lockout.Key, Lockout)
    case lockoutRemoved(Lockout.Key)
    /// Closed for damage, with the file that was set aside; `nil`: open.
    case damageSet(quarantinedFile: String?)
    /// The id that the next presentation gets. Ids never repeat within a store.
    case nextPresentationSet(UInt64)
    case keptGrantSet(KeptGrant.Key, KeptGrant)
    case keptGrantRemoved(KeptGrant.Key)
    /// A hash as crypt(3) makes it; `nil`: none is set up.
    case passcodeSet(hash: String?)
    /// `nil`: none is set up.
    case totpSet(TOTPEnrolment?)
    /// In place of the one with that name.
    case accountSet(GateAccount, passwordHash: String)
    case accountRemoved(name: String)
    /// In place of the one with that id.
    case claimSet(Claim)
    case claimRemoved(Claim.ID)
    /// The name that the next claim by hand gets.
    case nextManualClaimSet(UInt64)
    /// The newest that RevenueCat said of a user.
    case customerHeard(appUser: String, at: WallTime)
    case customerForgotten(appUser: String)
    /// A notification of the App Store was taken, or may be forgotten.
    case notificationTaken(id: String, order: UInt64)
    case notificationForgotten(id: String)
    /// A text for the other devices of the household, in place of the one with that number.
    case receiptSet(KeptReceipt)
    case receiptRemoved(UInt64)
    /// In place of the one with that key. Its answers are rows of their own.
    case draftSet(FormDraftKey, FormDraftRecord)
    /// With all of its answers.
    case draftRemoved(FormDraftKey)
    /// In place of the one with that path.
    case draftRowSet(FormDraftKey, FormPath, FormRow)
    case draftRowRemoved(FormDraftKey, FormPath)
    /// In place of the one with that id.
    case responseSet(ResponseRecord)
    case responseRemoved(UInt64)
    /// The id that the next response gets. Ids never repeat within a store.
    case nextResponseSet(UInt64)
    /// A form that an app brought (F-85), in place of the one with that name.
    case appFormSet(FormDescription)
    case appFormRemoved(name: String)
    /// In place of the one with that id.
    case partSet(PartRecord)
    case partRemoved(UInt64)
    /// Bytes that an answer names. They are in the store alone.
    case attachmentStored(AttachmentDigest, [UInt8])
    /// No answer names them any more.
    case attachmentRemoved(AttachmentDigest)
    /// The notes of this version of the app were seen.
    case whatsNewSeen(WhatsNewKey, AppVersion)
    /// Nothing was seen.
    case whatsNewForgotten(WhatsNewKey)
    /// In place of the list before.
    case householdListSet(SignedHouseholdList)
    /// In place of the policy before.
    case householdPolicySet(SignedHouseholdPolicy)
    /// Set once.
    case deviceKeySet(DeviceKey)
    /// A guardian opened something at this moment.
    case householdSeen(at: WallTime?)
    /// In place of everything but the revision and the journal. The bytes of documents are in the backup that it comes from.
    indirect case restored(DurableRecords)
}

/// Names a draft: a holder may have several of a form.
public struct FormDraftKey: Hashable, Sendable {
    public var holder: FormHolder
    /// The name of the questionnaire.
    public var name: String
    /// As `FormSummary.draftID`.
    public var id: UInt64

    public init(holder: FormHolder, name: String, id: UInt64 = 0) {
        self.holder = holder
        self.name = name
        self.id = id
    }
}

/// A draft without its answers.
public struct FormDraftRecord: Hashable, Sendable {
    /// As `FormSummary.revision`.
    public var revision: UInt64
    /// The revision since which nothing came but suggestions, and other words around the same answers: they disturb nobody who
    /// enters something meanwhile.
    public var enteredRevision: UInt64
    public var openedAt: WallTime
    /// The label that somebody gave it; empty: its answers make one.
    public var label: String

    /// - Parameter enteredRevision: `nil`: what came last was no suggestion.
    public init(revision: UInt64, enteredRevision: UInt64? = nil, openedAt: WallTime, label: String = "") {
        self.revision = revision
        self.enteredRevision = enteredRevision ?? revision
        self.openedAt = openedAt
        self.label = label
    }
}

/// The row that a draft keeps at one path.
public enum FormRow: Hashable, Sendable {
    /// The answers of a question. Not empty.
    case answers([FormValue])
    /// The answers that a person gave in place of those that the form calculates. Not empty.
    case entered([FormValue])
    /// How many times a repeating group is there; not said: once.
    case instances(Int)
}

extension FormRow {
    /// The answers; `nil`: it is no question's.
    package var values: [FormValue]? {
        switch self {
        case .answers(let values), .entered(let values): values
        case .instances: nil
        }
    }
}

/// A response that is kept.
public struct ResponseRecord: Hashable, Sendable {
    public var summary: ResponseSummary
    public var response: QuestionnaireResponse

    public init(summary: ResponseSummary, response: QuestionnaireResponse) {
        self.summary = summary
        self.response = response
    }
}

/// A part that is kept (F-72).
public struct PartRecord: Hashable, Sendable {
    public var summary: PartSummary
    /// The answers: of one group, with its `definition` and those of the items in it; or of one question.
    public var content: QuestionnaireResponseItem

    public init(summary: PartSummary, content: QuestionnaireResponseItem) {
        self.summary = summary
        self.content = content
    }
}

/// The key of a list of seen news: of whom, and of which app (F-58).
public struct WhatsNewKey: Hashable, Sendable {
    public var holder: FormHolder
    public var app: String

    public init(holder: FormHolder, app: String) {
        self.holder = holder
        self.app = app
    }
}

/// An account, with what its password is compared with.
public struct AccountRecord: Hashable, Sendable {
    public var account: GateAccount
    /// As crypt(3) makes it.
    public var passwordHash: String

    public init(account: GateAccount, passwordHash: String) {
        self.account = account
        self.passwordHash = passwordHash
    }
}

/// An authenticator that was set up.
public struct TOTPEnrolment: Hashable, Sendable {
    public var key: GateSecret
    /// The newest time step whose code was used: each is good once.
    public var usedStep: UInt64

    public init(key: GateSecret, usedStep: UInt64) {
        self.key = key
        self.usedStep = usedStep
    }
}

/// The reply that the peer hears. A refusal is a committed transition too: the wrong answer counts, and the peer is told.
public indirect enum Reply: Hashable, Sendable {
    case done
    /// Something is to be shown by this peer: its own request's, or one that it claimed.
    case presentation(Presentation)
    /// The call waits; `Effect.settle` will answer it.
    case waiting(WaitID)
    case granted(Grant)
    /// The entitlement is active.
    case entitled(PaywallOutcome)
    /// A claim was made.
    case claimed(Claim.ID)
    /// A draft was opened or changed.
    case form(FormChange)
    /// A response was kept; of a form that was completed, or saved.
    case responded(UInt64)
    /// A part was kept.
    case keptPart(UInt64)
    case whatsNew(WhatsNewOutcome)
    /// A grant was taken; who had asked for it, and the process that a broker had asked for.
    case redeemed(requesterUID: UInt32, requesterPID: Int32, subject: Subject? = nil)
    /// So many were there.
    case count(Int)
    case refused(GateError)
    /// This device's guardian may send the command, under this name.
    case sending(HouseholdID)
    /// A guardian's answer may be signed and sent.
    case answering(AnswerToSend)
    /// The acting connection's challenge for guardians' commands.
    case challenge([UInt8])
    /// A guardian's command was done, or answered.
    case obeyed(ObeyedCommand)
    /// Reopened; the damaged store lies in the file named.
    case recovered(quarantinedFile: String)
}
