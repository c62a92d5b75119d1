import CGateProtocol
package import GateModel

// questionnaires.proto: what many of its requests and responses are

/// A request that names a draft, and nothing more.
package protocol FormRequest: WireMessage {
    var target: FormTargetMessage { get }

    init(target: FormTargetMessage)
}

extension MappedMessage where Self: FormRequest, CMessage: CFormRequest {
    init(reading message: CMessage) throws(GateError) {
        self.init(target: try FormTargetMessage(reading: message.target, of: Self.typeName))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.target = arena.message(target)
    }
}

/// A request for a page of what there is of a form.
package protocol FormListRequest: WireMessage {
    /// The form; `nil` (and empty): all.
    var name: String? { get }
    /// At most this many; 0: as many as one answer holds.
    var pageSize: Int { get }
    /// From the answer before; empty: from the beginning.
    var pageToken: String { get }

    init(name: String?, pageSize: Int, pageToken: String)
}

extension MappedMessage where Self: FormListRequest, CMessage: CFormListRequest {
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

/// A request to change a draft, which says of which revision it knows.
package protocol FormEditRequest: WireMessage {
    var target: FormTargetMessage { get }
    /// The revision of the draft; `nil` (and 0): any.
    var atRevision: UInt64? { get }

    init(target: FormTargetMessage, atRevision: UInt64?)
}

extension MappedMessage where Self: FormEditRequest, CMessage: CFormEditRequest {
    init(reading message: CMessage) throws(GateError) {
        self.init(
            target: try FormTargetMessage(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision)
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
    }
}

/// A request to answer a question.
package protocol FormAnswerRequest: WireMessage {
    var target: FormTargetMessage { get }
    /// The revision of the draft; `nil` (and 0): any.
    var atRevision: UInt64? { get }
    /// The path of the question: `driver[1]/driver-name`. It can be read as a `FormPath`.
    var path: String { get }
    /// A JSON array of the answers, each as in QuestionnaireResponse: `[{"valueString": "Anna"}]`. Empty array: none.
    var answers: [UInt8] { get }

    init(target: FormTargetMessage, atRevision: UInt64?, path: String, answers: [UInt8])
}

extension MappedMessage where Self: FormAnswerRequest, CMessage: CFormAnswerRequest {
    init(reading message: CMessage) throws(GateError) {
        self.init(
            target: try FormTargetMessage(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            path: try FormPath.text(reading: message.path, of: Self.typeName),
            answers: [UInt8](reading: message.answers))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.path = arena.string(path)
        message.answers = arena.bytes(answers)
    }
}

/// An answer that brings a draft.
package protocol FormDraftReply: WireMessage {
    var revision: Revision { get }
    var draft: FormDraftMessage { get }

    init(revision: Revision, draft: FormDraftMessage)
}

extension MappedMessage where Self: FormDraftReply, CMessage: CFormDraftReply {
    init(reading message: CMessage) throws(GateError) {
        guard let draft = message.draft else { throw .wrong("\(Self.typeName).draft", "is not set") }
        self.init(
            revision: Revision(reading: message.revision), draft: try FormDraftMessage(reading: draft.pointee))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.draft = arena.message(draft)
    }
}

/// An answer that says what a change of a draft came to.
package protocol FormChangeReply: WireMessage {
    var revision: Revision { get }
    var change: FormChange { get }

    init(revision: Revision, change: FormChange)
}

extension MappedMessage where Self: FormChangeReply, CMessage: CFormChangeReply {
    init(reading message: CMessage) throws(GateError) {
        guard let change = message.change else { throw .wrong("\(Self.typeName).change", "is not set") }
        self.init(
            revision: Revision(reading: message.revision), change: try FormChange(reading: change.pointee))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.change = arena.message(change)
    }
}

/// An answer that names what is kept now.
package protocol KeptResponseReply: WireMessage {
    var revision: Revision { get }
    /// The id of the response that is kept.
    var responseID: UInt64 { get }

    init(revision: Revision, responseID: UInt64)
}

extension MappedMessage where Self: KeptResponseReply, CMessage: CKeptResponseReply {
    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision), responseID: message.response_id)
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.response_id = responseID
    }
}

extension FormPath {
    /// The text of a path, checked as one.
    /// - Throws: `INVALID_ARGUMENT` where it is too long, or no path.
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
    /// "gate.v1.SetAnswerRequest".
    static var typeName: String { String(cString: descriptor.pointee.name) }
}

// MARK: The generated structs

// The names are those of the generated code.
// swift-format-ignore: AlwaysUseLowerCamelCase
protocol CFormRequest {
    var target: UnsafeMutablePointer<Gate__V1__FormTarget>! { get set }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
protocol CFormListRequest {
    var name: UnsafeMutablePointer<CChar>! { get set }
    var page_size: UInt32 { get set }
    var page_token: UnsafeMutablePointer<CChar>! { get set }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
protocol CFormEditRequest: CFormRequest {
    var at_revision: UInt64 { get set }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
protocol CFormAnswerRequest: CFormEditRequest {
    var path: UnsafeMutablePointer<CChar>! { get set }
    var answers: ProtobufCBinaryData { get set }
}

protocol CFormDraftReply: CRevisionReply {
    var draft: UnsafeMutablePointer<Gate__V1__FormDraft>! { get set }
}

protocol CFormChangeReply: CRevisionReply {
    var change: UnsafeMutablePointer<Gate__V1__FormChange>! { get set }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
protocol CKeptResponseReply: CRevisionReply {
    var response_id: UInt64 { get set }
}

extension Gate__V1__ListDraftsRequest: CFormListRequest {}
extension Gate__V1__ListResponsesRequest: CFormListRequest {}
extension Gate__V1__ReadFormRequest: CFormRequest {}
extension Gate__V1__DiscardFormRequest: CFormRequest {}
extension Gate__V1__SaveFormRequest: CFormRequest {}
extension Gate__V1__ResetFormRequest: CFormEditRequest {}
extension Gate__V1__CompleteFormRequest: CFormEditRequest {}
extension Gate__V1__SetAnswerRequest: CFormAnswerRequest {}
extension Gate__V1__SuggestAnswerRequest: CFormAnswerRequest {}
extension Gate__V1__OpenFormResponse: CFormDraftReply {}
extension Gate__V1__ReadFormResponse: CFormDraftReply {}
extension Gate__V1__SetAnswerResponse: CFormChangeReply {}
extension Gate__V1__SuggestAnswerResponse: CFormChangeReply {}
extension Gate__V1__RemoveGroupResponse: CFormChangeReply {}
extension Gate__V1__FillFormResponse: CFormChangeReply {}
extension Gate__V1__ResetFormResponse: CFormChangeReply {}
extension Gate__V1__LoadFormResponse: CFormChangeReply {}
extension Gate__V1__TakePartsResponse: CFormChangeReply {}
extension Gate__V1__SaveFormResponse: CKeptResponseReply {}
extension Gate__V1__CompleteFormResponse: CKeptResponseReply {}
extension Gate__V1__RequestFormResponse: CKeptResponseReply {}
