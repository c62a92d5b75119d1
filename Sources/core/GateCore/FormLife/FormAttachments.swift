public import GateModel

/// The documents that answers name. The bytes of each are kept once, as long as an answer names it.
extension GateState {
    /// The edit with the true sizes of its documents, whatever sizes it stated, and without their bytes. A holder can
    /// name only documents whose bytes come with the edit, or that the holder's answers name already. So knowing a
    /// digest gives no access to another holder's document, and does not reveal whether it exists.
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

    /// Stores the named documents that are not stored yet.
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

    /// Checks the limits after a change, without dropped documents. Each holder who names a document is billed for it.
    func checkRoom(for holder: FormHolder) throws(GateError) {
        let own = attachments.digests(billedWith: holder)
        guard own.count <= Limits.attachmentsOfHolder,
            own.reduce(0, { $0 + (records.attachments[$1] ?? 0) }) <= Limits.attachmentByteCountOfHolder,
            records.attachments.values.reduce(0, +) <= Limits.attachmentByteCountOfAll
        else { throw .noRoomForAttachment }
    }

    /// Removes the documents among these that no answer names any more.
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
    /// All documents that its answers name.
    public var attachments: Set<AttachmentDigest> {
        items.reduce(into: []) { $1.collectAttachments(into: &$0) }
    }
}

extension QuestionnaireResponseItem {
    /// All documents that the answers at and below the item name.
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
    /// The document that the value names; `nil` for other types.
    public var attachment: AttachmentDigest? {
        switch self {
        case .attachment(let attachment): attachment.digest
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .uri, .coding, .quantity, .reference: nil
        }
    }
}
