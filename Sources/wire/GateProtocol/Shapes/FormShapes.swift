package import CGateProtocol
package import GateModel

// questionnaires.proto: fields and parts that many of its requests and responses share

package struct FormRequest<CMessage: CFormRequest>: MappedMessage {
    package var target: FormTarget

    package init(target: FormTarget) {
        self.target = target
    }

    init(reading message: CMessage) throws(GateError) {
        self.init(target: try FormTarget(reading: message.target, of: Self.typeName))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.target = arena.message(target)
    }
}

/// A request for a page of a list that can be limited to one form.
package struct FormListRequest<CMessage: CFormListRequest>: MappedMessage, PagedRequest {
    /// The form; `nil` (empty on the wire): all forms.
    package var name: String?
    package var pageSize: Int
    package var pageToken: String

    package init(name: String?, pageSize: Int = 0, pageToken: String = "") {
        self.name = name
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    init(reading message: CMessage) {
        self.init(
            name: String(optional: message.name), pageSize: Int(message.page_size),
            pageToken: String(reading: message.page_token))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.name = arena.string(name ?? "")
        message.page_size = UInt32(clamping: pageSize)
        message.page_token = arena.string(pageToken)
    }
}

/// A request to change a draft. The daemon refuses it if the draft has another revision than `atRevision`.
package struct FormEditRequest<CMessage: CFormEditRequest>: MappedMessage {
    package var target: FormTarget
    /// The revision of the draft; `nil` (0 on the wire): any.
    package var atRevision: UInt64?

    package init(target: FormTarget, atRevision: UInt64?) {
        self.target = target
        self.atRevision = atRevision
    }

    init(reading message: CMessage) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision)
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
    }
}

/// A request with answers to a question.
package protocol FormAnswerRequest: WireMessage {
    var target: FormTarget { get }
    /// The revision of the draft; `nil` (0 on the wire): any.
    var atRevision: UInt64? { get }
    /// The path of the question, for example `driver[1]/driver-name`; a valid `FormPath`.
    var path: String { get }
    /// A JSON array of answers as in a QuestionnaireResponse, for example `[{"valueString": "Anna"}]`; may be empty.
    var answers: [UInt8] { get }
    /// The answers as a person typed them, in place of `answers`.
    var typed: TypedAnswers? { get set }
}

package struct FormDraftReply<CMessage: CFormDraftReply>: MappedMessage {
    package var revision: Revision
    package var draft: FormDraftMessage

    package init(revision: Revision, draft: FormDraftMessage) {
        self.revision = revision
        self.draft = draft
    }

    init(reading message: CMessage) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision),
            draft: try FormDraftMessage(reading: message.draft, of: "\(Self.typeName).draft"))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.draft = arena.message(draft)
    }
}

package struct FormChangeReply<CMessage: CFormChangeReply>: MappedMessage {
    package var revision: Revision
    package var change: FormChange

    package init(revision: Revision, change: FormChange) {
        self.revision = revision
        self.change = change
    }

    init(reading message: CMessage) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision),
            change: try FormChange(reading: message.change, of: "\(Self.typeName).change"))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.change = arena.message(change)
    }
}

/// An answer that names the response that was kept.
package struct KeptResponseReply<CMessage: CKeptResponseReply>: MappedMessage {
    package var revision: Revision
    package var responseID: UInt64

    package init(revision: Revision, responseID: UInt64) {
        self.revision = revision
        self.responseID = responseID
    }

    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision), responseID: message.response_id)
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.response_id = responseID
    }
}

// MARK: Parts of many messages

extension FormHolder: MessageMapping {
    init(reading message: Gate__V1__FormHolder) throws(GateError) {
        switch message.holder_case {
        case GATE__V1__FORM_HOLDER__HOLDER_ACCOUNT: self = .account(String(reading: message.account))
        case GATE__V1__FORM_HOLDER__HOLDER_UID: self = .user(message.uid)
        // The default would be uid 0, and give the draft to root.
        default: throw .wrong("gate.v1.FormHolder.holder", "is not set, or one that this version does not know")
        }
    }

