import GateModel

/// Which attachments the answers name, and whose answers those are. The counts change with each row, so that nothing
/// has to search through all answers.
struct AttachmentLedger: Hashable, Sendable {
    private var ofHolders: [FormHolder: [AttachmentDigest: Int]] = [:]
    private var ofAll: [AttachmentDigest: Int] = [:]

    init() {}

    init(restoring records: DurableRecords) {
        for (key, rows) in records.draftRows {
            for row in rows.values { count(row.attachments, of: key.holder, by: 1) }
        }
        for kept in records.responses.values { count(kept.response.attachments, of: kept.summary.holder, by: 1) }
        for part in records.parts.values { count(part.content.attachments, of: part.summary.holder, by: 1) }
    }

    func isNamed(_ digest: AttachmentDigest) -> Bool { ofAll[digest] != nil }

    func isNamed(_ digest: AttachmentDigest, by holder: FormHolder) -> Bool { ofHolders[holder]?[digest] != nil }

    /// The attachments of all holders who are billed together with this one.
    func digests(billedWith holder: FormHolder) -> Set<AttachmentDigest> {
        ofHolders.lazy.filter { $0.key.sharesBill(with: holder) }.reduce(into: []) { $0.formUnion($1.value.keys) }
    }

    /// - Parameter records: the records before the change.
    mutating func willApply(_ change: RecordChange, to records: DurableRecords) {
        if case .restored(let restored) = change { self = AttachmentLedger(restoring: restored) }
        if case .forms(let change) = change { willApply(change, to: records) }
    }

    private mutating func willApply(_ change: FormRecordChange, to records: DurableRecords) {
        switch change {
        case .draftRowSet(let key, let path, let row):
            count(records.draftRows[key]?[path]?.attachments ?? [], of: key.holder, by: -1)
            count(row.attachments, of: key.holder, by: 1)
        case .draftRowRemoved(let key, let path):
            count(records.draftRows[key]?[path]?.attachments ?? [], of: key.holder, by: -1)
        case .draftRemoved(let key):
            for row in (records.draftRows[key] ?? [:]).values { count(row.attachments, of: key.holder, by: -1) }
        case .responseSet(let kept):
            forget(records.responses[kept.summary.id])
            count(kept.response.attachments, of: kept.summary.holder, by: 1)
        case .responseRemoved(let id):
            forget(records.responses[id])
        case .partSet(let part):
            forget(records.parts[part.summary.id])
            count(part.content.attachments, of: part.summary.holder, by: 1)
        case .partRemoved(let id):
            forget(records.parts[id])
        case .draftSet, .nextResponseSet, .appFormSet, .appFormRemoved, .attachmentStored, .attachmentRemoved:
            break
        }
    }

    private mutating func forget(_ kept: ResponseRecord?) {
        guard let kept else { return }
        count(kept.response.attachments, of: kept.summary.holder, by: -1)
    }

    private mutating func forget(_ part: PartRecord?) {
        guard let part else { return }
        count(part.content.attachments, of: part.summary.holder, by: -1)
    }

    private mutating func count(_ digests: Set<AttachmentDigest>, of holder: FormHolder, by step: Int) {
        for digest in digests {
            ofAll[digest, default: 0] += step
            if ofAll[digest] == 0 { ofAll[digest] = nil }
            ofHolders[holder, default: [:]][digest, default: 0] += step
            if ofHolders[holder]?[digest] == 0 { ofHolders[holder]?[digest] = nil }
            if ofHolders[holder]?.isEmpty ?? false { ofHolders[holder] = nil }
        }
    }
}
