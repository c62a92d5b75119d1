/// The entries of the journal that whole revisions have made.
public struct AuditBatch: Hashable, Sendable {
    /// The last revision that this covers. To go on from here, ask for the entries after it.
    public var revision: Revision
    /// The entries, oldest first.
    public var entries: [AuditEntry]

    /// Makes a batch of these values.
    package init(revision: Revision, entries: [AuditEntry]) {
        self.revision = revision
        self.entries = entries
    }
}
