public import GateModel

/// Everything that can be asked of the core, by a peer or by the daemon itself.
package enum Command: Hashable, Sendable {
    // Mode
    case toggle(presenting: Presenting)
    case cancel
    case lock
    /// `nil`: the length of a lease as configured.
    case extend(Duration?, presenting: Presenting)
    case override(Mode, Duration?, reason: String)

    // Authorization
    case authorize(AuthorizationRequest, presenting: Presenting)
    case redeem(Grant.Proof, gatedAction: String, details: String)
    /// `nil`: of the acting peer's user; of everything.
    case revoke(uid: UInt32?, gatedAction: String?)
    /// `nil`: everybody's; at every gate.
    case clearLockouts(uid: UInt32?, gate: String?)

    // Secrets
    /// A hash as crypt(3) makes it.
    case setPasscode(hash: String)
    /// The key was shown to be the authenticator's, by the code of this time step, which is used up.
    case setTOTP(key: GateSecret, usedStep: UInt64)
    case removeSecret(SecretKind)

    // Sign-in
    case logIn(name: String, password: GateSecret)
    case logOut
    /// A hash as crypt(3) makes it.
    case registerAccount(GateAccount, passwordHash: String)
    /// Proved by the password until now.
    case changePassword(name: String, old: GateSecret, newHash: String)
    /// Sets a password without the old one, by somebody who may.
    case setPassword(name: String, hash: String)
    case removeAccount(name: String)
    /// An administrator stands for this account, as it was read.
    case confirmAccount(GateAccount, passwordHash: String)

    // Entitlements
    /// `nil`: for ever.
    case addClaim(entitlement: String, Claim.Holder, until: WallTime?)
    case revokeClaim(Claim.ID)
    /// A provider's statement, already checked. `nil`: whose it is already; else the person who is signed in; else the
    /// device.
    case submit(ProviderStatement, for: Claim.Holder?, from: StatementSource = .provider(nil))
    case reportProvider(ClaimProvider, isReachable: Bool, detail: String)
    /// Offers that lead to an entitlement, in place of what was reported before.
    case reportOffers(ClaimProvider, entitlement: String, [Offer])
    case requestPaywall(PaywallRequest, presenting: Presenting)

    // Forms
    /// The draft that is there, or a new one (F-30). `beginsAnother`: one more beside those that are there (F-84). `label`: of a
    /// new one; empty: its answers make one.
    /// `own`: the form that the app brings with it (F-85).
    case openForm(FormTarget, beginsAnother: Bool = false, label: String = "", own: AppForm? = nil)
    /// Gives a draft this label; empty: its answers make one again.
    case labelDraft(FormTarget, label: String)
    /// A program fetches the answers to this question, which takes so long at most (F-76).
    case announceSuggestion(FormTarget, at: UInt64?, FormPath, for: Duration)
    /// `at`: the revision of the draft that it was made for; `nil`: whichever.
    case editForm(FormTarget, at: UInt64?, FormEdit)
    /// Keeps a copy of the draft.
    case saveForm(FormTarget)
    /// A kept response takes the place of all answers, as far as it fits (F-39). `nil`: the newest that was completed.
    case loadForm(FormTarget, at: UInt64?, response: UInt64?)
    case completeForm(FormTarget, at: UInt64?)
    /// `of`: whose, where it is not the one that the target means.
    case discardForm(FormTarget, of: FormHolder? = nil)
    case withdrawResponse(UInt64)
    /// Keeps what is answered at an item as a part (F-72). `over`: in place of that one. `label`: empty: its answers make one, or it
    /// keeps the one that it has.
    case savePart(FormTarget, FormPath, over: UInt64?, label: String)
    /// Gives a part another label; empty: its answers make one.
    case labelPart(UInt64, label: String)
    case removePart(UInt64)
    /// A presenter is to have it filled in.
    case requestForm(name: String, own: AppForm? = nil)

    // Release notes
    // `own`: the notes that the app brings with it (F-85).
    case showWhatsNew(app: String, AppVersion, own: [WhatsNew] = [], presenting: Presenting)
    case acknowledgeWhatsNew(app: String, AppVersion, own: [WhatsNew] = [])
    /// `nil`: of all apps.
    case resetWhatsNew(app: String?)

    // Presentations
    /// The acting peer shows presentations, until `unregister` or its death. Replaces what it said before.
    case register(PresenterAbilities)
    case unregister
    case claim(presentation: UInt64)
    case report(PresentationCookie, PresentationInput)
    case complete(PresentationCookie, ChallengeAnswer)
    case dismiss(PresentationCookie)
    /// The requester, which shows it itself, waits until the state closes it.
    case awaitClosing(PresentationCookie)
    /// An administrator closes it, whatever it is.
    case withdraw(presentation: UInt64)

    // Household
    /// The challenge of the acting connection.
    case openHousehold
    /// The household has a new list of devices and guardians.
    case applyList(SignedHouseholdList)
    /// The household has a new policy for all of its devices; the configuration is what that and this device's own files say together.
    indirect case takeHouseholdPolicy(SignedHouseholdPolicy, Configuration, detail: String)
    /// A key for this device, where it has none; `replaces`: or in the place of the one that it has.
    case takeDeviceKey(DeviceKey, replaces: Bool = false)
    /// A guardian of the household commands this device.
    case execute(SignedGuardianCommand)
    /// This device's guardian commands others; `to`: `nil`: all of them.
    case sendCommand(GuardianOrder, to: [HouseholdID]?, grant: Grant.Proof?)
    /// Home Assistant asks for something.
    case obeyHomeAssistant(HomeAssistantOrder)
    /// The other devices can be reached from now on, or not any more.
    case reachBroker(Bool)
    /// News of the questions of other devices.
    case receiveRequests(RequestNews)
    /// This device's guardian answers one of them.
    case answerRequest(UInt64, isApproved: Bool, grant: Grant.Proof?)

    // Control
    case recover
    /// A backup of everything durable is about to be made; `detail` says what for the journal.
    case backUp
    /// The contents of a backup take the place of what is kept, as `RestoreRules` has it; `detail` says for the journal which one.
    indirect case restore(DurableRecords, detail: String)

    // The daemon itself (`Peer.connection` 0)
    /// The first command after a start: parent mode and presentations of before are gone.
    case start
    /// The store was damaged and set aside to the file named; closed until `recover`.
    case closeForDamage(quarantinedFile: String)
    /// Some deadline is due.
    case deadlineReached
    /// The connection of the acting peer has ended.
    case peerDisconnected
    /// The call of the acting peer that waited for this has ended before its answer: cancelled, or past its time.
    case callEnded(WaitID)
    /// The outcome of an `Effect.checkSecret`.
    case secretChecked(presentation: UInt64, SecretOutcome)
    /// The outcome of an `Effect.checkPassword`.
    case passwordChecked(PasswordCheckID, PasswordOutcome)
    /// The configuration was read again; `detail` says what for the journal.
    case configure(Configuration, detail: String)
}

