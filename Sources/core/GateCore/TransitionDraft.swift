import GateModel

/// A transition under construction: the rows, journal entries and effects so far.
struct TransitionDraft {
    private(set) var records: [RecordChange] = []
    private var entries: [Entry] = []
    private var effects: [Effect] = []
    private var isVisible = false
    /// The peer that caused what follows from the command, if it is not the acting peer: the daemon reports the outcome
    /// of a check, and the peer is the one that typed the secret or the password.
    var author: Peer?

    /// A journal entry without its revision and mode, which are known only at the end.
    private struct Entry {
        let kind: AuditEntry.Kind
        let actor: AuditEntry.Actor?
        let requester: Owner?
        var detail: String
    }

    /// Whether there is anything to commit, or anything new for watchers to see.
    var isChange: Bool { !records.isEmpty || !entries.isEmpty || isVisible }

    /// Makes the transition a change although it has no row and no entry, since watchers can see something new.
    mutating func becameVisible() {
        isVisible = true
    }

    mutating func record(_ change: RecordChange) {
        records.append(change)
    }

    /// - Parameters:
    ///   - peer: the peer that acted; `nil` or the daemon's own connection: the daemon acted by itself.
    ///   - requester: the peer whose request it concerns. If the daemon acted by itself, the entry is billed to this
    ///     peer's owner.
    ///   - detail: what the kind does not say. Never an answer, a solution, a cookie or a secret.
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

    /// Asks the daemon to sign and send a guardian's answer.
    mutating func answer(_ answer: AnswerToSend) {
        effects.append(.answer(answer))
    }

    /// Makes the transition. All entries carry the mode after the transition, which is the mode at the time when they
    /// can first be read.
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
