package import CGateProtocol
package import GateModel

// questionnaires.proto: the calls that change a draft

extension Methods.Questionnaires {
    package static let set = Method<SetAnswerRequest, SetAnswerResponse>(service, "SetAnswer")
    package static let suggest = Method<SuggestAnswerRequest, SuggestAnswerResponse>(service, "SuggestAnswer")
    package static let remove = Method<RemoveGroupRequest, RemoveGroupResponse>(service, "RemoveGroup")
    package static let fill = Method<FillFormRequest, FillFormResponse>(service, "FillForm")
    package static let reset = Method<ResetFormRequest, ResetFormResponse>(service, "ResetForm")
    package static let load = Method<LoadFormRequest, LoadFormResponse>(service, "LoadForm")
}

extension FormChange: MessageMapping {
    init(reading message: Gate__V1__FormChange) throws(GateError) {
        self.init(
            summary: try FormSummary(reading: message.summary, of: "gate.v1.FormChange.summary"),
            isChanged: message.is_changed != 0,
            cleared: [String](reading: message.cleared, count: message.n_cleared).map {
                FormPath(text: $0) ?? FormPath($0)
            }, clearedCount: Int(message.cleared_count))
    }

    func write(to message: inout Gate__V1__FormChange, in arena: inout MessageArena) {
        message.summary = arena.message(summary)
        message.is_changed = isChanged ? 1 : 0
        (message.cleared, message.n_cleared) = arena.strings(cleared.map(\.description))
        message.cleared_count = UInt32(clamping: clearedCount)
    }
}

package struct TypedAnswers: Hashable, Sendable, MessageMapping {
    package var texts: [String]
    package var habits: WritingHabits

    /// The most texts in one request: each may be compared with every option of the question.
    package static let maximumCount = 200
    /// The most bytes of a date format, a separator, or a word for yes or no.
    package static let maximumHabitByteCount = 64

    package init(texts: [String], habits: WritingHabits) {
        self.texts = texts
        self.habits = habits
    }

    init(reading message: Gate__V1__TypedAnswers) {
        self.init(
            texts: [String](reading: message.texts, count: message.n_texts),
            habits: WritingHabits(
                dateFormat: String(reading: message.date_format),
                decimalSeparator: String(reading: message.decimal_separator), yes: String(reading: message.yes),
                no: String(reading: message.no)))
    }

    /// - Throws: `INVALID_ARGUMENT` if the request has both typed answers and `answers`, or typed ones over a limit.
    static func reading(
        _ message: UnsafeMutablePointer<Gate__V1__TypedAnswers>?, beside answers: [UInt8], of request: String
    ) throws(GateError) -> TypedAnswers? {
        guard let message else { return nil }
        guard answers.isEmpty else { throw .wrong("\(request).typed", "is set, and so is `answers`") }
        let typed = TypedAnswers(reading: message.pointee)
        guard typed.texts.count <= maximumCount else {
            throw .wrong("gate.v1.TypedAnswers.texts", "has more than \(maximumCount) texts; give fewer at once")
        }
        let habits = [typed.habits.dateFormat, typed.habits.decimalSeparator, typed.habits.yes, typed.habits.no]
        guard habits.allSatisfy({ $0.utf8.count <= maximumHabitByteCount }) else {
            throw .wrong("\(request).typed", "has a habit of more than \(maximumHabitByteCount) bytes")
        }
        return typed
    }

    func write(to message: inout Gate__V1__TypedAnswers, in arena: inout MessageArena) {
        (message.texts, message.n_texts) = arena.strings(texts)
        message.date_format = arena.string(habits.dateFormat)
        message.decimal_separator = arena.string(habits.decimalSeparator)
        message.yes = arena.string(habits.yes)
        message.no = arena.string(habits.no)
    }
}

package struct SetAnswerRequest: MappedMessage, FormAnswerRequest {
    package var target: FormTarget
    package var atRevision: UInt64?
    package var path: String
    package var answers: [UInt8]
    package var typed: TypedAnswers?

    package init(target: FormTarget, atRevision: UInt64?, path: String, answers: [UInt8]) {
        self.target = target
        self.atRevision = atRevision
        self.path = path
        self.answers = answers
    }

    init(reading message: Gate__V1__SetAnswerRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            path: try FormPath.text(reading: message.path, of: Self.typeName),
            answers: [UInt8](reading: message.answers))
        typed = try TypedAnswers.reading(message.typed, beside: answers, of: Self.typeName)
    }

    func write(to message: inout Gate__V1__SetAnswerRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.path = arena.string(path)
        message.answers = arena.bytes(answers)
        message.typed = arena.message(optional: typed)
    }
}

package typealias SetAnswerResponse = FormChangeReply<Gate__V1__SetAnswerResponse>
extension Gate__V1__SetAnswerResponse: CFormChangeReply {}