/// Names a call that waits for its answer. Counts up since the daemon started.
public struct WaitID: Hashable, Sendable {
    public var number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

/// Which draft of a form.
public struct FormTarget: Hashable, Sendable {
    /// The name of the questionnaire.
    public var name: String
    /// The cookie of the presentation that shows it; `nil`: the acting peer's own.
    package var cookie: PresentationCookie?
    /// As `FormSummary.draftID`.
    package var draftID: UInt64

    package init(name: String, cookie: PresentationCookie? = nil, draftID: UInt64 = 0) {
        self.name = name
        self.cookie = cookie
        self.draftID = draftID
    }
}

/// A change of the answers of a draft.
public enum FormEdit: Hashable, Sendable {
    /// A person's answer; empty: none any more (F-36, F-37). `attachments`: bytes that the values name, where they
    /// are new.
    case set(FormPath, [FormValue], attachments: [AttachmentDigest: [UInt8]])
    /// A program's suggestion, for a question without an answer (F-41).
    case suggest(FormPath, [FormValue], attachments: [AttachmentDigest: [UInt8]])
    /// One of several groups goes.
    case remove(FormPath)
    /// A whole response in place of all answers (F-40).
    case fill(QuestionnaireResponse, attachments: [AttachmentDigest: [UInt8]])
    /// The answers of a response beside those that are there: what it does not name stays (F-83).
    case amend(QuestionnaireResponse, attachments: [AttachmentDigest: [UInt8]])
    /// Initial values, and nothing else (F-34).
    case reset
    /// Parts in place of what is answered at an item, or beside it where that repeats (F-72, F-73). `contents`: theirs, once they
    /// were looked up.
    case take(FormPath, parts: [UInt64], contents: [QuestionnaireResponseItem] = [])

    /// The bytes that came with it.
    public var attachments: [AttachmentDigest: [UInt8]] {
        switch self {
        case .set(_, _, let attachments), .suggest(_, _, let attachments), .fill(_, let attachments),
            .amend(_, let attachments):
            attachments
        case .remove, .reset, .take: [:]
        }
    }
}

/// Names the check of a password. Counts up since the daemon started.
public struct PasswordCheckID: Hashable, Sendable {
    public var number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

/// Whether what was typed is the password of the account.
public enum PasswordOutcome: Hashable, Sendable, CaseIterable {
    case right
    /// Or there is no such account.
    case wrong
    /// It could not be found out. Nobody's fault: nothing is counted.
    case failed
}

/// Whether what was typed was the secret.
public enum SecretOutcome: Hashable, Sendable {
    /// With the time step of a code; `nil` for a passcode.
    case right(step: UInt64?)
    case wrong
    /// It could not be found out. Nobody's fault: nothing is counted.
    case failed
}

/// The surroundings of a command: time, peer and chance.
public struct Context {
    public var now: BootTime
    package var localTime: LocalTime
    package var peer: Peer
    public var random: any RandomNumberGenerator
    /// The part of this command that was worked out beforehand.
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
