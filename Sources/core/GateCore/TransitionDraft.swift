import GateModel

/// A transition while it is being made: the rows, the journal entries and the effects so far.
struct TransitionDraft {
    private(set) var records: [RecordChange] = []
    private var entries: [Entry] = []
    private var effects: [Effect] = []
    private var isVisible = false

    /// A journal entry before its revision and the final mode are known.
    private struct Entry {
        let kind: AuditEntry.Kind
        let actor: AuditEntry.Actor?
        let requester: Owner?
        var detail: String
    }

    /// Whether there is anything to commit, or anything new that a watcher can see.
    var isChange: Bool { !records.isEmpty || !entries.isEmpty || isVisible }

    /// A watcher can see something new that is worth no row and no entry.
    mutating func becameVisible() {
        isVisible = true
    }

    mutating func record(_ change: RecordChange) {
        records.append(change)
    }

    /// - Parameters:
    ///   - peer: who did it; `nil`, or the daemon's own connection, where the daemon did it by itself.
    ///   - requester: whose request it is about, to be billed where the daemon did it by itself.
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

    /// How many journal entries there are so far.
    var entryCount: Int { entries.count }

    /// Says more in the entries after the first `count`.
    mutating func addDetail(_ detail: String, after count: Int) {
        for index in entries.indices.dropFirst(count) {
            entries[index].detail += entries[index].detail.isEmpty ? detail : ", \(detail)"
        }
    }

    /// Answers the call that waits; `nil`: none does.
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

    /// Has a guardian's answer sent.
    mutating func answer(_ answer: AnswerToSend) {
        effects.append(.answer(answer))
    }

    /// All entries carry the mode after the transition: that is what is true once anybody can read them.
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