package struct SuggestAnswerRequest: MappedMessage, FormAnswerRequest {
    package var target: FormTarget
    package var atRevision: UInt64?
    package var path: String
    package var answers: [UInt8]
    package var typed: TypedAnswers?
    /// Milliseconds within which the answers, which are still being fetched, arrive; 0: the request holds them.
    package var pendingMilliseconds: Int64

    package init(
        target: FormTarget, atRevision: UInt64?, path: String, answers: [UInt8], pendingMilliseconds: Int64
    ) {
        self.target = target
        self.atRevision = atRevision
        self.path = path
        self.answers = answers
        self.pendingMilliseconds = pendingMilliseconds
    }

    package init(target: FormTarget, atRevision: UInt64?, path: String, answers: [UInt8]) {
        self.init(target: target, atRevision: atRevision, path: path, answers: answers, pendingMilliseconds: 0)
    }

    init(reading message: Gate__V1__SuggestAnswerRequest) throws(GateError) {
        let answers = [UInt8](reading: message.answers), pending = message.pending_milliseconds
        guard (0...PendingSuggestion.maximumMilliseconds).contains(pending) else {
            throw .wrong(
                "\(Self.typeName).pending_milliseconds",
                "is \(pending); answers come within 1 to \(PendingSuggestion.maximumMilliseconds) milliseconds")
        }
        guard pending == 0 || answers.isEmpty && message.typed == nil else {
            throw .wrong("\(Self.typeName).answers", "is set, though the answers are said to come later")
        }
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            path: try FormPath.text(reading: message.path, of: Self.typeName), answers: answers,
            pendingMilliseconds: pending)
        typed = try TypedAnswers.reading(message.typed, beside: answers, of: Self.typeName)
    }

    func write(to message: inout Gate__V1__SuggestAnswerRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.path = arena.string(path)
        message.answers = arena.bytes(answers)
        message.pending_milliseconds = pendingMilliseconds
        message.typed = arena.message(optional: typed)
    }
}

/// If the question had an answer already, the change says that nothing changed.
package typealias SuggestAnswerResponse = FormChangeReply<Gate__V1__SuggestAnswerResponse>
extension Gate__V1__SuggestAnswerResponse: CFormChangeReply {}

package struct RemoveGroupRequest: MappedMessage {
    package var target: FormTarget
    package var atRevision: UInt64?
    package var path: String

    package init(target: FormTarget, atRevision: UInt64?, path: String) {
        self.target = target
        self.atRevision = atRevision
        self.path = path
    }

    init(reading message: Gate__V1__RemoveGroupRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            path: try FormPath.text(reading: message.path, of: Self.typeName))
    }

    func write(to message: inout Gate__V1__RemoveGroupRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.path = arena.string(path)
    }
}

package typealias RemoveGroupResponse = FormChangeReply<Gate__V1__RemoveGroupResponse>
extension Gate__V1__RemoveGroupResponse: CFormChangeReply {}

package struct FillFormRequest: MappedMessage {
    package var target: FormTarget
    package var atRevision: UInt64?
    package var response: [UInt8]
    /// In place of `response`: a QuestionnaireResponse whose answers are added to the existing ones.
    package var answers: [UInt8]

    package init(
        target: FormTarget, atRevision: UInt64?, response: [UInt8] = [], answers: [UInt8] = []
    ) {
        self.target = target
        self.atRevision = atRevision
        self.response = response
        self.answers = answers
    }

    init(reading message: Gate__V1__FillFormRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            response: [UInt8](reading: message.response), answers: [UInt8](reading: message.answers))
        guard response.isEmpty || answers.isEmpty else {
            throw .wrong("gate.v1.FillFormRequest.answers", "is set beside 'response'; one of both is enough")
        }
    }

    func write(to message: inout Gate__V1__FillFormRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.response = arena.bytes(response)
        message.answers = arena.bytes(answers)
    }
}

package typealias FillFormResponse = FormChangeReply<Gate__V1__FillFormResponse>
extension Gate__V1__FillFormResponse: CFormChangeReply {}

package typealias ResetFormRequest = FormEditRequest<Gate__V1__ResetFormRequest>
extension Gate__V1__ResetFormRequest: CFormEditRequest {}

package typealias ResetFormResponse = FormChangeReply<Gate__V1__ResetFormResponse>
extension Gate__V1__ResetFormResponse: CFormChangeReply {}

package struct LoadFormRequest: MappedMessage {
    /// The draft that takes the answers. It is opened if it is not open yet.
    package var target: FormTarget
    package var atRevision: UInt64?
    /// The id of the kept response; `nil` (0 on the wire): the newest completed response of the same holder.
    package var responseID: UInt64?

    package init(target: FormTarget, atRevision: UInt64?, responseID: UInt64?) {
        self.target = target
        self.atRevision = atRevision
        self.responseID = responseID
    }

    init(reading message: Gate__V1__LoadFormRequest) throws(GateError) {
        self.init(
            target: try FormTarget(reading: message.target, of: Self.typeName),
            atRevision: message.at_revision == 0 ? nil : message.at_revision,
            responseID: message.response_id == 0 ? nil : message.response_id)
    }

    func write(to message: inout Gate__V1__LoadFormRequest, in arena: inout MessageArena) {
        message.target = arena.message(target)
        message.at_revision = atRevision ?? 0
        message.response_id = responseID ?? 0
    }
}

/// `cleared` in the change names the questions whose answers no longer fit.
package typealias LoadFormResponse = FormChangeReply<Gate__V1__LoadFormResponse>
extension Gate__V1__LoadFormResponse: CFormChangeReply {}
