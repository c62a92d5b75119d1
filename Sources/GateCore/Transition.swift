public import GateModel

/// What one command did: everything that has to be stored, published and answered, as plain values.
///
/// The daemon commits `records` and `audit`, then publishes what changed between the state before and after, then
/// sends `reply`. A transition that changed nothing has `isChange == false`: there is nothing to commit, and its
/// reply waits only for what was applied before it.
public struct Transition: Hashable, Sendable {
    /// The revision after it. Unchanged where nothing changed.
    public var revision: Revision
    /// Whether the revision is new.
    public var isChange: Bool
    /// Rows to write, in order.
    public var records: [RecordChange]
    /// Journal entries, all of this revision.
    public var audit: [AuditEntry]
    /// What to tell the peer.
    public var reply: Reply

    public init(
        revision: Revision, isChange: Bool, records: [RecordChange], audit: [AuditEntry], reply: Reply
    ) {
        self.revision = revision
        self.isChange = isChange
        self.records = records
        self.audit = audit
        self.reply = reply
    }
}

/// One row of durable state that changed.
public enum RecordChange: Hashable, Sendable {
    case lockoutSet(Lockout.Key, Lockout)
    case lockoutRemoved(Lockout.Key)
    /// Closed for damage, with the file that was set aside; `nil`: open.
    case damageSet(setAside: String?)
    /// The id that the next presentation gets. Ids never repeat within a store.
    case nextPresentationSet(UInt64)
}

/// What the peer hears. A refusal is a committed transition too: the wrong answer counts, and the peer is told.
public enum Reply: Hashable, Sendable {
    case done
    /// A challenge is open; show this.
    case presentation(Presentation)
    case refused(GateError)
    /// Reopened; the damaged store lies in the file named.
    case recovered(setAside: String)
}