    func write(to message: inout Gate__V1__FormHolder, in arena: inout MessageArena) {
        switch kind {
        case .account(let name):
            message.holder_case = GATE__V1__FORM_HOLDER__HOLDER_ACCOUNT
            message.account = arena.string(name)
        case .user(let uid):
            message.holder_case = GATE__V1__FORM_HOLDER__HOLDER_UID
            message.uid = uid
        }
    }
}

extension FormSummary: MessageMapping {
    init(reading message: Gate__V1__FormSummary) throws(GateError) {
        self.init(
            name: String(reading: message.name),
            holder: try FormHolder(reading: message.holder, of: "gate.v1.FormSummary.holder"),
            revision: message.revision, draftID: message.draft_id, label: String(reading: message.label),
            openedAt: message.opened_at_unix_milliseconds == 0
                ? nil : WallTime(unixMilliseconds: message.opened_at_unix_milliseconds))
    }

    func write(to message: inout Gate__V1__FormSummary, in arena: inout MessageArena) {
        message.name = arena.string(name)
        message.holder = arena.message(holder)
        message.revision = revision
        message.draft_id = draftID
        message.label = arena.string(label)
        message.opened_at_unix_milliseconds = openedAt?.unixMilliseconds ?? 0
    }
}

extension FormTarget: MessageMapping {
    init(reading message: Gate__V1__FormTarget) {
        self.init(
            name: String(reading: message.name),
            cookie: message.cookie.len == 0 ? nil : PresentationCookie(reading: message.cookie),
            draftID: message.draft_id)
    }

    /// - Throws: `INVALID_ARGUMENT`, naming the request, if the target is absent.
    init(
        reading message: UnsafeMutablePointer<Gate__V1__FormTarget>?, of request: String
    ) throws(GateError) {
        guard let message else { throw .wrong("\(request).target", "is not set; say which form is meant") }
        self.init(reading: message.pointee)
    }

    func write(to message: inout Gate__V1__FormTarget, in arena: inout MessageArena) {
        message.name = arena.string(name)
        if let cookie { message.cookie = arena.bytes(cookie.bytes) }
        message.draft_id = draftID
    }
}

extension FormPath {
    /// - Throws: `INVALID_ARGUMENT`, naming the field, if the path is too long or malformed.
    static func text(reading field: UnsafeMutablePointer<CChar>?, of request: String) throws(GateError) -> String {
        let text = String(reading: field)
        guard text.utf8.count <= maximumByteCount else {
            throw .wrong("\(request).path", "takes \(text.utf8.count) bytes; at most \(maximumByteCount) are taken")
        }
        guard FormPath(text: text) != nil else {
            throw .wrong("\(request).path", "is no path of an item; write it like driver[1]/driver-name")
        }
        return text
    }
}

extension WireMessage {
    /// The full name, for example "gate.v1.SetAnswerRequest".
    static var typeName: String { String(cString: descriptor.pointee.name) }
}

// MARK: The generated structs

// The names are those of the generated code.
// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CFormRequest: CStruct {
    var target: UnsafeMutablePointer<Gate__V1__FormTarget>! { get set }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CFormListRequest: CStruct {
    var name: UnsafeMutablePointer<CChar>! { get set }
    var page_size: UInt32 { get set }
    var page_token: UnsafeMutablePointer<CChar>! { get set }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CFormEditRequest: CFormRequest {
    var at_revision: UInt64 { get set }
}

package protocol CFormDraftReply: CRevisionReply {
    var draft: UnsafeMutablePointer<Gate__V1__FormDraft>! { get set }
}

package protocol CFormChangeReply: CRevisionReply {
    var change: UnsafeMutablePointer<Gate__V1__FormChange>! { get set }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CKeptResponseReply: CRevisionReply {
    var response_id: UInt64 { get set }
}
