public import GateModel

/// The documents that answers name. The bytes of each are kept once, as long as an answer names it.
extension GateState {
    /// The edit with the true sizes of its documents, whatever sizes it stated, and without their bytes; an edit that
    /// takes parts over gets their contents. A holder can name only documents whose bytes come with the edit, or that
    /// the holder's answers name already. So knowing a digest gives no access to another holder's document, and does
    /// not reveal whether it exists.
    func measured(_ edit: FormEdit, for holder: FormHolder) throws(GateError) -> FormEdit {
        switch edit {
        case .set(let path, let values, let brought):
            .set(path, try measured(values, brought, for: holder), attachments: [:])
        case .suggest(let path, let values, let brought):
            .suggest(path, try measured(values, brought, for: holder), attachments: [:])
        case .fill(let response, let brought):
            .fill(try measured(response, brought, for: holder), attachments: [:])
        case .amend(let response, let brought):
            .amend(try measured(response, brought, for: holder), attachments: [:])
        case .remove, .reset: edit
        case .take(let path, let ids, _): .take(path, parts: ids, contents: try contents(of: ids, for: holder))
        }
    }

    private func measured(
        _ values: [FormValue], _ brought: [AttachmentDigest: [UInt8]], for holder: FormHolder
    ) throws(GateError) -> [FormValue] {
        var measured = values
        for index in values.indices {
            guard case .attachment(var attachment) = values[index] else { continue }
            attachment.byteCount = try byteCount(of: attachment.digest, brought, for: holder)
            measured[index] = .attachment(attachment)
        }
        return measured
    }

    private func measured(
        _ response: QuestionnaireResponse, _ brought: [AttachmentDigest: [UInt8]], for holder: FormHolder
    ) throws(GateError) -> QuestionnaireResponse {
        var byteCounts: [AttachmentDigest: Int] = [:]
        for digest in response.attachments { byteCounts[digest] = try byteCount(of: digest, brought, for: holder) }
        guard !byteCounts.isEmpty else { return response }
        var measured = response
        measured.items = response.items.map { item in
            item.mapValues { value in
                guard case .attachment(var attachment) = value else { return value }
                attachment.byteCount = byteCounts[attachment.digest] ?? 0
                return .attachment(attachment)
            }
        }
        return measured
    }

    private func byteCount(
        of digest: AttachmentDigest, _ brought: [AttachmentDigest: [UInt8]], for holder: FormHolder
    ) throws(GateError) -> Int {
        if let bytes = brought[digest] { return bytes.count }
        guard attachments.isNamed(digest, by: holder), let byteCount = records.attachments[digest] else {
            throw .noAttachment
        }
        return byteCount
    }

    mutating func store(
        _ named: Set<AttachmentDigest>, _ brought: [AttachmentDigest: [UInt8]], _ draft: inout TransitionDraft
    ) throws(GateError) {
        for digest in named.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        where records.attachments[digest] == nil {
            guard let bytes = brought[digest] else { throw .noAttachment }
            guard bytes.count <= Limits.attachmentByteCount else { throw .tooLargeAttachment }
            record(.forms(.attachmentStored(digest, bytes)), &draft)
        }
    }

    /// Checks the limits of documents after a change, once documents that no answer names any more are removed. Each
    /// holder whose answers name a document is billed for it.
    func checkRoom(for holder: FormHolder) throws(GateError) {
        let own = attachments.digests(billedWith: holder)
        guard own.count <= Limits.attachmentsOfHolder,
            own.reduce(0, { $0 + (records.attachments[$1] ?? 0) }) <= Limits.attachmentByteCountOfHolder,
            records.attachments.values.reduce(0, +) <= Limits.attachmentByteCountOfAll
        else { throw .noRoomForAttachment }
    }

    mutating func forget(_ dropped: Set<AttachmentDigest>, _ draft: inout TransitionDraft) {
        for digest in dropped.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        where records.attachments[digest] != nil && !attachments.isNamed(digest) {
            record(.forms(.attachmentRemoved(digest)), &draft)
        }
    }
}

extension FormRow {
    var attachments: Set<AttachmentDigest> {
        switch self {
        case .answers(let values), .entered(let values): Set(values.compactMap(\.attachment))
        case .instances: []
        }
    }
}

extension QuestionnaireResponse {
    public var attachments: Set<AttachmentDigest> {
        items.reduce(into: []) { $1.collectAttachments(into: &$0) }
    }
}

extension QuestionnaireResponseItem {
    var attachments: Set<AttachmentDigest> {
        var named: Set<AttachmentDigest> = []
        collectAttachments(into: &named)
        return named
    }

    fileprivate func collectAttachments(into named: inout Set<AttachmentDigest>) {
        for answer in answers {
            if let digest = answer.value?.attachment { named.insert(digest) }
            for item in answer.items { item.collectAttachments(into: &named) }
        }
        for item in items { item.collectAttachments(into: &named) }
    }

    fileprivate func mapValues(_ transform: (FormValue) -> FormValue) -> QuestionnaireResponseItem {
        var mapped = self
        mapped.items = items.map { $0.mapValues(transform) }
        mapped.answers = answers.map { answer in
            QuestionnaireResponseAnswer(
                answer.value.map(transform), items: answer.items.map { $0.mapValues(transform) })
        }
        return mapped
    }
}

extension FormValue {
    public var attachment: AttachmentDigest? {
        switch self {
        case .attachment(let attachment): attachment.digest
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .uri, .coding, .quantity, .reference: nil
        }
    }
}

/// Knows which attachments the answers name, and which holders gave those answers. The counts change with each row, so
/// that nothing has to search through all answers.
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
