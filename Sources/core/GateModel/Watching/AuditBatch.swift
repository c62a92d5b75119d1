/// Entries of the journal. They are all entries of the revisions up to `revision`, after those of the batch before.
public struct AuditBatch: Hashable, Sendable {
    /// The last revision that the batch covers. To continue, ask for the entries after it.
    public var revision: Revision
    /// The entries, oldest first.
    public var entries: [AuditEntry]

    package init(revision: Revision, entries: [AuditEntry]) {
        self.revision = revision
        self.entries = entries
    }
}
