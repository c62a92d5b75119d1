/// Entries of the journal: all those after the previous batch, up to `revision`.
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
