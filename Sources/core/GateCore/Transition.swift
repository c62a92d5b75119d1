public import GateModel

/// The other inputs of the core, besides the command: time, peer and randomness.
public struct Context {
    public var now: BootTime
    package var localTime: LocalTime
    /// The device's time zone around `localTime`.
    package var zone: ZoneOffsets
    package var peer: Peer
    /// How long the device has slept since its boot. Use is not counted while it sleeps.
    package var suspendedNanoseconds: Int64
    public var random: any RandomNumberGenerator
    /// The slow part of the command, if it was done beforehand and elsewhere; else `nil`.
    public var prepared: FormPreparation?

    /// - Parameter zone: `nil`: the distance from UTC that `localTime` has, at any time.
    package init(
        now: BootTime, localTime: LocalTime, zone: ZoneOffsets? = nil, peer: Peer, suspendedNanoseconds: Int64 = 0,
        random: any RandomNumberGenerator, prepared: FormPreparation? = nil
    ) {
        self.now = now
        self.localTime = localTime
        self.zone = zone ?? ZoneOffsets(minutesEastOfUTC: localTime.minutesEastOfUTC)
        self.peer = peer
        self.suspendedNanoseconds = suspendedNanoseconds
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
    package var records: [RecordChange]
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

package enum Effect: Hashable, Sendable {
    /// Answer with this reply the call for which an earlier command gave `Reply.waiting`.
    case settle(WaitID, Reply)
    /// Check away from the event loop whether this is the secret, and report `PresentationCommand.secretChecked`.
    case checkSecret(presentation: UInt64, SecretCheck)
    /// Check away from the event loop whether this is the account's password, and report
    /// `SignInCommand.passwordChecked`.
    ///
    /// - Parameter hash: a crypt(3) hash; `nil`: there is no such account. The daemon then does the same work with a
    ///   hash that no password has, so that the time does not reveal it, and reports `wrong`.
    case checkPassword(PasswordCheckID, GateSecret, hash: String?)
    /// Sign a guardian's answer, and send it to the device that asks.
    case answer(AnswerToSend)
}

package enum SecretCheck: Hashable, Sendable {
    /// Compared with a crypt(3) hash.
    case passcode(GateSecret, hash: String)
    /// Compared with the codes of the key around this time. Time steps up to `usedStep` are not accepted again.
    case totp(GateSecret, key: GateSecret, at: WallTime, usedStep: UInt64)
}

/// The answer to the peer. A committed transition can also refuse: a wrong answer changes a counter, and the peer gets
/// an error.
public indirect enum Reply: Hashable, Sendable {
    case done
    /// A presentation for this peer to show: of its own request, or one that it claimed.
    case presentation(Presentation)
    /// The call waits for an `Effect.settle`.
    case waiting(WaitID)
    case granted(Grant)
    case entitled(PaywallOutcome)
    case claimed(Claim.ID)
    case form(FormChange)
    /// The id of a kept response, of a form that was completed or saved.
    case responded(UInt64)
    case keptPart(UInt64)
    case whatsNew(WhatsNewOutcome)
    /// A grant was redeemed. The uid and the pid are those of the process that the grant was for. If a broker asked for
    /// that process, `subject` names it, too, with its start time.
    case redeemed(requesterUID: UInt32, requesterPID: Int32, subject: Subject? = nil)
    /// How many items were affected, such as the number of grants that were revoked.
    case count(Int)
    case refused(GateError)
    /// This device's guardian may send the command, under this id.
    case sending(HouseholdID)
    case answering(AnswerToSend)
    /// The acting connection's challenge for guardians' commands.
    case challenge([UInt8])
    case obeyed(ObeyedCommand)
    /// Gate is open again. The damaged store is in the file named.
    case recovered(quarantinedFile: String)
}

/// A transition under construction: the rows, journal entries and effects so far.
struct TransitionDraft {
    private(set) var records: [RecordChange] = []
    private var entries: [Entry] = []
    private var effects: [Effect] = []
    private var isVisible = false
    /// The peer that is charged for what follows from the command, if that is not the acting peer: the daemon reports
    /// the outcome of a check, but the author is the peer over which the secret or the password was typed.
    var author: Peer?

    /// A journal entry without its revision and mode, which are known only at the end.
    private struct Entry {
        let kind: AuditEntry.Kind
        let actor: AuditEntry.Actor?
        let requester: Owner?
        var detail: String
    }

    var isChange: Bool { !records.isEmpty || !entries.isEmpty || isVisible }

    /// Makes the transition a change although it has no row and no entry, since watchers can see something new.
    mutating func becameVisible() {
        isVisible = true
    }

    mutating func record(_ change: RecordChange) {
        records.append(change)
    }

    /// Adds an entry to the journal.
    ///
    /// - Parameters:
    ///   - peer: the peer that acted. `nil` or the daemon's own connection means that the daemon acted; the entry is
    ///     then billed to the owner of `requester`, the peer whose request it is about.
    ///   - detail: what the kind does not say. Never contains an answer, a solution, a cookie or a secret.
    mutating func journal(_ kind: AuditEntry.Kind, by peer: Peer?, of requester: Peer? = nil, _ detail: String = "") {
        let actor = peer.flatMap {
            $0.connection == 0
                ? nil
                : AuditEntry.Actor(
                    uid: $0.uid, pid: $0.pid, broker: $0.broker, guardian: $0.guardian, owner: $0.owner)
        }
        let owner = requester.flatMap { $0.connection == 0 ? nil : $0.owner }
        entries.append(Entry(kind: kind, actor: actor, requester: actor == nil ? owner : nil, detail: detail))
    }

    var entryCount: Int { entries.count }

    /// Appends to the detail of all entries after the first `count`.
    mutating func addDetail(_ detail: String, after count: Int) {
        for index in entries.indices.dropFirst(count) {
            entries[index].detail += entries[index].detail.isEmpty ? detail : ", \(detail)"
        }
    }

    /// Answers a waiting call; with `nil` nothing happens.
    mutating func settle(_ wait: WaitID?, _ reply: Reply) {
        guard let wait else { return }
        effects.append(.settle(wait, reply))
    }

    mutating func check(_ check: SecretCheck, presentation: UInt64) {
        effects.append(.checkSecret(presentation: presentation, check))
    }

    mutating func checkPassword(_ id: PasswordCheckID, _ password: GateSecret, hash: String?) {
        effects.append(.checkPassword(id, password, hash: hash))
    }

    mutating func answer(_ answer: AnswerToSend) {
        effects.append(.answer(answer))
    }

    /// Makes the transition. All entries carry the mode after it, which is the mode when they can first be read.
    func finished(revision: Revision, mode: Mode, at time: WallTime, reply: Reply) -> Transition {
        Transition(
            revision: revision, isChange: isChange, records: records,
            audit: entries.map { entry in
                AuditEntry(
                    number: revision.number, time: time, kind: entry.kind, actor: entry.actor,
                    requester: entry.requester, mode: mode,
                    detail: entry.detail)
            },
            effects: effects, reply: reply)
    }
}
