package import CGateProtocol
package import GateModel

// questionnaires.proto: parts, the answers that forms share

extension Methods.Questionnaires {
    package static let listParts = Method<ListPartsRequest, ListPartsResponse>(service, "ListParts")
    package static let getPart = Method<GetPartRequest, GetPartResponse>(service, "GetPart")
    package static let savePart = Method<SavePartRequest, SavePartResponse>(service, "SavePart")
    package static let labelPart = Method<LabelPartRequest, LabelPartResponse>(service, "LabelPart")
    package static let removePart = Method<RemovePartRequest, RemovePartResponse>(service, "RemovePart")
    package static let takeParts = Method<TakePartsRequest, TakePartsResponse>(service, "TakeParts")
}

extension PartSummary: MessageMapping {
    init(reading message: Gate__V1__PartSummary) throws(GateError) {
        self.init(
            id: message.id, holder: try FormHolder(reading: message.holder, of: "gate.v1.PartSummary.holder"),
            definition: String(reading: message.definition), label: String(reading: message.label),
            isNamed: message.is_named != 0,
            savedAt: WallTime(unixMilliseconds: message.saved_at_unix_milliseconds))
    }

    func write(to message: inout Gate__V1__PartSummary, in arena: inout MessageArena) {
        message.id = id
        message.holder = arena.message(holder)
        message.definition = arena.string(definition)
        message.label = arena.string(label)
        message.is_named = isNamed ? 1 : 0
        message.saved_at_unix_milliseconds = savedAt.unixMilliseconds
    }
}

package struct ListPartsRequest: MappedMessage, PagedRequest {
    /// The `definition` of an item; `nil` (empty on the wire): all parts.
    package var definition: String?
    package var pageSize: Int
    package var pageToken: String

    package init(definition: String?, pageSize: Int = 0, pageToken: String = "") {
        self.definition = definition
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    init(reading message: Gate__V1__ListPartsRequest) {
        self.init(
            definition: String(optional: message.definition), pageSize: Int(message.page_size),
            pageToken: String(reading: message.page_token))
    }

    func write(to message: inout Gate__V1__ListPartsRequest, in arena: inout MessageArena) {
        message.definition = arena.string(definition ?? "")
        message.page_size = UInt32(clamping: pageSize)
        message.page_token = arena.string(pageToken)
    }
}

/// Sorted with the oldest first.
package typealias ListPartsResponse = PageReply<PartSummary, Gate__V1__ListPartsResponse>

extension Gate__V1__ListPartsResponse: CPageReply {
    package var elements: CList<Gate__V1__PartSummary> {
        get { (parts, n_parts) }
        set { (parts, n_parts) = newValue }
    }
}

package struct GetPartRequest: MappedMessage {
    package var partID: UInt64

    package init(partID: UInt64) {
        self.partID = partID
    }

    init(reading message: Gate__V1__GetPartRequest) {
        self.init(partID: message.part_id)
    }

    func write(to message: inout Gate__V1__GetPartRequest, in arena: inout MessageArena) {
        message.part_id = partID
    }
}

package struct GetPartResponse: MappedMessage {
    package var summary: PartSummary
    package var response: [UInt8]

    package init(summary: PartSummary, response: [UInt8]) {
        self.summary = summary
        self.response = response
    }

    init(reading message: Gate__V1__GetPartResponse) throws(GateError) {
        self.init(
            summary: try PartSummary(reading: message.summary, of: "gate.v1.GetPartResponse.summary"),
            response: [UInt8](reading: message.response))
    }

    func write(to message: inout Gate__V1__GetPartResponse, in arena: inout MessageArena) {
        message.summary = arena.message(summary)
        message.response = arena.bytes(response)
    }
}

package struct SavePartRequest: MappedMessage {
    package var target: FormTarget
    /// The path of an item that has a `definition`; a valid `FormPath`.
    package var path: String
    /// The part that is replaced; `nil` (0 on the wire): a new one.
    package var partID: UInt64?
    /// Empty: the answers make the label, or an existing part keeps the label that somebody gave it.
    package var label: String

    package init(target: FormTarget, path: String, partID: UInt64? = nil, label: String = "") {
        self.target = target
        self.path = path
        self.partID = partID
        self.label = label
    }

    init(reading message: Gate__V1__SavePartRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            path: try FormPath.text(reading: message.path, of: Self.typeName),
            partID: message.part_id == 0 ? nil : message.part_id, label: String(reading: message.label))
    }

    func write(to message: inout Gate__V1__SavePartRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.path = arena.string(path)
        message.part_id = partID ?? 0
        message.label = arena.string(label)
    }
}

package struct SavePartResponse: MappedMessage {
    package var revision: Revision
    package var partID: UInt64

    package init(revision: Revision, partID: UInt64) {
        self.revision = revision
        self.partID = partID
    }

    init(reading message: Gate__V1__SavePartResponse) {
        self.init(revision: Revision(reading: message.revision), partID: message.part_id)
    }

    func write(to message: inout Gate__V1__SavePartResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.part_id = partID
    }
}

package struct LabelPartRequest: MappedMessage {
    package var partID: UInt64
    /// Empty: the answers make the label.
    package var label: String

    package init(partID: UInt64, label: String) {
        self.partID = partID
        self.label = label
    }

    init(reading message: Gate__V1__LabelPartRequest) {
        self.init(partID: message.part_id, label: String(reading: message.label))
    }

    func write(to message: inout Gate__V1__LabelPartRequest, in arena: inout MessageArena) {
        message.part_id = partID
        message.label = arena.string(label)
    }
}

package typealias LabelPartResponse = RevisionReply<Gate__V1__LabelPartResponse>
extension Gate__V1__LabelPartResponse: CRevisionReply {}

package struct RemovePartRequest: MappedMessage {
    package var partID: UInt64

    package init(partID: UInt64) {
        self.partID = partID
    }

    init(reading message: Gate__V1__RemovePartRequest) {
        self.init(partID: message.part_id)
    }

    func write(to message: inout Gate__V1__RemovePartRequest, in arena: inout MessageArena) {
        message.part_id = partID
    }
}

package typealias RemovePartResponse = RevisionReply<Gate__V1__RemovePartResponse>
extension Gate__V1__RemovePartResponse: CRevisionReply {}

package struct TakePartsRequest: MappedMessage {
    package var target: FormTarget
    package var atRevision: UInt64?
    package var path: String
    /// The ids of the parts, in the order in which they are taken.
    package var partIDs: [UInt64]

    package init(target: FormTarget, atRevision: UInt64?, path: String, partIDs: [UInt64]) {
        self.target = target
        self.atRevision = atRevision
        self.path = path
        self.partIDs = partIDs
    }

    init(reading message: Gate__V1__TakePartsRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            path: try FormPath.text(reading: message.path, of: Self.typeName),
            partIDs: [UInt64](UnsafeBufferPointer(start: message.part_ids, count: message.n_part_ids)))
    }

    func write(to message: inout Gate__V1__TakePartsRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.path = arena.string(path)
        (message.part_ids, message.n_part_ids) = arena.numbers(partIDs)
    }
}

/// `cleared` in the change also names the questions that answers of the parts do not fit.
package typealias TakePartsResponse = FormChangeReply<Gate__V1__TakePartsResponse>
extension Gate__V1__TakePartsResponse: CFormChangeReply {}
